"""Reads the answer of a chat completion, in all the forms in which servers send one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.errors import ModelError, ModelRefused
from sim.llm.ladder.schema import one_line
from sim.llm.served.http import Answer

_CUT = ("length", "max_tokens", "model_length")
_BROKEN_OFF = ("abort", "error", "network_error")
_FILTERED = ("content_filter", "sensitive")


@dataclass(frozen=True, kw_only=True, slots=True)
class Completion:
    """What stands in an answer; counts are None where the server gave none.

    Args:
        text: the answer without what the model thought, as far as the server keeps them apart.
        model: the name by which the server calls the model.
        finish: ``stop`` or ``length``.
        prompt_tokens: as counted by the server.
        completion_tokens: as counted by the server.
    """

    text: str
    model: str
    finish: str
    prompt_tokens: int | None
    completion_tokens: int | None


def read_completion(answer: Answer) -> Completion:
    """The completion in a good answer.

    Raises:
        ModelError: there is none: an error in disguise, no choices, a call broken off by the server.
    """
    data = answer.json()
    choice = _choice(data, answer)
    message = choice.get("message")
    usage = data.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    return Completion(
        # What it thought stands beside it, as `reasoning` or `reasoning_content`, and is left there.
        text=_text(message.get("content") if isinstance(message, Mapping) else None),
        model=str(data.get("model") or ""),
        finish=_finish(choice, answer),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
    )


def _choice(data: Mapping[str, Any], answer: Answer) -> Mapping[str, Any]:
    choices = data.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return choices[0]
    if data.get("error"):
        raise ModelError(f"{answer.url} answers 200 with an error: {one_line(str(data['error']))}")
    raise ModelError(f"{answer.url} answers without choices: {answer.excerpt()!r}")


def _finish(choice: Mapping[str, Any], answer: Answer) -> str:
    reason = choice.get("finish_reason")
    if reason in _BROKEN_OFF:
        raise ModelError(f"{answer.url} broke the answer off ({reason})")
    if reason in _FILTERED:
        raise ModelRefused(f"{answer.url} withholds the answer ({reason})")
    return "length" if reason in _CUT else "stop"


def _text(content: Any) -> str:
    if isinstance(content, list):  # in parts, as some servers send it
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
