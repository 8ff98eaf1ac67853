"""What a careful reader takes from an utterance or from a line of memory.

It knows words and cues (`Vocabulary`) and how far a cue reaches (`scope`), not the phrases that
customers are made to say.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from scenarios.noodle_shop.heard import Heard, Mark
from scenarios.noodle_shop.menu import OTHER_LIKING, SINGLE, Menu, standard_menu
from scenarios.noodle_shop.scope import Scope
from scenarios.noodle_shop.speech import Forms, Vocabulary, speech
from sim.memory.protocol import Claim

_STOPS = re.compile(r"(?P<stop>[.!?;\n。！？；]+)|(?P<comma>[,:–—，：]| - )")
_SENTENCE_ENDS = re.compile(r"[.!?;\n。！？；]")
_CACHED = 8192
# Far above anything a customer says; it bounds the work on a text that somebody pastes in.
_LONGEST = 4000
_ABOUT_THE_PAST = ("recommended", "liked")
# By slot, the kind of word of an id that the language has no name for, so that it is spelt out.
_SPELT = {"dish": "dish", "extra": "food", "without": "food", "allergy": "food"}
Pattern = tuple[str, str, re.Pattern[str]]


class Reader:
    """Reads one language.

    Args:
        language: code of the language.
        menu: what can be meant; what the language has no words for is found by its ids.
    """

    def __init__(self, language: str, menu: Menu | None = None) -> None:
        vocabulary = speech(language).vocabulary
        self._menu = menu or standard_menu()
        self._spaced = vocabulary.spaced
        self._patterns = _patterns(vocabulary, speech(language).talk.names, self._menu)
        self._waiters = [*self._patterns, ("offer", "", _whole(vocabulary.offering, self._spaced))]
        self._politeness = re.compile(rf", (?:{vocabulary.politeness}),(?= )")
        self._questions = self._compiled(vocabulary.asked)
        self._tones = self._compiled(vocabulary.tones)
        self._moods = self._compiled(vocabulary.moods)
        # The same lines of memory come back in prompt after prompt.
        self._read_once = lru_cache(maxsize=_CACHED)(self._read)

    def claims(self, text: str) -> tuple[Claim, ...]:
        """What a customer's words or a note claim, each claim once, in the order of the text."""
        return self._read_once(text, False)

    def of_waiter(self, text: str) -> tuple[Claim, ...]:
        """What a waiter's words claim: an order that is repeated, and what is recommended as ``offer``."""
        return self._read_once(text, True)

    def asked(self, text: str) -> frozenset[str]:
        """What the text asks for, of ``usual``, ``last_visit``, ``recommended`` and ``liked``."""
        asked = self._asks(text)
        # "My usual is the soba from now on" says what the usual is and does not ask for it.
        return asked - {"usual"} if self._names_dish(text) else asked

    def _names_dish(self, text: str) -> bool:
        return any(claim.slot == "dish" and claim.polarity == 1 for claim in self.claims(text))

    def _asks(self, text: str) -> frozenset[str]:
        plain = normal(text)[:_LONGEST]
        found = {
            name: match.start() for name, words in self._questions.items() if (match := words.search(plain))
        }
        asked = {name for name, start in found.items() if not _only_dates(name, start, found, plain)}
        return frozenset(asked)

    def tone(self, text: str) -> str:
        """The tone of a text that claims nothing (see `Vocabulary.tones`); empty when it has none of them."""
        return _first(self._tones, normal(text)[:_LONGEST])

    def mood(self, text: str) -> str:
        """The mood the text speaks of, ``neutral`` when of none."""
        return _first(self._moods, normal(text)[:_LONGEST]) or "neutral"

    def _compiled(self, table: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
        edges = (r"(?<!\w)", r"(?!\w)") if self._spaced else ("", "")
        return {name: re.compile(f"{edges[0]}(?:{words}){edges[1]}") for name, words in table.items()}

    def _read(self, text: str, waiter: bool) -> tuple[Claim, ...]:
        scope = Scope()
        plain = self._politeness.sub("", normal(text)[:_LONGEST])
        for mark in _marks(plain, self._waiters if waiter else self._patterns, self._spaced):
            scope.take(mark)
        scope.take(Mark(start=0, end=0, kind="stop"))
        claims = _settled(claim for heard in scope.heard for claim in self._meant(heard))
        if "liked" in self._asks(text):  # "was it good?" does not say that it was
            return tuple(claim for claim in claims if claim.slot != "liked")
        return claims

    def _meant(self, heard: Heard) -> list[Claim]:
        """The claims one heard word makes on this menu."""
        if heard.manner == "skip":
            return []
        if heard.manner == "offer":
            allowed = self._menu.allows("offer", heard.value)
            return [Claim(slot="offer", value=heard.value, polarity=heard.sign or 1)] if allowed else []
        if heard.kind == "liked":
            return [Claim(slot="liked", value=OTHER_LIKING[heard.value] if heard.sign == -1 else heard.value)]
        if heard.kind != "food":
            allowed = self._menu.allows(heard.kind, heard.value)
            return [Claim(slot=heard.kind, value=heard.value, polarity=heard.sign or 1)] if allowed else []
        return self._food(heard)

    def _optional(self, value: str) -> bool:
        return value in self._menu.extra or value in self._menu.without or value not in self._menu.allergy

    def _food(self, heard: Heard) -> list[Claim]:
        sign = heard.sign
        if heard.manner == "allergy":
            if heard.value in self._menu.allergy:
                return [Claim(slot="allergy", value=heard.value, polarity=sign or 1)]
            # "I can't eat coriander": no allergen of the shop, so it is something to leave out.
            sign = -(sign or 1)
        if heard.manner == "may" and sign == 1 and not self._optional(heard.value):
            # "I can eat fish again": what is only known as an allergen.
            return [Claim(slot="allergy", value=heard.value, polarity=-1)]
        if heard.value in self._menu.extra:
            return [Claim(slot="extra", value=heard.value, polarity=sign or 1)]
        if heard.value in self._menu.without and sign:
            return [Claim(slot="without", value=heard.value, polarity=-sign)]
        return []


@cache
def reader_of(language: str, menu: Menu) -> Reader:
    """The reader of a language on a menu, made once."""
    return Reader(language, menu)


def normal(text: str) -> str:
    """Text as the vocabulary expects it: lower case, plain apostrophes, ё as е."""
    return text.lower().replace("’", "'").replace("ё", "е")


def _only_dates(name: str, start: int, found: Mapping[str, int], text: str) -> bool:
    """Whether words only say which day is meant: "what did you recommend when I was here last?"."""
    if name in _ABOUT_THE_PAST:
        return False
    earlier = [found[other] for other in _ABOUT_THE_PAST if other in found]
    return any(place <= start and not _SENTENCE_ENDS.search(text, place, start) for place in earlier)


def _first(table: Mapping[str, re.Pattern[str]], text: str) -> str:
    return next((name for name, words in table.items() if words.search(text)), "")


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


def _whole(words: str, spaced: bool) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})(?!\w)" if spaced else words)


def _patterns(vocabulary: Vocabulary, names: Mapping[str, Mapping[str, Forms]], menu: Menu) -> list[Pattern]:
    words = [
        (kind, value, _whole(pattern, vocabulary.spaced))
        for kind, entries in vocabulary.words.items()
        for value, pattern in entries.items()
    ]
    spelt = [
        (kind, value, _spelt(value, vocabulary.spaced))
        for slot, kind in _SPELT.items()
        for value in menu.values(slot)
        if value not in names[slot]
    ]
    cues = [(kind, "", _whole(pattern, vocabulary.spaced)) for kind, pattern in vocabulary.cues.items()]
    return [*words, *spelt, *cues]


def _spelt(value: str, spaced: bool) -> re.Pattern[str]:
    """An id as it is said where the language has no name for it; without spaces it ends at another script."""
    end = r"(?!\w)" if spaced else "(?![a-z0-9])"
    return re.compile(re.escape(normal(value.replace("_", " "))) + end)


def _marks(text: str, patterns: Sequence[Pattern], spaced: bool) -> list[Mark]:
    """Words, cues and stops in order; of two that overlap the longer one counts."""
    found = [
        Mark(start=match.start(), end=match.end(), kind=kind, value=_value(kind, value, match))
        for kind, value, pattern in patterns
        for match in _found(text, pattern, spaced)
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


def _found(text: str, pattern: re.Pattern[str], spaced: bool) -> Iterator[re.Match[str]]:
    match = pattern.search(text)
    while match:
        whole = not spaced or _begins_word(text, match.start())
        if whole:
            yield match
        # "Explain in detail" holds "in" twice; a find inside a word must not hide the next one.
        match = pattern.search(text, match.end() if whole and match[0] else match.start() + 1)


def _begins_word(text: str, place: int) -> bool:
    # Said here and not in the pattern, where it would keep `re` from skipping to likely places.
    return place == 0 or not (text[place - 1].isalnum() or text[place - 1] == "_")


def _value(kind: str, value: str, match: re.Match[str]) -> str:
    return match[0].rsplit(" ", 1)[-1] if kind == "visit" else value
