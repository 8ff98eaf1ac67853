"""Schemas as the embedded llama.cpp is told them: no room for blanks, empty texts, endless texts and numbers.

A small model left free to indent spends a third of its tokens on blanks, one that runs on in a text or in
the zeros of 1.000 fills its whole answer with them, and one that may say nothing often does. The engine's
own way from a schema to a grammar allows all that, so the grammar is written here, for the library
llguidance that xllamacpp is built with.

Source: https://github.com/guidance-ai/llguidance/blob/main/docs/json_schema.md
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from sim.llm.ladder.schema import wire_schema
from sim.llm.protocol import Request
from sim.llm.sampling import Sampling
from sim.llm.served.profiles import PROFILES, Fields, Profile

_MARK = "%llguidance"
_LONGEST_TEXT = 200  # characters; prompts ask for a sentence, and three of these fit into 256 tokens
_FINEST = 0.01  # of a number
_BOUNDS: Mapping[str, Mapping[str, Any]] = {
    "string": {"minLength": 1, "maxLength": _LONGEST_TEXT},
    "number": {"multipleOf": _FINEST},
}


def embedded_profile() -> Profile:
    """How the engine of this process is asked; as any llama.cpp where it was built without llguidance."""
    usual = PROFILES["llamacpp"]
    made = import_module("xllamacpp").json_schema_to_grammar({"type": "object"})
    return replace(usual, fields=_fields) if str(made).startswith(_MARK) else usual


def grammar(schema: Mapping[str, Any]) -> str:
    """The grammar of compact replies that keep a schema: short texts, numbers of two decimals."""
    told = {**_bounded(wire_schema(schema)), "x-guidance": {"whitespace_flexible": False}}
    return f"{_MARK} {{}}\nstart: %json {json.dumps(told, ensure_ascii=False)}"


def _fields(request: Request, sampling: Sampling, thinking: bool) -> Fields:
    fields = PROFILES["llamacpp"].fields(replace(request, schema=None), sampling, thinking)
    return fields if request.schema is None else fields | {"grammar": grammar(request.schema)}


def _bounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_bounded(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    bounded = {key: _bounded(one) for key, one in value.items()}
    return bounded if "enum" in bounded else {**_BOUNDS.get(str(bounded.get("type")), {}), **bounded}
