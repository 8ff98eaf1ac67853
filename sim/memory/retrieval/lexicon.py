"""Which records have which words, growing one record at a time."""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim.memory.retrieval.columns import Column, Floats, Places
from sim.memory.retrieval.terms import Word


@dataclass(frozen=True, kw_only=True, slots=True)
class Posting:
    """The records that have a word, in order of arrival, and how often each has it."""

    places: Places
    counts: Floats


class _Growing:
    """A posting that grows, and as arrays when it is read."""

    __slots__ = ("_counts", "_places", "_read")

    def __init__(self) -> None:
        self._places = array("q")
        self._counts = array("d")
        self._read: Posting | None = None

    def __len__(self) -> int:
        return len(self._places)

    def append(self, place: int, count: int) -> None:
        self._places.append(place)
        self._counts.append(count)
        self._read = None

    def upto(self, seen: int) -> Posting:
        if self._read is None:
            self._read = Posting(places=np.array(self._places), counts=np.array(self._counts))
        whole = self._read
        if not len(self) or whole.places[-1] < seen:
            return whole
        end = int(np.searchsorted(whole.places, seen))
        return Posting(places=whole.places[:end], counts=whole.counts[:end])


_NOWHERE = Posting(places=np.zeros(0, dtype=np.int64), counts=np.zeros(0))


class Lexicon:
    """Words of records by their place; what came later never changes what is read of earlier places.

    Every count is therefore taken when it is asked for, over the records that can be seen at the
    time of asking: a recall for an earlier time weighs words as rare as they were then.
    """

    def __init__(self) -> None:
        self.surfaces: list[str] = []
        self.lengths = Column(np.float64)
        self._numbers: dict[str, int] = {}
        self._first: list[int] = []
        self._postings: list[_Growing] = []

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def nbytes(self) -> int:
        """About how many bytes the postings take: two numbers of eight bytes per entry."""
        return self.lengths.nbytes + 16 * sum(map(len, self._postings))

    def add(self, words: Sequence[Word]) -> None:
        """Takes in the words of the next record."""
        place = len(self)
        surfaces = {word.term: word.surface for word in reversed(words)}
        for term, count in Counter(word.term for word in words).items():
            self._postings[self._number(term, surfaces[term], place)].append(place, count)
        self.lengths.append(len(words))

    def _number(self, term: str, surface: str, place: int) -> int:
        number = self._numbers.setdefault(term, len(self._first))
        if number == len(self._first):
            self._first.append(place)
            self.surfaces.append(surface)
            self._postings.append(_Growing())
        return number

    def number(self, term: str) -> int | None:
        """The number of a term that some record has, or None."""
        return self._numbers.get(term)

    def known(self, seen: int) -> int:
        """How many terms the first ``seen`` records have; terms are numbered as they first came."""
        return bisect_left(self._first, seen)

    def posting(self, number: int | None, seen: int) -> Posting:
        """Where a term stands among the first ``seen`` records; nowhere for None."""
        return _NOWHERE if number is None else self._postings[number].upto(seen)
