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


def squeezed_out(records: Iterable[Mapping[str, Any]]) -> Rate:
    """Share of statements lost when a summary took the place of records; predicts ``lost_in_compression``.

    What counts of the records is the newest statement per customer and slot.

    Args:
        records: rows of memory snapshots, retired ones included.
    """
    by_id = {record["id"]: record for record in records}
    lost: list[bool] = []
    people: list[str] = []
    for summary in (record for record in by_id.values() if record["replaces"]):
        kept = set(_statements(summary))
        before = [by_id[name] for name in summary["replaces"] if name in by_id]
        for statement in _newest(before):
            lost.append(statement not in kept)
            people.append(statement[0])
    return clustered_rate(lost, people)


def _statements(record: Mapping[str, Any]) -> list[tuple[str, str, str, int]]:
    """Who, slot, value and polarity of each claim of a record."""
    claims = record["claims"]
    about = record["claimants"] or [record["customer"]] * len(claims)
    return [
        (who, claim["slot"], claim["value"], claim["polarity"])
        for who, claim in zip(about, claims, strict=True)
    ]


def _newest(records: Iterable[Mapping[str, Any]]) -> list[tuple[str, str, str, int]]:
    """What the last record that speaks of a customer's slot says of it."""
    latest: dict[tuple[str, str], list[tuple[str, str, str, int]]] = {}
    for record in sorted(records, key=lambda record: int(record["at_ms"])):
        said: dict[tuple[str, str], list[tuple[str, str, str, int]]] = {}
        for statement in _statements(record):
            said.setdefault(statement[:2], []).append(statement)
        latest |= said
    return [statement for statements in latest.values() for statement in statements]
