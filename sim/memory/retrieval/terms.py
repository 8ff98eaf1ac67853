"""Texts as words to search by: each goes to the language of its letters, so a text may mix them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

from sim.language.packs import pack

_CYRILLIC = re.compile("[\u0400-\u052f]")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# A run of Chinese characters, or a word of any other script with the apostrophes within it.
_RUN = re.compile(rf"[{_HAN}]+|(?:(?![{_HAN}])[^\W_])+(?:['’ʼ](?:(?![{_HAN}])[^\W_])+)*")
_CHINESE = re.compile(rf"[{_HAN}]")
_REMEMBERED = 1 << 16


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Args:
        term: what it is searched by: its stem, one for all synonyms.
        surface: as it was written, in lower case.
        capital: it was written with a capital letter.
    """

    term: str
    surface: str
    capital: bool = False


def words(text: str) -> list[Word]:
    """The words of a text that are not stop words, in order."""
    return [word for run in runs(text) for word in of_run(run)]


def runs(text: str) -> list[str]:
    """The words of a text as written; Chinese, which has no spaces, in runs of characters."""
    return _RUN.findall(normalize("NFKC", text))


@lru_cache(_REMEMBERED)
def of_run(run: str) -> tuple[Word, ...]:
    """The words in a run: one or none, and in Chinese a pair of characters for each."""
    chinese = _CHINESE.match(run) is not None
    language = pack("zh" if chinese else "ru" if _CYRILLIC.search(run) else "en")
    capital, plain = run[:1].isupper(), run.lower()
    found = language.tokens(run)
    same = language.synonyms
    return tuple(Word(same.get(stem, stem), stem if chinese else plain, capital) for stem in found)


def terms(found: Iterable[Word]) -> list[str]:
    """What the words are searched by."""
    return [word.term for word in found]
