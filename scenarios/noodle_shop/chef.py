"""The chef: cooks what the ticket says, keeps out what must stay out, and notes how it was liked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scenarios.noodle_shop.customers import ORDERED, wanted
from scenarios.noodle_shop.desk import Desk, Exchange, Moment, facts
from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.prompts import cook_prompt, quoted
from scenarios.noodle_shop.reflecting import extract, used
from scenarios.noodle_shop.schemas import cook_schema
from sim.agents.asking import Clip, ask_noting
from sim.agents.context import Context
from sim.agents.effects import After, Ask, Given, Note, Observed, Recalled, Tell, Write
from sim.agents.waiting import after_all
from sim.engine.act import Steps
from sim.ledger import Fact
from sim.memory.protocol import Claim, Record
from sim.records import ActId


@dataclass(frozen=True, kw_only=True, slots=True)
class Ticket:
    """What the waiter hands to the kitchen: the order, and what else was said at the table."""

    order: Mapping[str, Any]
    note: str

    def data(self) -> dict[str, Any]:
        """The ticket as it stands in a prompt."""
        return {slot: self.order.get(slot) for slot in ORDERED} | {"note": self.note}

    def claims(self) -> tuple[Claim, ...]:
        """The order as claims."""
        found = []
        for slot in ORDERED:
            value = self.order.get(slot)
            values = value if isinstance(value, list) else [value]
            found += [Claim(slot=slot, value=one) for one in values if one is not None]
        return tuple(found)


@dataclass(frozen=True, kw_only=True, slots=True)
class Plate:
    """What came out of the kitchen; ``fallback`` when the model gave no usable reply.

    Args:
        shown: the records that stood in the prompt.
    """

    content: Mapping[str, Any]
    ticket: Ticket
    fallback: bool = False
    shown: tuple[Record, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """The world's side of a plate: what is true of the customer, and the slots stated on this visit."""

    facts: Mapping[str, Fact]
    told_now: frozenset[str] = frozenset()


def cook(desk: Desk, at: Moment, of: Sequence[ActId], wishes: Wishes) -> Steps:
    """Cooks one order.

    Args:
        desk: what agents share.
        at: who cooks for whom, when.
        of: the waiter's acts of this visit up to the order, oldest first.
        wishes: for the ledger alone.

    Returns:
        The `Plate`.
    """
    talks: list[Exchange] = yield from after_all(of)
    return (yield from _prepare(desk, at, _ticket(desk, talks), wishes))


def cook_again(desk: Desk, at: Moment, of: ActId, wishes: Wishes) -> Steps:
    """Cooks what was sent back, from what the customer insists on.

    Returns:
        The `Plate`.
    """
    plate: Plate = yield After(act=of)
    order: dict[str, Any] = dict(wanted(wishes.facts))
    for slot in ("extra", "without"):
        order[slot] = [order[slot]] if slot in order else []
    return (yield from _prepare(desk, at, Ticket(order=order, note=plate.ticket.note), wishes))


def _prepare(desk: Desk, at: Moment, ticket: Ticket, wishes: Wishes) -> Steps:
    recalled = yield at.recall(event_text(at.customer.language, ticket.claims()))
    context = desk.context(recalled, at.customer)
    language = at.customer.language

    def question(context: Context, clip: Clip) -> Ask:
        shown = ticket.data() | {"note": clip(ticket.note)}
        system, user = cook_prompt(
            at.agent, at.today, at.customer.who, shown, context.lines, language, desk.menu
        )
        return Ask(role="cook", system=system, user=user, schema=cook_schema(desk.menu), language=language)

    asked = yield from ask_noting(question, context, exchange=at.exchange)
    outcome, context = asked.outcome, asked.context
    content = outcome.value or as_ordered(ticket)
    if "allergy" in wishes.facts and "allergy" not in wishes.told_now:
        yield _kept_out(desk, at, content, recalled, context)
    heard = _heard(ticket, wishes)
    if heard:
        yield Tell(utterance=at.utterance, facts=heard)
    yield Note(
        kind="cooked",
        payload={
            "ticket": ticket.data(),
            "plate": {slot: content[slot] for slot in ORDERED},
            "outcome": outcome.kind,
            "context": [one.id for one in context.records],
        },
    )
    return Plate(content=content, ticket=ticket, fallback=outcome.value is None, shown=context.records)


def write_down(desk: Desk, at: Moment, cooked: ActId, liked: ActId) -> Steps:
    """Notes after the meal what was ordered and how it was liked."""
    plate: Plate = yield After(act=cooked)
    exchange: Exchange = yield After(act=liked)
    ticket = event_text(at.customer.language, plate.ticket.claims())
    said = " ".join(filter(None, [f"{ticket}.", plate.ticket.note, exchange.said]))
    if exchange.facts:  # a complaint is passed on, and restates what was wanted
        yield Tell(utterance=at.utterance, facts=exchange.facts)
    if desk.writes("exchange"):
        yield Write(owner=at.owner, record=at.record("exchange", quoted(said)))
    yield from used(desk, at, at.act("reflect"), plate.shown)
    yield from extract(desk, at, said, exchange.reply)


def as_ordered(ticket: Ticket) -> dict[str, Any]:
    """The fallback when the chef's model fails: the ticket, literally."""
    return {slot: ticket.order.get(slot) for slot in ORDERED} | {"say": ""}


def _ticket(desk: Desk, talks: Sequence[Exchange]) -> Ticket:
    ordered = [talk for talk in talks if talk.details and talk.details["dish"]]
    order = dict(ordered[-1].details or {}) if ordered else {}
    # A stated fallback: without an understood dish the kitchen cooks the first of the menu.
    order.setdefault("dish", desk.menu.dishes[0].id)
    for slot in ("extra", "without"):
        order[slot] = list(order.get(slot) or ())
    return Ticket(
        order=order, note=" ".join(talk.said for talk in talks if talk not in ordered[-1:] and talk.said)
    )


def _kept_out(
    desk: Desk, at: Moment, content: Mapping[str, Any], recalled: Recalled, context: Context
) -> Observed:
    """The kitchen's own question: what must stay out of this customer's food?"""
    left_out = tuple(value for value in content["without"] if value in desk.menu.allergy)
    return Observed(
        owner=at.owner,
        customer=at.customer.id,
        known_as=at.customer.known_as,
        question="keep_out",
        slots=("allergy",),
        truth_at_ms=at.at_ms,
        answers=(Given(slot="allergy", values=left_out, single=False),),
        retrieved=tuple(hit.record for hit in facts(recalled)),
        in_context=context.records,
        context_tokens=context.tokens,
        milliseconds=recalled.milliseconds,
        language=at.customer.language,
    )


def _heard(ticket: Ticket, wishes: Wishes) -> tuple[str, ...]:
    """The true facts the ticket passes on: what it orders rightly, and the allergy if it was just stated."""
    ordered = {(claim.slot, claim.value) for claim in ticket.claims()}
    passed = [
        fact
        for fact in wishes.facts.values()
        if fact.polarity > 0
        and ((fact.slot, fact.value) in ordered or fact.slot in wishes.told_now & {"allergy"})
    ]
    return tuple(fact.id for fact in passed)
