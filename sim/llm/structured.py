"""The structured-output ladder: from whatever a model said to checked data, or to a typed failure.

The steps, each tried only where the one before gave nothing: thinking is dropped; the text as it
is; a fence; the first object in the text; bounded repair; one question more that shows the error.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sim.errors import ModelError
from sim.llm.protocol import LanguageModel, Outcome, Reply, Request
from sim.llm.salvage import candidates, ends_open, without_thinking
from sim.llm.schema import conform, one_line
from sim.records import canonical

CORRECTION = "\n\n[Correction]\n"
"""Starts what a re-ask adds to the prompt; a reader of prompts may cut there."""

_LONGEST = 100_000  # characters of a reply that are looked at


class Ladder:
    """Asks a model and climbs the ladder; failures come back as data and are never raised."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    async def ask(self, request: Request) -> Outcome:
        """One question, asked again at most once, and never after a timeout or a lost connection."""
        first, reply = await self._attempt(request)
        if first.value is not None or reply is None:
            return _costed(first, [reply])
        again, second = await self._attempt(_corrected(request, first))
        if again.value is not None:
            again = replace(again, kind="recovered", step="re-ask")
        return _costed(again, [reply, second])

    async def _attempt(self, request: Request) -> tuple[Outcome, Reply | None]:
        try:
            reply = await self._model.complete(request)
        except ModelError as error:
            return Outcome(value=None, kind=error.kind, error=one_line(str(error))), None
        return read(reply, request.schema), reply


def read(reply: Reply, schema: Mapping[str, Any] | None) -> Outcome:
    """Makes checked data of a reply, or says what is wrong with it; never raises because of its text.

    Keys that ``additionalProperties: false`` forbids are dropped and the reply still counts as
    ``ok``: all that was asked for is there, and nothing was guessed. So does free text that was cut.
    """
    text = _encodable(reply.text[:_LONGEST]).strip()
    if not text.startswith("{"):  # inside an answer, such words are content
        text = without_thinking(text).strip()
    if not text:
        return _failure("truncated" if reply.finish == "length" else "empty", "the answer is empty")
    if schema is None:
        return Outcome(value={"text": text}, kind="ok")
    cut = reply.finish == "length" or ends_open(text)
    found = _first_valid(candidates(text, cut), schema, cut)
    if found.value is None or "\\u" not in text:
        return found
    return replace(found, value=json.loads(_encodable(canonical(found.value))))


def _first_valid(candidates: Iterator[tuple[str, Any]], schema: Mapping[str, Any], cut: bool) -> Outcome:
    failed = _failure("truncated" if cut else "invalid_json", "the answer holds no JSON object")
    for step, value in candidates:
        try:
            checked = conform(value, schema)
        except (ValueError, RecursionError) as error:
            if failed.kind == "invalid_json":
                failed = _failure("schema_violation", str(error))
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
    if request.schema is not None:
        note += f" Answer with one JSON object of this schema and nothing else: {canonical(request.schema)}"
    return replace(request, user=f"{request.user}{CORRECTION}{note}", attempt=1)


def _costed(outcome: Outcome, tries: list[Reply | None]) -> Outcome:
    replies = [reply for reply in tries if reply is not None]
    return replace(
        outcome,
        attempts=len(tries),
        model=replies[-1].model if replies else "",
        prompt_tokens=sum(reply.prompt_tokens for reply in replies),
        completion_tokens=sum(reply.completion_tokens for reply in replies),
        seconds=sum(reply.seconds for reply in replies),
        replayed=bool(replies) and all(reply.replayed for reply in replies),
    )
