"""The structured-output ladder: from whatever a model said to checked data, or to a typed failure.

The steps, each tried only where the one before gave nothing: thinking is dropped; the text as it
is; a fence; the first object in the text; bounded repair; one question more that shows the error.
"""

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from math import isfinite
from numbers import Real
from types import NoneType
from typing import Any

from sim.errors import ConfigError, ModelError
from sim.llm.protocol import LanguageModel, Outcome, Reply, Request
from sim.records import canonical

CORRECTION = "\n\n[Correction]\n"
"""Starts what a re-ask adds to the prompt; a reader of prompts may cut there."""

_LONGEST = 100_000  # characters of a reply that are looked at
_LONGEST_REPAIR = 8_000  # twice our longest answers; json-repair is quadratic on some texts,
_OPENINGS = 200  # namely those with very many brackets
_OBJECTS = 16  # places in a text where an object is looked for
_ERROR = 200  # characters of an error

# A validator of our own, for the subset our schemas use: the jsonschema library brings a compiled
# package and three more, costs more per reply than the rest of the ladder, and cannot drop unknown
# keys, which we need. A keyword it does not know is refused, never ignored.
_NAMES = {"type", "enum", "required", "properties", "additionalProperties", "items", "minItems", "maxItems"}
_KEYWORDS = _NAMES | {"minimum", "maximum", "anyOf", "title", "description", "default"}
_SCALARS: dict[str, type] = {"string": str, "number": Real, "integer": int, "boolean": bool, "null": NoneType}
_TYPES = _SCALARS | {"array": list, "object": dict}
_STRING = r'"(?:[^"\\]|\\.)*+"'
_BRACKETS = re.compile(_STRING + r"|[{}\[\]]", re.DOTALL)
_COMMAS = re.compile(f"({_STRING})" + r"|,(?=\s*[}\]])", re.DOTALL)
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_MARKS = re.compile(r'\\.|["{}]', re.DOTALL)


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
            return Outcome(value=None, kind=error.kind, error=_line(str(error))), None
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
    cut = reply.finish == "length" or _ends_open(text)
    found = _first_valid(_candidates(text, cut), schema, cut)
    if found.value is None or "\\u" not in text:
        return found
    return replace(found, value=json.loads(_encodable(canonical(found.value))))


def without_thinking(text: str) -> str:
    """The text without ``<think>…</think>``, and without all before a ``</think>`` never opened."""
    opened, closed = text.find("<think>"), text.find("</think>")
    if closed >= 0 and not 0 <= opened < closed:
        text = text[closed + len("</think>") :]
    kept = []
    while text:
        before, _, inside = text.partition("<think>")
        kept.append(before)
        text = inside.partition("</think>")[2]
    return "".join(kept)


def conform(value: Any, schema: Mapping[str, Any], name: str = "reply") -> Any:
    """The value as the schema wants it: unknown keys dropped, 2.0 made 2 for an integer.

    Raises:
        ValueError: the value breaks the schema; one line that names the field.
        ConfigError: the schema uses a keyword that is not supported here.
    """
    types = _checked_types(schema, name)
    if "anyOf" in schema:
        value = _any_of(value, schema["anyOf"], name)
    if types:
        value = _typed(value, types, name)
    _check_values(value, schema, name)
    if isinstance(value, dict):
        return _object(value, schema, name)
    if isinstance(value, list):
        return _array(value, schema, name)
    return value


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


def _candidates(text: str, cut: bool) -> Iterator[tuple[str, Any]]:
    whole = _parsed(text)
    if isinstance(whole, dict):
        yield "", whole
        return
    pieces = text.split("```", 8)[1::2]
    for piece in pieces:
        yield from (("fence", value) for value in _objects(piece))
    found = list(_objects(text))
    yield from (("braces", value) for value in found)
    if not found and not cut:  # half a value is not the value
        yield from (("repair", value) for value in _repaired(pieces[0] if pieces else text))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    for span in islice(_spans(text), _OBJECTS):
        value = _parsed(span)
        if isinstance(value, dict):
            yield value


def _spans(text: str) -> Iterator[str]:
    """The outermost balanced ``{…}``: an object inside a broken one is not what was asked for."""
    depth, start, quoted = 0, 0, False
    for mark in _MARKS.finditer(text):
        if mark[0] == '"':
            quoted = depth > 0 and not quoted
        elif mark[0] == "{" and not quoted:
            start = start if depth else mark.start()
            depth += 1
        elif mark[0] == "}" and not quoted and depth:
            depth -= 1
            if not depth:
                yield text[start : mark.end()]


def _repaired(text: str) -> Iterator[dict[str, Any]]:
    if "{" not in text or len(text) > _LONGEST_REPAIR or text.count("{") + text.count("[") > _OPENINGS:
        return
    broken = text[text.index("{") :].strip()
    # What can be mended exactly comes first: json-repair guesses, and was seen to change strings.
    for mend in (_without_commas, _closed, _from_python, _by_guessing):
        values = list(_objects(mend(broken)))
        if values:
            yield from values
            return


def _without_commas(text: str) -> str:
    """Without commas before a closing bracket."""
    return _COMMAS.sub(lambda found: found[1] or "", text)


def _closed(text: str) -> str:
    """With the closing brackets that are missing at the end."""
    wanted: list[str] = []
    for mark in _BRACKETS.finditer(text):
        if mark[0] in "{[":
            wanted.insert(0, "}" if mark[0] == "{" else "]")
        elif wanted and mark[0] == wanted[0]:
            wanted.pop(0)
    return _without_commas(text + "".join(wanted))


def _from_python(text: str) -> str:
    """JSON of a dict written as Python writes it."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of escapes unknown to Python
            return json.dumps(ast.literal_eval(text), ensure_ascii=False)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ""


def _by_guessing(text: str) -> str:
    from json_repair import repair_json  # takes 40 ms, and is rarely needed

    try:
        value = repair_json(text, return_objects=True, skip_json_loads=True)
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        return ""


def _parsed(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _encodable(text: str) -> str:
    # Half a surrogate pair cannot be written to any file later on.
    return text.encode("utf-8", "replace").decode("utf-8")


def _ends_open(text: str) -> bool:
    # Cut by a server that did not say so: the end lies inside a string.
    quotes = _ESCAPE.sub("", text).count('"')
    return quotes % 2 == 1 and text[-1] not in "}]`"


def _checked_types(schema: Mapping[str, Any], name: str) -> list[str]:
    wanted = schema.get("type", [])
    types = [wanted] if isinstance(wanted, str) else list(wanted)
    unknown = schema.keys() - _KEYWORDS | set(types) - _TYPES.keys()
    if unknown:
        raise ConfigError(f"schema of {name} uses {', '.join(sorted(unknown))}: the ladder cannot check that")
    return types


def _any_of(value: Any, schemas: list[Mapping[str, Any]], name: str) -> Any:
    errors = []
    for schema in schemas:
        try:
            return conform(value, schema, name)
        except ValueError as error:
            errors.append(str(error))
    raise _breach(name, f"fits none of {len(schemas)} alternatives ({'; '.join(errors)})")


def _typed(value: Any, names: list[str], name: str) -> Any:
    if "integer" in names and isinstance(value, float) and value.is_integer():
        return int(value)
    for kind in names:
        # In Python a bool is an int; in JSON it is not.
        if isinstance(value, _TYPES[kind]) and isinstance(value, bool) == (kind == "boolean"):
            return value
    raise _breach(name, f"must be {' or '.join(names)}, not {_short(value)}")


def _check_values(value: Any, schema: Mapping[str, Any], name: str) -> None:
    if "enum" in schema and canonical(value) not in map(canonical, schema["enum"]):
        raise _breach(name, f"must be one of {_short(schema['enum'])}, not {_short(value)}")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high:
            raise _breach(name, f"must lie within {low} and {high}, not {_short(value)}")


def _object(value: dict[str, Any], schema: Mapping[str, Any], name: str) -> dict[str, Any]:
    known = schema.get("properties", {})
    missing = [key for key in schema.get("required", ()) if key not in value]
    if missing:
        raise _breach(name, f"lacks {', '.join(missing)}")
    extra = schema.get("additionalProperties", True)
    checked = {}
    for key, part in value.items():
        if key in known:
            checked[key] = conform(part, known[key], f"{name}.{key}")
        elif extra is not False:
            checked[key] = conform(part, extra, f"{name}.{key}") if isinstance(extra, Mapping) else part
    return checked


def _array(value: list[Any], schema: Mapping[str, Any], name: str) -> list[Any]:
    low, high = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not low <= len(value) <= high:
        raise _breach(name, f"must have {low} to {high} items, not {len(value)}")
    return [conform(part, schema.get("items", {}), f"{name}[{place}]") for place, part in enumerate(value)]


def _breach(name: str, problem: str) -> ValueError:
    return ValueError(_line(f"{name} {problem}"))


def _failure(kind: str, error: str) -> Outcome:
    return Outcome(value=None, kind=kind, error=_line(error))


def _line(text: str) -> str:
    return " ".join(text.split())[:_ERROR]


def _short(value: Any) -> str:
    return canonical(value)[:80]


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


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is no number of JSON")
    return number


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)
