"""Compares two runs of one world question by question, so that luck in the world cancels out."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.metrics.intervals import Difference, paired_difference
from sim.metrics.load import Run, load
from sim.metrics.pairing import Pair, Pairing, pair
from sim.metrics.wording import harmless
from sim.records import OUTCOMES, STAGES, Probe
from sim.tables import read_records

_SETTINGS_SHOWN = 12
# Where a run was put or taken up says nothing about what was run.
_NO_SETTINGS = ("hydra", "resume", "progress", "plots", "log")


def compare(a: Path, b: Path) -> str:
    """Puts two runs side by side: every stage and outcome, paired, with 95 % intervals.

    Raises:
        RecordError: one of the folders is no run, or its questions cannot be read.
    """
    first, second = load(a), load(b)
    settings = differing(first.config, second.config)
    lines = [f"A  {first.path}", f"B  {second.path}", *_settings_lines(settings)]
    lines += [f"left out of A: {line}" for line in first.left_out]
    lines += [f"left out of B: {line}" for line in second.left_out]
    lines += _world_warning(first, second, settings)
    table = pair(_probes(first), _probes(second))
    for kind, title in (("natural", "natural questions"), ("exam", "examinations")):
        lines += ["", *_section(title, _of_kind(table, kind))]
    return "\n".join([*lines, "", *_unpaired(table)])


def _probes(run: Run) -> Iterator[tuple[str, Probe]]:
    """Every probe with the seed its customer lives under."""
    for single in run.runs or (run,):
        for probe in read_records(single.path / "recall.parquet", Probe):
            yield str(single.seed), probe


def _of_kind(table: Pairing, kind: str) -> list[Pair]:
    return [pair for pair in table.pairs if pair.first.kind == kind]


def _section(title: str, pairs: Sequence[Pair]) -> list[str]:
    counted = [pair for pair in pairs if pair.first.told and pair.second.told]
    head = f"{title}: {len(counted)} pairs told in both"
    if len(counted) < len(pairs):
        head += f" ({len(pairs) - len(counted)} more were told in one or in neither)"
    if not counted:
        return [head]
    columns = f"  {'':<18}{'A':>9}{'B':>9}   B - A  [95 % interval], percentage points"
    stages = [_stage_line(stage, counted) for stage in STAGES[1:]]
    outcomes = [_outcome_line(name, counted) for name in OUTCOMES]
    return [head, columns, *stages, "  outcomes", *filter(None, outcomes)]


def _stage_line(stage: str, pairs: Sequence[Pair]) -> str:
    both = [p for p in pairs if getattr(p.first, stage) is not None and getattr(p.second, stage) is not None]
    if both:
        flags = [(getattr(p.first, stage), getattr(p.second, stage)) for p in both]
        return _difference_line(stage, flags, [p.customer for p in both])
    first = _one_rate([getattr(p.first, stage) for p in pairs])
    second = _one_rate([getattr(p.second, stage) for p in pairs])
    return f"  {stage:<18}{first:>9}{second:>9}   not in both"


def _one_rate(flags: Sequence[bool | None]) -> str:
    present = [flag for flag in flags if flag is not None]
    return _points(sum(present) / len(present)) if present else "n/a"


def _outcome_line(name: str, pairs: Sequence[Pair]) -> str:
    """One outcome, or nothing when neither run had it."""
    flags = [(p.first.outcome == name, p.second.outcome == name) for p in pairs]
    return _difference_line(name, flags, [p.customer for p in pairs]) if any(map(any, flags)) else ""


def _difference_line(name: str, flags: Sequence[tuple[bool, bool]], customers: Sequence[str]) -> str:
    first, second = [float(a) for a, _ in flags], [float(b) for _, b in flags]
    found = paired_difference(first, second, customers)
    rates = f"{_points(sum(first) / len(first)):>9}{_points(sum(second) / len(second)):>9}"
    return f"  {name:<18}{rates}   {_interval(found)}"


def _points(share: float) -> str:
    return f"{100 * share:.1f} %"


def _interval(found: Difference) -> str:
    if math.isnan(found.low):
        return f"{100 * found.mean:+.1f}  (one customer: no interval)"
    mark = "  *" if found.low > 0 or found.high < 0 else ""
    return f"{100 * found.mean:+.1f}  [{100 * found.low:+.1f}, {100 * found.high:+.1f}]{mark}"


def _unpaired(table: Pairing) -> list[str]:
    lines = [f"unpaired questions: {table.only_first} only in A, {table.only_second} only in B"]
    if table.pairs:
        lines.append("* the interval, resampled by customer, does not hold 0")
    return lines


def differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The settings, by dotted key, in which two configs differ; None stands for `not set`."""
    left, right = _flat(first), _flat(second)
    keys = sorted({*left, *right})
    pairs = {key: (left.get(key), right.get(key)) for key in keys if key.split(".")[0] not in _NO_SETTINGS}
    return {key: values for key, values in pairs.items() if values[0] != values[1]}


def _flat(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in config.items():
        inner = _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {f"{prefix}{name}": value}
        flat.update(inner)
    return flat


def _settings_lines(settings: Mapping[str, tuple[Any, Any]]) -> list[str]:
    if not settings:
        return ["settings: the same"]
    shown = [f"{harmless(key)} {harmless(a)} / {harmless(b)}" for key, (a, b) in settings.items()]
    more = f"; and {len(shown) - _SETTINGS_SHOWN} more" if len(shown) > _SETTINGS_SHOWN else ""
    return [f"settings that differ (A / B): {'; '.join(shown[:_SETTINGS_SHOWN])}{more}"]


def _world_warning(first: Run, second: Run, settings: Mapping[str, tuple[Any, Any]]) -> list[str]:
    keys = [key for key in settings if key in ("seed", "replications") or key.startswith("scenario.")]
    seeds = [[single.seed for single in run.runs or (run,)] for run in (first, second)]
    if seeds[0] != seeds[1] and "seed" not in keys:
        keys.insert(0, "seed")
    if not keys:
        return []
    named = ", ".join(map(harmless, keys))
    return [f"WARNING: the worlds differ ({named}): these are not pairs of one world"]
