"""The prompts of the shop's agents: a stable system part, and what the moment adds.

Whatever people said stands between double quotes on one line, so that no customer can write a
heading, a note or a second line. `scene` reads these prompts back.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from scenarios.noodle_shop.menu import SLOTS, Menu, standard_menu
from scenarios.noodle_shop.speech import speech
from sim.language.packs import pack
from sim.records import canonical

Prompt = tuple[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """The moment in which an agent answers a customer.

    Args:
        agent: who answers.
        today: ISO date.
        who: the customer as far as the agent knows, such as ``Anna Petrova (c-012)``.
        memory: lines remembered, as `memory_line` writes them; one record may hold several.
        visit: exchanges of this visit, as `exchange_text` writes them, oldest first.
        utterance: what the customer says now; empty when nobody speaks.
        language: code of the language.
        manners: rules of how to speak, as lines of the system part.
    """

    agent: str
    today: str
    who: str
    memory: tuple[str, ...] = ()
    visit: tuple[str, ...] = ()
    utterance: str
    language: str
    manners: tuple[str, ...] = ()


def order_prompt(turn: Turn, menu: Menu | None = None) -> Prompt:
    """Asks a waiter to answer a customer; returns (system, user)."""
    return _system("order", turn.agent, turn.language, menu, turn.manners), "\n".join(_moment(turn))


def offer_prompt(turn: Turn, order: Mapping[str, Any], menu: Menu | None = None) -> Prompt:
    """Asks a waiter to recommend one thing after an order; returns (system, user)."""
    line = speech(turn.language).instructions.ordered.replace("{order}", canonical(dict(order)))
    system = _system("offer", turn.agent, turn.language, menu, turn.manners)
    return system, "\n".join([*_moment(turn), line])


def mood_prompt(turn: Turn) -> Prompt:
    """Asks how a customer feels, and what to say to it; returns (system, user)."""
    task = speech(turn.language).instructions.roles["mood"]
    return _own(task, turn.agent, turn.language, turn.manners), "\n".join(_moment(turn))


def customer_prompt(sentence: str, language: str, persona: str) -> Prompt:
    """Asks for a customer's sentence in the words of a persona; returns (system, user)."""
    told = speech(language).instructions
    lines = [
        told.persona.replace("{persona}", one_line(persona)),
        told.sentence.replace("{text}", quoted(sentence)),
    ]
    return told.roles["customer"], "\n".join(lines)


def reflect_prompt(  # noqa: PLR0917 - the parts of a prompt, in the order in which they stand
    agent: str,
    today: str,
    who: str,
    utterance: str,
    reply: str,
    language: str,
    menu: Menu | None = None,
    *,
    role: str = "reflect",
) -> Prompt:
    """Asks what to keep of one exchange; returns (system, user).

    Role ``reflect`` wants one line, ``diary`` a whole entry. The reply is empty where there is none yet.
    """
    words = pack(language).headings
    lines = _opening(today, who, language)
    lines.append(words["customer_says"].format(text=quoted(utterance)))
    if reply:
        lines.append(f"{words['you']}: {quoted(reply)}")
    return _system(role, agent, language, menu), "\n".join(lines)


def compress_prompt(agent: str, lines: Sequence[str], language: str, menu: Menu | None = None) -> Prompt:
    """Asks for a shorter version of some notes; returns (system, user)."""
    return _system("compress", agent, language, menu), "\n".join(_memory(lines, language))


def cook_prompt(  # noqa: PLR0917 - as above
    agent: str,
    today: str,
    who: str,
    ticket: Mapping[str, Any],
    memory: Sequence[str],
    language: str,
    menu: Menu | None = None,
) -> Prompt:
    """Asks the chef to cook what a ticket says; returns (system, user)."""
    lines = _opening(today, who, language) + _memory(memory, language)
    ticket_line = speech(language).instructions.ticket.replace("{ticket}", canonical(dict(ticket)))
    return _system("cook", agent, language, menu), "\n".join([*lines, ticket_line])


def exam_prompt(  # noqa: PLR0917 - as above
    agent: str,
    today: str,
    who: str,
    slot: str,
    memory: Sequence[str],
    language: str,
    menu: Menu | None = None,
) -> Prompt:
    """Asks what is known of one slot of a customer; returns (system, user)."""
    told = speech(language).instructions
    question = told.question.format(slot=slot, text=told.questions[slot])
    lines = _opening(today, who, language) + _memory(memory, language)
    return _system("exam", agent, language, menu), "\n".join([*lines, question])


def memory_line(day: str, who: str, body: str) -> str:
    """A line of memory: ``[2026-01-05] Anna Petrova (c-012): orders laksa``."""
    return f"[{day}] {one_line(who)}: {one_line(body)}"


def exchange_text(utterance: str, agent: str, reply: str) -> str:
    """An exchange word for word: ``"The usual, please." — waiter-1: "Of course."``."""
    return f"{quoted(utterance)} — {one_line(agent)}: {quoted(reply)}"


def quoted(text: str) -> str:
    """Somebody's words as quoted data: on one line, no quotation marks but the outer ones."""
    plain = one_line(text).replace('"', "'")
    return f'"{plain}"'


def one_line(text: str) -> str:
    """Text without line breaks, control characters or anything else that does not show."""
    if text.isprintable():
        return " ".join(text.split())
    shown = (" " if unicodedata.category(char)[0] in "CZ" else char for char in text)
    return " ".join("".join(shown).split())


@cache
def menu_text(language: str, menu: Menu) -> str:
    """All ids by slot, with their names in a language where those are different words."""
    told = speech(language).instructions
    lines = [told.menu]
    for slot in SLOTS:
        ids = [_with_name(language, slot, value) for value in menu.values(slot)]
        if ids:
            lines.append(f"{slot}: {told.offers if slot == 'offer' else ', '.join(ids)}")
    return "\n".join(lines)


def _with_name(language: str, slot: str, value: str) -> str:
    name = speech(language).talk.name(slot, value)
    return value if name == value else f"{value} ({name})"


def _system(role: str, agent: str, language: str, menu: Menu | None, manners: Sequence[str] = ()) -> str:
    told = speech(language).instructions
    shared = f"{menu_text(language, menu or standard_menu())}\n\n{told.roles[role]}"
    return _own(shared, agent, language, manners)


def _own(shared: str, agent: str, language: str, manners: Sequence[str]) -> str:
    """From what all share to what one has alone: servers keep the beginnings of prompts they have read."""
    name = speech(language).instructions.name.replace("{agent}", one_line(agent))
    parts = [shared, name, "\n".join(map(one_line, manners))]
    return "\n\n".join(filter(None, parts))


def _moment(turn: Turn) -> list[str]:
    words = pack(turn.language).headings
    lines = _opening(turn.today, turn.who, turn.language) + _memory(turn.memory, turn.language)
    if turn.visit:
        lines += [words["visit_so_far"], *(one_line(exchange) for exchange in turn.visit)]
    if turn.utterance:  # an offer is made when nobody has just spoken
        lines.append(words["customer_says"].format(text=quoted(turn.utterance)))
    return lines


def _opening(today: str, who: str, language: str) -> list[str]:
    words = pack(language).headings
    return [words["today"].format(day=today), words["customer"].format(who=one_line(who))]


def _memory(records: Sequence[str], language: str) -> list[str]:
    words = pack(language).headings
    lines: list[str] = []
    for line in (line for record in records for line in record.split("\n")):
        shown = one_line(line)
        # A line that is no note of its own must not pass for a heading either.
        if shown.startswith("["):
            lines.append(shown)
        elif lines:
            lines[-1] = f"{lines[-1]} {shown}".rstrip()
        elif shown:
            lines.append(quoted(shown))
    return [words["memory"], *lines] if lines else [words["nothing_remembered"]]
