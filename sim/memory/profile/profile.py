"""Who a customer is: visits, and what holds of them, each statement until a newer one contradicts it.

What contradicts what is decided on structure (customer, slot, value, polarity, time) and never on how alike
two texts are. A statement that was contradicted is history: it is kept, and never holds again. When somebody
says the same once more, that is a new row.

Statements come in the order in which they become visible. One that comes late, said before what is known
already, is taken for what it is: it changes nothing that was said after it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sim.memory.profile.portrait import Portrait, Row, confidence
from sim.memory.profile.slots import Slots
from sim.memory.protocol import Claim, Record

REGULAR_FROM = 2
"""Visits that make a regular."""

_NEVER = 1 << 62


@dataclass(kw_only=True, slots=True)
class _Statement:
    """A row as it grows: ``gone_ms`` is when its end became visible."""

    customer: str
    claim: Claim
    newest_ms: int
    until_ms: int | None = None
    gone_ms: int = _NEVER
    records: list[Record] = field(default_factory=list)

    @property
    def known_ms(self) -> int:
        return self.records[0].visible_at_ms

    def holds(self, at_ms: int) -> bool:
        return self.known_ms <= at_ms < self.gone_ms

    def end(self, said_ms: int, visible_ms: int) -> None:
        self.until_ms, self.gone_ms = said_ms, visible_ms

    def row(self, at_ms: int, pinned: bool) -> Row:
        seen = [record for record in self.records if record.visible_at_ms <= at_ms]
        return Row(
            customer=self.customer,
            claim=self.claim,
            since_ms=min(record.at_ms for record in seen),
            until_ms=self.until_ms if self.gone_ms <= at_ms else None,
            confidence=confidence(len(seen)),
            records=tuple(record.id for record in seen),
            utterances=tuple(dict.fromkeys(source for record in seen for source in record.sources)),
            pinned=pinned,
        )


@dataclass(slots=True)
class _Person:
    """All that was stated about one customer, by slot, and when each visit was first seen."""

    slots: dict[str, list[_Statement]] = field(default_factory=dict)
    visits: dict[str, None] = field(default_factory=dict)
    visible_ms: list[int] = field(default_factory=list)
    at_ms: list[tuple[int, int]] = field(default_factory=list)


class Profile:
    """What is known of each customer, as of any simulated time; reads change nothing.

    Args:
        slots: which slots hold one value, which several, which are pinned.
        regular_from: visits that make somebody a regular.
    """

    def __init__(self, slots: Slots, *, regular_from: int = REGULAR_FROM) -> None:
        self.slots = slots
        self._regular_from = regular_from
        self._people: dict[str, _Person] = {}
        # By record: which statements each of its claims goes back to.
        self._of_record: dict[str, list[tuple[Claim, tuple[_Statement, ...]]]] = {}
        self._of_utterance: dict[str, list[_Statement]] = {}
        self._ended: list[_Statement] = []
        # By summary: what it stands for; and everything that was let go of.
        self._within: dict[str, tuple[str, ...]] = {}
        self._let_go: set[str] = set()

    def add(self, record: Record) -> frozenset[str]:
        """Takes in the next record; returns the utterances of which something stopped holding by it.

        What replaces others with claims says nothing new: it stands for what they said.
        """
        pairs = zip(map(self.slots.plain, record.claims), record.about, strict=True)
        made = [(claim, who) for claim, who in pairs if who and self.slots.knows(claim.slot)]
        self._notes_visit(record)
        self._ended.clear()
        if record.replaces:
            self._within[record.id] = record.replaces
        if any(self._of_record.get(replaced) for replaced in record.replaces):
            self._of_record[record.id] = [(claim, self._origins(record, claim, who)) for claim, who in made]
        else:
            self._of_record[record.id] = [(claim, (self._state(record, claim, who),)) for claim, who in made]
        return frozenset(source for one in self._ended for said in one.records for source in said.sources)

    def forget(self, night: Record) -> None:
        """Lets go of what the records say that a night let go of; of what is pinned never.

        A row goes when nothing is left of all that stated it. What is said again is a new row.
        """
        gone = list(night.replaces)
        for name in gone:
            gone += self._within.get(name, ())
        self._let_go.update(gone)
        for name in gone:
            for claim, origins in self._of_record.get(name, ()):
                for one in origins:
                    if claim.slot not in self.slots.pinned and self._nothing_left(one):
                        one.end(night.visible_at_ms, night.visible_at_ms)

    def _nothing_left(self, one: _Statement) -> bool:
        return one.until_ms is None and all(record.id in self._let_go for record in one.records)

    def at(self, customer: str, at_ms: int) -> Portrait:
        """The customer as of a time; nobody knows somebody who never came."""
        person = self._people.get(customer, _Person())
        seen = bisect_right(person.at_ms, (at_ms, _NEVER))
        visits = bisect_right(person.visible_ms, at_ms)
        holding = [one for one in _all(person) if one.holds(at_ms)]
        return Portrait(
            customer=customer,
            visits=visits,
            regular=visits >= self._regular_from,
            last_ms=max((said for _, said in person.at_ms[:seen]), default=None),
            rows=self._rows(holding, at_ms),
        )

    def customers(self, at_ms: int) -> list[str]:
        """Everybody who was known by a time, in order of arrival."""
        return [name for name, person in self._people.items() if bisect_right(person.at_ms, (at_ms, _NEVER))]

    def history(self, customer: str, at_ms: int) -> tuple[Row, ...]:
        """Every row that was known by then, what was superseded as well, oldest first."""
        known = [one for one in _all(self._people.get(customer, _Person())) if one.known_ms <= at_ms]
        return self._rows(known, at_ms)

    def superseded(self, at_ms: int) -> frozenset[tuple[str, Claim]]:
        """The claims that hold no more, by the id of the record that makes them."""
        return frozenset(
            (record, claim)
            for record, claims in self._of_record.items()
            for claim, origins in claims
            if _gone(origins, at_ms)
        )

    def standing(self, record: Record, at_ms: int) -> tuple[Claim, ...]:
        """The claims of a record that have not been superseded by then."""
        return tuple(
            claim for claim, origins in self._of_record.get(record.id, ()) if not _gone(origins, at_ms)
        )

    def current(self, record: Record, at_ms: int) -> bool:
        """Whether a recall may still show a record: not all that it says has been superseded.

        A record without claims, the words of an exchange, goes by what others understood of the same
        utterances, and goes as soon as any of it is superseded: a part of its words cannot be shown. One
        of which nothing was understood is current, and so is a mere record of a visit.
        """
        made = self._of_record.get(record.id, [])
        if not made:
            lasting = [one for one in self._heard(record) if one.claim.slot not in self.slots.episodic]
            return not any(one.known_ms <= at_ms and one.gone_ms <= at_ms for one in lasting)
        origins = [of for claim, of in made if claim.slot not in self.slots.episodic]
        return not origins or not all(_gone(of, at_ms) for of in origins)

    def pinned(self, record: Record) -> bool:
        """Whether a record must be kept: it, or what was understood of its utterances, is pinned."""
        heard = self._heard(record)
        return self.slots.pins(record) or any(one.claim.slot in self.slots.pinned for one in heard)

    def _heard(self, record: Record) -> Iterator[_Statement]:
        """What was understood of the utterances a record rests on."""
        return (one for utterance in record.sources for one in self._of_utterance.get(utterance, ()))

    def _notes_visit(self, record: Record) -> None:
        if not record.customer:
            return
        person = self._people.setdefault(record.customer, _Person())
        if person.at_ms and person.at_ms[-1][0] > record.visible_at_ms:
            raise ValueError(f"record {record.id!r} comes too late: {person.at_ms[-1][0]} ms is in already")
        person.at_ms.append((record.visible_at_ms, record.at_ms))
        if record.visit and record.visit not in person.visits:
            person.visits[record.visit] = None
            person.visible_ms.append(record.visible_at_ms)

    def _state(self, record: Record, claim: Claim, customer: str) -> _Statement:
        """The statement that a claim makes or confirms, after it has ended what it contradicts."""
        there = self._people.setdefault(customer, _Person()).slots.setdefault(claim.slot, [])
        rivals = [one for one in there if self.slots.contradict(one.claim, claim)]
        # The newest statement ever decides, not the newest that still holds: nothing comes back.
        beaten = any(one.newest_ms > record.at_ms for one in rivals)
        same = next((one for one in there if one.claim == claim and one.until_ms is None), None)
        if same is None or beaten:
            same = _Statement(customer=customer, claim=claim, newest_ms=record.at_ms)
            there.append(same)
        same.records.append(record)
        same.newest_ms = max(same.newest_ms, record.at_ms)
        self._decide(same, rivals, record, beaten)
        for utterance in record.sources:
            self._of_utterance.setdefault(utterance, []).append(same)
        return same

    def _decide(self, new: _Statement, rivals: Sequence[_Statement], record: Record, beaten: bool) -> None:
        if beaten:
            later = min(one.newest_ms for one in rivals if one.newest_ms > record.at_ms)
            self._end(new, later, record)
            return
        for one in rivals:
            if one.until_ms is None:
                self._end(one, record.at_ms, record)

    def _end(self, one: _Statement, said_ms: int, by: Record) -> None:
        one.end(said_ms, by.visible_at_ms)
        self._ended.append(one)

    def _origins(self, record: Record, claim: Claim, customer: str) -> tuple[_Statement, ...]:
        """What a claim of a summary goes back to: the statements of what it replaces that say the same."""
        return tuple(
            origin
            for replaced in record.replaces
            for made, origins in self._of_record.get(replaced, ())
            if made == claim
            for origin in origins
            if origin.customer == customer
        )

    def _rows(self, statements: Iterable[_Statement], at_ms: int) -> tuple[Row, ...]:
        rows = [one.row(at_ms, one.claim.slot in self.slots.pinned) for one in statements]
        return tuple(sorted(rows, key=lambda row: row.since_ms))


def _all(person: _Person) -> Iterator[_Statement]:
    for statements in person.slots.values():
        yield from statements


def _gone(origins: Sequence[_Statement], at_ms: int) -> bool:
    """Whether none of the statements holds any more; what goes back to none is nobody's word."""
    return all(one.gone_ms <= at_ms for one in origins)
