"""How often records were used: written down by the act that used them, as an ordinary write.

Reading a memory changes nothing, so a recall cannot count. An act that answered from records writes one
small record of kind ``use``; it becomes visible like every other write, and nobody is shown it.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from sim.memory.protocol import Record
from sim.records import ActId, canonical, utterance_of

USE, MADE = "use", "profile"


def use_of(act: ActId, at_ms: int, used: Sequence[Record]) -> Record:
    """The record that says which records an act used; its sources are theirs.

    The ids stand in its text. It makes no claim, so it holds no fact for scoring. A record that was made for
    one recall, such as who somebody is, stands for those it was made of.
    """
    ids = dict.fromkeys(name for one in used for name in (one.replaces if one.kind == MADE else (one.id,)))
    return Record(
        id=f"{utterance_of(act)}/{act.purpose}/{USE}",
        at_ms=at_ms,
        visible_at_ms=0,
        agent=act.agent,
        customer=act.customer,
        visit=act.visit,
        kind=USE,
        text=canonical(list(ids)),
        sources=tuple(dict.fromkeys(source for one in used for source in one.sources)),
    )


def used_by(record: Record) -> tuple[str, ...]:
    """The ids of the records that a record of kind ``use`` speaks of.

    Raises:
        ValueError: it is none, or was not written by `use_of`.
    """
    ids = json.loads(record.text) if record.kind == USE else None
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
        raise ValueError(f"record {record.id!r} does not say which records were used")
    return tuple(ids)


class Uses:
    """The uses of one memory's records, as of any simulated time."""

    def __init__(self) -> None:
        self._seen_ms: dict[str, list[int]] = {}
        self._at_ms: dict[str, list[int]] = {}

    def add(self, record: Record) -> None:
        """Takes in a record of kind ``use``; they come in order of visibility."""
        for used in dict.fromkeys(used_by(record)):
            at_ms = self._at_ms.setdefault(used, [])
            self._seen_ms.setdefault(used, []).append(record.visible_at_ms)
            # The newest so far, so that the last one can be had by place.
            at_ms.append(max(record.at_ms, at_ms[-1]) if at_ms else record.at_ms)

    def count(self, record: str, at_ms: int) -> int:
        """How often a record had been used by then."""
        return bisect_right(self._seen_ms.get(record, ()), at_ms)

    def last_ms(self, record: str, at_ms: int) -> int | None:
        """When it was last used before then."""
        seen = self.count(record, at_ms)
        return self._at_ms[record][seen - 1] if seen else None

    def shares(self, at_ms: int, among: Iterable[str] | None = None) -> Mapping[str, float]:
        """Each used record's uses as a share of those of the most used one, from 0 to 1."""
        names = self._seen_ms if among is None else among
        counts = {name: count for name in names if (count := self.count(name, at_ms))}
        most = max(counts.values(), default=1)
        return {name: count / most for name, count in counts.items()}
