"""Text from customers and models made harmless, folded to lines, and numbers put into words."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from typing import Any

from sim.clock import DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, Calendar

COLUMNS = 80
_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.?)", re.DOTALL)
# A line may end behind a Chinese character or the like, unless a closing sign follows.
_WIDE = r"\u2e80-\u9fff\uff00-\uffef"
_PIECE = re.compile(rf' +|[{_WIDE}][。，、！？：；）》」"”)\]]*|[^ {_WIDE}]+')


def harmless(text: object) -> str:
    """One line of text that no terminal obeys.

    Escape sequences, control and invisible formatting characters go; line ends become blanks. What is
    put into a web page must be escaped there.
    """
    plain = str(text)
    if plain.isprintable():  # has none of all this, as nearly every text
        return plain
    bare = _ESCAPE_SEQUENCE.sub("", plain)
    return "".join(_shown(character) for character in bare)


def _shown(character: str) -> str:
    if character in "\n\r\t\x0b\x0c\x85\u2028\u2029":
        return " "
    # C: control, format (direction overrides, zero width), surrogate, private use, unassigned.
    return "" if unicodedata.category(character).startswith("C") else character


def folded(text: str, first: str = "", rest: str = "") -> list[str]:
    """A text as lines of at most `COLUMNS` columns, the first after one beginning, others after another."""
    lines, used, empty = [first], columns(first), True
    for piece in _pieces(text, COLUMNS - columns(rest)):
        if used + columns(piece) > COLUMNS and not empty:
            lines, used, empty = [*lines, rest], columns(rest), True
        if not (empty and len(lines) > 1 and piece.isspace()):
            lines[-1], used, empty = lines[-1] + piece, used + columns(piece), False
    return [line.rstrip() for line in lines]


def _pieces(text: str, room: int) -> Iterator[str]:
    for piece in _PIECE.findall(text):
        # What fits on no line is broken anywhere.
        yield from piece if columns(piece) > room else (piece,)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters are two wide, accents none."""
    return sum(_wide(character) for character in text)


def _wide(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def counted(number: int, what: str) -> str:
    """A number of things, such as ``1 visit`` and ``2 visits``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def percent(value: float | None) -> str:
    """A share as in ``73.2 %``, or ``no data``."""
    return "no data" if value is None else f"{100 * value:.1f} %"


def setting(config: dict[str, Any], key: str) -> Any:
    """The setting at a dotted key, or None where there is none."""
    found: Any = config
    for step in key.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found


def name_of(config: dict[str, Any], group: str) -> str:
    """The name of a chosen group (``memory`` and so on), or ``?`` where the config does not tell."""
    named = setting(config, f"{group}.name") or config.get(group)
    return harmless(named) if isinstance(named, str) else "?"


def calendar_of(config: dict[str, Any]) -> Calendar | None:
    """The calendar of a run, or None when the config does not say when it starts."""
    start = setting(config, "scenario.start") or config.get("start")
    try:
        return Calendar(start=date.fromisoformat(str(start)[:10]))
    except ValueError:
        return None


def clock_text(time_ms: int) -> str:
    """The time of day, as in ``12:03:10``."""
    hours, rest = divmod(time_ms % DAY_MS, HOUR_MS)
    return f"{hours:02d}:{rest // MINUTE_MS:02d}:{rest % MINUTE_MS // SECOND_MS:02d}"


def day_text(time_ms: int, calendar: Calendar | None) -> str:
    """The date where the calendar is known, else the number of the day."""
    return calendar.day(time_ms) if calendar else f"day {time_ms // DAY_MS + 1}"


def when_text(time_ms: int, calendar: Calendar | None) -> str:
    """Day and minute, as in ``2026-01-05 12:03``."""
    return f"{day_text(time_ms, calendar)} {clock_text(time_ms)[:5]}"
