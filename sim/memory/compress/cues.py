"""The words a language has that tell nothing, little, or the opposite; one file per language."""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, kw_only=True, slots=True)
class Cues:
    """What a shortener knows of a language beyond its `sim.language.protocol.LanguagePack`.

    Args:
        calls: words of calling, assent and emphasis, which tell nothing; in lower case, as all here.
        fillers: words of courtesy, praise and talk about talk, which tell little.
        negations: words that turn what follows in the clause into its opposite.
        dislikes: verbs that do the same, unless they are negated themselves.
        after: words that negate the whole clause, wherever in it they stand.
        turns: words that end the reach of a negation ("but").
        questions: words that ask.
        ties: single characters that only tie others together, where a language is written without spaces.
        whole: words that only look as if they held a negation.
        names: capitals within a sentence mark names.
    """

    calls: frozenset[str]
    fillers: frozenset[str]
    negations: frozenset[str]
    dislikes: frozenset[str]
    turns: frozenset[str]
    questions: frozenset[str]
    ties: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    names: bool = True


@cache
def cues(code: str) -> Cues:
    """The cues of a language; of one that is not known here, none."""
    from sim.memory.compress import chinese, english, russian

    known = {"en": english.CUES, "ru": russian.CUES, "zh": chinese.CUES}
    none: frozenset[str] = frozenset()
    return known.get(code) or Cues(
        calls=none, fillers=none, negations=none, dislikes=none, turns=none, questions=none
    )
