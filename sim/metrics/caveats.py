"""What to know before arms are compared: other versions, degraded or missing runs, failing models."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sim.metrics.arms import Arm
from sim.metrics.gather import Found
from sim.metrics.intervals import wilson
from sim.metrics.wording import counted, percent
from sim.records import SCHEMA_VERSION

_NAMED = 5


def caveats(runs: Sequence[Found], arms: Sequence[Arm]) -> list[str]:
    """One line each."""
    return [*_versions(runs), *_degraded(runs), *_seeds(arms), *_doubles(arms), *_failures(arms)]


def _versions(runs: Sequence[Found]) -> Iterator[str]:
    schemas = Counter(found.schema for found in runs)
    if set(schemas) - {SCHEMA_VERSION}:
        yield (
            f"schema versions {_counted(schemas)}: this program has {SCHEMA_VERSION}, figures of others may"
            " mean something else, and their questions are not paired"
        )
    programs = Counter(found.program for found in runs)
    if len(programs) > 1:
        yield f"runs of different programs: {_counted(programs)}"


def _counted(counts: Counter[int] | Counter[str]) -> str:
    return ", ".join(f"{value} ({counted(count, 'run')})" for value, count in sorted(counts.items()))


def _degraded(runs: Sequence[Found]) -> Iterator[str]:
    names = [found.name for found in runs if found.state == "degraded"]
    if names:
        yield f"degraded, more model calls failed than was allowed: {_listed(names)}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _seeds(arms: Sequence[Arm]) -> Iterator[str]:
    for world in dict.fromkeys(arm.world for arm in arms):
        here = [arm for arm in arms if arm.world == world]
        every = sorted({found.seed for arm in here for found in arm.runs})
        for arm in here:
            if missing := [f"seed {seed}" for seed in every if seed not in arm.by_seed]:
                yield f"{arm.full_name}: no figures of {_listed(missing)}"


def _doubles(arms: Sequence[Arm]) -> Iterator[str]:
    for arm in arms:
        if names := [found.name for found in arm.doubles]:
            yield f"{arm.full_name}: further runs of the same seeds are not paired: {_listed(names)}"


def _failures(arms: Sequence[Arm]) -> Iterator[str]:
    """The two arms that are farthest apart, where their intervals (Wilson) do not overlap."""
    counts = [(*_failed(arm), arm.full_name) for arm in arms]
    rates = [(failed / calls, failed, calls, name) for failed, calls, name in counts if calls]
    if len(rates) < 2:
        return
    low, high = min(rates), max(rates)
    if wilson(low[1], low[2])[1] < wilson(high[1], high[2])[0]:
        yield (
            f"models failed unequally often, {percent(low[0])} of calls in {low[3]} and {percent(high[0])} in"
            f" {high[3]}: part of a difference may be theirs"
        )


def _failed(arm: Arm) -> tuple[int, int]:
    """Failed calls and all calls of an arm."""
    tables = [found.summary.get("llm") or {} for found in arm.by_seed.values()]
    failed = sum(sum((table.get("failures") or {}).values()) for table in tables)
    return failed, sum(table.get("calls") or 0 for table in tables)
