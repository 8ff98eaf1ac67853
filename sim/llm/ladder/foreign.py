"""Notices an answer in a script that is foreign to the conversation: some models slip into Chinese.

Only texts count that somebody will read or hear: no keys, no values out of a list, nothing marked
``x-private``. Words that stand in the prompt may be repeated, whatever their script: a name, a note.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from sim.language.scripts import LATIN, native_scripts, script
from sim.llm.ladder.schema import PRIVATE

# Latin and Greek words turn up in every language; they are a slip only where they take over.
_EVERYWHERE = frozenset({LATIN, "Greek"})
_SOME_LETTERS = 12
_WORD = re.compile(r"[^\W\d_]+")


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
    for name, text, part in strings(value, schema or {"properties": {"text": {}}}, "reply"):
        if _is_written_in(native, text) or not _is_read(text, part):
            continue
        if scripts := _foreign(text, native, prompt):
            return f"{name} is not in the language of the conversation: it has {scripts} letters"
    return ""


def strings(value: Any, schema: Mapping[str, Any], name: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """The strings of an answer, each with its place and its schema."""
    if isinstance(value, str):
        yield name, value, schema
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from strings(part, schema.get("properties", {}).get(key, {}), f"{name}.{key}")
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from strings(part, schema.get("items", {}), f"{name}[{place}]")


def _is_written_in(native: frozenset[str], text: str) -> bool:
    """Whether all letters are native ones; nearly all texts are, and this is soon told."""
    return all(name in native for char in set(text) if (name := script(char)))


def _is_read(text: str, schema: Mapping[str, Any]) -> bool:
    """Whether somebody reads it: it is out of no list, and not marked as private."""
    if "anyOf" in schema:
        return all(_is_read(text, one) for one in schema["anyOf"] if text in one.get("enum", (text,)))
    return "enum" not in schema and not schema.get(PRIVATE)


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
