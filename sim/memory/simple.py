"""``memory=simple``: a list of exchanges searched by their words; the place to start reading.

A memory is two methods: `Simple.write` takes in a record, `Simple.recall` returns the most useful
ones. Useful is first what was said with the customer in question, and there what shares rare words
with the query; of equals the newer comes first. That is all.

How alike two texts are is the cosine of their word weights (TF-IDF). In a record a word counts by how
often it stands there; in a query also by how rare it is among the records it is compared with, so
the customer's name, which stands in all of them, counts for nothing. As a record's own weights know
nothing of rarity, they never change when others come after it: a write looks only at its own text,
and a recall for an earlier time compares the records of that time.

Source: the scheme "lnc.ltc" of Manning, Raghavan and Schütze, Introduction to Information Retrieval
(2008), section 6.4.3.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log, sqrt
from unicodedata import normalize

from sim.language.packs import pack
from sim.memory.archive import Archived
from sim.memory.protocol import Capabilities, Hit, Owner, Query, Record

Weights = Mapping[str, float]

SAME_PERSON = 1.0  # no cosine is higher, so what was said with this customer comes first
_CYRILLIC, _HAN = "\u0400-\u052f", "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
_SCRIPTS = {
    "en": re.compile(rf"[^{_CYRILLIC}{_HAN}]+"),
    "ru": re.compile(rf"[{_CYRILLIC}]+"),
    "zh": re.compile(rf"[{_HAN}]+"),
}


class Simple(Archived):
    """All exchanges word for word; recalls the ``top_k`` most useful.

    Args:
        owner: whose memory it is.
        top_k: exchanges recalled.
    """

    capabilities = Capabilities(
        ingests=frozenset({"exchange"}),
        searches=True,
        stages=frozenset({"told", "written", "kept", "retrieved", "in_context", "answered"}),
        uses=frozenset({"top_k"}),
    )

    def __init__(self, owner: Owner, *, top_k: int) -> None:
        super().__init__(owner)
        self._top_k = top_k
        self._weights: list[Weights] = []
        # Places in the list, in order of arrival: of the exchanges with a customer, of those with a word.
        self._about: dict[str, list[int]] = {}
        self._with: dict[str, list[int]] = {}

    def write(self, owner: Owner, record: Record) -> None:
        """Takes in one verbatim exchange and notes which words it has."""
        place = self.archive.add(owner, record, self.capabilities.ingests)
        self._weights.append(unit(frequencies(record.text)))
        self._about.setdefault(record.customer, []).append(place)
        for word in self._weights[place]:
            self._with.setdefault(word, []).append(place)

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        """Exchanges with this customer, the most alike first; if too few, others that share a word."""
        self.archive.check(owner)
        count = self._top_k if query.limit is None else query.limit
        words = frequencies(query.text)
        seen = bisect_right(self.archive.records, query.at_ms, key=lambda record: record.visible_at_ms)
        own = _before(seen, self._about.get(query.customer, ()))
        hits = self._best(own, words, SAME_PERSON, count)
        if len(hits) < count:
            sharing = {place for word in words for place in _before(seen, self._with.get(word, ()))}
            hits += self._best(sharing.difference(own), words, 0.0, count - len(hits))
        return hits

    def _best(self, places: Collection[int], words: Weights, bonus: float, count: int) -> list[Hit]:
        wanted = unit(rarer([self._weights[place] for place in places], words))
        scored = [(round(bonus + cosine(wanted, self._weights[place]), 6), place) for place in places]
        best = sorted(scored, reverse=True)[:count]
        return [Hit(record=self.archive.records[place], score=score) for score, place in best]


def frequencies(text: str) -> Weights:
    """Each word of a text with ``1 + log(how often it stands there)``."""
    return {word: 1 + log(times) for word, times in Counter(stems(text)).items()}


def rarer(texts: Sequence[Weights], words: Weights) -> Weights:
    """The words times ``log(texts / texts that have the word)``; words that no text has are left out."""
    having = {word: sum(word in text for text in texts) for word in words}
    return {word: words[word] * log(len(texts) / n) for word, n in having.items() if n}


def unit(weights: Weights) -> Weights:
    """The weights scaled to length 1; weights that are all 0 stay as they are."""
    length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {word: weight / length for word, weight in weights.items()}


def cosine(one: Weights, other: Weights) -> float:
    """The cosine of two weightings of length 1; 0 when they share no word."""
    return sum(weight * other.get(word, 0.0) for word, weight in one.items())


def stems(text: str) -> list[str]:
    """The words of a text without endings and stop words, one for all synonyms.

    Each goes to the language of its letters, so a text may mix languages.
    """
    plain = normalize("NFKC", text)
    found: list[str] = []
    for code, letters in _SCRIPTS.items():
        if part := " ".join(letters.findall(plain)).strip():
            language = pack(code)
            found += [language.synonyms.get(stem, stem) for stem in language.tokens(part)]
    return found


def _before(seen: int, places: Sequence[int]) -> Sequence[int]:
    return places[: bisect_left(places, seen)]
