"""What a customer says of how they were answered: found by phrases, in English, Russian and Chinese."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, get_args

from sim.memory.compress.sentences import sentences
from sim.memory.experience.cues import FeedbackCues, cues, harmless
from sim.memory.experience.rule import Action, Condition

FeedbackKind = Literal["correction", "praise", "edited"]
KINDS: tuple[str, ...] = get_args(FeedbackKind)
# Quoted lines and fenced blocks are somebody else's words; quotation marks within a line are not touched,
# since they set off the word that is meant.
_QUOTED = re.compile(r"^\s*>.*$|```.*?(?:```|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialogue:
    """A finished dialogue as far as manners are learnt from it.

    It has no place for what was recalled or answered, so neither can be learnt from.

    Args:
        id: unique; a dialogue counts once for and once against a rule.
        customer: whose manners; empty for feedback of whoever runs the agent, which holds for all.
        language: code of the language it was held in.
        said: what the customer said, in order.
        used: ids of the rules that stood in the prompt.
    """

    id: str
    customer: str = ""
    language: str = "en"
    said: tuple[str, ...] = ()
    used: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("a dialogue needs an id")


@dataclass(frozen=True, kw_only=True, slots=True)
class Feedback:
    """One piece of explicit feedback.

    Args:
        kind: ``correction``, ``praise`` or ``edited``.
        text: what was said, or the answer as it was edited.
        original: of an edited answer, what it was before.
    """

    kind: FeedbackKind
    text: str
    original: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"feedback must be one of {', '.join(KINDS)}, not {self.kind!r}")
        if self.kind == "edited" and not self.original:
            raise ValueError("an edited answer needs its original")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """An action somebody asked for, and when it is to be taken."""

    condition: Condition
    action: Action


def feedback_in(dialogue: Dialogue) -> tuple[Feedback, ...]:
    """The feedback among what the customer said, in order; what says nothing of manners is left out."""
    known = cues(dialogue.language)
    found: list[Feedback] = []
    for text in dialogue.said:
        if wishes_in(text, dialogue.language):
            found.append(Feedback(kind="correction", text=text))
        elif _compiled(known.praise).search(_own_words(text)):
            found.append(Feedback(kind="praise", text=text))
    return tuple(found)


def wishes_in(text: str, language: str) -> tuple[Wish, ...]:
    """What a text asks for, sentence by sentence."""
    known = cues(language)
    found: list[Wish] = []
    for sentence in sentences(_own_words(text)):
        condition, rest = _condition(sentence, known)
        found += (Wish(condition=condition, action=action) for action in _actions(rest, known))
    return tuple(found)


def _own_words(text: str) -> str:
    return _QUOTED.sub("", text)


def _condition(sentence: str, known: FeedbackCues) -> tuple[Condition, str]:
    """When the sentence wants it, and the sentence without that."""
    for pattern in known.about:
        if match := _compiled(pattern).search(sentence):
            about = harmless(match["it"])
            if about:
                rest = f"{sentence[: match.start()]} {sentence[match.end() :]}".strip()
                return Condition(kind="query_contains", value=about), rest
    return Condition(), sentence


def _actions(sentence: str, known: FeedbackCues) -> Iterator[Action]:
    left = sentence
    for pattern, action in known.wishes:
        match = _compiled(pattern).search(left)
        if match is None:
            continue
        meant = not _compiled(known.negated).search(left[: match.start()])
        # What one phrase took is not read again by a wider one: "not so short" does not hold "short".
        left = f"{left[: match.start()]}\n{left[match.end() :]}"
        filled = _filled(action, match) if meant else None
        if filled is not None:
            yield filled


def _filled(action: Action, match: re.Match[str]) -> Action | None:
    """The action with the words of the phrase in it; None if nothing is left of them."""
    groups = match.groupdict()
    value = harmless(action.value.format(it=groups.get("it") or ""))
    instead = harmless(action.instead_of.format(instead=groups.get("instead") or ""))
    if not value or bool(action.instead_of) != bool(instead):
        return None
    return replace(action, value=value, instead_of=instead)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def asked_last(wishes: Sequence[Wish]) -> list[Wish]:
    """Without what a later wish of the same dialogue takes back, each once."""
    kept: list[Wish] = []
    for wish in wishes:
        same = [one for one in kept if one.condition == wish.condition]
        kept = [one for one in kept if one not in same or not one.action.opposes(wish.action)]
        if wish not in kept:
            kept.append(wish)
    return kept
