"""The reference index: every cosine is computed with numpy."""

from collections.abc import Collection, Sequence

import numpy as np

from sim.embed.protocol import Vectors
from sim.memory.index import Near
from sim.memory.retrieval.columns import Column
from sim.memory.rows import Places, Scores, best, checked_rows, cosines

_BLOCK_ROWS = 4096  # keeps the products of a block within the processor's cache


class ExactIndex:
    """Looks at every vector; right by construction, and fast up to about 100,000 rows.

    Args:
        dimension: length of a vector.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._places = Places()
        self._rows = Column(np.float32, dimension)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def nbytes(self) -> int:
        """Bytes held for vectors and ids."""
        return self._rows.nbytes + self._places.nbytes

    def add(self, ids: Sequence[int], vectors: Vectors) -> None:
        """Adds vectors; see `sim.memory.index.VectorIndex`."""
        rows = checked_rows(vectors, self.dimension)
        new = self._places.check(ids, len(rows))
        self._rows.extend(rows)
        self._places.extend(new)

    def search(self, vector: Vectors, count: int, among: Collection[int] | None = None) -> list[Near]:
        """The nearest ids; see `sim.memory.index.VectorIndex`. ``among`` may name absent ids."""
        query = checked_rows([vector], self.dimension)[0]
        if count < 1:
            return []
        rows = self._rows.upto(len(self))
        if among is None:
            return best(self._places.ids, self._scores(rows, query), count)
        places = self._places.of(among)
        return best(self._places.ids[places], self._scores(rows[places], query), count)

    def _scores(self, rows: Vectors, query: Vectors) -> Scores:
        blocks = [
            cosines(rows[start : start + _BLOCK_ROWS], query) for start in range(0, len(rows), _BLOCK_ROWS)
        ]
        return np.concatenate(blocks) if blocks else np.empty(0)
