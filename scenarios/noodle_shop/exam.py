"""Examinations: an agent is asked about one fact, and nothing comes of it."""

from collections.abc import Mapping

from scenarios.noodle_shop.customers import Customer
from scenarios.noodle_shop.desk import Desk, facts
from scenarios.noodle_shop.menu import SINGLE
from scenarios.noodle_shop.prompts import exam_prompt
from scenarios.noodle_shop.schemas import exam_schema
from scenarios.noodle_shop.speech import speech
from sim.agents.asking import Clip, ask
from sim.agents.context import Context
from sim.agents.effects import Ask, Given, Observed, Recall
from sim.engine.act import Steps
from sim.ledger import Fact
from sim.memory.protocol import Owner, Query
from sim.records import ActId


def examine(desk: Desk, owner: Owner, act: ActId, fact: Fact, *, customer: Customer, at_ms: int) -> Steps:
    """Asks one agent about one slot of one customer as of a time."""
    question = speech(customer.language).instructions.questions[fact.slot]
    query = Query(
        text=f"{customer.who}: {question}",
        customer=customer.known_as,
        at_ms=at_ms,
        truth=customer.id,
        language=customer.language,
    )
    recalled = yield Recall(owner=owner, query=query)
    today, language = desk.calendar.day(at_ms), customer.language

    def asking(context: Context, clip: Clip) -> Ask:
        del clip  # nobody speaks
        prompt = exam_prompt(act.agent, today, customer.who, fact.slot, context.lines, language, desk.menu)
        schema = exam_schema(desk.menu, fact.slot)
        return Ask(role="exam", system=prompt[0], user=prompt[1], schema=schema, language=language)

    asked = yield from ask(asking, desk.context(recalled, customer))
    yield Observed(
        owner=owner,
        customer=customer.id,
        known_as=customer.known_as,
        question="exam",
        slots=(fact.slot,),
        truth_at_ms=at_ms,
        answers=(_given(fact.slot, asked.outcome.value),),
        retrieved=tuple(hit.record for hit in facts(recalled)),
        in_context=asked.context.records,
        context_tokens=asked.context.tokens,
        milliseconds=recalled.milliseconds,
        language=customer.language,
    )


def _given(slot: str, reply: Mapping[str, object] | None) -> Given:
    if reply is None:
        return Given(slot=slot, single=slot in SINGLE)
    values = reply["values"] if reply["known"] else ()
    assert isinstance(values, list | tuple)
    return Given(
        slot=slot, values=tuple(map(str, values)), abstained=not reply["known"], single=slot in SINGLE
    )
