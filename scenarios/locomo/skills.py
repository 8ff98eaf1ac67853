"""The surrogate in this world: a baseline that sees nothing but the prompt and understands no free text.

As a reader it quotes: of the line of memory with most words in common with the question the sentence with
most of them, or for "when" the day of that line. As a writer it extracts: the weightiest sentences of a
turn, and what else it names. Its answers are rarely right; what it is here for is the stages before.
"""

import re
from datetime import date
from typing import Any

from scenarios.locomo.prompts import QUESTION, SAID
from sim.language.packs import pack
from sim.llm.protocol import Request
from sim.llm.surrogate import Skill, Slips
from sim.llm.tokens import estimate_tokens
from sim.memory.compress.extractive import extracted
from sim.memory.compress.result import line_of
from sim.memory.compress.sentences import sentences
from sim.memory.compress.squeezed import compressed

_LINE = re.compile(r"\[(\d{4}-\d\d-\d\d)\] (.*)")
_QUOTED = re.compile(r"^> (.*)$", re.MULTILINE)
_NOBODY = ""
"""Of whom an error is: the acts differ already, and each has one thing to get wrong."""
_MADE_UP = ("yes", "no")


def skills() -> dict[str, Skill]:
    """What the surrogate can do here, by role."""
    return {"answer": quote, "reflect": extract, "compress": squeeze}


def quote(request: Request, slips: Slips) -> dict[str, Any]:
    """The baseline reader."""
    *lines, last = request.user.split("\n")
    question = last.removeprefix(QUESTION)
    asked = _words(question)
    memory = [(match[1], match[2]) for match in map(_LINE.fullmatch, lines) if match]
    # of equals the newest
    best = max(reversed(memory), key=lambda line: _shared(asked, line[1]), default=None)
    if best is not None and _shared(asked, best[1]) and not slips.ignored(_NOBODY, "answer"):
        return _said("quoted", _quotation(question, *best))
    if slips.confabulated(_NOBODY, "answer"):
        return _said("made up", slips.invented(_NOBODY, "answer", _MADE_UP))
    return {"thought": "nothing in common", "known": False, "answer": ""}


def extract(request: Request, slips: Slips) -> dict[str, Any]:
    """The baseline writer."""
    said = request.user.rpartition("\n")[2].removeprefix(SAID)
    if slips.missed(_NOBODY, "note"):
        return {"thought": "missed", "note": "", "keywords": []}
    text, named = extracted(said, "en")
    return {"thought": "extracted", "note": line_of(text, named), "keywords": []}


def squeeze(request: Request, slips: Slips) -> dict[str, Any]:
    """Old notes with the words alone that tell something; see `sim.memory.compress.squeezed`."""
    del slips  # the gate of the cascade would refuse what loses anything
    short = compressed(_QUOTED.findall(request.user), "en", count=estimate_tokens)
    return {"summary": short.text, "entities": list(short.entities)}


def _said(thought: str, answer: str) -> dict[str, Any]:
    return {"thought": thought, "known": True, "answer": answer}


def _quotation(question: str, day: str, line: str) -> str:
    if question.lower().startswith("when"):
        when = date.fromisoformat(day)
        return f"{when.day} {when:%B %Y}"
    speaker, colon, words = line.partition(": ")
    asked = _words(question)
    parts = sentences(words if colon else speaker)
    return max(parts, key=lambda part: _shared(asked, part), default=line)


def _words(text: str) -> frozenset[str]:
    return frozenset(pack("en").tokens(text))


def _shared(asked: frozenset[str], text: str) -> int:
    return len(asked & _words(text))
