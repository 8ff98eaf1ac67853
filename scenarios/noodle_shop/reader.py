"""What a careful reader takes from an utterance or from a line of memory.

It knows words and cues (`Vocabulary`) and how far a cue reaches (`scope`), not the phrases that
customers are made to say.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from scenarios.noodle_shop.menu import SINGLE, Menu, standard_menu
from scenarios.noodle_shop.scope import Heard, Mark, Scope
from scenarios.noodle_shop.speech import Vocabulary, speech
from sim.memory.protocol import Claim

_STOPS = re.compile(r"(?P<stop>[.!?;\n]+)|(?P<comma>[,:–—]| - )")
_CACHED = 8192
# Far above anything a customer says; it bounds the work on a text that somebody pastes in.
_LONGEST = 4000
Pattern = tuple[str, str, re.Pattern[str]]


class Reader:
    """Reads one language.

    Args:
        language: code of the language.
        menu: what can be meant; dishes the language has no words for are found by their ids.
    """

    def __init__(self, language: str, menu: Menu | None = None) -> None:
        vocabulary = speech(language).vocabulary
        self._menu = menu or standard_menu()
        self._patterns = _patterns(vocabulary, self._menu)
        self._politeness = re.compile(rf", (?:{vocabulary.politeness}),(?= )")
        self._questions = {
            name: re.compile(rf"(?<!\w)(?:{words})(?!\w)") for name, words in vocabulary.asked.items()
        }
        # The same lines of memory come back in prompt after prompt.
        self._read_once = lru_cache(maxsize=_CACHED)(self._read)

    def claims(self, text: str) -> tuple[Claim, ...]:
        """What the text claims, each claim once, in the order of the text."""
        return self._read_once(text)

    def asked(self, text: str) -> frozenset[str]:
        """What the text asks for, of ``usual`` and ``last_visit``."""
        plain = normal(text)[:_LONGEST]
        return frozenset(name for name, words in self._questions.items() if words.search(plain))

    def _read(self, text: str) -> tuple[Claim, ...]:
        scope = Scope()
        plain = self._politeness.sub("", normal(text)[:_LONGEST])
        for mark in _marks(plain, self._patterns):
            scope.take(mark)
        scope.take(Mark(start=0, end=0, kind="stop"))
        return _settled(claim for heard in scope.heard for claim in self._meant(heard))

    def _meant(self, heard: Heard) -> list[Claim]:
        """The claims one heard word makes on this menu."""
        if heard.manner == "skip":
            return []
        if heard.kind != "food":
            allowed = self._menu.allows(heard.kind, heard.value)
            return [Claim(slot=heard.kind, value=heard.value, polarity=heard.sign or 1)] if allowed else []
        sign = heard.sign
        if heard.manner == "allergy":
            if heard.value in self._menu.allergy:
                return [Claim(slot="allergy", value=heard.value, polarity=sign or 1)]
            # "I can't eat coriander": no allergen of the shop, so it is something to leave out.
            sign = -(sign or 1)
        if heard.value in self._menu.extra:
            return [Claim(slot="extra", value=heard.value, polarity=sign or 1)]
        if heard.value in self._menu.without and sign:
            return [Claim(slot="without", value=heard.value, polarity=-sign)]
        return []


def normal(text: str) -> str:
    """Text as the vocabulary expects it: lower case, plain apostrophes, ё as е."""
    return text.lower().replace("’", "'").replace("ё", "е")


def _settled(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Drops repetitions and, within a slot that holds one value, all but the last one meant."""
    last: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        single = claim.slot in SINGLE
        key = (claim.slot, "" if single else claim.value)
        before = last.get(key)
        # "Not the miso, the laksa" and "the laksa, not the miso" both mean the laksa.
        if single and before and claim.polarity < before.polarity:
            continue
        last.pop(key, None)
        last[key] = claim
    return tuple(last.values())


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})(?!\w)")


def _patterns(vocabulary: Vocabulary, menu: Menu) -> list[Pattern]:
    words = [
        (kind, value, _whole(pattern))
        for kind, entries in vocabulary.words.items()
        for value, pattern in entries.items()
    ]
    known = vocabulary.words["dish"]
    new = [dish.id for dish in menu.dishes if dish.id not in known]
    spelt = [("dish", name, _whole(re.escape(name.replace("_", " ").lower()))) for name in new]
    cues = [(kind, "", _whole(pattern)) for kind, pattern in vocabulary.cues.items()]
    return [*words, *spelt, *cues]


def _marks(text: str, patterns: list[Pattern]) -> list[Mark]:
    """Words, cues and stops in order; of two that overlap the longer one counts."""
    found = [
        Mark(start=match.start(), end=match.end(), kind=kind, value=_value(kind, value, match))
        for kind, value, pattern in patterns
        for match in pattern.finditer(text)
        if _begins_word(text, match.start())
    ]
    found.extend(
        Mark(start=match.start(), end=match.end(), kind=str(match.lastgroup))
        for match in _STOPS.finditer(text)
    )
    found.sort(key=lambda mark: (mark.start - mark.end, mark.start))
    taken = bytearray(len(text))
    kept: list[Mark] = []
    for mark in found:
        if not any(taken[mark.start : mark.end]):
            taken[mark.start : mark.end] = b"\1" * (mark.end - mark.start)
            kept.append(mark)
    return sorted(kept, key=lambda mark: mark.start)


def _begins_word(text: str, place: int) -> bool:
    # Said here and not in the pattern, where it would keep `re` from skipping to likely places.
    return place == 0 or not (text[place - 1].isalnum() or text[place - 1] == "_")


def _value(kind: str, value: str, match: re.Match[str]) -> str:
    return match[0].rsplit(" ", 1)[-1] if kind == "visit" else value
