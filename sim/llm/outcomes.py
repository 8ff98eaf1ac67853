"""The classes in which the answers to questions are counted, by role and model.

A class of the answer says what the model wrote; it may do better when it is shown what was wrong, so the
ladder asks once more. A class of the call says what became of the request; it is never asked again by the
ladder: `Retrying` has sent it as often as that may help, and a prompt that is too long stays too long.
"""

from collections.abc import Mapping
from types import MappingProxyType

FINE = ("ok", "recovered")

OF_THE_ANSWER: Mapping[str, str] = MappingProxyType(
    {
        "truncated": "cut before its end",
        "whitespace_loop": "ran on in blanks to the end",
        "empty": "says nothing",
        "invalid_json": "holds no JSON object that can be saved",
        "schema_violation": "an object, but not of the form asked for",
        "illegal_action": "names a dish, extra, customer or action that the world does not have",
        "wrong_language": "in a script that neither the language nor the prompt has",
    }
)
OF_THE_CALL: Mapping[str, str] = MappingProxyType(
    {
        "context_overflow": "the prompt does not fit the window; the act shortens it and asks anew",
        "prompt_truncated_by_server": "the server cut the prompt in silence; the act shortens it likewise",
        "rate_limited": "the server wants fewer calls",
        "overloaded": "the server has no room",
        "timeout": "no answer within the deadline",
        "disconnected": "the connection was lost or never made",
        "server_error": "the server failed, refused, or made no sense",
        "cancelled": "the act was taken back before its answer counted",
    }
)
TOO_LONG = frozenset({"context_overflow", "prompt_truncated_by_server"})
CANCELLED = "cancelled"
