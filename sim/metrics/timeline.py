"""One day of the shop as spans of time: who waited, sat, ordered and ate when, where and with whom."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.clock import DAY_MS
from sim.records import Event, Visit
from sim.tables import read_records

if TYPE_CHECKING:
    from sim.metrics.load import Run

WHATS = ("waiting", "table", "ordering", "kitchen", "eating")


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """One stretch of one visit; the spans of a visit follow one another without gaps.

    Args:
        customer: who.
        visit: on which visit.
        what: ``waiting`` (for a table), ``table`` (seated, no waiter there yet), ``ordering``,
            ``kitchen`` (ordered, until the dish comes) or ``eating`` (until they go).
        start_ms: simulated time it begins.
        end_ms: simulated time it ends.
        table: the number of the table, None before there is one.
        waiter: the waiter of the visit; empty before there is one.
        outcome: how the visit ended: ``served``, ``reneged`` or ``closed``.
    """

    customer: str
    visit: str
    what: str
    start_ms: int
    end_ms: int
    table: int | None
    waiter: str
    outcome: str


def day(events: Iterable[Event], visits: Iterable[Visit], day: int) -> list[Span]:
    """The spans of all visits that arrived on a day, counted from 0; in order of arrival.

    The log tells tables (``seated``) and, where it has such lines, when a waiter came
    (``attended``); without them ordering begins when the customer sits down.
    """
    chosen = sorted(
        (visit for visit in visits if visit.arrived_ms // DAY_MS == day),
        key=lambda visit: (visit.arrived_ms, visit.visit),
    )
    names = {visit.visit for visit in chosen}
    tables: dict[str, int] = {}
    attended: dict[str, int] = {}
    for event in events:
        if event.visit not in names:
            continue
        if event.kind == "seated":
            tables[event.visit] = json.loads(event.payload)["table"]
        elif event.kind == "attended":
            attended[event.visit] = event.time_ms
    return [span for visit in chosen for span in _spans(visit, tables, attended)]


def day_of(run: "Run", number: int) -> list[Span]:
    """The spans of a day, read from the folder of a run; the event log goes by part by part."""
    visits = read_records(run.path / "visits.parquet", Visit)
    events = (event for part in run.parts for event in read_records(part, Event))
    return day(events, visits, number)


def _spans(visit: Visit, tables: Mapping[str, int], attended: Mapping[str, int]) -> Iterator[Span]:
    seated = visit.seated_ms
    begins = {
        "waiting": visit.arrived_ms,
        "table": seated,
        "ordering": attended.get(visit.visit, seated),
        "kitchen": visit.ordered_ms,
        "eating": visit.served_ms,
    }
    reached = [(what, start) for what, start in begins.items() if start is not None]
    ends = [start for _, start in reached[1:]] + [visit.left_ms]
    for (what, start), end in zip(reached, ends, strict=True):
        if start < end:
            table = None if what == "waiting" else tables.get(visit.visit)
            waiter = "" if what in ("waiting", "table") else visit.waiter
            yield Span(
                customer=visit.customer,
                visit=visit.visit,
                what=what,
                start_ms=start,
                end_ms=end,
                table=table,
                waiter=waiter,
                outcome=visit.outcome,
            )


def in_rows(spans: Iterable[Span]) -> dict[str, int]:
    """A row for each visit that waits, so that no two who wait at one time share one; by visit."""
    free_at: list[int] = []
    rows: dict[str, int] = {}
    waiting = (span for span in spans if span.what == "waiting")
    for span in sorted(waiting, key=lambda span: (span.start_ms, span.visit)):
        row = next((n for n, free in enumerate(free_at) if free <= span.start_ms), len(free_at))
        free_at[row : row + 1] = [span.end_ms]
        rows[span.visit] = row
    return rows
