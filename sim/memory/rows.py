"""What every vector index shares: ids by place, the exact cosine, and the order of answers.

Floating sums differ in their last bits between libraries. An index may find its candidates as it
likes, but scores and order come from here, so that all indexes give the same answer.
"""

from collections.abc import Collection, Sequence
from operator import index

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.embed.protocol import Vectors
from sim.embed.texts import unit_rows
from sim.errors import IndexMismatch
from sim.memory.index import Near
from sim.memory.retrieval.columns import Column

Ids = NDArray[np.int64]
Scores = NDArray[np.float64]
DIGITS = 6


def checked_rows(vectors: ArrayLike, dimension: int) -> Vectors:
    """The vectors scaled to length 1.

    Args:
        vectors: shape (n, dimension).
        dimension: of the index.

    Raises:
        IndexMismatch: another shape, or a number that is not finite.
    """
    rows = np.asarray(vectors, dtype=np.float32)
    if rows.ndim != 2 or rows.shape[1] != dimension:
        raise IndexMismatch(f"the index holds vectors of dimension {dimension}, not of shape {rows.shape}")
    if not np.isfinite(rows).all():
        raise IndexMismatch("a vector holds NaN or infinity; look at the embedder that made it")
    return unit_rows(rows)


def cosines(rows: Vectors, query: Vectors) -> Scores:
    """Cosine of each row with the query, rounded to 6 digits.

    The same row gives the same score whatever stands beside it: a matrix product would not.

    Args:
        rows: shape (n, d), of length 1 or 0.
        query: shape (d,), of length 1 or 0.
    """
    products: Scores = rows.astype(np.float64) * query.astype(np.float64)
    rounded: Scores = np.round(products.sum(axis=1), DIGITS) + 0.0  # no negative zero
    return rounded


def best(ids: Ids, scores: Scores, count: int) -> list[Near]:
    """The first ``count`` by score downwards, then by id downwards: the later of two came in later."""
    if count < len(scores):
        cut = np.partition(scores, len(scores) - count)[len(scores) - count]
        ids, scores = ids[scores >= cut], scores[scores >= cut]
    order = np.lexsort((-ids, -scores))[:count]
    return [Near(id=int(ids[place]), score=float(scores[place])) for place in order]


class Places:
    """Which id stands at which place of an index; places count from 0 in order of adding."""

    def __init__(self) -> None:
        self._place: dict[int, int] = {}
        self._ids = Column(np.int64)

    def __len__(self) -> int:
        return len(self._place)

    @property
    def ids(self) -> Ids:
        """All ids by place, shape (len,)."""
        return self._ids.upto(len(self))

    @property
    def nbytes(self) -> int:
        """Bytes of the array of ids."""
        return self._ids.nbytes

    def check(self, ids: Sequence[int], rows: int) -> Ids:
        """The ids as an array, when they are new, different, and one per row.

        Raises:
            IndexMismatch: otherwise.
        """
        if len(ids) != rows:
            raise IndexMismatch(f"{len(ids)} ids were given for {rows} vectors")
        try:
            array = np.array([index(id_) for id_ in ids], dtype=np.int64)
        except (TypeError, OverflowError) as error:
            raise IndexMismatch(f"ids are whole numbers of at most 63 bits ({error})") from error
        self._refuse_known(array.tolist())
        return array

    def extend(self, ids: Ids) -> None:
        """Gives checked ids the next places."""
        places = range(len(self), len(self) + len(ids))
        self._ids.extend(ids)
        self._place.update(zip(ids.tolist(), places, strict=True))

    def of(self, ids: Collection[int]) -> Ids:
        """Places of those ids that are there, upwards."""
        return np.array(sorted({self._place[id_] for id_ in ids if id_ in self._place}), dtype=np.int64)

    def _refuse_known(self, ids: list[int]) -> None:
        seen: set[int] = set()
        for id_ in ids:
            if id_ in self._place or id_ in seen:
                raise IndexMismatch(f"id {id_} is already in the index; ids are given once")
            seen.add(id_)
