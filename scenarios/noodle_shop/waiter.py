"""The waiter: hears, recalls, answers, and offers; `reflecting` writes down what was said."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scenarios.noodle_shop.asking import observed
from scenarios.noodle_shop.desk import Desk, Exchange, Manners, Moment, manners
from scenarios.noodle_shop.prompts import Turn, exchange_text, mood_prompt, offer_prompt, order_prompt
from scenarios.noodle_shop.reflecting import beforehand
from scenarios.noodle_shop.schemas import Schema, mood_schema, offer_schema, order_schema
from scenarios.noodle_shop.script import Cue
from scenarios.noodle_shop.speaking import from_template, spoken
from scenarios.noodle_shop.speech import speech
from scenarios.noodle_shop.working import Working, working
from sim.agents.asking import Clip, ask_noting
from sim.agents.context import Context
from sim.agents.effects import Ask, Became, Effect, Note, Recalled, Tell
from sim.agents.waiting import after_all
from sim.engine.act import Steps
from sim.ledger import Fact
from sim.llm.protocol import Outcome
from sim.memory.protocol import Record
from sim.records import ActId


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """What the waiter has to go by: memories, the visit so far, and rules of how to speak."""

    context: Context
    working: Working
    manners: Manners


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """One answer of the model, with the words it answered and what it was given to read."""

    said: str
    outcome: Outcome
    brief: Brief

    @property
    def context(self) -> Context:
        """The memories that stood in the prompt."""
        return self.brief.context


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
    now = yield from working(desk, at, visit, before)
    said = yield from spoken(desk, at, cue)
    entries = yield from beforehand(desk, at, said)
    recalled = yield at.recall(said)
    heard = yield from _hear(desk, at, cue.move, _brief(desk, at, recalled, now), said)
    if known and not visit and not any(_about(record, at) for record in heard.context.records):
        yield Note(kind="treated_as_new", payload={})
    if cue.asks:
        yield observed(
            at, cue, recalled=recalled, context=heard.context, visit=visit, reply=heard.outcome.value
        )
    yield from _told(at, cue.states)
    yield from _noted(at, cue.move, heard)
    if cue.move in ("usual", "order") and _unsure(heard.outcome, desk.confidence_threshold):
        done = yield from _ask_back(desk, at, clarify, heard)
    else:
        done = replace(_exchange(at, heard), facts=tuple(fact.id for fact in cue.states))
    return done if entries is None else replace(done, entries=(*entries, *(done.entries or ())))


def _ask_back(desk: Desk, at: Moment, clarify: Cue, first: Heard) -> Generator[Effect, Any, Exchange]:
    """Within the same act: the customer says everything, the waiter answers again."""
    again = yield from spoken(desk, at, clarify, "clarify")
    entries = yield from beforehand(desk, at, again, "clarify")
    now = first.brief.working
    so_far = replace(now, exchanges=(*now.exchanges, _exchange(at, first)))
    second = yield from _hear(desk, at, clarify.move, replace(first.brief, working=so_far), again)
    yield from _told(at, clarify.states)
    yield from _noted(at, "clarify", second)
    return replace(
        _exchange(at, second),
        said=f"{first.said} {again}",
        asked_back=True,
        facts=tuple(fact.id for fact in clarify.states),
        entries=entries,
    )


def offer(desk: Desk, at: Moment, *, accepts: bool, before: Sequence[ActId]) -> Steps:
    """After the order the waiter proposes something, and the customer takes it or not.

    Returns:
        The `Exchange`; with nothing said when nothing was offered.
    """
    visit: list[Exchange] = yield from after_all(before)
    now = yield from working(desk, at, visit, before)
    recalled = yield at.recall("")
    brief = _brief(desk, at, recalled, now)
    order = next((one.details for one in reversed(visit) if one.details), {})

    def question(context: Context, clip: Clip) -> Ask:
        turn = _turn(desk, at, replace(brief, context=context), "", clip)
        return _ask(at, "offer", *offer_prompt(turn, order, desk.menu), offer_schema(desk.menu))

    asked = yield from ask_noting(question, brief.context, exchange=at.exchange)
    outcome, made = asked.outcome, asked.outcome.value
    if made is None or not (item := made["item"]):
        yield Note(kind="no_offer", payload={"outcome": outcome.kind})
        return Exchange(id=at.utterance, said="", reply="")
    said = from_template(desk, at, Cue(move="accept" if accepts else "decline"))
    yield Became(utterance=at.utterance, customer=at.customer.id, slot="offer", value=item)
    yield Note(kind="offered", payload={"exchange": at.exchange, "item": item, "text": made["say"]})
    yield Note(kind="accepted" if accepts else "declined", payload={"item": item, "text": said})
    return Exchange(
        id=at.utterance,
        said=said,
        reply=made["say"],
        accepted=item if accepts else None,
        shown=asked.context.records,
        rules=brief.manners.ids,
    )


def _brief(desk: Desk, at: Moment, recalled: Recalled, now: Working) -> Brief:
    return Brief(
        context=desk.context(recalled, at.customer),
        working=now,
        manners=manners(recalled, at.customer.language),
    )


def _hear(desk: Desk, at: Moment, move: str, brief: Brief, said: str) -> Generator[Effect, Any, Heard]:
    """Asks the model for an answer to what the customer said."""

    def question(context: Context, clip: Clip) -> Ask:
        turn = _turn(desk, at, replace(brief, context=context), said, clip)
        if move == "mood":
            return _ask(at, "mood", *mood_prompt(turn), mood_schema())
        return _ask(at, "order", *order_prompt(turn, desk.menu), order_schema(desk.menu))

    asked = yield from ask_noting(question, brief.context, exchange=at.exchange)
    return Heard(said=said, outcome=asked.outcome, brief=replace(brief, context=asked.context))


def _ask(at: Moment, role: str, system: str, user: str, schema: Schema) -> Ask:
    return Ask(role=role, system=system, user=user, schema=schema, language=at.customer.language)


def _turn(desk: Desk, at: Moment, brief: Brief, said: str, clip: Clip) -> Turn:
    context, now = brief.context, brief.working
    recalled = {one.id for one in context.records}
    entries = [desk.shown(one, at.customer) for one in now.entries if one.id not in recalled]
    return Turn(
        agent=at.agent,
        today=at.today,
        who=at.customer.who,
        memory=(*context.lines, *entries),
        visit=tuple(
            exchange_text(clip(one.said), at.agent, clip(one.reply)) for one in now.exchanges if one.said
        ),
        utterance=clip(said),
        language=at.customer.language,
        manners=brief.manners.lines,
    )


def _told(at: Moment, facts: Sequence[Fact]) -> Steps:
    if facts:
        yield Tell(utterance=at.utterance, facts=tuple(fact.id for fact in facts))


def _noted(at: Moment, move: str, heard: Heard) -> Steps:
    yield Note(kind="said", payload={"exchange": at.exchange, "move": move, "text": heard.said})
    reply = heard.outcome.value or {"action": "fallback"}
    rules = {"rules": list(ids)} if (ids := heard.brief.manners.ids) else {}
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
            **rules,
        },
    )


def _exchange(at: Moment, heard: Heard) -> Exchange:
    value = heard.outcome.value
    return Exchange(
        id=at.utterance,
        said=heard.said,
        reply=_reply(heard.outcome, at),
        details=value.get("details") if value else None,
        shown=heard.context.records,
        rules=heard.brief.manners.ids,
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
