"""What a server means by an error: each status and wording as the class of failure it is."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from sim.errors import (
    ContextOverflow,
    ModelError,
    ModelRefused,
    ModelTimeout,
    Overloaded,
    RateLimited,
)
from sim.llm.ladder.schema import one_line
from sim.llm.served.http import Answer

_OVERFLOWS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"maximum context length|context_length_exceeded",  # vLLM, OpenAI, SGLang
        r"longer than the maximum model length|maximum model length of",  # vLLM, as the prompt is taken in
        r"model'?s context length is only|resulting in a maximum input length",  # vLLM, as it is tokenized
        r"max_(completion_)?tokens'?.{0,40} is too large.{0,120}input tokens",  # vLLM, no room for an answer
        r"max_(completion_)?tokens.{0,40} greater than max_model_len",  # vLLM 0.32, the same for any prompt
        r"exceeds? the (available )?context (size|window|length)|exceed_context_size",  # llama.cpp, Ollama
        r"input tokens exceed|prompt is too long|prompt exceeds max(imum)? length",  # OpenAI, Z.ai
        r"longer than the model'?s context length",  # SGLang
    )
)
# Those come as 429 too, but no waiting helps.
_PAID_OUT = re.compile(r"insufficient.?(quota|balance)|exceeded your current quota|recharge", re.IGNORECASE)
_PAID_OUT_CODES = {"1113", "1309", "insufficient_quota"}  # of Z.ai: no balance, plan ended; of OpenAI
_TAGS = re.compile(r"<(script|style).*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def check(answer: Answer, model: str) -> None:
    """Lets a good answer pass.

    Args:
        answer: of any status.
        model: its name, for the message.

    Raises:
        ModelError: of the class that the status and the words stand for.
    """
    if answer.status != 200:
        raise refusal(answer, model)


def refusal(answer: Answer, model: str) -> ModelError:
    """The failure that an answer of a status other than 200 stands for."""
    said, codes = _said(answer)
    where = f"{answer.url} answers {answer.status} for model {model!r} ({one_line(said)[:160]})"
    if answer.status in (401, 403):
        return ModelRefused(f"{where}: check the key in the variable that api_key_env names")
    if answer.status == 404:
        return ModelRefused(f"{where}: check model and base_urls; an address ends in /v1")
    if answer.status == 429:
        return _limited(answer, where, said, codes)
    if answer.status == 413 or any(pattern.search(f"{said} {codes}") for pattern in _OVERFLOWS):
        return ContextOverflow(f"{where}: the prompt is longer than the window")
    if answer.status == 408:
        return ModelTimeout(f"{where}: the server gave up waiting")
    if answer.status in (503, 529):
        return _with_wait(Overloaded(f"{where}: the server has no room for more calls now"), answer)
    if answer.status >= 500:
        return ModelError(where)
    if 300 <= answer.status < 400:
        target = answer.headers.get("Location", "elsewhere")
        return ModelRefused(f"{where}: it redirects to {target}; name that in base_urls if it is meant")
    return ModelRefused(f"{where}: the request is not accepted as it is")


def _limited(answer: Answer, where: str, said: str, codes: Sequence[str]) -> ModelError:
    if _PAID_OUT_CODES.intersection(codes) or _PAID_OUT.search(said):
        return ModelRefused(f"{where}: the account has no credit left")
    return _with_wait(RateLimited(f"{where}: fewer calls at a time are wanted"), answer)


def _with_wait(error: RateLimited | Overloaded, answer: Answer) -> ModelError:
    error.retry_after_s = retry_after(answer.headers, datetime.now(UTC))
    return error


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a server asks to wait, told in seconds or as a date; None where it says nothing."""
    told = headers.get("Retry-After", "").strip()
    with suppress(ValueError):
        seconds = float(told)
        return max(0.0, seconds) if seconds < float("inf") else None
    try:
        then = parsedate_to_datetime(told)
    except (ValueError, TypeError, IndexError):
        return None
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - now).total_seconds())


def _said(answer: Answer) -> tuple[str, list[str]]:
    """The server's own words and codes, from whichever form it has for errors."""
    data = answer.data()
    error: Any = data.get("error", data) if isinstance(data, dict) else None
    codes = []
    if isinstance(error, dict):
        codes = [str(error[key]) for key in ("code", "type") if error.get(key)]
        error = error.get("message") or error.get("detail") or error.get("msg")
    words = error if error else _TAGS.sub(" ", answer.text[:20_000])
    return str(words)[:2_000].strip() or "no words", codes
