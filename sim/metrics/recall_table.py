"""Recall stage by stage, outcomes and losses, counted over the probes of a run.

All stages share one denominator: the probes whose fact was told to the agent that was asked.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sim.metrics.intervals import Rate, clustered_rate
from sim.records import LOSSES, OUTCOMES, STAGES, Probe

NOT_APPLICABLE = "not_applicable"
_LAGS_DAYS = (7, 14, 28, 56)


def number(value: float, digits: int = 6) -> float | None:
    """A rounded number for JSON; NaN, which is `no data`, becomes None."""
    return None if math.isnan(value) else round(value, digits)


def rate_row(rate: Rate) -> dict[str, Any]:
    """A rate as plain data: ``rate, low, high, n``."""
    return {
        "rate": number(rate.rate),
        "low": number(rate.low),
        "high": number(rate.high),
        "n": rate.n,
    }


def told(probes: Iterable[Probe]) -> list[Probe]:
    """The probes that count: their fact was told to the agent that was asked."""
    return [probe for probe in probes if probe.told]


def stage_rate(probes: Sequence[Probe], stage: str) -> dict[str, Any] | str:
    """How often one stage held among the probes given, or `NOT_APPLICABLE` when it never applied."""
    seen = [probe for probe in probes if getattr(probe, stage) is not None]
    if probes and not seen:
        return NOT_APPLICABLE
    flags = [bool(getattr(probe, stage)) for probe in seen]
    return rate_row(clustered_rate(flags, [probe.customer for probe in seen]))


def recall(probes: Sequence[Probe]) -> dict[str, Any]:
    """The six stages from told to answered, each a rate with its interval."""
    counted = told(probes)
    return {stage: stage_rate(counted, stage) for stage in STAGES}


def outcomes(probes: Sequence[Probe]) -> dict[str, Any]:
    """Count and rate of every outcome among the told probes."""
    counted = told(probes)
    counts = Counter(probe.outcome for probe in counted)
    return {name: share(counts[name], len(counted)) for name in OUTCOMES}


def losses(probes: Sequence[Probe]) -> dict[str, Any]:
    """Count and rate of every loss among the told probes.

    What was told to a colleague only is not in that denominator; its rate is its share of both.
    """
    counted = told(probes)
    counts = Counter(probe.loss for probe in counted)
    table = {name: share(counts[name], len(counted)) for name in LOSSES}
    beside = sum(colleague_only(probe) for probe in probes)
    return table | {"told_to_colleague": share(beside, beside + len(counted))}


def colleague_only(probe: Probe) -> bool:
    """Whether the fact was told, but only to agents that do not share their memory with this one."""
    return probe.told_to_colleague and not probe.told


def share(count: int, among: int) -> dict[str, Any]:
    """A count and its share; the share of nothing is None."""
    return {"count": count, "rate": round(count / among, 6) if among else None}


def asked(probes: Sequence[Probe]) -> dict[str, int]:
    """How many probes there were, told or not; the three kinds add up to ``asked``."""
    counted, beside = len(told(probes)), sum(colleague_only(probe) for probe in probes)
    return {
        "asked": len(probes),
        "told": counted,
        "told_to_colleague": beside,
        "never_told": len(probes) - counted - beside,
    }


def answered_by(probes: Sequence[Probe], group: Callable[[Probe], str]) -> dict[str, Any]:
    """The answered rate of the told probes within each group, groups in the order of their names."""
    members: dict[str, list[Probe]] = {}
    for probe in told(probes):
        members.setdefault(group(probe), []).append(probe)
    return {name: stage_rate(members[name], "answered") for name in sorted(members)}


def lag_group(probe: Probe) -> str:
    """The bin of days since the fact was last told, such as ``07-14 days``; the upper end is excluded."""
    if probe.lag_days is None:
        return "unknown"
    low = 0
    for high in _LAGS_DAYS:
        if probe.lag_days < high:
            return f"{low:02d}-{high:02d} days"
        low = high
    return f"{low:02d}+ days"


def per_thousand_tokens(probes: Sequence[Probe]) -> float | None:
    """Facts answered per thousand tokens of memory put into prompts; None when no tokens were spent."""
    counted = told(probes)
    tokens = sum(probe.context_tokens for probe in counted)
    return round(1000 * sum(probe.answered for probe in counted) / tokens, 6) if tokens else None
