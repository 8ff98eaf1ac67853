"""The questions a waiter's answer is put to: what was asked, what was answered, what stood in the prompt."""

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.noodle_shop.desk import Exchange, Moment, facts
from scenarios.noodle_shop.menu import SINGLE
from scenarios.noodle_shop.script import QUESTIONS, Cue
from scenarios.noodle_shop.speech import speech
from sim.agents.context import Context
from sim.agents.effects import Given, Observed, Recalled

# The parts of a reply that answer a question are called as the slot, but for this one.
_DETAIL = {"visit": "last_visit"}


def observed(
    at: Moment, cue: Cue, *, recalled: Recalled, context: Context, visit: Sequence[Exchange], reply: Any
) -> Observed:
    """A natural question as the waiter met it; `Observed` says what the parts mean."""
    return Observed(
        owner=at.owner,
        customer=at.customer.id,
        known_as=at.customer.known_as,
        question=cue.move,
        slots=cue.asks,
        # "When was I here last?" asks for the truth of before this visit.
        truth_at_ms=at.arrived_ms - 1 if cue.move in QUESTIONS else at.at_ms,
        answers=tuple(given(slot, reply, at.customer.language) for slot in cue.asks),
        retrieved=tuple(hit.record for hit in facts(recalled)),
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
    found = reply["details"][_DETAIL.get(slot, slot)]
    values = tuple(value for value in (found if isinstance(found, list) else [found]) if value is not None)
    # To ask back, or to answer a question without what it asks for, is to say that one does not know.
    unknown = reply["action"] in ("ask_back", "answer")
    return Given(
        slot=slot,
        values=values,
        abstained=unknown and not values,
        single=slot in SINGLE,
        restated=bool(values) and all(_named(slot, value, reply["say"], language) for value in values),
    )


def _named(slot: str, value: str, text: str, language: str) -> bool:
    """Whether a text names a value in any of its forms."""
    forms = speech(language).talk.names.get(slot, {}).get(value, {}).values() or [value]
    return any(form.lower() in text.lower() for form in forms)
