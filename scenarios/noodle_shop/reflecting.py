"""The diary: what was said is written down as the memory takes it, and what it was answered from."""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scenarios.noodle_shop.desk import Desk, Exchange, Moment
from scenarios.noodle_shop.events import plain
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.prompts import exchange_text, one_line, reflect_prompt
from scenarios.noodle_shop.schemas import Schema, diary_schema, reflect_schema
from sim.agents.asking import Clip, ask_noting
from sim.agents.context import Context
from sim.agents.effects import After, Ask, Effect, Note, Write
from sim.engine.act import Steps
from sim.memory.forgetting.uses import USE, use_of
from sim.memory.protocol import Claim, Record
from sim.records import ActId

Entries = tuple[Record, ...]
_KEYWORD_LETTERS = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """One way to write down what was said.

    Args:
        kind: of the record.
        role: names the instructions.
        schema: of the reply.
        summary: the field that says it in words.
        claims: the field that says it as claims.
    """

    kind: str
    role: str
    schema: Callable[[Menu], Schema]
    summary: str
    claims: str


EVENT = Form(kind="event", role="reflect", schema=reflect_schema, summary="event", claims="claims")
DIARY = Form(
    kind="diary",
    role="diary",
    schema=diary_schema,
    summary="event_summary",
    claims="customer_preference",
)


def reflect(desk: Desk, at: Moment, of: ActId) -> Steps:
    """Writes the exchange down: word for word, as what was understood of it, or both.

    Returns:
        The entries of the diary.
    """
    exchange: Exchange = yield After(act=of)
    if not exchange.said:
        return ()
    if desk.writes("exchange"):
        body = exchange_text(exchange.said, at.agent, exchange.reply)
        yield Write(owner=at.owner, record=at.record("exchange", body))
    yield from used(desk, at, at.act("reflect"), exchange.shown)
    if exchange.entries is not None:
        return exchange.entries
    return (yield from extract(desk, at, exchange.said, exchange.reply))


def beforehand(desk: Desk, at: Moment, said: str, part: str = "") -> Generator[Effect, Any, Entries | None]:
    """What the diary has of words that are not answered yet; None where it is written afterwards."""
    if not desk.reflects_first:
        return None
    return (yield from extract(desk, at, said, "", part))


def extract(desk: Desk, at: Moment, said: str, reply: str, part: str = "") -> Generator[Effect, Any, Entries]:
    """Asks what to keep of what was said and writes it, if the memory takes any such thing."""
    form = next((form for form in (DIARY, EVENT) if desk.writes(form.kind)), None)
    if form is None:
        return ()
    value = yield from _asked(desk, at, form, said, reply)
    if value is None:
        return ()
    for claim in not_on(desk.menu, value[form.claims]):
        yield Note(kind="claim_dropped", payload={"exchange": at.exchange, **claim})
    claims = *extracted(value[form.claims], desk.menu), Claim(slot="visit", value=at.today)
    record = at.record(form.kind, one_line(value[form.summary]), claims, part=part)
    record = _entry(record, value) if form is DIARY else record
    yield Write(owner=at.owner, record=record)
    return (record,)


def used(desk: Desk, at: Moment, act: ActId, shown: Iterable[Record]) -> Steps:
    """Writes down which records a reply was given from, if the memory counts that."""
    if desk.writes(USE) and (records := list(shown)):
        use = use_of(act, at.at_ms, records)
        yield Write(owner=at.owner, record=replace(use, customer=at.customer.known_as))


def extracted(claims: Iterable[Mapping[str, Any]], menu: Menu) -> tuple[Claim, ...]:
    """The claims of a reply that can be meant in this shop, each once and as people put it."""
    made = (Claim(slot=c["slot"], value=c["value"], polarity=c["polarity"]) for c in claims)
    return tuple(dict.fromkeys(plain(one) for one in made if menu.allows(one.slot, one.value)))


def not_on(menu: Menu, claims: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Claims of which slot and value do not go together here, such as garlic as an extra."""
    return [claim for claim in claims if not menu.allows(claim["slot"], claim["value"])]


def _asked(
    desk: Desk, at: Moment, form: Form, said: str, reply: str
) -> Generator[Effect, Any, Mapping[str, Any] | None]:
    language = at.customer.language

    def question(context: Context, clip: Clip) -> Ask:
        del context  # what was just said is written down without a look at older notes
        words = clip(said), clip(reply)
        who = at.customer.who
        system, user = reflect_prompt(at.agent, at.today, who, *words, language, desk.menu, role=form.role)
        return Ask(role="reflect", system=system, user=user, schema=form.schema(desk.menu), language=language)

    outcome = (yield from ask_noting(question, exchange=at.exchange)).outcome
    if outcome.value is None:
        yield Note(kind="not_written", payload={"exchange": at.exchange, "why": outcome.kind})
    return outcome.value


def _entry(record: Record, value: Mapping[str, Any]) -> Record:
    keywords = (one_line(word)[:_KEYWORD_LETTERS] for word in value["keywords"])
    return replace(
        record,
        action=one_line(value["action_taken"]),
        keywords=tuple(dict.fromkeys(filter(None, keywords))),
        emotion=value["emotion"],
        importance=float(value["importance"]),
    )
