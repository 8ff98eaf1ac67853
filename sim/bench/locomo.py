"""Reads LoCoMo: long conversations, and questions with the turns that answer them.

The benchmark of retrieval (`sim.bench.cli`) and the scenario (`scenarios.locomo`) read it with this.

Source: Maharana et al. (2024), https://arxiv.org/abs/2402.17753; data under CC BY-NC 4.0, so none of it
is part of this project.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from sim.errors import ConfigError

HOME = "https://github.com/snap-research/locomo"
CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
_SESSION = re.compile(r"session_(\d+)")
_TURN_ID = re.compile(r"D(\d+):(\d+)")
_TIME = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """What one person says; a picture that goes with it is told by its caption."""

    id: str
    session: int
    at: datetime
    speaker: str
    text: str
    caption: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question and the ids of the turns that answer it.

    Retrieval is measured without ``answer``; it is empty where the data gives none.
    """

    text: str
    category: str
    evidence: tuple[str, ...]
    answer: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """The turns of two people in the order of sessions, and the questions about them.

    ``skipped`` counts questions none of whose evidence is there: they cannot be scored.
    """

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    skipped: int = 0


def read(path: Path, key: str = "data") -> list[Conversation]:
    """Reads the conversations of a file, or of all JSON files of a folder.

    Args:
        path: the file or the folder.
        key: the setting that names it, for messages.

    Raises:
        ConfigError: there is nothing, or something that is not LoCoMo; the message names the place.
    """
    try:
        found = [one for file in files(path) for one in _of_file(file)]
    except ConfigError as error:
        raise ConfigError(f"{key}: {error}; LoCoMo is at {HOME}") from error
    if not found:
        raise ConfigError(
            f"{key}: {path} holds no conversations; give a LoCoMo JSON file or a folder of them, from {HOME}"
        )
    if doubled := {one.id for one in found if sum(other.id == one.id for other in found) > 1}:
        raise ConfigError(f"{key}: conversation {min(doubled)} is there twice in {path}")
    return found


def files(path: Path) -> list[Path]:
    """The files that are read: the path itself, or the JSON files of a folder in the order of their names."""
    return sorted(path.glob("*.json")) if path.is_dir() else [path]


def first_monday(conversations: Iterable[Conversation]) -> date:
    """The Monday of the week in which the earliest of all turns was said; simulated time begins there."""
    day = min(turn.at for one in conversations for turn in one.turns).date()
    return day - timedelta(days=day.weekday())


def _of_file(file: Path) -> Iterator[Conversation]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise ConfigError(f"{file} is no JSON ({error})") from error
    for number, row in enumerate(content if isinstance(content, list) else [content]):
        try:
            yield _conversation(row, number)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = f"lacks the key {error}" if isinstance(error, KeyError) else f"is malformed ({error})"
            raise ConfigError(f"conversation {number} of {file} {what}") from error


def _conversation(row: dict[str, Any], number: int) -> Conversation:
    turns = tuple(_turns(row["conversation"]))
    if not turns:
        raise ValueError("no turns")
    known = {turn.id for turn in turns}
    asked = [_question(entry, known) for entry in row["qa"]]
    answerable = tuple(question for question in asked if question.evidence)
    return Conversation(
        id=str(row.get("sample_id", number)),
        turns=turns,
        questions=answerable,
        skipped=len(asked) - len(answerable),
    )


def _turns(conversation: dict[str, Any]) -> Iterator[Turn]:
    # By sessions and not by dates, for some dates have no session.
    numbers = sorted(int(match[1]) for key in conversation if (match := _SESSION.fullmatch(key)))
    for session in numbers:
        at = datetime.strptime(conversation[f"session_{session}_date_time"], _TIME)
        for entry in conversation[f"session_{session}"]:
            yield Turn(
                id=entry["dia_id"],
                session=session,
                at=at,
                speaker=entry["speaker"],
                text=entry["text"],
                caption=entry.get("blip_caption", ""),
            )


def _question(entry: dict[str, Any], known: set[str]) -> Question:
    ids = [f"D{int(match[1])}:{int(match[2])}" for match in _evidence(entry["evidence"])]
    return Question(
        text=entry["question"],
        category=CATEGORIES[entry["category"]],
        evidence=tuple(dict.fromkeys(one for one in ids if one in known)),
        answer=str(entry.get("answer", "")),
    )


def _evidence(entries: list[str]) -> Iterator[re.Match[str]]:
    """The ids in entries such as ``D8:6; D9:17`` or ``D30:05``; what is none is passed over."""
    return (match for entry in entries for match in _TURN_ID.finditer(entry))
