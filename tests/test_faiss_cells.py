"""The index in cells finds nearly what the reference finds, with its scores, within its filter."""

import numpy as np
import pytest

from sim.memory import faiss_cells
from sim.memory.exact import ExactIndex
from sim.memory.faiss_cells import CellIndex

DIMENSION = 16


@pytest.fixture
def rows() -> np.ndarray:
    chance = np.random.default_rng(0)
    centres = chance.normal(size=(40, DIMENSION))
    around = centres[chance.integers(40, size=1500)]
    return (around + 0.5 * chance.normal(size=around.shape)).astype(np.float32)


def both(rows: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> tuple[CellIndex, ExactIndex]:
    monkeypatch.setattr(faiss_cells, "_FEW", 500)
    cells, exact = CellIndex(DIMENSION, probed=0.5), ExactIndex(DIMENSION)
    for part in np.array_split(np.arange(len(rows)), 5):
        for index in (cells, exact):
            index.add((part * 7).tolist(), rows[part])
    return cells, exact


def test_finds_the_nearest_with_the_scores_of_the_reference(
    rows: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells, exact = both(rows, monkeypatch)
    found = right = 0
    for query in rows[:30] + 0.1:
        near, true = cells.search(query, 10), exact.search(query, 10)
        assert near == sorted(near, key=lambda one: (-one.score, -one.id))
        found += len(set(near) & set(true))
        right += len(true)
    assert found / right > 0.97
    assert cells.nbytes > rows.nbytes


def test_the_filter_stands_inside_the_search(rows: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    cells, exact = both(rows, monkeypatch)
    for among in (set(range(0, 7 * 100, 7)), set(range(0, 7 * 1000, 7)), set()):
        near = cells.search(rows[1400], 10, among)
        assert {one.id for one in near} <= among
        assert len(near) == min(10, len(among))
    few = set(range(0, 7 * 100, 7))
    assert cells.search(rows[7], 10, few) == exact.search(rows[7], 10, few)


def test_a_few_rows_are_all_looked_at(rows: np.ndarray) -> None:
    cells, exact = CellIndex(DIMENSION), ExactIndex(DIMENSION)
    assert cells.search(rows[0], 3) == []
    for index in (cells, exact):
        index.add(range(100), rows[:100])
    assert cells.search(rows[5], 10) == exact.search(rows[5], 10)
