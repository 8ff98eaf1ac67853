"""The chef: cooks what the ticket says, keeps out what must stay out, and notes how it was liked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scenarios.noodle_shop.customers import ORDERED
from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.prompts import cook_prompt, quoted, reflect_prompt
from scenarios.noodle_shop.schemas import cook_schema, reflect_schema
from scenarios.noodle_shop.waiter import Desk, Exchange, Moment, extracted, record
from sim.agents.effects import After, Ask, Given, Note, Observed, Recall, Tell, Write
from sim.agents.waiting import after_all
from sim.engine.act import Steps
from sim.ledger import Fact
from sim.memory.protocol import Claim, Query
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
    """What came out of the kitchen; ``fallback`` when the model gave no usable reply."""

    content: Mapping[str, Any]
    ticket: Ticket
    fallback: bool = False


def cook(
    desk: Desk, at: Moment, of: list[ActId], facts: Mapping[str, Fact], told_now: frozenset[str]
) -> Steps:
    """Cooks one order.

    Args:
        desk: menu and memory plan.
        at: who cooks for whom, when.
        of: the waiter's acts of this visit; the last one is the order.
        facts: what is true of the customer, for the ledger.
        told_now: slots the customer stated on this visit.

    Returns:
        The `Plate`.
    """
    talks: list[Exchange] = yield from after_all(of)
    ticket = _ticket(desk, talks)
    text = f"{at.customer.who}: {event_text(at.customer.language, ticket.claims())}"
    recalled = yield Recall(owner=at.owner, query=Query(text=text, customer=at.customer.id, at_ms=at.at_ms))
    context = desk.context(recalled, at.customer)
    system, user = cook_prompt(
        at.agent, at.today, at.customer.who, ticket.data(), context.lines, at.customer.language, desk.menu
    )
    outcome = yield Ask(role="cook", system=system, user=user, schema=cook_schema(desk.menu))
    content = outcome.value or as_ordered(ticket)
    if "allergy" in facts and "allergy" not in told_now:
        yield Observed(
            owner=at.owner,
            customer=at.customer.id,
            question="keep_out",
            slots=("allergy",),
            truth_at_ms=at.at_ms,
            answers=(Given(slot="allergy", values=tuple(content["without"]), single=False),),
            retrieved=tuple(hit.record for hit in recalled.hits),
            in_context=context.records,
            context_tokens=context.tokens,
            milliseconds=recalled.milliseconds,
            language=at.customer.language,
        )
    heard = _heard(ticket, facts, told_now)
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
    return Plate(content=content, ticket=ticket, fallback=outcome.value is None)


def write_down(desk: Desk, at: Moment, cooked: ActId, liked: ActId) -> Steps:
    """Notes after the meal what was ordered and how it was liked."""
    plate: Plate = yield After(act=cooked)
    exchange: Exchange = yield After(act=liked)
    kinds = desk.memory.capabilities.ingests
    said = " ".join(filter(None, [_spoken_ticket(at, plate.ticket), exchange.said]))
    if "exchange" in kinds:
        yield Write(owner=at.owner, record=record(at, "exchange", quoted(said), ()))
    if "event" in kinds:
        system, user = reflect_prompt(
            at.agent, at.today, at.customer.who, said, exchange.reply, at.customer.language, desk.menu
        )
        outcome = yield Ask(role="reflect", system=system, user=user, schema=reflect_schema(desk.menu))
        if outcome.value is None:
            yield Note(kind="not_written", payload={"exchange": at.exchange, "why": outcome.kind})
            return
        claims = *extracted(outcome.value, desk.menu), Claim(slot="visit", value=at.today)
        yield Write(owner=at.owner, record=record(at, "event", outcome.value["event"], claims))


def as_ordered(ticket: Ticket) -> dict[str, Any]:
    """The fallback when the chef's model fails: the ticket, literally."""
    return {slot: ticket.order.get(slot) for slot in ORDERED} | {"say": ""}


def _ticket(desk: Desk, talks: list[Exchange]) -> Ticket:
    order = dict(talks[-1].details or {})
    order["dish"] = order.get("dish") or desk.menu.dishes[0].id
    for slot in ("extra", "without"):
        order[slot] = list(order.get(slot) or ())
    return Ticket(order=order, note=" ".join(talk.said for talk in talks[:-1]))


def _spoken_ticket(at: Moment, ticket: Ticket) -> str:
    return f"{event_text(at.customer.language, ticket.claims())}. {ticket.note}".strip()


def _heard(ticket: Ticket, facts: Mapping[str, Fact], told_now: frozenset[str]) -> tuple[str, ...]:
    """The true facts the ticket passes on: what it orders rightly, and what was said at the table."""
    ordered = {(claim.slot, claim.value) for claim in ticket.claims()}
    passed = [
        fact
        for fact in facts.values()
        if fact.polarity > 0 and ((fact.slot, fact.value) in ordered or fact.slot in told_now & {"allergy"})
    ]
    return tuple(fact.id for fact in passed)
