"""Notices what a model says to its own machinery inside an answer: thinking, turns of a chat, fences.

A schema cannot forbid such text within a string, and a diary must not keep it.
"""

import re
from collections.abc import Mapping
from typing import Any

from sim.llm.ladder.foreign import strings
from sim.llm.ladder.schema import PRIVATE

_MARKS = re.compile(r"</?think(?:ing)?>|<\|[a-z_]{2,24}\|>|\[/?INST\]|</?s>|```", re.IGNORECASE)


def marked(value: Any, schema: Mapping[str, Any], prompt: str) -> str:
    """What is wrong with an answer, in one line; empty where nothing is.

    Args:
        value: the checked answer.
        schema: its schema; what nobody reads may hold anything.
        prompt: what the model was given to read; what stands in it may be repeated.
    """
    for name, text, part in strings(value, schema, "reply"):
        found = None if part.get(PRIVATE) else _MARKS.search(text)
        if found and found.group() not in prompt:
            return f"{name} holds {found.group()!r}, which is no part of an answer"
    return ""
