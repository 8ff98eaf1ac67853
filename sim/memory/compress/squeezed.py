"""Squeezing without a model: of a text only the words that tell something, as in a telegram.

Deleting words with little information keeps what questions are later asked about, and costs no call. Here
the information of a word is what its language tells of it: stop words go, then words that tell nothing
(well, please), then fillers (wonderful, talk about talk), and of two alike the longer and the less repeated
one. Names, numbers, the caller's entities and what was negated always stay; what stands beside a marker
(allergic, prefers) counts double. It needs no statistics of other texts, so a text is always squeezed alike.

Source: for deletion by information, Li, Dong, Guerin and Lin (2023), https://arxiv.org/abs/2310.06201
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from sim.memory.compress.extractive import fresh, phrases, weightiest
from sim.memory.compress.gate import Extractor, lost, named
from sim.memory.compress.result import Compressed, line_of
from sim.memory.compress.sentences import sentences, word_count
from sim.memory.compress.units import Unit, units

SHORT_WORDS = 50
"""Texts of so many words or fewer stay as they are."""

SMALLER = 3.0
"""How many times smaller a longer text is made at least."""

FILLER, CALL, MARKED = 0.15, 0.02, 2.0
"""What a filler, a word that tells nothing, and one beside a marker is worth of a plain word."""

_REPEATS = 8
Count = Callable[[str], int]


def compressed(
    texts: Sequence[str],
    language: str,
    *,
    count: Count,
    sources: Sequence[str] = (),
    known: Sequence[str] = (),
    entities: Extractor | None = None,
    smaller: float = SMALLER,
    short_words: int = SHORT_WORDS,
) -> Compressed:
    """Some texts that belong together (the turns of a talk) as one short record, without a model.

    Args:
        texts: in their order.
        language: code of their language.
        count: tokens of a text, as the model that will read it counts them.
        sources: ids of what they came from; all are kept.
        known: words that stand beside the record anyway, such as the names of the speakers.
        entities: the caller's extractor; what it finds is kept.
        smaller: how many times smaller the result is at least, text and entity field together, unless
            what must not be lost takes more.
        short_words: with so many words or fewer the texts stay as they are.
    """
    text = "\n".join(texts)
    before = count(text)
    if word_count(text) <= short_words:
        return Compressed(
            text=text,
            sources=tuple(sources),
            tokens_before=before,
            tokens_after=before,
            step="whole",
        )
    wanted = named(entities, text)
    kept = _kept(units(text, language, known, wanted), before / smaller, count)
    short, field = _written(kept, weightiest(sentences(text), language, wanted))
    line = line_of(short, field)
    return Compressed(
        text=short,
        entities=field,
        sources=tuple(sources),
        tokens_before=before,
        tokens_after=count(line),
        step="squeezed",
        lost=lost(text, line, language, known, entities),
    )


def _kept(told: Sequence[Unit], budget: float, count: Count) -> list[Unit]:
    """The units worth most for their tokens, in the order of the text."""
    price = cache(lambda surface: count(f"{surface} " * _REPEATS) / _REPEATS)
    often = Counter(key for one in told for key in one.keys)
    ranked = sorted(enumerate(told), key=lambda one: (-_worth(one[1], price, often), one[0]))
    place = {one: number for number, one in reversed(ranked)}
    kept: list[Unit] = []
    spent = 0.0
    for one in fresh([one for _, one in ranked]):
        cost = price(one.surface)
        if one.mention or spent + cost <= budget:
            kept.append(one)
            spent += cost
    # Prices leave out the marks between phrases.
    while kept and not kept[-1].mention and count(_line(sorted(kept, key=place.__getitem__))) > budget:
        kept.pop()
    return sorted(kept, key=place.__getitem__)


def _line(kept: Sequence[Unit]) -> str:
    return " ".join(phrases(kept))


def _worth(one: Unit, price: Callable[[str], float], often: Mapping[str, int]) -> float:
    """What a unit is worth for its tokens; what must be kept comes before all others.

    What is said again and again is what the text is about.
    """
    if one.mention:
        return float("inf")
    # The square root: by its price alone, short words would crowd out long ones.
    worth = CALL if one.call else FILLER if one.filler else 1.0
    worth *= MARKED if one.marked and not one.call else 1.0
    said = max((often[key] for key in one.keys), default=1)
    return round(worth * math.sqrt(said / max(price(one.surface), 0.1)), 6)


def _written(kept: Sequence[Unit], places: Sequence[int]) -> tuple[str, tuple[str, ...]]:
    """The kept words of the weightiest sentences as the text, all others as the entity field."""
    chief = _line([one for one in kept if one.sentence in places])
    return chief, phrases([one for one in kept if one.sentence not in places])
