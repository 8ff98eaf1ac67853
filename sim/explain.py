"""``noodle explain-miss``: what is asked now that the journal does not have, and where the two part."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim.build import plan_of
from sim.build.models import replaying
from sim.config import Settings
from sim.errors import ConfigError, JournalError, JournalMiss, RecordError
from sim.journal import Entry, Journal, Place, first_difference, journal_of
from sim.metrics.load import read_json
from sim.metrics.wording import harmless
from sim.records import canonical
from sim.runs import run

_AROUND = 60
_LISTED = 8


def explained(settings: Settings, folder: Path) -> str:
    """Replays a run in memory up to the first question its journal does not answer, and compares.

    Args:
        settings: of the run; with ``llm.journal`` another run's journal is replayed, else its own.
        folder: of the run.

    Raises:
        ConfigError: the run has no journal.
        RecordError: a manifest cannot be read.
    """
    source = Path(settings.llm.journal or folder)
    plan = plan_of(settings, None, resume=False)
    thinking = replaying(settings.llm.model_copy(update={"journal": str(source)}), plan.scenario.skills)
    try:
        run(replace(plan, thinking=thinking, progress=False))
    except JournalMiss as miss:
        return "\n".join(
            [*_where(miss), *_what(miss, source, settings.seed), *_settings(plan.config, source)]
        )
    return f"nothing is missing: {source} answers every question of {folder} as it would be asked now"


def entries_of(folder: Path, act: str) -> str:
    """What a journal has of the acts whose name holds ``act``, one line for each question.

    Raises:
        ConfigError: the run has no journal, or nothing of such an act.
    """
    found: list[str] = []
    for path in sorted(folder.glob("**/journal.sqlite")):
        with _opened(path) as journal:
            found += [_line(entry) for entry in journal.entries() if act in entry.place.act]
    if not found:
        raise ConfigError(f"--act: no journal in {folder} has a question of an act with {act!r} in its name")
    return "\n".join(found)


def _opened(path: Path) -> Journal:
    try:
        return Journal.open(path, mode="replay")
    except JournalError as error:
        raise ConfigError(str(error)) from error


def _line(entry: Entry) -> str:
    answer = entry.failure or str((entry.reply or {}).get("text", ""))
    return f"{entry.place}: {harmless(entry.wire.get('role', ''))} -> {_short(answer, 0)}"


def _where(miss: JournalMiss) -> list[str]:
    place: Place = miss.place
    return [f"missed   {harmless(str(place))}", f"role     {harmless(str((miss.asked or {}).get('role')))}"]


def _what(miss: JournalMiss, source: Path, seed: int) -> list[str]:
    asked: Mapping[str, Any] = miss.asked or {}
    if miss.stored is not None:
        differing = [name for name in sorted({*asked, *miss.stored}) if _differs(asked, miss.stored, name)]
        lines = ["the journal has this question, asked otherwise"]
        for name in differing:
            lines += _both(name, miss.stored.get(name), asked.get(name))
        same = [name for name in asked if name not in differing]
        return [*lines, f"the same: {', '.join(same)}"]
    near = _near(source, seed, miss.place)
    if not near:
        return ["the journal has no question of this act: it was never submitted in that run"]
    return ["the journal has nothing at this place, but of the same act or visit", *near]


def _differs(one: Mapping[str, Any], other: Mapping[str, Any], name: str) -> bool:
    return canonical(one.get(name)) != canonical(other.get(name))


def _both(name: str, was: Any, now: Any) -> list[str]:
    """A field that differs, from a little before the place where it begins to."""
    before, after = (value if isinstance(value, str) else canonical(value) for value in (was, now))
    pairs = enumerate(zip(before, after, strict=False))
    start = next((at for at, (one, two) in pairs if one != two), min(len(before), len(after)))
    return [
        f"differs  {harmless(name)}, from character {start} on",
        f"  was    {_short(before, start)}",
        f"  is     {_short(after, start)}",
    ]


def _short(text: str, start: int) -> str:
    low = max(0, start - _AROUND // 3)
    return harmless(repr(("…" if low else "") + text[low : start + _AROUND]))


def _near(source: Path, seed: int, place: Place) -> list[str]:
    """Questions that resemble the missing one: of its act, else of its agent, customer and visit."""
    stem = "|".join(place.act.split("|")[:3])
    with _opened(journal_of(source, seed)) as journal:
        alike = [
            entry.place for entry in journal.entries(place.namespace) if entry.place.act.startswith(stem)
        ]
    own = [one for one in alike if one.act == place.act]
    return [f"  {harmless(str(one))}" for one in (own or alike)[:_LISTED]]


def _settings(config: Mapping[str, Any], source: Path) -> list[str]:
    """The first setting that differs from the run that was journalled, its models left out."""
    was = read_json(source / "manifest.json").get("config")
    if not isinstance(was, dict):
        raise RecordError(f"{source / 'manifest.json'}: holds no config")
    old, new = ({name: value for name, value in one.items() if name != "llm"} for one in (was, config))
    if canonical(old) == canonical(new):
        return ["settings are the same: the code has changed, or the world of the run reads the clock"]
    return [f"settings differ: {harmless(first_difference(old, new))}"]
