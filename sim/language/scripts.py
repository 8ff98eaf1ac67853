"""Which script a letter belongs to, and which scripts a language is written in."""

import re
import unicodedata
from functools import cache

from sim.language.packs import PACKS, pack

LATIN = "Latin"
# The first word of a letter's Unicode name says its script. A letter of any other has none here.
_NAMED = {
    "LATIN": LATIN,
    "GREEK": "Greek",
    "CYRILLIC": "Cyrillic",
    "ARMENIAN": "Armenian",
    "GEORGIAN": "Georgian",
    "HEBREW": "Hebrew",
    "ARABIC": "Arabic",
    "DEVANAGARI": "Devanagari",
    "BENGALI": "Bengali",
    "TAMIL": "Tamil",
    "TELUGU": "Telugu",
    "THAI": "Thai",
    "CJK": "Chinese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
}
_FIELD = re.compile(r"\{\w*\}")


@cache
def script(char: str) -> str:
    """The script of a letter, such as ``Latin``; empty for what is no letter, or belongs to none."""
    return _NAMED.get(unicodedata.name(char, "").split(" ")[0], "") if char.isalpha() else ""


@cache
def native_scripts(code: str) -> frozenset[str]:
    """The scripts a language is written in, as its own headings show; none for a language without a pack."""
    if code not in PACKS:
        return frozenset()
    words = _FIELD.sub("", "".join(pack(code).headings.values()))
    return frozenset(map(script, words)) - {""}
