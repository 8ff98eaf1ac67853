"""Sentences, clauses and words of a text in English, Russian and Chinese, without a library.

Chinese has no spaces: a word is taken for 1.7 characters, the mean of running text, so that limits in
words mean the same in all languages.
"""

import re
from math import ceil

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
CHINESE = re.compile(f"[{HAN}]")
_WORD = re.compile(rf"(?:(?![{HAN}])[^\W_])+(?:['’.,:-](?:(?![{HAN}])[^\W_])+)*")
PER_WORD = 1.7
"""Chinese characters counted as one word."""

# A stop ends a sentence before a space; a Chinese one needs none. "Mr. Li" and "3.5" end nothing.
_STOP = re.compile(r"(?<=[。！？…])[”」』’\"]*\s*|(?<=[.!?…])[\"'”’)\]]*\s+|\n+")
_ABBREVIATION = re.compile(
    r"\b(?:mr|mrs|ms|dr|st|vs|etc|e\.g|i\.e|г|ул|т\.е|т\.д|руб|[a-zа-я])\.$", re.IGNORECASE
)
_CLAUSE = re.compile(r"[,;:()，；：、。.!?！？…\n]+(?=\s|$|[^\d\s])|\s[-–—]+\s")


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order, each with its mark and without spaces around it."""
    found: list[str] = []
    start = 0
    for stop in _STOP.finditer(text):
        if not _ABBREVIATION.search(text[start : stop.start()]) or "\n" in stop.group():
            found.append(text[start : stop.end()].strip())
            start = stop.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def clauses(sentence: str) -> list[str]:
    """What stands between commas, colons, dashes and brackets."""
    return [clause.strip() for clause in _CLAUSE.split(sentence) if clause.strip()]


def word_count(text: str) -> int:
    """Words of a text; `PER_WORD` Chinese characters count as one."""
    return len(_WORD.findall(text)) + ceil(len(CHINESE.findall(text)) / PER_WORD)
