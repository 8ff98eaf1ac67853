"""Compares two runs of one world question by question, so that luck in the world cancels out."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.metrics.intervals import Difference, paired_difference
from sim.metrics.load import Run, load
from sim.metrics.pairing import Pair, Pairing, pair
from sim.metrics.plots import LABELS, funnel_title
from sim.metrics.wording import counted, harmless
from sim.records import LOSSES, OUTCOMES, STAGES, Probe
from sim.tables import read_records

_SETTINGS_SHOWN = 12
# Where a run was put or taken up says nothing about what was run; nor does the class behind a name.
_NO_SETTINGS = ("hydra", "resume", "progress", "plots", "log")


def compare(a: Path, b: Path) -> str:
    """Puts two runs side by side: every stage, outcome and loss, paired, with 95 % intervals.

    Raises:
        RecordError: one of the folders is no run, or its questions cannot be read.
    """
    first, second = load(a), load(b)
    settings = differing(first.config, second.config)
    lines = [*_named("A", first), *_named("B", second), *_settings_lines(settings)]
    lines += [f"left out of A: {line}" for line in first.left_out]
    lines += [f"left out of B: {line}" for line in second.left_out]
    lines += _world_warning(first, second, settings)
    table = pair(_probes(first), _probes(second))
    for kind, title in (("natural", "natural questions"), ("exam", "examinations")):
        lines += ["", *_section(title, _of_kind(table, kind))]
    return "\n".join([*lines, "", *_unpaired(table), *_in_short(_of_kind(table, "natural"))])


def _named(name: str, run: Run) -> list[str]:
    return [f"{name}  {run.path}", f"   {funnel_title(run.config, run.seed, len(run.runs))}"]


def _probes(run: Run) -> Iterator[tuple[str, Probe]]:
    """Every probe with the seed its customer lives under."""
    for single in run.runs or (run,):
        for probe in read_records(single.path / "recall.parquet", Probe):
            yield str(single.seed), probe


def _of_kind(table: Pairing, kind: str) -> list[Pair]:
    return [pair for pair in table.pairs if pair.first.kind == kind]


def _section(title: str, pairs: Sequence[Pair]) -> list[str]:
    both = _told_in_both(pairs)
    lines = [f"{title}: {counted(len(both), 'fact')} that the agent was told in both runs"]
    if len(both) < len(pairs):
        lines += [f"(left out: {len(pairs) - len(both)} that it was told in one run only, or in neither)"]
    if not both:
        return lines
    columns = f"  {'':<18}{'A':>9}{'B':>9}    B - A  [95 % interval], points"
    stages = [_stage_line(stage, both) for stage in STAGES[1:]]
    outcomes = [_share_line(name, "outcome", both) for name in OUTCOMES]
    losses = list(filter(None, (_share_line(name, "loss", both) for name in LOSSES)))
    lost = [" lost at", *losses] if losses else []
    return [*lines, columns, *stages, " outcomes", *filter(None, outcomes), *lost]


def _told_in_both(pairs: Sequence[Pair]) -> list[Pair]:
    return [pair for pair in pairs if pair.first.told and pair.second.told]


def _stage_line(stage: str, pairs: Sequence[Pair]) -> str:
    both = [p for p in pairs if getattr(p.first, stage) is not None and getattr(p.second, stage) is not None]
    if both:
        flags = [(getattr(p.first, stage), getattr(p.second, stage)) for p in both]
        return _difference_line(LABELS[stage], flags, [p.customer for p in both])
    first = _one_rate([getattr(p.first, stage) for p in pairs])
    second = _one_rate([getattr(p.second, stage) for p in pairs])
    return f"  {LABELS[stage]:<18}{first:>9}{second:>9}    not a stage of both memories"


def _one_rate(flags: Sequence[bool | None]) -> str:
    present = [flag for flag in flags if flag is not None]
    return _points(sum(present) / len(present)) if present else "n/a"


def _share_line(name: str, column: str, pairs: Sequence[Pair]) -> str:
    """One outcome or loss, or nothing when neither run had it."""
    flags = [(getattr(p.first, column) == name, getattr(p.second, column) == name) for p in pairs]
    return _difference_line(name, flags, [p.customer for p in pairs]) if any(map(any, flags)) else ""


def _difference_line(name: str, flags: Sequence[tuple[bool, bool]], customers: Sequence[str]) -> str:
    first, second = [float(a) for a, _ in flags], [float(b) for _, b in flags]
    found = paired_difference(first, second, customers)
    rates = f"{_points(sum(first) / len(first)):>9}{_points(sum(second) / len(second)):>9}"
    return f"  {name:<18}{rates}   {_interval(found)}".rstrip()


def _points(share: float) -> str:
    return f"{100 * share:.1f} %"


def _interval(found: Difference) -> str:
    if math.isnan(found.low):
        return f"{100 * found.mean:+6.1f}  (one customer: no interval)"
    mark = "  *" if _beyond_chance(found) else ""
    return f"{100 * found.mean:+6.1f}  [{100 * found.low:+6.1f}, {100 * found.high:+6.1f}]{mark}"


def _beyond_chance(found: Difference) -> bool:
    return found.low > 0 or found.high < 0


def _unpaired(table: Pairing) -> list[str]:
    lines = [f"asked in one run only: {table.only_first} in A, {table.only_second} in B"]
    if table.pairs:
        lines.append("* the interval (customers resampled) does not hold 0: more than chance")
    return lines


def _in_short(pairs: Sequence[Pair]) -> list[str]:
    """The one sentence people look for."""
    both = _told_in_both(pairs)
    if not both:
        return []
    first, second = [float(p.first.answered) for p in both], [float(p.second.answered) for p in both]
    found = paired_difference(first, second, [p.customer for p in both])
    if math.isnan(found.low) or not _beyond_chance(found):
        return ["in short: what was answered right does not differ beyond chance"]
    better, most, least = ("B", second, first) if found.mean > 0 else ("A", first, second)
    share = f"{_points(sum(most) / len(most))} against {_points(sum(least) / len(least))}"
    return [f"in short: {better} answers more natural questions right, {share}"]


def differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The settings, by dotted key, in which two configs differ; None stands for `not set`."""
    left, right = _flat(first), _flat(second)
    keys = sorted({*left, *right})
    keys = [key for key in keys if key.split(".")[0] not in _NO_SETTINGS]
    pairs = {key: (left.get(key), right.get(key)) for key in keys}
    differ = {key: values for key, values in pairs.items() if values[0] != values[1]}
    # a class follows from the name, unless somebody put another under it
    named = [key for key in differ if key.endswith("._target_") and key.replace("_target_", "name") in differ]
    return {key: values for key, values in differ.items() if key not in named}


def _flat(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in config.items():
        inner = _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {f"{prefix}{name}": value}
        flat.update(inner)
    return flat


def _settings_lines(settings: Mapping[str, tuple[Any, Any]]) -> list[str]:
    if not settings:
        return ["settings: the same"]
    shown = [f"  {harmless(key)}: {_set(a)} / {_set(b)}" for key, (a, b) in settings.items()]
    more = [f"  and {len(shown) - _SETTINGS_SHOWN} more"] if len(shown) > _SETTINGS_SHOWN else []
    return ["settings that differ (A / B):", *shown[:_SETTINGS_SHOWN], *more]


def _set(value: Any) -> str:
    return "not set" if value is None else harmless(value)


def _world_warning(first: Run, second: Run, settings: Mapping[str, tuple[Any, Any]]) -> list[str]:
    keys = [key for key in settings if key in ("seed", "replications") or key.startswith("scenario.")]
    seeds = [[single.seed for single in run.runs or (run,)] for run in (first, second)]
    if seeds[0] != seeds[1] and "seed" not in keys:
        keys.insert(0, "seed")
    if not keys:
        return []
    named = ", ".join(map(harmless, keys))
    return [f"WARNING: the worlds differ ({named}): these are not pairs of one world"]
