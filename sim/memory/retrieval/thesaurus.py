"""Words that mean nearly the same, by their static vectors."""

from dataclasses import dataclass

import numpy as np

from sim.embed.protocol import Embedder
from sim.memory.retrieval.columns import Column
from sim.memory.retrieval.lexicon import Lexicon
from sim.memory.retrieval.terms import Word
from sim.memory.retrieval.whole import cosines, whole

# Below this, static vectors of two words say little; found on LoCoMo, where .35 to .5 do as well.
FLOOR = 0.4
# More words for one change nothing on LoCoMo and cost time.
MOST = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Like:
    """A term of a lexicon and how near it is to the word asked about, above `FLOOR` and at most 1."""

    number: int
    nearness: float


class Thesaurus:
    """Finds which words of a lexicon mean nearly the same as a word.

    Only Latin letters: in the packaged vectors, words of other scripts are near to all of their kind.

    Args:
        embedder: gives a vector for a single word; fast, such as `sim.embed.static`.
        lexicon: the words to choose from; may grow.
    """

    def __init__(self, embedder: Embedder, lexicon: Lexicon) -> None:
        self._embedder = embedder
        self._lexicon = lexicon
        self._rows = Column(np.float32, embedder.dimension)
        self._found: dict[str, list[Like]] = {}
        self._looked_at: dict[str, int] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of the vectors held."""
        return self._rows.nbytes

    def like(self, word: Word, seen: int) -> list[Like]:
        """Other terms of the first ``seen`` records that are near to the word, nearest first."""
        if not word.surface.isascii() or word.surface.isdigit():
            return []
        own, known = self._lexicon.number(word.term), self._lexicon.known(seen)
        near = self._all(word.surface)
        return [like for like in near if like.number < known and like.number != own][:MOST]

    def _all(self, surface: str) -> list[Like]:
        """All that are near in the whole lexicon; of what was looked at before only the rest is new."""
        self._embed_new()
        start, end = self._looked_at.get(surface, 0), len(self._rows)
        found = self._found.get(surface, [])
        if start < end:
            asked = whole(self._embedder.embed([surface]))[0]
            near = cosines(self._rows.upto(end)[start:], asked)
            new = np.flatnonzero(near > FLOOR)
            found = found + [Like(number=start + int(n), nearness=float(near[n])) for n in new]
            found.sort(key=lambda like: (-like.nearness, like.number))
            self._found[surface], self._looked_at[surface] = found, end
        return found

    def _embed_new(self) -> None:
        new = self._lexicon.surfaces[len(self._rows) :]
        if new:
            rows = whole(self._embedder.embed(new))
            foreign = [place for place, surface in enumerate(new) if not surface.isascii()]
            rows[foreign] = 0
            self._rows.extend(rows)
