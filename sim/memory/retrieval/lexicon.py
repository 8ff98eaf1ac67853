"""Which records have which words, growing one record at a time."""

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
    __slots__ = ("counts", "places")

    def __init__(self) -> None:
        self.places: list[int] = []
        self.counts: list[int] = []


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
        return self.lengths.nbytes + 16 * sum(len(posting.places) for posting in self._postings)

    def add(self, words: Sequence[Word]) -> None:
        """Takes in the words of the next record."""
        place = len(self)
        surfaces = {word.term: word.surface for word in reversed(words)}
        for term, count in Counter(word.term for word in words).items():
            posting = self._postings[self._number(term, surfaces[term], place)]
            posting.places.append(place)
            posting.counts.append(count)
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

    def posting(self, number: int, seen: int) -> Posting:
        """Where a term stands among the first ``seen`` records."""
        growing = self._postings[number]
        end = bisect_left(growing.places, seen)
        places = np.array(growing.places[:end], dtype=np.int64)
        return Posting(places=places, counts=np.array(growing.counts[:end], dtype=np.float64))
