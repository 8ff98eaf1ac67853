"""The waiter: hears, recalls, answers, offers, and afterwards writes down what was said."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scenarios.noodle_shop.asking import observed
from scenarios.noodle_shop.desk import Desk, Exchange, Moment
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.prompts import (
    Turn,
    exchange_text,
    mood_prompt,
    offer_prompt,
    order_prompt,
    reflect_prompt,
)
from scenarios.noodle_shop.schemas import mood_schema, offer_schema, order_schema, reflect_schema
from scenarios.noodle_shop.script import Cue
from scenarios.noodle_shop.speaking import from_template, spoken
from scenarios.noodle_shop.speech import speech
from sim.agents.context import Context
from sim.agents.effects import After, Ask, Became, Effect, Note, Tell, Write
from sim.agents.waiting import after_all
from sim.engine.act import Steps
from sim.ledger import Fact
from sim.llm.protocol import Outcome
from sim.memory.protocol import Claim, Record
from sim.records import ActId


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """One answer of the model, with the words it answered and what it was given to read."""

    said: str
    outcome: Outcome
    context: Context


def answer(desk: Desk, at: Moment, cue: Cue, clarify: Cue, *, before: Sequence[ActId], known: bool) -> Steps:
    """One exchange: the customer speaks, the waiter recalls and answers, asking back if unsure.

    Args:
        desk: what agents share.
        at: who, whom, when.
        cue: what the customer says.
        clarify: what they say when asked back.
        before: acts of the earlier exchanges of this visit, oldest first.
        known: this memory has served the customer before.

    Returns:
        The `Exchange`.
    """
    visit: list[Exchange] = yield from after_all(before)
    said = yield from spoken(desk, at, cue)
    recalled = yield at.recall(said)
    context = desk.context(recalled, at.customer)
    if known and not visit and not any(_about(record, at) for record in context.records):
        yield Note(kind="treated_as_new", payload={})
    outcome = yield _question(desk, at, cue.move, _turn(at, context, visit, said))
    if cue.asks:
        yield observed(at, cue, recalled=recalled, context=context, visit=visit, reply=outcome.value)
    yield from _told(at, cue.states)
    heard = Heard(said=said, outcome=outcome, context=context)
    yield from _noted(at, cue.move, heard)
    if cue.move in ("usual", "order") and _unsure(outcome, desk.confidence_threshold):
        return (yield from _ask_back(desk, at, clarify, visit, heard))
    return replace(_exchange(at, heard), facts=tuple(fact.id for fact in cue.states))


def _ask_back(
    desk: Desk, at: Moment, clarify: Cue, visit: Sequence[Exchange], first: Heard
) -> Generator[Effect, Any, Exchange]:
    """Within the same act: the customer says everything, the waiter answers again."""
    again = yield from spoken(desk, at, clarify, "clarify")
    turn = _turn(at, first.context, [*visit, _exchange(at, first)], again)
    outcome = yield _question(desk, at, clarify.move, turn)
    yield from _told(at, clarify.states)
    second = Heard(said=again, outcome=outcome, context=first.context)
    yield from _noted(at, "clarify", second)
    done = _exchange(at, second)
    return replace(
        done, said=f"{first.said} {again}", asked_back=True, facts=tuple(fact.id for fact in clarify.states)
    )


def offer(desk: Desk, at: Moment, *, accepts: bool, before: Sequence[ActId]) -> Steps:
    """After the order the waiter proposes something, and the customer takes it or not.

    Returns:
        The `Exchange`; with nothing said when nothing was offered.
    """
    visit: list[Exchange] = yield from after_all(before)
    recalled = yield at.recall("")
    context = desk.context(recalled, at.customer)
    order = next((one.details for one in reversed(visit) if one.details), {})
    system, user = offer_prompt(_turn(at, context, visit, ""), order, desk.menu)
    outcome = yield Ask(role="offer", system=system, user=user, schema=offer_schema(desk.menu))
    item = outcome.value and outcome.value["item"]
    if not item:
        yield Note(kind="no_offer", payload={"outcome": outcome.kind})
        return Exchange(id=at.utterance, said="", reply="")
    said = from_template(desk, at, Cue(move="accept" if accepts else "decline"))
    yield Became(utterance=at.utterance, customer=at.customer.id, slot="offer", value=item)
    yield Note(kind="offered", payload={"exchange": at.exchange, "item": item, "text": outcome.value["say"]})
    yield Note(kind="accepted" if accepts else "declined", payload={"item": item, "text": said})
    return Exchange(
        id=at.utterance, said=said, reply=outcome.value["say"], accepted=item if accepts else None
    )


def reflect(desk: Desk, at: Moment, of: ActId) -> Steps:
    """Writes the exchange down: word for word, as an extracted event, or both, as the memory takes it."""
    exchange: Exchange = yield After(act=of)
    if not exchange.said:
        return
    if "exchange" in desk.memory.capabilities.ingests:
        body = exchange_text(exchange.said, at.agent, exchange.reply)
        yield Write(owner=at.owner, record=at.record("exchange", body))
    yield from extract(desk, at, exchange.said, exchange.reply)


def extract(desk: Desk, at: Moment, said: str, reply: str) -> Steps:
    """Asks for the diary line of what was said and writes it, if the memory takes events."""
    if "event" not in desk.memory.capabilities.ingests:
        return
    customer = at.customer
    system, user = reflect_prompt(at.agent, at.today, customer.who, said, reply, customer.language, desk.menu)
    outcome = yield Ask(role="reflect", system=system, user=user, schema=reflect_schema(desk.menu))
    if outcome.value is None:
        yield Note(kind="not_written", payload={"exchange": at.exchange, "why": outcome.kind})
        return
    claims = *extracted(outcome.value, desk.menu), Claim(slot="visit", value=at.today)
    yield Write(owner=at.owner, record=at.record("event", outcome.value["event"], claims))


def extracted(reply: Mapping[str, Any], menu: Menu) -> tuple[Claim, ...]:
    """The claims of a reflection that can be meant in this shop, each once."""
    claims = (Claim(slot=c["slot"], value=c["value"], polarity=c["polarity"]) for c in reply["claims"])
    return tuple(dict.fromkeys(claim for claim in claims if menu.allows(claim.slot, claim.value)))


def _turn(at: Moment, context: Context, visit: Sequence[Exchange], said: str) -> Turn:
    return Turn(
        agent=at.agent,
        today=at.today,
        who=at.customer.who,
        memory=context.lines,
        visit=tuple(exchange_text(one.said, at.agent, one.reply) for one in visit if one.said),
        utterance=said,
        language=at.customer.language,
    )


def _question(desk: Desk, at: Moment, move: str, turn: Turn) -> Ask:
    del at
    if move == "mood":
        system, user = mood_prompt(turn)
        return Ask(role="mood", system=system, user=user, schema=mood_schema())
    system, user = order_prompt(turn, desk.menu)
    return Ask(role="order", system=system, user=user, schema=order_schema(desk.menu))


def _told(at: Moment, facts: Sequence[Fact]) -> Steps:
    if facts:
        yield Tell(utterance=at.utterance, facts=tuple(fact.id for fact in facts))


def _noted(at: Moment, move: str, heard: Heard) -> Steps:
    yield Note(kind="said", payload={"exchange": at.exchange, "move": move, "text": heard.said})
    reply = heard.outcome.value or {"action": "fallback"}
    yield Note(
        kind="replied",
        payload={
            "exchange": at.exchange,
            "action": reply.get("action", move),
            "details": reply.get("details"),
            "mood": reply.get("mood"),
            "text": _reply(heard.outcome, at),
            "context": [one.id for one in heard.context.records],
            "cut": [one.id for one in heard.context.cut],
            "outcome": heard.outcome.kind,
        },
    )


def _exchange(at: Moment, heard: Heard) -> Exchange:
    value = heard.outcome.value
    return Exchange(
        id=at.utterance,
        said=heard.said,
        reply=_reply(heard.outcome, at),
        details=value.get("details") if value else None,
    )


def _reply(outcome: Outcome, at: Moment) -> str:
    if outcome.value is None:  # the model failed: the waiter says so, and nothing it sent is kept
        return speech(at.customer.language).talk.replies["fallback"]
    return str(outcome.value["say"])


def _unsure(outcome: Outcome, threshold: float) -> bool:
    if outcome.value is None:
        return True
    return outcome.value["action"] == "ask_back" or float(outcome.value["confidence"]) < threshold


def _about(record: Record, at: Moment) -> bool:
    return record.customer == at.customer.known_as or bool(record.claims_of(at.customer.known_as))
