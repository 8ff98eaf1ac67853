"""Lines of a profile that stood in a prompt: made for one recall, stored nowhere, put together again here."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.clock import DAY_MS

Row = dict[str, Any]
# As `sim.memory.diary.rows` names them: store, customer, day on which it was said, and whether it is pinned.
_LINE = re.compile(r"(?P<whose>.+/profile/.+)/(?P<day>\d+)(?P<pinned>/pinned)?", re.DOTALL)


def portraits(folder: Path) -> dict[str, list[Row]]:
    """The rows of every ``memory/<store>/profile.json`` of a run, by ``<store>/profile/<customer>``."""
    found: dict[str, list[Row]] = {}
    for path in sorted(folder.glob("memory/*/profile.json")):
        try:
            people = json.loads(path.read_text(encoding="utf-8"))["customers"]
            found |= {f"{path.parent.name}/profile/{one['customer']}": one["rows"] for one in people}
        except (ValueError, KeyError, TypeError):
            # A run killed while writing: its lines are still named, only without their text.
            continue
    return found


def line_of(known: Mapping[str, Sequence[Row]], id_: str, at_ms: int | None = None) -> str:
    """What a line of a profile said, going by its id; empty where that is no such line.

    Args:
        known: what `portraits` gives.
        id_: the id of a record in a prompt.
        at_ms: when it stood there; what had ended by that morning is left out.
    """
    named = _LINE.fullmatch(id_)
    rows = known.get(named["whose"], ()) if named else ()
    if named is None or not rows:
        return ""
    day, pinned = int(named["day"]), named["pinned"] is not None
    chosen = [row for row in rows if row["since_ms"] // DAY_MS == day and row["pinned"] is pinned]
    return ", ".join(_said(row["claim"]) for row in chosen if _held(row, at_ms))


def _held(row: Row, at_ms: int | None) -> bool:
    if at_ms is None:
        return True
    # What happened is told as of the morning as well, so the day's beginning decides.
    morning = at_ms - at_ms % DAY_MS
    until = row.get("until_ms")
    return row["since_ms"] <= at_ms and (until is None or until >= morning)


def _said(claim: Row) -> str:
    return f"{claim['slot']} {'no longer ' if claim['polarity'] < 0 else ''}{claim['value']}"
