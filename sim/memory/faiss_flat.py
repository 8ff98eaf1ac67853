"""FAISS finds the candidates; their scores and order are those of the reference index."""

from collections.abc import Collection, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from sim.embed.protocol import Vectors
from sim.errors import ConfigError
from sim.memory.index import Near
from sim.memory.rows import DIGITS, Ids, Places, best, checked_rows, cosines

_SPARE = 16
_FLOAT32_EPSILON = 2.0**-24


class FaissIndex:
    """FAISS's flat inner-product index, with the filter inside the search.

    FAISS knows a vector by its place and the ids are kept here, so that a filter is a bitmap over
    places: its cost does not grow with the number of ids it lets through.

    Args:
        dimension: length of a vector.

    Raises:
        ConfigError: faiss is not installed.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._faiss = _faiss()
        self._flat: Any = self._faiss.IndexFlatIP(dimension)
        self._places = Places()
        # How far FAISS's cosine may lie below the rounded one that decides, counted twice: once
        # for the last of the first `count`, once for the one it is compared with.
        self._slack = 2 * (dimension + 2) * _FLOAT32_EPSILON + 10.0**-DIGITS

    def __len__(self) -> int:
        return len(self._places)

    @property
    def nbytes(self) -> int:
        """Bytes held for vectors and ids."""
        return int(self._flat.ntotal) * int(self._flat.code_size) + self._places.nbytes

    def add(self, ids: Sequence[int], vectors: Vectors) -> None:
        """Adds vectors; see `sim.memory.index.VectorIndex`."""
        rows = checked_rows(vectors, self.dimension)
        new = self._places.check(ids, len(rows))
        self._flat.add(rows)
        self._places.extend(new)

    def search(self, vector: Vectors, count: int, among: Collection[int] | None = None) -> list[Near]:
        """The nearest ids; see `sim.memory.index.VectorIndex`. ``among`` may name absent ids."""
        query = checked_rows([vector], self.dimension)[0]
        chosen = None if among is None else self._places.of(among)
        reach = len(self) if chosen is None else len(chosen)
        if min(count, reach) < 1:
            return []
        places = self._candidates(query, min(count, reach), reach, self._parameters(chosen))
        rows = self._flat.reconstruct_batch(places)
        return best(self._places.ids[places], cosines(rows, query), count)

    def _parameters(self, chosen: Ids | None) -> Any:
        if chosen is None:
            return None
        allowed = np.zeros(len(self), dtype=np.uint8)
        allowed[chosen] = 1
        bits = np.packbits(allowed, bitorder="little")
        return self._faiss.SearchParameters(sel=self._faiss.IDSelectorBitmap(bits))

    def _candidates(self, query: Vectors, count: int, reach: int, parameters: Any) -> Ids:
        """All places that could be among the first ``count``; asks for more while the last still could."""
        asked = min(reach, count + _SPARE)
        while True:
            found, places = self._flat.search(query[np.newaxis], asked, params=parameters)
            near = found[0] >= found[0, count - 1] - self._slack
            if asked == reach or not near[-1]:
                candidates: Ids = places[0][near]
                return candidates
            asked = min(reach, 4 * asked)


def _faiss() -> Any:
    try:
        return import_module("faiss")
    except ImportError as error:
        raise ConfigError(
            f"memory.index: faiss cannot be imported ({error}): run pip install faiss-cpu, or set it to exact"
        ) from error
