"""Does the recall log measure what was set? Shares that a surrogate's known error rates predict."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sim.metrics.intervals import Rate, clustered_rate
from sim.records import Probe, Telling

# The date of a visit is written by the system and not extracted from what was said.
_NOT_EXTRACTED = "visit"


def unwritten(tellings: Iterable[Telling], records: Iterable[Mapping[str, Any]]) -> Rate:
    """Share of first tellings of which no record holds the fact; predicts ``missed_extraction``.

    Args:
        tellings: rows of ``facts.parquet``.
        records: rows of memory snapshots, retired ones included.
    """
    held = {
        (source, claim["slot"], claim["value"], claim["polarity"])
        for record in records
        if not record["replaces"]
        for source in record["sources"]
        for claim in record["claims"]
    }
    first = [one for one in tellings if one.first and one.slot != _NOT_EXTRACTED]
    lost = [(one.utterance, one.slot, one.value, one.polarity) not in held for one in first]
    return clustered_rate(lost, [one.customer for one in first])


def ignored(probes: Sequence[Probe]) -> Rate:
    """Share of natural questions whose fact stood in the prompt but got no answer (``ignored_context``).

    Values taken back are left out: there silence is the right answer.
    """
    shown = [
        p
        for p in probes
        if p.kind == "natural" and p.in_context and p.polarity > 0 and p.question != "keep_out"
    ]
    return clustered_rate([probe.answer is None for probe in shown], [probe.customer for probe in shown])


def made_up(probes: Sequence[Probe]) -> Rate:
    """Share of natural questions with nothing to go by that got an answer; predicts ``confabulation``."""
    blind = [
        probe
        for probe in probes
        if probe.kind == "natural"
        and probe.in_context is False
        and not probe.stale_in_context
        and probe.question != "keep_out"
    ]
    return clustered_rate([probe.answer is not None for probe in blind], [probe.customer for probe in blind])
