"""The weightiest sentences of a text: the first step of the cascade, without a model."""

from collections.abc import Sequence
from dataclasses import dataclass

from sim.memory.compress.cues import cues
from sim.memory.compress.sentences import sentences, word_count
from sim.memory.compress.units import Unit, holding, joined, pack_of, units

KEPT_SENTENCES = 3
_LONG_WORDS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceWeights:
    """What one of each adds to the score of a sentence.

    Args:
        marker: a word that flags importance (key, agreed, prefers, allergic).
        name: a name, or an entity of the caller.
        number: a number.
        question: a word that asks, once.
    """

    marker: float = 0.3
    name: float = 0.2
    number: float = 0.2
    question: float = 0.1


USUAL = SentenceWeights()


def score(
    sentence: str, language: str, entities: Sequence[str] = (), weights: SentenceWeights = USUAL
) -> float:
    """How much a sentence weighs: its length in words by 20, at most 1, and what stands in it."""
    named = [one for one in units(sentence, language, entities=entities) if one.entity]
    numbers = sum(any(map(str.isdigit, one.surface)) for one in named)
    return (
        min(1.0, word_count(sentence) / _LONG_WORDS)
        + weights.marker * len(holding(sentence, pack_of(language).markers))
        + weights.number * numbers
        + weights.name * (len(named) - numbers)
        + weights.question * bool(holding(sentence, cues(language).questions))
    )


def weightiest(
    found: Sequence[str],
    language: str,
    entities: Sequence[str] = (),
    keep: int = KEPT_SENTENCES,
    weights: SentenceWeights = USUAL,
) -> list[int]:
    """Places of the ``keep`` weightiest sentences, in the order of the text; of two or fewer, all."""
    if len(found) <= 2:
        return list(range(len(found)))
    scores = [score(one, language, entities, weights) for one in found]
    # Rounded, so that the last bits of a sum never decide.
    ranked = sorted(range(len(found)), key=lambda place: (-round(scores[place], 6), place))
    return sorted(ranked[:keep])


def extracted(
    text: str, language: str, known: Sequence[str] = (), entities: Sequence[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """The weightiest sentences, and the entity field: what else the text names, counts or negates."""
    found = sentences(text)
    places = weightiest(found, language, entities)
    if len(places) == len(found):
        return text.strip(), ()
    kept, told = " ".join(found[place] for place in places), units(text, language, known, entities)
    rest = [one for one in told if one.mention and one.sentence not in places]
    return kept, phrases(fresh(rest, [one for one in told if one.sentence in places]))


def fresh(found: Sequence[Unit], seen: Sequence[Unit] = ()) -> list[Unit]:
    """Units that say something not yet said with the same sign, each once."""
    have = {key for one in seen for key in _signed(one)}
    kept = []
    for one in found:
        signed = _signed(one)
        if not signed <= have:
            kept.append(one)
            have |= signed
    return kept


def _signed(one: Unit) -> set[tuple[str, bool]]:
    """What a unit says, with its sign; a caller's entity as a whole: "liked it" is not "likes it"."""
    keys = {one.surface.lower()} if one.own else one.keys
    return {(key, bool(one.negation)) for key in keys}


def phrases(found: Sequence[Unit]) -> tuple[str, ...]:
    """Units in the words of their clauses, one phrase for each; a semicolon ends the reach of a negation."""
    parts: dict[tuple[int, str], list[str]] = {}
    for one in found:
        parts.setdefault((one.clause, one.negation), []).append(one.surface)
    return tuple(
        f"{joined(negation, ' '.join(surfaces))};" if negation else " ".join(surfaces)
        for (_, negation), surfaces in parts.items()
    )
