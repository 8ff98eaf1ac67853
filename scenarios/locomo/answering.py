"""Answering: the agent recalls by the words of a question and answers from what fits its prompt."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from scenarios.locomo.judging import f1, right, says_none
from scenarios.locomo.prompts import ANSWER_SCHEMA, answer_prompt, one_line
from scenarios.locomo.talks import Asked, Talk
from scenarios.locomo.world import LANGUAGE, World
from sim.agents.asking import Asked as Reply
from sim.agents.asking import Clip, ask_noting
from sim.agents.context import Context, fit
from sim.agents.effects import Ask, Given, Note, Observed, Recall
from sim.engine.act import Steps
from sim.llm.protocol import Outcome
from sim.memory.protocol import Hit, Query


def answer(world: World, talk: Talk, asked: Asked, at_ms: int) -> Steps:
    """One question, from the recall to the verdict."""
    question = asked.question
    query = Query(text=question.text, customer=world.whose(talk, ""), at_ms=at_ms, truth=talk.id)
    everything = yield Recall(owner=world.owner(talk), query=query)
    recalled = replace(everything, hits=tuple(_of(asked, everything.hits)))
    full = fit(recalled.hits, line=world.line, budget_tokens=world.memory.budget_tokens)

    def asking(context: Context, clip: Clip) -> Ask:
        today, words = world.calendar.day(at_ms), clip(question.text)
        system, user = answer_prompt(talk.speakers, today, context.lines, words)
        return Ask(role="answer", system=system, user=user, schema=ANSWER_SCHEMA, language=LANGUAGE)

    reply = yield from ask_noting(asking, full, exchange=0)
    yield Observed(
        owner=world.owner(talk),
        customer=talk.id,
        question=question.category,
        truth_at_ms=at_ms,
        slots=(asked.fact.slot,),
        answers=(_given(asked, reply.outcome),),
        retrieved=tuple(world.judged(hit.record, asked) for hit in recalled.hits),
        in_context=tuple(world.judged(record, asked) for record in reply.context.records),
        context_tokens=reply.context.tokens,
        milliseconds=recalled.milliseconds,
        language=LANGUAGE,
    )
    yield Note(kind="said", payload={"exchange": 0, "move": question.category, "text": question.text})
    yield Note(kind="replied", payload=_replied(reply))
    yield Note(kind="judged", payload=_judged(asked, _words(reply.outcome)))


def _of(asked: Asked, hits: Sequence[Hit]) -> Iterator[Hit]:
    """The hits; of what the ledger tells, which is everything, only what answers this question."""
    for hit in hits:
        slots = {claim.slot for claim in hit.record.claims}
        if hit.record.kind != "telling" or asked.fact.slot in slots:
            yield hit


def _words(outcome: Outcome) -> str:
    """The answer; empty where the model failed or says that it does not know."""
    if outcome.value is None or not outcome.value["known"]:
        return ""
    return one_line(outcome.value["answer"])


def _given(asked: Asked, outcome: Outcome) -> Given:
    """The answer as it is compared with the fact: the fact's own value where it is right."""
    slot, words = asked.fact.slot, _words(outcome)
    if outcome.value is None:
        return Given(slot=slot)
    if right(asked.question, words):
        return Given(slot=slot, values=(asked.fact.value,))
    silent = says_none(words)
    return Given(slot=slot, values=() if silent else (words,), abstained=silent)


def _replied(reply: Reply) -> dict[str, Any]:
    words = _words(reply.outcome)
    return {
        "exchange": 0,
        "action": "answer" if words else "abstain",
        "text": words,
        "context": [one.id for one in reply.context.records],
        "cut": [one.id for one in reply.context.cut],
        "outcome": reply.outcome.kind,
    }


def _judged(asked: Asked, words: str) -> dict[str, Any]:
    question = asked.question
    return {
        "category": question.category,
        "expected": asked.fact.value,
        "right": right(question, words),
        "f1_percent": round(100 * f1(question, words)),
        "evidence": list(question.evidence),
    }
