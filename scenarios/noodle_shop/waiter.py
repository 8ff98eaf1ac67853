"""The waiter: hears, recalls, answers, and afterwards writes down what was said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scenarios.noodle_shop.customers import Customer
from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import SINGLE, Menu
from scenarios.noodle_shop.phrases import Phrases
from scenarios.noodle_shop.prompts import Turn, exchange_text, memory_line, order_prompt, reflect_prompt
from scenarios.noodle_shop.schemas import order_schema, reflect_schema
from scenarios.noodle_shop.script import Cue
from scenarios.noodle_shop.speech import speech
from sim.agents.context import Context, fit
from sim.agents.effects import After, Ask, Given, Note, Observed, Recall, Recalled, Tell, Write
from sim.agents.waiting import after_all
from sim.clock import Calendar
from sim.engine.act import Steps
from sim.llm.protocol import Outcome
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Claim, Owner, Query, Record
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

    def act(self, purpose: str) -> ActId:
        """The identity of an act of this exchange."""
        return ActId(
            agent=self.agent,
            customer=self.customer.id,
            visit=self.visit,
            exchange=self.exchange,
            purpose=purpose,
        )

    @property
    def utterance(self) -> str:
        """The id under which the ledger and every record know this exchange."""
        return utterance_of(self.act("any"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """What was said, and what it came to.

    Args:
        id: id of the exchange.
        said: the customer's words.
        reply: the waiter's words.
        claims: what the customer stated, asked back or not; the world's side, never an agent's.
        details: the order as the waiter understood it, None when the model gave no usable reply.
        asked_back: the waiter had to ask.
    """

    id: str
    said: str
    reply: str
    claims: tuple[Claim, ...]
    details: Mapping[str, Any] | None
    asked_back: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    """What all waiters share: the menu, the memory plan, when to ask back."""

    menu: Menu
    memory: MemoryPlan
    calendar: Calendar
    confidence_threshold: float

    def shown(self, record: Record, customer: Customer) -> str:
        """How a record stands in a prompt: with its date; a summary brings its own."""
        if record.kind == "summary":
            return record.text
        day = self.calendar.day(record.at_ms)
        if record.kind == "telling":
            said = [claim for claim in record.claims if claim.slot != "visit"]
            return memory_line(day, customer.who, event_text(customer.language, said))
        return f"[{day}] {record.text}"

    def context(self, recalled: Recalled, customer: Customer) -> Context:
        """The memory layers of a prompt about a customer, within the budget."""
        return fit(
            recalled.hits,
            line=lambda record: self.shown(record, customer),
            budget_tokens=self.memory.budget_tokens,
        )


def answer(desk: Desk, at: Moment, cue: Cue, clarify: Cue, *, before: Sequence[ActId], known: bool) -> Steps:
    """One exchange: the customer speaks, the waiter recalls and answers, asking back if unsure.

    Args:
        desk: what waiters share.
        at: who, whom, when.
        cue: what the customer says.
        clarify: what they say when asked back.
        before: acts of the earlier exchanges of this visit, oldest first.
        known: this memory has served the customer before.

    Returns:
        The `Exchange`.
    """
    visit: list[Exchange] = yield from after_all(before)
    said = spoken(cue, at, "")
    recalled = yield Recall(
        owner=at.owner,
        query=Query(text=f"{at.customer.who}: {said}", customer=at.customer.id, at_ms=at.at_ms),
    )
    context = desk.context(recalled, at.customer)
    if known and not visit and not any(_about(record, at) for record in context.records):
        yield Note(kind="treated_as_new", payload={})
    outcome = yield _ask(desk, at, context, visit, said)
    if cue.asks:
        yield _observed(at, cue, recalled=recalled, context=context, visit=visit, reply=outcome.value)
    yield from _told(at, (*cue.states, *cue.silent))
    yield from _heard(at, cue.move, said, outcome, context)
    asked_back = cue.move in ("usual", "order") and _unsure(outcome, desk.confidence_threshold)
    if not asked_back:
        return _exchange(at, said, outcome, cue.claims)
    first = _exchange(at, said, outcome, ())
    again = spoken(clarify, at, "clarify")
    outcome = yield _ask(desk, at, context, [*visit, first], again)
    yield from _told(at, clarify.states)
    yield from _heard(at, "clarify", again, outcome, context)
    return Exchange(
        id=at.utterance,
        said=f"{said} {again}",
        reply=_reply(outcome, at),
        claims=clarify.claims,
        details=outcome.value and outcome.value["details"],
        asked_back=True,
    )


def reflect(desk: Desk, at: Moment, of: ActId) -> Steps:
    """Writes the exchange down: word for word, as an extracted event, or both, as the memory takes it."""
    exchange: Exchange = yield After(act=of)
    kinds = desk.memory.capabilities.ingests
    if "exchange" in kinds:
        body = exchange_text(exchange.said, at.agent, exchange.reply)
        yield Write(owner=at.owner, record=record(at, "exchange", body, ()))
    if "event" in kinds:
        system, user = reflect_prompt(
            at.agent,
            at.today,
            at.customer.who,
            exchange.said,
            exchange.reply,
            at.customer.language,
            desk.menu,
        )
        outcome = yield Ask(role="reflect", system=system, user=user, schema=reflect_schema(desk.menu))
        if outcome.value is None:
            yield Note(kind="not_written", payload={"exchange": at.exchange, "why": outcome.kind})
            return
        claims = *extracted(outcome.value, desk.menu), Claim(slot="visit", value=at.today)
        yield Write(owner=at.owner, record=record(at, "event", outcome.value["event"], claims))


def record(at: Moment, kind: str, body: str, claims: tuple[Claim, ...]) -> Record:
    """A record about the customer of the moment, resting on its exchange."""
    return Record(
        id=f"{at.utterance}/{kind}",
        at_ms=at.at_ms,
        visible_at_ms=0,
        agent=at.agent,
        customer=at.customer.id,
        visit=at.visit,
        kind=kind,
        text=f"{at.customer.who}: {body}",
        claims=claims,
        sources=(at.utterance,),
    )


def extracted(reply: Mapping[str, Any], menu: Menu) -> tuple[Claim, ...]:
    """The claims of a reflection that can be meant in this shop, each once."""
    claims = (Claim(slot=c["slot"], value=c["value"], polarity=c["polarity"]) for c in reply["claims"])
    return tuple(dict.fromkeys(claim for claim in claims if menu.allows(claim.slot, claim.value)))


def spoken(cue: Cue, at: Moment, which: str) -> str:
    """The customer's words for a cue."""
    phrases = Phrases(at.customer.language)
    form = {"habit": at.customer.id, "name": at.customer.name} | dict(cue.form)
    return phrases.say(cue.move, cue.claims, at.wording.of(which), form)


def _ask(desk: Desk, at: Moment, context: Context, visit: Sequence[Exchange], said: str) -> Ask:
    turn = Turn(
        agent=at.agent,
        today=at.today,
        who=at.customer.who,
        memory=context.lines,
        visit=tuple(exchange_text(one.said, at.agent, one.reply) for one in visit),
        utterance=said,
        language=at.customer.language,
    )
    system, user = order_prompt(turn, desk.menu)
    return Ask(role="order", system=system, user=user, schema=order_schema(desk.menu))


def _told(at: Moment, facts: Sequence[Any]) -> Steps:
    if facts:
        yield Tell(utterance=at.utterance, facts=tuple(fact.id for fact in facts))


def _heard(at: Moment, move: str, said: str, outcome: Outcome, context: Context) -> Steps:
    yield Note(kind="said", payload={"exchange": at.exchange, "move": move, "text": said})
    reply = outcome.value or {"action": "fallback", "details": None}
    yield Note(
        kind="replied",
        payload={
            "exchange": at.exchange,
            "action": reply["action"],
            "details": reply["details"],
            "text": _reply(outcome, at),
            "context": [one.id for one in context.records],
            "cut": [one.id for one in context.cut],
            "outcome": outcome.kind,
        },
    )


def _exchange(at: Moment, said: str, outcome: Outcome, claims: tuple[Claim, ...]) -> Exchange:
    return Exchange(
        id=at.utterance,
        said=said,
        reply=_reply(outcome, at),
        claims=claims,
        details=outcome.value and outcome.value["details"],
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
    return record.customer == at.customer.id or bool(record.claims_of(at.customer.id))


def _observed(
    at: Moment, cue: Cue, *, recalled: Recalled, context: Context, visit: Sequence[Exchange], reply: Any
) -> Observed:
    return Observed(
        owner=at.owner,
        customer=at.customer.id,
        question=cue.move,
        slots=cue.asks,
        # "When was I here last?" asks for the truth of before this visit.
        truth_at_ms=at.at_ms if cue.move != "last_visit" else at.arrived_ms - 1,
        answers=tuple(given(slot, reply, at.customer.language) for slot in cue.asks),
        retrieved=tuple(hit.record for hit in recalled.hits),
        in_context=context.records,
        this_visit=tuple(one.id for one in visit),
        context_tokens=context.tokens,
        milliseconds=recalled.milliseconds,
        language=at.customer.language,
    )


def given(slot: str, reply: Mapping[str, Any] | None, language: str) -> Given:
    """What a waiter's reply says of one slot."""
    if reply is None:
        return Given(slot=slot, single=slot in SINGLE)
    found = reply["details"]["last_visit" if slot == "visit" else slot]
    values = tuple(value for value in (found if isinstance(found, list) else [found]) if value is not None)
    # To ask back, or to answer a question about a day without a day, is to say that one does not know.
    unknown = reply["action"] == "ask_back" or (slot == "visit" and reply["action"] == "answer")
    return Given(
        slot=slot,
        values=values,
        abstained=unknown and not values,
        single=slot in SINGLE,
        restated=bool(values) and all(_named(slot, value, reply["say"], language) for value in values),
    )


def _named(slot: str, value: str, text: str, language: str) -> bool:
    """Whether a text names a value in any of its forms."""
    talk = speech(language).talk
    forms = talk.names.get(slot, {}).get(value, {"nom": value})
    return any(form.lower() in text.lower() for form in forms.values())
