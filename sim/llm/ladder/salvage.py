"""Finds JSON objects in whatever a model said: bare, fenced, within chatter, or slightly broken."""

import ast
import json
import re
import warnings
from collections.abc import Iterator
from itertools import islice
from math import isfinite
from typing import Any

_LONGEST_REPAIR = 8_000  # twice our longest answers; json-repair is quadratic on some texts,
_OPENINGS = 200  # namely those with very many brackets
_OBJECTS = 16  # places in a text where an object is looked for
_STRING = r'"(?:[^"\\]|\\.)*+"'
_BRACKETS = re.compile(_STRING + r"|[{}\[\]]", re.DOTALL)
_COMMAS = re.compile(f"({_STRING})" + r"|,(?=\s*[}\]])", re.DOTALL)
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_MARKS = re.compile(r'\\.|["{}]', re.DOTALL)


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


def candidates(text: str, cut: bool) -> Iterator[tuple[str, Any]]:
    """Objects the text may mean, each with the step that found it, the surest first.

    ``cut`` says that the text ends too early: then nothing is repaired, for half a value is not the value.
    """
    whole = _parsed(text)
    if isinstance(whole, dict):
        yield "", whole
        return
    pieces = text.split("```", 8)[1::2]
    for piece in pieces:
        yield from (("fence", value) for value in _objects(piece))
    found = list(_objects(text))
    yield from (("braces", value) for value in found)
    if not found and not cut:
        yield from (("repair", value) for value in _repaired(pieces[0] if pieces else text))


def ends_open(text: str) -> bool:
    """Whether the end lies inside a string: cut by a server that did not say so."""
    quotes = _ESCAPE.sub("", text).count('"')
    return quotes % 2 == 1 and text[-1] not in "}]`"


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


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is no number of JSON")
    return number


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)
