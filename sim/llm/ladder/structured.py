"""The structured-output ladder: from whatever a model said to checked data, or to a typed failure.

The steps, each tried only where the one before gave nothing: thinking is dropped; the text as it
is; a fence; the first object in the text; bounded repair; one question more that shows the error.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sim.errors import ModelError
from sim.llm.ladder.foreign import foreign
from sim.llm.ladder.marks import marked
from sim.llm.ladder.salvage import candidates, ends_open, without_thinking
from sim.llm.ladder.schema import IllegalValue, conform, one_line, wire_schema
from sim.llm.outcomes import OF_THE_ANSWER, TOO_LONG
from sim.llm.protocol import LanguageModel, Outcome, Reply, Request
from sim.records import canonical

CORRECTION = "\n\n[Correction]\n"
"""Starts what a re-ask adds to the prompt; a reader of prompts may cut there."""

_LONGEST = 100_000  # characters of a reply that are looked at
_LOOP = 64  # characters at the end of a failed reply that, all blank, are no layout any more
_BLANKS = re.compile(r"[nrt]?(?:\s|\\[nrt])+\\?")  # written out or escaped, cut anywhere


class Ladder:
    """Asks a model and climbs the ladder; failures come back as data and are never raised."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    async def ask(self, request: Request) -> Outcome:
        """One question, asked again at most once, and only for what the model wrote (`OF_THE_ANSWER`)."""
        first, reply = await self._attempt(request)
        if first.kind not in OF_THE_ANSWER:
            return _costed(first, [reply])
        again, second = await self._attempt(_corrected(request, first))
        if again.value is not None:
            again = replace(again, kind="recovered", step="re-ask")
        elif again.kind in TOO_LONG:  # by what the correction added: the prompt itself did fit
            again = first
        return _costed(again, [reply, second])

    async def _attempt(self, request: Request) -> tuple[Outcome, Reply | None]:
        try:
            reply = await self._model.complete(request)
        except ModelError as error:
            return Outcome(value=None, kind=error.kind, error=one_line(str(error))), None
        return _fit_to_keep(read(reply, request.schema), request), reply


def _fit_to_keep(outcome: Outcome, request: Request) -> Outcome:
    """The outcome, or a failure where its words must not enter a conversation."""
    if outcome.value is None:
        return outcome
    # not what a correction quotes of the last answer
    prompt = f"{request.system}\n{request.user.partition(CORRECTION)[0]}"
    if request.schema is not None and (mark := marked(outcome.value, request.schema, prompt)):
        return _failure("schema_violation", mark)
    if not request.language:
        return outcome
    wrong = foreign(outcome.value, request.schema, request.language, prompt)
    return _failure("wrong_language", wrong) if wrong else outcome


def read(reply: Reply, schema: Mapping[str, Any] | None) -> Outcome:
    """Makes checked data of a reply, or says what is wrong with it; never raises because of its text.

    Keys that ``additionalProperties: false`` forbids are dropped and the reply still counts as
    ``ok``: all that was asked for is there, and nothing was guessed. So does free text that was cut.
    """
    whole = _encodable(reply.text[:_LONGEST])
    if not whole.lstrip().startswith("{"):  # inside an answer, such words are content
        whole = without_thinking(whole)
    text = whole.strip()
    if text and schema is None:
        return Outcome(value={"text": text}, kind="ok")
    found = _found(text, schema or {}, reply.finish)
    if found.value is None and len(whole) >= _LOOP and _BLANKS.fullmatch(whole[-_LOOP:]):
        return _failure("whitespace_loop", "the answer ends in nothing but blanks")
    if found.value is None or "\\u" not in text:
        return found
    return replace(found, value=json.loads(_encodable(canonical(found.value))))


def _found(text: str, schema: Mapping[str, Any], finish: str) -> Outcome:
    if not text:
        return _failure("truncated" if finish == "length" else "empty", "the answer is empty")
    cut = finish == "length" or ends_open(text)
    return _first_valid(candidates(text, cut), schema, cut)


def _first_valid(candidates: Iterator[tuple[str, Any]], schema: Mapping[str, Any], cut: bool) -> Outcome:
    failed = _failure("truncated" if cut else "invalid_json", "the answer holds no JSON object")
    for step, value in candidates:
        try:
            checked = conform(value, schema)
        except (ValueError, RecursionError) as error:
            if failed.kind == "invalid_json":
                illegal = isinstance(error, IllegalValue)
                failed = _failure("illegal_action" if illegal else "schema_violation", str(error))
        else:
            return Outcome(value=checked, kind="recovered" if step else "ok", step=step)
    return failed


def _encodable(text: str) -> str:
    # Half a surrogate pair cannot be written to any file later on.
    return text.encode("utf-8", "replace").decode("utf-8")


def _failure(kind: str, error: str) -> Outcome:
    return Outcome(value=None, kind=kind, error=one_line(error))


def _corrected(request: Request, failed: Outcome) -> Request:
    # The bad reply itself is not shown: models copy what they see.
    note = f"Your last answer could not be used: {failed.error}."
    if failed.kind == "truncated":
        note += f" It was cut at {request.max_tokens} tokens, be shorter."
    if failed.kind == "wrong_language":
        note += " Answer again, every word in the language of the conversation."
    elif request.schema is not None:
        schema = canonical(wire_schema(request.schema))
        note += f" Answer with one JSON object of this schema and nothing else: {schema}"
    return replace(request, user=f"{request.user}{CORRECTION}{note}", attempt=1)


def _costed(outcome: Outcome, tries: list[Reply | None]) -> Outcome:
    replies = [reply for reply in tries if reply is not None]
    return replace(
        outcome,
        attempts=len(tries),
        model=replies[-1].model if replies else "",
        endpoint=replies[-1].endpoint if replies else "",
        prompt_tokens=sum(reply.prompt_tokens for reply in replies),
        completion_tokens=sum(reply.completion_tokens for reply in replies),
        seconds=sum(reply.seconds for reply in replies),
        replayed=bool(replies) and all(reply.replayed for reply in replies),
    )
