"""A text as units that can be kept or dropped: words that are no stop words, in Chinese runs between them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from sim.language.packs import PACKS, pack
from sim.language.protocol import LanguagePack
from sim.memory.compress.cues import Cues, cues
from sim.memory.compress.sentences import CHINESE, HAN, clauses, sentences

_WORD = rf"(?:(?![{HAN}])[^\W_])+(?:['’ʼ-](?:(?![{HAN}])[^\W_])+|[.,:/]\d+)*"
_PLAIN_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SHORT_NAME = 3
_APOSTROPHES = str.maketrans("’ʼ", "''")


@dataclass(frozen=True, kw_only=True, slots=True)
class Unit:
    """A word, or a run of Chinese.

    Args:
        surface: as it was written.
        keys: what it is compared by: stems, or pairs of characters.
        sentence: place of its sentence in the text.
        clause: place of its clause in the text.
        negation: the negation in whose reach it stands, or empty.
        filler: courtesy, praise, talk about talk.
        call: calling, assent and emphasis; such a unit is a filler too.
        entity: a name, a number, or one of the entities the caller named.
        marked: its clause flags something important ("allergic", "prefers").
        own: one of the entities the caller named.
    """

    surface: str
    keys: frozenset[str]
    sentence: int
    clause: int
    negation: str = ""
    filler: bool = False
    call: bool = False
    entity: bool = False
    marked: bool = False
    own: bool = False

    @property
    def mention(self) -> bool:
        """Whether a shorter text has to hold it: an entity, or something that was negated."""
        return self.entity or (bool(self.negation) and not self.filler)

    @property
    def phrase(self) -> str:
        """With its negation, as it would be read alone."""
        return joined(self.negation, self.surface)


def units(text: str, language: str, known: Iterable[str] = (), entities: Iterable[str] = ()) -> list[Unit]:
    """The units of a text, in order.

    Args:
        text: any text.
        language: code of its language; words of other scripts are taken as they are.
        known: words left out because they stand beside the text anyway, such as the speaker's name.
        entities: what must be kept word for word where it stands in the text.
    """
    dropped = frozenset(word.lower() for word in known)
    pattern = _pattern(tuple(sorted(set(filter(None, entities)), key=lambda one: (-len(one), one))))
    found: list[Unit] = []
    clause = 0
    for place, sentence in enumerate(sentences(text)):
        first = True
        for part in clauses(sentence):
            made = _clause(part, pattern, language, first)
            found += (replace(one, sentence=place, clause=clause) for one in made)
            first, clause = False, clause + 1
    return _named([one for one in found if not _stands_by(one.surface.lower(), dropped)])


def keys_of(word: str, language: str) -> frozenset[str]:
    """What a word is compared by; empty for a stop word."""
    if CHINESE.search(word):
        language = "zh"
    return _keys(word.translate(_APOSTROPHES), language)


def pack_of(language: str) -> LanguagePack:
    """The pack of a language; of one that has none, the English one, which leaves its words as they are."""
    return pack(language if language in PACKS else "en")


def holding(text: str, words: Iterable[str]) -> set[str]:
    """Which of some lower-case words stand in a text; Chinese ones anywhere, others as whole words."""
    plain = text.lower()
    apart = set(_PLAIN_WORD.findall(plain))
    return {word for word in words if word in apart or (CHINESE.match(word) and word in plain)}


def _stands_by(plain: str, known: frozenset[str]) -> bool:
    """Whether a word is known, or short for one that is, as Mel is for Melanie."""
    return plain in known or (len(plain) >= _SHORT_NAME and any(one.startswith(plain) for one in known))


def joined(negation: str, words: str) -> str:
    """A negation before words; in Chinese without a space."""
    return f"{negation}{'' if CHINESE.match(negation) else ' '}{words}" if negation else words


@lru_cache(1 << 15)
def _keys(word: str, language: str) -> frozenset[str]:
    return frozenset(pack_of(language).tokens(word))


@lru_cache(256)
def _pattern(entities: Sequence[str]) -> re.Pattern[str]:
    own = "|".join(map(_whole_word, entities)) or "(?!)"
    # A run of Chinese ends where an entity begins.
    return re.compile(rf"(?P<own>{own})|(?:(?!{own})[{HAN}])+|{_WORD}", re.IGNORECASE)


def _whole_word(entity: str) -> str:
    """The entity with whatever ending it has, from the beginning of a word; in Chinese anywhere."""
    bare = re.escape(entity)
    return bare if CHINESE.match(entity) else rf"(?<![^\W_]){bare}(?:(?![{HAN}])[^\W_])*"


def _clause(part: str, pattern: re.Pattern[str], language: str, first: bool) -> Iterator[Unit]:
    """The units of a clause; a capital at the very beginning of a sentence marks no name yet."""
    known, marked = cues(language), bool(holding(part, pack_of(language).markers))
    words = list(_words(part, pattern))
    whole = next((word for word, own in words if not own and word in known.after), "")
    negation = whole
    for word, own in words:
        plain = word.lower().translate(_APOSTROPHES)
        if not own and plain in known.turns:
            negation = whole
        elif whole and word == whole:
            continue
        elif not own and (plain in known.negations or (plain in known.dislikes and not negation)):
            negation = word
        elif own or (plain not in known.ties and (keys := keys_of(word, language))):
            yield Unit(
                surface=word,
                keys=keys_of(word, language) or frozenset({plain}) if own else keys,
                sentence=0,
                clause=0,
                negation=negation,
                filler=not own and (plain in known.fillers or plain in known.calls),
                call=not own and plain in known.calls,
                marked=marked,
                own=own,
                entity=own or any(map(str.isdigit, word)) or (not first and _is_name(word, known)),
            )
            if plain in known.dislikes:  # "does not hate" turns nothing that follows
                negation = ""
        first = False


def _words(part: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    for match in pattern.finditer(part):
        word = match.group()
        if match["own"] is None and CHINESE.match(word):
            yield from ((piece, False) for piece in _chinese().findall(word))
        else:
            yield word, match["own"] is not None


@cache
def _chinese() -> re.Pattern[str]:
    """A word that has a meaning of its own here, longest first, or whatever stands between two of them."""
    known, chinese = cues("zh"), pack("zh")
    tied = {word for word in chinese.stop_words if len(word) > 1} | known.ties
    apart = (
        known.whole
        | known.fillers
        | known.calls
        | known.negations
        | known.after
        | known.dislikes
        | known.turns
        | chinese.markers
        | tied
    )
    listed = "|".join(sorted(map(re.escape, apart), key=lambda word: (-len(word), word)))
    return re.compile(f"{listed}|(?:(?!{listed}).)+")


def _is_name(word: str, known: Cues) -> bool:
    plain = word.lower().translate(_APOSTROPHES)
    return known.names and word[0].isupper() and plain not in known.fillers and plain not in known.calls


def _named(found: Sequence[Unit]) -> list[Unit]:
    """A word that is a name within a sentence is one at its beginning too."""
    names = {one.surface for one in found if one.entity}
    return [replace(one, entity=True) if one.surface in names else one for one in found]
