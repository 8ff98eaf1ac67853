"""Text from customers and models made harmless, and numbers put into words, for every report."""

import html
import re
import unicodedata
from datetime import date
from typing import Any

from sim.clock import DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, Calendar

_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.?)", re.DOTALL)


def harmless(text: object) -> str:
    """One line of text that no terminal obeys and no browser interprets.

    Escape sequences, control and invisible formatting characters go; line ends become blanks; HTML is
    escaped.
    """
    bare = _ESCAPE_SEQUENCE.sub("", str(text))
    shown = "".join(_shown(character) for character in bare)
    return html.escape(shown, quote=False)


def _shown(character: str) -> str:
    if character in "\n\r\t\x0b\x0c\x85\u2028\u2029":
        return " "
    # C: control, format (direction overrides, zero width), surrogate, private use, unassigned.
    return "" if unicodedata.category(character).startswith("C") else character


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
