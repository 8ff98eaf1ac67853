"""The gate: what a shorter text would lose or turn into its opposite.

Names, numbers and the caller's entities must stand in the text or in the entity field. Of a clause with a
negation at least one word must stand there, negated; and nothing may be negated that was not.
"""

from collections.abc import Callable, Iterable, Sequence

from sim.memory.compress.units import Unit, units

Extractor = Callable[[str], Iterable[str]]
"""Finds the entities of a text: dishes, ingredients, or claims with their polarity in words of its own."""


def named(entities: Extractor | None, text: str) -> tuple[str, ...]:
    """What an extractor finds in a text, each once; nothing without one."""
    return () if entities is None else tuple(dict.fromkeys(entities(text)))


def lost(
    source: str,
    line: str,
    language: str,
    known: Sequence[str] = (),
    entities: Extractor | None = None,
) -> tuple[str, ...]:
    """What the source says and the line does not, in words; empty when the line may stand for it.

    Args:
        source: the whole text.
        line: text and entity field of the shorter version.
        language: code of the language of both.
        known: words that stand beside the line anyway.
        entities: the caller's extractor; what it finds in the source it must find in the line.
    """
    wanted, found = named(entities, source), named(entities, line)
    told, left = units(source, language, known, wanted), units(line, language, known, wanted)
    gone = [name for name in wanted if name not in found]
    # Hyphens may fall and endings may change: what counts is that each key is there.
    have = {key for one in left for key in one.keys}
    gone += [one.surface for one in told if one.entity and not one.keys <= have]
    return tuple(dict.fromkeys([*gone, *_unsaid(told, left), *_turned(told, left)]))


def _unsaid(told: Sequence[Unit], left: Sequence[Unit]) -> list[str]:
    """Negated clauses of which nothing stands negated in what is left."""
    denied = _keys(left, negated=True)
    by_clause: dict[int, list[Unit]] = {}
    for one in told:
        if one.negation and one.mention:
            by_clause.setdefault(one.clause, []).append(one)
    gone = []
    for group in by_clause.values():
        # What was negated is an entity if there is one; else any word of the clause shows it.
        chief = [one for one in group if one.entity]
        kept = [one.keys <= denied for one in chief or group]
        if not (all(kept) if chief else any(kept)):
            gone.append((chief or group)[0].phrase)
    return gone


def _turned(told: Sequence[Unit], left: Sequence[Unit]) -> list[str]:
    """Words that are negated now and never were, or that were never said otherwise and are not now."""
    said, denied = _keys(told, negated=False), _keys(told, negated=True)
    wrong = [one for one in left if one.negation and one.keys <= said - denied]
    wrong += [one for one in left if one.entity and not one.negation and one.keys <= denied - said]
    return [one.phrase for one in wrong if not one.filler]


def _keys(found: Sequence[Unit], *, negated: bool) -> set[str]:
    return {key for one in found if bool(one.negation) is negated for key in one.keys}
