"""A language whose words are stemmed by a Snowball algorithm."""

import re
from collections.abc import Mapping, Sequence
from threading import Lock
from types import MappingProxyType
from typing import Any
from unicodedata import normalize

from sim.language.headings import checked

# Letters and digits of any script; an apostrophe within a word belongs to it.
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_APOSTROPHES = {"\u2019": "'", "\u02bc": "'", "\u2018": "'"}


class SnowballPack:
    """One language, made of word lists and a Snowball stemmer; see `LanguagePack`.

    ``synonyms`` leads from stem to stem: ``pack.synonyms.get(token, token)`` applies it to what
    `tokens` returns.

    Args:
        code: ISO 639-1 code.
        algorithm: name of the Snowball algorithm, such as ``english``.
        stop_words: words that do not tell what a text is about, in lower case.
        markers: words that flag importance, in lower case.
        headings: the words a prompt is laid out with, by the names in `sim.language.headings`.
        same: groups of words that mean the same in a shop; the first stands for all.
        folded: letters that people write for one another, each with the one that is kept.
    """

    def __init__(
        self,
        *,
        code: str,
        algorithm: str,
        stop_words: frozenset[str],
        markers: frozenset[str],
        headings: Mapping[str, str],
        same: Sequence[Sequence[str]] = (),
        folded: Mapping[str, str] | None = None,
    ) -> None:
        self.code = code
        self._letters = str.maketrans({**_APOSTROPHES, **(folded or {})})
        self._stemmer = _stemmer(algorithm)
        self._lock = Lock()
        self.stop_words = stop_words | frozenset(map(self._plain, stop_words))
        self.markers = markers
        self.headings: Mapping[str, str] = checked(headings, code)
        self.synonyms: Mapping[str, str] = MappingProxyType(self._synonyms(same))

    def stem(self, word: str) -> str:
        """The stem of one lower-case word; what is no word is returned as it is."""
        return self._stems([self._plain(word)])[0]

    def tokens(self, text: str) -> list[str]:
        """Lower-case stems of the words of a text that are not stop words, in order."""
        words = _WORD.findall(self._plain(text))
        return self._stems([word for word in words if word not in self.stop_words])

    def _plain(self, text: str) -> str:
        return normalize("NFKC", text).lower().translate(self._letters)

    def _stems(self, words: list[str]) -> list[str]:
        # The stemmer keeps state between calls, and refuses what it cannot encode.
        with self._lock:
            return [self._stemmer.stemWord(word) if word.isprintable() else word for word in words]

    def _synonyms(self, same: Sequence[Sequence[str]]) -> dict[str, str]:
        pairs = ((self.stem(word), self.stem(group[0])) for group in same for word in group[1:])
        return {stem: chosen for stem, chosen in pairs if stem != chosen}


def _stemmer(algorithm: str) -> Any:
    from Stemmer import Stemmer

    return Stemmer(algorithm)
