"""What waiters and chefs share: the moment of an act, what an exchange came to, how records look."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scenarios.noodle_shop.customers import Customer
from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.prompts import memory_line
from sim.agents.context import Context, fit
from sim.agents.effects import Recall, Recalled
from sim.clock import Calendar
from sim.memory.diary.manners import RULE
from sim.memory.experience.choosing import headed
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Claim, Hit, Owner, Query, Record
from sim.records import ActId, utterance_of
from sim.streams import Stream


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """What is the same for every act of one exchange.

    Args:
        agent: who thinks.
        owner: the memory it uses.
        customer: who stands there.
        visit: identity of the visit.
        exchange: place of the exchange within the visit.
        at_ms: simulated time of submission, which is the time a recall sees.
        arrived_ms: when the visit began.
        today: ISO date.
        wording: decides how the customer puts things.
    """

    agent: str
    owner: Owner
    customer: Customer
    visit: str
    exchange: int
    at_ms: int
    arrived_ms: int
    today: str
    wording: Stream

    def act(self, purpose: str, attempt: int = 0) -> ActId:
        """The identity of an act of this exchange."""
        return ActId(
            agent=self.agent,
            customer=self.customer.id,
            visit=self.visit,
            exchange=self.exchange,
            purpose=purpose,
            attempt=attempt,
        )

    @property
    def utterance(self) -> str:
        """The id under which the ledger and every record know this exchange."""
        return utterance_of(self.act("any"))

    def recall(self, words: str) -> Recall:
        """Searches the memory by whom the agent sees and by words."""
        return Recall(
            owner=self.owner,
            query=Query(
                text=f"{self.customer.who}: {words}",
                customer=self.customer.known_as,
                at_ms=self.at_ms,
                truth=self.customer.id,
                language=self.customer.language,
            ),
        )

    def record(self, kind: str, body: str, claims: tuple[Claim, ...] = (), *, part: str = "") -> Record:
        """A record about the customer as the agent knows them, resting on this exchange, or a part of it."""
        return Record(
            id="/".join(filter(None, (self.utterance, part, kind))),
            at_ms=self.at_ms,
            visible_at_ms=0,
            agent=self.agent,
            customer=self.customer.known_as,
            visit=self.visit,
            kind=kind,
            text=f"{self.customer.who}: {body}",
            claims=claims,
            sources=(self.utterance,),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """What was said, and what it came to.

    Args:
        id: id of the exchange.
        said: the customer's words; empty when nothing was said and nothing is to be written down.
        reply: the waiter's words.
        details: the order as the waiter understood it, None when the model gave no usable reply.
        asked_back: the waiter had to ask.
        accepted: the item of an offer that was accepted, or None.
        facts: ids of the facts the customer stated; the world's side, for the ledger.
        shown: the records that stood in the prompt of the reply.
        rules: ids of the rules of manners that did.
        entries: what the diary has of it, where that was written before the reply; None for not yet.
    """

    id: str
    said: str
    reply: str
    details: Mapping[str, Any] | None = None
    asked_back: bool = False
    accepted: str | None = None
    facts: tuple[str, ...] = ()
    shown: tuple[Record, ...] = ()
    rules: tuple[str, ...] = ()
    entries: tuple[Record, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Manners:
    """The rules of how to speak that a recall brought, strongest first."""

    rules: tuple[Record, ...] = ()
    language: str

    @property
    def lines(self) -> tuple[str, ...]:
        """As they stand in the system part of a prompt; nothing for no rule."""
        return headed([rule.text for rule in self.rules], self.language)

    @property
    def ids(self) -> tuple[str, ...]:
        """What the rules are called."""
        return tuple(rule.id for rule in self.rules)


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    """What all agents of the shop share.

    Args:
        menu: what can be ordered.
        memory: how agents remember.
        calendar: dates of simulated time.
        confidence_threshold: an order the model is less sure of is asked back.
        held_out: whether they use phrasings that the surrogate's reader was not written against.
        wording: whether customers speak from templates, or a model rewords those.
    """

    menu: Menu
    memory: MemoryPlan
    calendar: Calendar
    confidence_threshold: float
    wording: Literal["template", "model"] = "template"
    held_out: Literal["mixed", "never", "only"] = "mixed"

    def writes(self, kind: str) -> bool:
        """Whether the memories take in records of a kind."""
        return kind in self.memory.capabilities.ingests

    @property
    def reflects_first(self) -> bool:
        """Whether what a customer says goes into the diary before they are answered."""
        return self.memory.reflection == "before_reply" and self.writes("diary")

    def line(self, record: Record) -> str:
        """How a record stands in a prompt: with its date; a summary of many days brings its own."""
        if record.kind == "summary" and record.text[:1] in ("", "["):
            return record.text
        return f"[{self.calendar.day(record.at_ms)}] {record.text}"

    def shown(self, record: Record, customer: Customer) -> str:
        """As `line`, with words for what has none: the ledger, a profile, what holds only in part."""
        if record.text:
            return self.line(record)
        day = self.calendar.day(record.at_ms)
        return "\n".join(memory_line(day, who, text) for who, text in _stated(record, customer))

    def context(self, recalled: Recalled, customer: Customer) -> Context:
        """The memory layers of a prompt about a customer, within the budget."""
        return fit(
            facts(recalled),
            line=lambda record: self.shown(record, customer),
            budget_tokens=self.memory.budget_tokens,
        )


def facts(recalled: Recalled) -> tuple[Hit, ...]:
    """What was recalled of people, without the rules of how to speak to them."""
    return tuple(hit for hit in recalled.hits if hit.record.kind != RULE)


def manners(recalled: Recalled, language: str) -> Manners:
    """The rules among what was recalled."""
    rules = tuple(hit.record for hit in recalled.hits if hit.record.kind == RULE)
    return Manners(rules=rules, language=language)


def _stated(record: Record, customer: Customer) -> Iterator[tuple[str, str]]:
    """Whom a record is about, each with what it claims of them in words; its date tells of the visit."""
    for known_as in dict.fromkeys(record.about or (record.customer,)):
        # The ledger's own records go by the id.
        own = known_as in (customer.known_as, customer.id)
        said = [claim for claim in record.claims_of(known_as) if claim.slot != "visit"]
        yield customer.who if own else known_as, event_text(customer.language, said)
