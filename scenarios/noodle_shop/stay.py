"""One visit under way, and what the world remembers of a customer's earlier ones."""

from dataclasses import dataclass, field

from scenarios.noodle_shop.chef import Wishes
from scenarios.noodle_shop.customers import Customer, wanted
from scenarios.noodle_shop.script import Cue
from sim.engine.act import Act
from sim.errors import OrderError
from sim.ledger import Fact
from sim.records import ActId
from sim.streams import Stream


@dataclass(kw_only=True, slots=True)
class History:
    """What the world knows of a customer's past: how often served and by which stores, what was stated."""

    arrivals: int = 0
    served: int = 0
    stated: set[str] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)


@dataclass(kw_only=True, slots=True)
class Stay:
    """One visit under way.

    Args:
        talks: acts of the exchanges, oldest first.
        entries: acts that write them into a diary; none for a memory without one.
        plates: acts of the kitchen; the last one is what was eaten.
        books: the act that closes the visit, once it is over.
        sent_back: a plate went back to the kitchen.
        here: the fact that the customer was here on this day, once they are served.
        extra_price: price of an extra, for the bill.
    """

    customer: Customer
    history: History
    id: str
    number: int
    arrived_ms: int
    draw: Stream
    extra_price: float
    facts: dict[str, Fact] = field(default_factory=dict)
    seated_ms: int | None = None
    ordered_ms: int | None = None
    served_ms: int | None = None
    waiter: str = ""
    cues: list[Cue] = field(default_factory=list)
    talks: list[Act] = field(default_factory=list)
    entries: list[Act] = field(default_factory=list)
    plates: list[Act] = field(default_factory=list)
    sent_back: bool = False
    here: Fact | None = None
    books: Act | None = None

    @property
    def regular(self) -> bool:
        """Whether they are one of the regulars, or a passer-by who has come back."""
        return self.customer.regular or self.number > 0

    @property
    def closed_books(self) -> Act:
        """The act that closed the visit."""
        if self.books is None:
            raise OrderError(f"visit {self.id} is not over")
        return self.books

    @property
    def wishes(self) -> Wishes:
        """The world's side of a plate."""
        told = frozenset(fact.slot for cue in self.cues for fact in cue.states)
        return Wishes(facts=self.facts, told_now=told)

    @property
    def everything(self) -> Cue:
        """What the customer says when asked for the whole order."""
        return Cue(
            move="clarify", states=tuple(f for f in self.facts.values() if f.slot in wanted(self.facts))
        )

    def talked(self) -> list[ActId]:
        """The exchanges so far."""
        return [act.id for act in self.talks]

    @property
    def so_far(self) -> list[Act]:
        """What the next exchange may look back at."""
        return [*self.talks, *self.entries]

    def serve(self) -> None:
        """Notes in the customer's history that this visit came to its end."""
        self.history.served += 1
        self.history.stated |= {fact.id for cue in self.cues for fact in cue.states}
