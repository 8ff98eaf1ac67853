"""Chooses the losses worth reading, and gathers what is known of each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.clock import Calendar
from sim.metrics.evidence import Evidence, Row, evidence, held
from sim.metrics.wording import calendar_of
from sim.records import Probe
from sim.report.members import Member


@dataclass(frozen=True, kw_only=True)
class Loss:
    """One lost fact.

    Args:
        member: the run in which it was lost.
        probe: the question that showed it.
        row: the same as plain data.
        found: tellings, words and records of this customer.
        visit: the events of the visit on which it was asked, in order; empty for an examination.
        calendar: dates of simulated time.
    """

    member: Member
    probe: Probe
    row: Row
    found: Evidence
    visit: Sequence[Mapping[str, Any]]
    calendar: Calendar | None


def worst(members: Sequence[Member], most: int) -> list[Loss]:
    """The worst losses of several runs, each run having an equal part."""
    each = max(1, most // max(1, len(members)))
    return [loss for member in members for loss in _of_member(member, each)][:most]


def _of_member(member: Member, most: int) -> Iterator[Loss]:
    chosen = choose(member.probes, most) if member.asked else []
    if not chosen:
        return
    events, memories = member.run.events, held(member.run.path)
    for probe in chosen:
        mine = events[events["customer"] == probe.customer].to_dict("records")
        happened = [{str(name): value for name, value in row.items()} for row in mine]
        yield Loss(
            member=member,
            probe=probe,
            row={name: getattr(probe, name) for name in probe.__slots__},
            found=evidence(member.run, happened, probe.customer, memories),
            visit=[row for row in happened if row["visit"] == probe.visit and probe.visit],
            calendar=calendar_of(member.run.config),
        )


def choose(probes: Iterable[Probe], most: int) -> list[Probe]:
    """The losses to show: from every stage in turn, one of a customer's slot, examinations last.

    The more recently a fact was told, the worse it is to have lost it.
    """
    stages: defaultdict[str, dict[tuple[str, str], Probe]] = defaultdict(dict)
    for probe in sorted((one for one in probes if one.told and one.loss), key=_badness):
        stages[probe.loss or ""].setdefault((probe.customer, probe.slot), probe)
    queues = [list(stages[name].values()) for name in sorted(stages, key=lambda name: -len(stages[name]))]
    return _dealt(queues)[:most]


def _dealt(queues: Sequence[Sequence[Probe]]) -> list[Probe]:
    """One from each in turn, as cards are dealt."""
    turns = max(map(len, queues), default=0)
    return [queue[turn] for turn in range(turns) for queue in queues if turn < len(queue)]


def _badness(probe: Probe) -> tuple[Any, ...]:
    return probe.kind != "natural", probe.lag_days or 0.0, probe.time_ms, probe.customer, probe.slot
