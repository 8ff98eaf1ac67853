"""What can be read off a prompt: the scene as a model that knows the language would see it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from scenarios.noodle_shop.speech import LANGUAGES, speech
from sim.language.packs import pack
from sim.memory.experience.cues import cues

_LINE = re.compile(r"\[(\d{4}-\d\d-\d\d)\] (.+?): (.*)")
_WORDS = re.compile(r'"([^"]*)"(?: — [^"]*"([^"]*)")?')
_ID = re.compile(r"\(([^()]+)\)$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line of memory: the day, the customer as written there, and what it says."""

    day: str
    who: str
    body: str


@dataclass(kw_only=True, slots=True)
class Scene:
    """The parts of a prompt; what a prompt does not have stays empty."""

    language: str
    today: str = ""
    who: str = ""
    memory: list[Line] = field(default_factory=list)
    visit: list[str] = field(default_factory=list)
    utterance: str = ""
    reply: str = ""
    ticket: Mapping[str, Any] = field(default_factory=dict)
    ordered: Mapping[str, Any] = field(default_factory=dict)
    persona: str = ""
    sentence: str = ""
    slot: str = ""
    manners: tuple[str, ...] = ()

    @property
    def customer(self) -> str:
        """Identity of the prompted customer."""
        return customer_of(self.who)

    def own(self) -> list[Line]:
        """The lines about the prompted customer, oldest first; of one day the later line is newer."""
        lines = [line for line in self.memory if customer_of(line.who) == self.customer]
        return sorted(lines, key=lambda line: line.day)


def customer_of(who: str) -> str:
    """The id within ``Anna Petrova (c-012)``; of a mere name or description the whole text."""
    match = _ID.search(who)
    return match[1] if match else who


def spoken(body: str) -> str:
    """The customer's own words in a verbatim line; any other line as it is."""
    match = _WORDS.fullmatch(body)
    return match[1] if match else body


def answered(body: str) -> str:
    """The agent's own words in a verbatim line; any other line has none."""
    match = _WORDS.fullmatch(body)
    return (match[2] or "") if match else ""


def scene(user: str, system: str = "") -> Scene:
    """Reads a prompt laid out by `prompts`: the user part, and of the system part the rules of manners."""
    lines = user.split("\n")
    language = _language(lines)
    marks = _marks(language)
    seen, section = Scene(language=language, manners=_manners(system, language)), ""
    for line in lines:
        name, text = _heading(line, marks)
        if name in {"memory", "visit_so_far"}:
            section = name
        elif name:
            _put(seen, name, text)
        elif section == "memory" and (match := _LINE.fullmatch(line)):
            seen.memory.append(Line(day=match[1], who=match[2], body=match[3]))
        elif section == "visit_so_far":
            found = _LINE.fullmatch(line)
            seen.visit.append(found[3] if found else line)
    return seen


def _put(seen: Scene, name: str, text: str) -> None:
    plain = {"today": "today", "customer": "who", "question": "slot"}
    words = {"customer_says": "utterance", "you": "reply", "persona": "persona", "sentence": "sentence"}
    if name in plain:
        setattr(seen, plain[name], text)
    elif name in words:
        setattr(seen, words[name], spoken(text))
    elif name in ("ticket", "ordered"):
        setattr(seen, name, json.loads(text))


def _manners(system: str, language: str) -> tuple[str, ...]:
    _, _, listed = system.partition(f"\n{cues(language).heading}\n")
    return tuple(line.removeprefix("- ") for line in listed.split("\n") if line)


def _heading(line: str, marks: Mapping[str, re.Pattern[str]]) -> tuple[str, str]:
    """Name of the heading a line is, and what it carries; empty when it is none."""
    # Notes and quoted words begin with these; they are never taken for a heading.
    if line.startswith(("[", '"')):
        return "", ""
    for name, mark in marks.items():
        if match := mark.fullmatch(line):
            return name, match[1] if match.groups() else ""
    return "", ""


@cache
def _marks(language: str) -> Mapping[str, re.Pattern[str]]:
    """By name, the pattern of each heading; its first field is what it carries."""
    headings = dict(pack(language).headings)
    told = speech(language).instructions
    headings |= {"you": f"{headings['you']}: {{text}}", "ticket": told.ticket, "question": told.question}
    headings |= {"ordered": told.ordered, "persona": told.persona, "sentence": told.sentence}
    return {name: _pattern(text) for name, text in headings.items()}


def _pattern(heading: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "(.*)", re.escape(heading)))


def _language(lines: list[str]) -> str:
    telling = {"today", "memory", "nothing_remembered", "sentence"}
    for code in LANGUAGES:
        marks = _marks(code)
        if any(_heading(line, marks)[0] in telling for line in lines):
            return code
    return LANGUAGES[0]
