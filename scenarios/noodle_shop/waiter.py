"""The waiter: hears, recalls, answers, offers, and afterwards writes down what was said."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scenarios.noodle_shop.asking import observed
from scenarios.noodle_shop.desk import Desk, Exchange, Moment
from scenarios.noodle_shop.events import plain
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.prompts import (
    Turn,
    exchange_text,
    mood_prompt,
    offer_prompt,
    one_line,
    order_prompt,
    reflect_prompt,
)
from scenarios.noodle_shop.schemas import (
    Schema,
    mood_schema,
    offer_schema,
    order_schema,
    reflect_schema,
)
from scenarios.noodle_shop.script import Cue
from scenarios.noodle_shop.speaking import from_template, spoken
from scenarios.noodle_shop.speech import speech
from sim.agents.asking import Clip, ask_noting
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
    heard = yield from _hear(desk, at, cue.move, context, visit, said)
    if known and not visit and not any(_about(record, at) for record in heard.context.records):
        yield Note(kind="treated_as_new", payload={})
    if cue.asks:
        yield observed(
            at, cue, recalled=recalled, context=heard.context, visit=visit, reply=heard.outcome.value
        )
    yield from _told(at, cue.states)
    yield from _noted(at, cue.move, heard)
    if cue.move in ("usual", "order") and _unsure(heard.outcome, desk.confidence_threshold):
        return (yield from _ask_back(desk, at, clarify, visit, heard))
    return replace(_exchange(at, heard), facts=tuple(fact.id for fact in cue.states))


def _ask_back(
    desk: Desk, at: Moment, clarify: Cue, visit: Sequence[Exchange], first: Heard
) -> Generator[Effect, Any, Exchange]:
    """Within the same act: the customer says everything, the waiter answers again."""
    again = yield from spoken(desk, at, clarify, "clarify")
    so_far = [*visit, _exchange(at, first)]
    second = yield from _hear(desk, at, clarify.move, first.context, so_far, again)
    yield from _told(at, clarify.states)
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

    def question(context: Context, clip: Clip) -> Ask:
        system, user = offer_prompt(_turn(at, context, visit, "", clip), order, desk.menu)
        return _ask(at, "offer", system, user, offer_schema(desk.menu))

    outcome = (yield from ask_noting(question, context, exchange=at.exchange)).outcome
    made = outcome.value
    if made is None or not (item := made["item"]):
        yield Note(kind="no_offer", payload={"outcome": outcome.kind})
        return Exchange(id=at.utterance, said="", reply="")
    said = from_template(desk, at, Cue(move="accept" if accepts else "decline"))
    yield Became(utterance=at.utterance, customer=at.customer.id, slot="offer", value=item)
    yield Note(kind="offered", payload={"exchange": at.exchange, "item": item, "text": made["say"]})
    yield Note(kind="accepted" if accepts else "declined", payload={"item": item, "text": said})
    return Exchange(id=at.utterance, said=said, reply=made["say"], accepted=item if accepts else None)


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
    language = at.customer.language

    def question(context: Context, clip: Clip) -> Ask:
        del context  # what was just said is written down without a look at older notes
        words = clip(said), clip(reply)
        system, user = reflect_prompt(at.agent, at.today, at.customer.who, *words, language, desk.menu)
        return _ask(at, "reflect", system, user, reflect_schema(desk.menu))

    outcome = (yield from ask_noting(question, exchange=at.exchange)).outcome
    if outcome.value is None:
        yield Note(kind="not_written", payload={"exchange": at.exchange, "why": outcome.kind})
        return
    for claim in not_on(desk.menu, outcome.value["claims"]):
        yield Note(kind="claim_dropped", payload={"exchange": at.exchange, **claim})
    claims = *extracted(outcome.value["claims"], desk.menu), Claim(slot="visit", value=at.today)
    yield Write(owner=at.owner, record=at.record("event", one_line(outcome.value["event"]), claims))


def extracted(claims: Iterable[Mapping[str, Any]], menu: Menu) -> tuple[Claim, ...]:
    """The claims of a reply that can be meant in this shop, each once and as people put it."""
    made = (Claim(slot=c["slot"], value=c["value"], polarity=c["polarity"]) for c in claims)
    return tuple(dict.fromkeys(plain(one) for one in made if menu.allows(one.slot, one.value)))


def not_on(menu: Menu, claims: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Claims of which slot and value do not go together here, such as garlic as an extra."""
    return [claim for claim in claims if not menu.allows(claim["slot"], claim["value"])]


def _hear(  # noqa: PLR0917 - the moment, and all that the waiter has to go by
    desk: Desk, at: Moment, move: str, context: Context, visit: Sequence[Exchange], said: str
) -> Generator[Effect, Any, Heard]:
    """Asks the model for an answer to what the customer said."""

    def question(context: Context, clip: Clip) -> Ask:
        turn = _turn(at, context, visit, said, clip)
        if move == "mood":
            return _ask(at, "mood", *mood_prompt(turn), mood_schema())
        return _ask(at, "order", *order_prompt(turn, desk.menu), order_schema(desk.menu))

    asked = yield from ask_noting(question, context, exchange=at.exchange)
    return Heard(said=said, outcome=asked.outcome, context=asked.context)


def _ask(at: Moment, role: str, system: str, user: str, schema: Schema) -> Ask:
    return Ask(role=role, system=system, user=user, schema=schema, language=at.customer.language)


def _turn(at: Moment, context: Context, visit: Sequence[Exchange], said: str, clip: Clip) -> Turn:
    return Turn(
        agent=at.agent,
        today=at.today,
        who=at.customer.who,
        memory=context.lines,
        visit=tuple(exchange_text(clip(one.said), at.agent, clip(one.reply)) for one in visit if one.said),
        utterance=clip(said),
        language=at.customer.language,
    )


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
