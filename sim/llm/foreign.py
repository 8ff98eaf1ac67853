"""Notices an answer in a script that is foreign to the conversation: some models slip into Chinese.

Only texts count that somebody will read or hear: no keys, no values out of a list, nothing marked
``x-private``. Words that stand in the prompt may be repeated, whatever their script: a name, a note.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from sim.language.scripts import LATIN, native_scripts, script
from sim.llm.schema import PRIVATE, conform

# Latin and Greek words turn up in every language; they are a slip only where they take over.
_EVERYWHERE = frozenset({LATIN, "Greek"})
_SOME_LETTERS = 12
_WORD = re.compile(r"[^\W\d_]+")
_TEXT: Mapping[str, Any] = {"type": "string"}


def foreign(value: Any, schema: Mapping[str, Any] | None, language: str, prompt: str) -> str:
    """What is wrong with the language of an answer, in one line; empty where nothing is.

    Args:
        value: the checked answer.
        schema: its schema, None for free text.
        language: code of the language of the conversation; without a pack for it all is well.
        prompt: what the model was given to read.
    """
    native = native_scripts(language)
    if not native:
        return ""
    fields = {"text": _TEXT} if schema is None else schema.get("properties", {})
    for name, text in _texts(value, {"properties": fields}, "reply"):
        if not (text.isascii() and LATIN in native) and (scripts := _foreign(text, native, prompt)):
            return f"{name} is not in the language of the conversation: it has {scripts} letters"
    return ""


def _texts(value: Any, schema: Mapping[str, Any], name: str) -> Iterator[tuple[str, str]]:
    """The texts of an answer that somebody reads, each with its place."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(part, schema.get("properties", {}).get(key, {}), f"{name}.{key}")
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _texts(part, schema.get("items", {}), f"{name}[{place}]")
    elif isinstance(value, str) and _is_read(value, schema):
        yield name, value


def _is_read(text: str, schema: Mapping[str, Any]) -> bool:
    if "anyOf" in schema:
        return all(_is_read(text, one) for one in schema["anyOf"] if _fits(text, one))
    return "enum" not in schema and not schema.get(PRIVATE)


def _fits(text: str, schema: Mapping[str, Any]) -> bool:
    try:
        conform(text, schema)
    except ValueError:
        return False
    return True


def _foreign(text: str, native: frozenset[str], prompt: str) -> str:
    """The foreign scripts of a text, comma between; empty where there are none to speak of."""
    counts: dict[str, int] = {}
    own = 0
    for name, word in _runs(text):
        if name in native:
            own += len(word)
        elif name and word.casefold() not in prompt.casefold():
            counts[name] = counts.get(name, 0) + len(word)
    passing = sum(count for name, count in counts.items() if name in _EVERYWHERE)
    if passing < _SOME_LETTERS or passing <= own:
        counts = {name: count for name, count in counts.items() if name not in _EVERYWHERE}
    return ", ".join(sorted(counts))


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Runs of letters of one script within one word, each with its script."""
    for word in _WORD.finditer(text):
        for name, run in groupby(word[0], script):
            yield name, "".join(run)
