"""What a profile shows: the rows on one customer as of one time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sim.memory.protocol import Claim

FIRST_CONFIDENCE, MORE_CONFIDENCE = 0.7, 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One statement about a customer, from when to when it held, and who says so.

    Args:
        claim: what holds, or with polarity -1 what was taken back.
        since_ms: simulated time at which it was said first.
        until_ms: simulated time at which a newer statement contradicted it; None while it holds.
        confidence: .7 for one statement, .1 more for each that says the same, at most 1.
        records: ids of the records that say it, oldest first.
        utterances: ids of the utterances they rest on.
        pinned: it must never be compressed away or forgotten.
    """

    customer: str
    claim: Claim
    since_ms: int
    until_ms: int | None
    confidence: float
    records: tuple[str, ...]
    utterances: tuple[str, ...]
    pinned: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Portrait:
    """A customer as of one time.

    Args:
        visits: different visits that left a record.
        regular: they came often enough to be one.
        last_ms: simulated time of the newest record; None for somebody unknown.
        rows: what holds, in the order in which it was said.
    """

    customer: str
    visits: int
    regular: bool
    last_ms: int | None
    rows: tuple[Row, ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What holds, without its history."""
        return tuple(row.claim for row in self.rows)

    def values(self, slot: str) -> tuple[str, ...]:
        """The values of a slot that hold."""
        return tuple(claim.value for claim in self.claims if claim.slot == slot and claim.polarity == 1)

    def lines(self, render: Callable[[Row], str]) -> Sequence[str]:
        """The rows as lines of a prompt, pinned ones first; ``render`` knows the language.

        Rows that are rendered as nothing are left out.
        """
        ordered = sorted(self.rows, key=lambda row: not row.pinned)
        return [line for row in ordered if (line := render(row))]


def confidence(statements: int) -> float:
    """How far a row is to be trusted that so many records state."""
    return round(min(1.0, FIRST_CONFIDENCE + MORE_CONFIDENCE * (statements - 1)), 6)
