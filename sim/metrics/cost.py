"""What the language models were asked, how it went and what it cost."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from sim.records import LlmCall

UNANSWERED = "unanswered"
_FINE = ("ok", "recovered")
_CANCELLED = "cancelled"


def llm(calls: Sequence[LlmCall]) -> dict[str, Any]:
    """Totals over all decisions, then the same by role and by the model that answered.

    Decisions that no model answered stand under ``unanswered``. What was asked for acts that were taken
    back is no decision: it is counted as ``cancelled``, and in tokens and seconds.
    """
    return _totals(calls) | {
        "by_role": _by(calls, lambda call: call.role),
        "by_model": _by(calls, lambda call: call.model or UNANSWERED),
    }


def _by(calls: Sequence[LlmCall], group: Callable[[LlmCall], str]) -> dict[str, Any]:
    members: dict[str, list[LlmCall]] = {}
    for call in calls:
        members.setdefault(group(call), []).append(call)
    return {name: _totals(members[name]) for name in sorted(members)}


def _totals(calls: Sequence[LlmCall]) -> dict[str, Any]:
    decided = [call for call in calls if call.outcome != _CANCELLED]
    failed = Counter(call.outcome for call in decided if call.outcome not in _FINE)
    prompt = sum(call.prompt_tokens for call in calls)
    completion = sum(call.completion_tokens for call in calls)
    return {
        "calls": len(decided),
        "cancelled": len(calls) - len(decided),
        "attempts": sum(call.attempts for call in calls),
        "tokens": prompt + completion,
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "failures": dict(sorted(failed.items())),
        "failure_rate": round(failed.total() / len(decided), 6) if decided else None,
        "recovered": sum(call.outcome == "recovered" for call in calls),
        "replayed": sum(call.replayed for call in calls),
        "seconds": round(sum(call.seconds for call in calls), 3),
    }
