"""What a search needs to know of each record apart from its words and its vector."""

from math import log

import numpy as np

from sim.clock import DAY_MS
from sim.language.dates import tells_time
from sim.language.questions import only_asks
from sim.memory.protocol import Record
from sim.memory.retrieval.columns import Column, Flags
from sim.memory.retrieval.terms import runs, words

_NEVER = np.iinfo(np.int64).max
NOBODY = -1


class Traits:
    """Columns over records, in order of arrival."""

    def __init__(self) -> None:
        self.visible_ms = Column(np.int64)
        self.retired_ms = Column(np.int64)
        self.day = Column(np.int64)
        self.person = Column(np.int64)
        self.asks = Column(np.bool_)
        self.tells_time = Column(np.bool_)
        self.claims = Column(np.bool_)
        self.answers = Column(np.bool_)
        self.information = Column(np.float64)
        self.importance = Column(np.float64)
        self._people: dict[str, int] = {}
        self._names: list[frozenset[str]] = []
        self._met: list[int] = []

    def __len__(self) -> int:
        return len(self.visible_ms)

    def check(self, record: Record) -> None:
        """Refuses a record that comes out of order.

        Raises:
            ValueError: an earlier one came later.
        """
        if len(self) and record.visible_at_ms < self.visible_ms.upto(len(self))[-1]:
            raise ValueError(f"record {record.id!r} comes out of order: one visible later is in already")

    def add(self, record: Record, *, spoken: int, previous: int) -> None:
        """Takes in the next record.

        Args:
            record: the record.
            spoken: how many words it has.
            previous: the place of the one before it in its session, or -1.
        """
        self.retired_ms.append(_NEVER)
        self.day.append(record.at_ms // DAY_MS)
        person = self._person(record.customer or record.agent)
        self.answers.append(previous >= 0 and self._asked(previous, person))
        self.person.append(person)
        self.information.append(log(max(1, spoken)))
        self.importance.append(record.importance)
        self.asks.append(only_asks(record.text))
        self.tells_time.append(tells_time(record.text))
        self.claims.append(bool(record.claims))
        # Last, for it tells how many records there are.
        self.visible_ms.append(record.visible_at_ms)

    def retire(self, place: int, at_ms: int) -> None:
        """From ``at_ms`` on the record cannot be seen; the earliest such time counts."""
        if at_ms < self.retired_ms.upto(len(self))[place]:
            self.retired_ms.put(place, at_ms)

    def alive(self, at_ms: int) -> Flags:
        """Of the records that had come by ``at_ms``, which were not retired."""
        seen = int(np.searchsorted(self.visible_ms.upto(len(self)), at_ms, side="right"))
        living: Flags = self.retired_ms.upto(seen) > at_ms
        return living

    def person_of(self, name: str) -> int:
        """The number of a person, or `NOBODY` when no record is about them."""
        return self._people.get(name, NOBODY)

    def named(self, said: frozenset[str], seen: int) -> int:
        """The one person among those of the first ``seen`` records whose name was said, or `NOBODY`."""
        found = [
            number
            for number, (name, met) in enumerate(zip(self._names, self._met, strict=True))
            if met < seen and name and name <= said
        ]
        return found[0] if len(found) == 1 else NOBODY

    def _asked(self, place: int, person: int) -> bool:
        """Whether the record at a place asks, and is of another person."""
        here = len(self)
        return bool(self.asks.upto(here)[place] and self.person.upto(here)[place] != person)

    def _person(self, name: str) -> int:
        number = self._people.setdefault(name, len(self._names))
        if number == len(self._names):
            # By their stems, for a name may be inflected; a name made of stop words by its letters.
            self._names.append(frozenset(word.term for word in words(name)) or frozenset(_lower(name)))
            self._met.append(len(self))
        return number


def _lower(name: str) -> list[str]:
    return [run.lower() for run in runs(name)]
