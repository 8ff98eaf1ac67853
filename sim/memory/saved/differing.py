"""``noodle diff A B``: what one saved memory holds that another does not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sim.memory.protocol import Kept, Owner
from sim.memory.saved.snapshot import Snapshot, memories
from sim.records import canonical

What = Literal["added", "removed", "retired", "revived", "changed"]
_MARKS: Mapping[str, str] = {"added": "+", "removed": "-", "retired": "x", "revived": "o", "changed": "~"}
_LONGEST = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One record in which two memories differ, as seen from the first."""

    owner: Owner
    what: What
    record: str
    text: str


def diff(one: Mapping[Owner, Snapshot], other: Mapping[Owner, Snapshot]) -> list[Difference]:
    """What became of each owner's records from one saved state to the other, in order of arrival."""
    owners = dict.fromkeys((*one, *other))
    return [found for owner in owners for found in _of_owner(owner, _kept(one, owner), _kept(other, owner))]


def diff_text(a: Path, b: Path) -> str:
    """The differences of two saved memories as text, one line each, texts quoted as data.

    Raises:
        RecordError: one of them cannot be read.
    """
    one, other = memories(a), memories(b)
    found = diff(one, other)
    lines = []
    for owner in dict.fromkeys(difference.owner for difference in found):
        lines.append(f"{owner}:")
        lines += [_line(difference) for difference in found if difference.owner == owner]
    counts = ", ".join(f"{sum(d.what == what for d in found)} {what}" for what in _MARKS)
    return "\n".join([*lines, counts if found else "no difference"])


def _kept(all_of: Mapping[Owner, Snapshot], owner: Owner) -> dict[str, Kept]:
    return {kept.record.id: kept for kept in all_of[owner].kept} if owner in all_of else {}


def _of_owner(owner: Owner, old: Mapping[str, Kept], new: Mapping[str, Kept]) -> Iterator[Difference]:
    for name in dict.fromkeys((*old, *new)):
        what = _what(old.get(name), new.get(name))
        if what:
            kept = new.get(name) or old[name]
            yield Difference(owner=owner, what=what, record=name, text=kept.record.text)


def _what(old: Kept | None, new: Kept | None) -> What | None:
    if old is None:
        return "added"
    if new is None:
        return "removed"
    if old.record != new.record:
        return "changed"
    if old.retired_at_ms == new.retired_at_ms:
        return None
    return "revived" if new.retired_at_ms is None else "retired"


def _line(one: Difference) -> str:
    text = one.text if len(one.text) <= _LONGEST else one.text[:_LONGEST] + "…"
    return f"  {_MARKS[one.what]} {one.record}  {canonical(text)}"
