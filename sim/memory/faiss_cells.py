"""A vector index for a million rows: FAISS looks only into the cells nearest to the query.

The one index that may miss something: a neighbour in a cell that was not looked into. What it finds
has the score and the order of the reference index. It is not among `sim.memory.index_kinds`, whose
kinds all promise the same answers; it is for stores beyond some 100,000 rows, where looking at every
row takes longer than a person cares to wait.
"""

from collections.abc import Collection, Sequence
from importlib import import_module
from math import ceil, sqrt
from typing import Any

import numpy as np

from sim.embed.protocol import Vectors
from sim.errors import ConfigError
from sim.memory.index import Near
from sim.memory.retrieval.columns import Column
from sim.memory.rows import Ids, Places, best, checked_rows, cosines

# One cell for each so many of root n rows: what FAISS's own guide advises, and a short build.
_CELLS_PER_ROOT = 2
_PROBED_SHARE = 1 / 4
_SAMPLED_PER_CELL = 40
# Rows are squeezed to a byte a number in the cells, which shuffles near neighbours: so many are looked
# at again with their whole vectors, for each one wanted.
_LOOKED_AT_AGAIN = 20
# Fewer rows than this are looked at one by one.
_FEW = 20_000
_SEED = 1


class CellIndex:
    """Vectors under stable ids, in cells; see `sim.memory.index.VectorIndex` for the methods.

    Args:
        dimension: length of a vector.
        probed: share of the cells looked into.

    Raises:
        ConfigError: faiss is not installed.
    """

    def __init__(self, dimension: int, *, probed: float = _PROBED_SHARE) -> None:
        if not 0 < probed <= 1:
            raise ValueError(f"probed is a share above 0 and at most 1, not {probed}")
        self.dimension = dimension
        self._faiss = _faiss()
        self._probed = probed
        self._places = Places()
        self._rows = Column(np.float32, dimension)
        self._cells: Any = None
        self._laid_out_for = 0

    def __len__(self) -> int:
        return len(self._places)

    @property
    def nbytes(self) -> int:
        """Bytes held for vectors, cells and ids."""
        cells = 0 if self._cells is None else self._cells.ntotal * (self._cells.code_size + 8)
        return self._rows.nbytes + int(cells) + self._places.nbytes

    def add(self, ids: Sequence[int], vectors: Vectors) -> None:
        """Adds vectors; the cells are laid out when enough are there, and again when they have quadrupled."""
        rows = checked_rows(vectors, self.dimension)
        new = self._places.check(ids, len(rows))
        self._rows.extend(rows)
        self._places.extend(new)
        if self._cells is not None and len(self) < 4 * self._laid_out_for:
            self._cells.add(rows)
        elif len(self) > _FEW:
            self._lay_out()

    def search(self, vector: Vectors, count: int, among: Collection[int] | None = None) -> list[Near]:
        """The nearest ids, of which a few may be missing; ``among`` limits the search itself."""
        query = checked_rows([vector], self.dimension)[0]
        if count < 1:
            return []
        chosen = None if among is None else self._places.of(among)
        places = self._candidates(query, count, chosen)
        rows = self._rows.upto(len(self))[places]
        return best(self._places.ids[places], cosines(rows, query), count)

    def _candidates(self, query: Vectors, count: int, chosen: Ids | None) -> Ids:
        if chosen is not None and len(chosen) <= _FEW:
            return chosen
        if self._cells is None:
            return np.arange(len(self)) if chosen is None else chosen
        asked = min(len(self), count * _LOOKED_AT_AGAIN)
        _, places = self._cells.search(query[np.newaxis], asked, params=self._parameters(chosen))
        found: Ids = places[0][places[0] >= 0]
        return found

    def _parameters(self, chosen: Ids | None) -> Any:
        probes = ceil(self._probed * self._cells.nlist)
        if chosen is None:
            return self._faiss.SearchParametersIVF(nprobe=probes)
        allowed = np.zeros(len(self), dtype=np.uint8)
        allowed[chosen] = 1
        selector = self._faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
        return self._faiss.SearchParametersIVF(nprobe=probes, sel=selector)

    def _lay_out(self) -> None:
        faiss, rows = self._faiss, self._rows.upto(len(self))
        cells = ceil(_CELLS_PER_ROOT * sqrt(len(rows)))
        self._centres = faiss.IndexFlatIP(self.dimension)  # held, for the cells only point to it
        kind, product = faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
        self._cells = faiss.IndexIVFScalarQuantizer(self._centres, self.dimension, cells, kind, product)
        self._cells.cp.seed = _SEED
        step = max(1, len(rows) // (cells * _SAMPLED_PER_CELL))
        self._cells.train(np.ascontiguousarray(rows[::step]))
        self._cells.add(rows)
        self._laid_out_for = len(rows)


def _faiss() -> Any:
    try:
        return import_module("faiss")
    except ImportError as error:
        raise ConfigError(f"faiss cannot be imported ({error}): run pip install faiss-cpu") from error
