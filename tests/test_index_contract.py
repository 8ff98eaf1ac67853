"""Every vector index gives the answers of a brute-force oracle, in the same order."""

import math
import sys
from collections.abc import Collection, Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sim.errors import ConfigError, IndexMismatch
from sim.memory.exact import ExactIndex
from sim.memory.faiss_flat import FaissIndex
from sim.memory.index import Near, VectorIndex
from sim.memory.index_kinds import INDEX_KINDS, vector_index
from sim.memory.rows import best, cosines
from sim.streams import Stream

KINDS = list(INDEX_KINDS)
DIMENSION = 3
Rows = Sequence[Sequence[float]]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def array(rows: Rows, dimension: int = DIMENSION) -> np.ndarray:
    return np.array(rows, dtype=np.float32).reshape(len(rows), dimension)


def filled(kind: str, ids: Sequence[int], rows: Rows, dimension: int = DIMENSION) -> VectorIndex:
    index = vector_index(kind, dimension)
    index.add(ids, array(rows, dimension))
    return index


def unit(row: Sequence[float]) -> list[float]:
    length = math.sqrt(math.fsum(number * number for number in row))
    return [float(np.float32(number / length)) if length else 0.0 for number in row]


def oracle(
    ids: Sequence[int], rows: Rows, query: Sequence[float], count: int, among: Collection[int] | None
) -> list[Near]:
    """Plain Python: no numpy sums, no FAISS."""
    asked = unit(query)
    scored = [
        Near(id=id_, score=round(math.fsum(a * b for a, b in zip(unit(row), asked, strict=True)), 6) + 0.0)
        for id_, row in zip(ids, rows, strict=True)
        if among is None or id_ in among
    ]
    return sorted(scored, key=lambda near: (-near.score, -near.id))[: max(count, 0)]


SMALL = st.integers(-2, 2).map(float)
VECTORS = st.lists(SMALL, min_size=DIMENSION, max_size=DIMENSION)


@st.composite
def searches(draw: st.DrawFn) -> tuple[list[int], Rows, list[float], int, set[int] | None]:
    rows = draw(st.lists(VECTORS, max_size=60))
    ids = draw(st.lists(st.integers(-(2**62), 2**62), min_size=len(rows), max_size=len(rows), unique=True))
    known = st.sampled_from(ids) if ids else st.nothing()
    among = draw(st.none() | st.sets(known | st.integers(0, 9), max_size=60))
    return ids, rows, draw(VECTORS), draw(st.integers(0, 70)), among


@settings(max_examples=150, deadline=None)
@given(searches())
@example(([5, 3, 9], [[1, 0, 0]] * 3, [1, 0, 0], 2, None))
@example((list(range(50, 0, -1)), [[1, 1, 0]] * 50, [1, 0, 0], 3, set(range(10, 40))))
def test_agrees_with_brute_force(search: tuple[list[int], Rows, list[float], int, set[int] | None]) -> None:
    ids, rows, query, count, among = search
    expected = oracle(ids, rows, query, count, among)
    for kind in KINDS:
        index = filled(kind, ids, rows)
        assert index.search(array([query])[0], count, among) == expected, kind


def drawn(count: int, dimension: int, seed: int) -> np.ndarray:
    stream = Stream.root(seed)
    numbers = [stream.of(place).normal(0, 1) for place in range(count * dimension)]
    return array(np.reshape(numbers, (count, dimension)).tolist(), dimension)


@pytest.mark.parametrize("dimension", [1, 7, 64])
def test_agrees_on_drawn_vectors_with_duplicates_and_near_duplicates(dimension: int) -> None:
    rows = drawn(60, dimension, seed=dimension)
    rows = np.vstack([rows, rows, rows * 3, rows + np.float32(1e-7), rows[:1].repeat(40, axis=0)])
    ids = [(place * 7919) % 100_003 for place in range(len(rows))]
    indexes = [filled(kind, ids, rows.tolist(), dimension) for kind in KINDS]
    for query in rows[:12]:
        for count in (1, 3, 25, len(ids)):
            for among in (None, ids[::3], frozenset(ids[:5])):
                first, second = (index.search(query, count, among) for index in indexes)
                assert first == second
                assert len(first) == min(count, len(ids if among is None else among))


def test_ties_beyond_the_cut_are_settled_by_id(kind: str) -> None:
    ids = list(range(300, 0, -1))
    index = filled(kind, ids, [[0.6, 0.8, 0.0]] * 300)
    assert [near.id for near in index.search(array([[1, 0, 0]])[0], 5)] == [300, 299, 298, 297, 296]


def test_the_filter_is_inside_the_search(kind: str) -> None:
    rows = [[1.0, 0.0, 0.0]] * 500 + [[0.0, 1.0, 0.1], [0.0, 1.0, 0.2]]
    index = filled(kind, range(502), rows)
    found = index.search(array([[1, 0.01, 0]])[0], 2, among={500, 501})
    assert {near.id for near in found} == {500, 501}


@pytest.mark.parametrize("among", [{2}, frozenset({2}), [2, 2, 77], (2,), range(2, 3), np.array([2])])
def test_among_may_be_any_collection_and_name_absent_ids(kind: str, among: Collection[int]) -> None:
    index = filled(kind, [1, 2, 3], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert [near.id for near in index.search(array([[1, 1, 1]])[0], 5, among)] == [2]


def test_an_empty_index_and_an_empty_filter_find_nothing(kind: str) -> None:
    query = array([[1, 0, 0]])[0]
    empty = vector_index(kind, DIMENSION)
    assert (len(empty), empty.search(query, 3), empty.search(query, 3, {1})) == (0, [], [])
    assert filled(kind, [1], [[1, 0, 0]]).search(query, 3, among=()) == []
    assert filled(kind, [1], [[1, 0, 0]]).search(query, 0) == []


def test_a_count_beyond_the_size_gives_all(kind: str) -> None:
    index = filled(kind, [4, 2], [[1, 0, 0], [0, 1, 0]])
    assert [near.id for near in index.search(array([[1, 0, 0]])[0], 99)] == [4, 2]


def test_a_zero_vector_scores_zero(kind: str) -> None:
    index = filled(kind, [3, 1, 2], [[0, 0, 0], [-1, 0, 0], [1, 0, 0]])
    assert index.search(array([[1, 0, 0]])[0], 3) == [
        Near(id=2, score=1.0),
        Near(id=3, score=0.0),
        Near(id=1, score=-1.0),
    ]
    assert [near.id for near in index.search(array([[0, 0, 0]])[0], 3)] == [3, 2, 1]


def test_length_does_not_matter(kind: str) -> None:
    index = filled(kind, [1, 2], [[1e-20, 0, 0], [0, 1e20, 0]])
    assert [near.score for near in index.search(array([[2, 2, 0]])[0], 2)] == [0.707107, 0.707107]


def test_search_changes_nothing(kind: str) -> None:
    index = filled(kind, [1, 2], [[1, 0, 0], [0, 1, 0]])
    query = array([[1, 2, 0]])[0]
    first = index.search(query, 2)
    index.search(array([[0, 0, 1]])[0], 1, {1})
    assert index.search(query, 2) == first
    assert query.tolist() == [1, 2, 0]


def test_vectors_are_copied(kind: str) -> None:
    rows = array([[1, 0, 0], [0, 1, 0]])
    index = vector_index(kind, DIMENSION)
    index.add([1, 2], rows)
    rows[:] = 0
    assert index.search(array([[1, 0, 0]])[0], 1) == [Near(id=1, score=1.0)]


def test_adding_one_by_one_or_at_once_is_the_same(kind: str) -> None:
    rows = drawn(200, DIMENSION, seed=5)
    single = vector_index(kind, DIMENSION)
    for place, row in enumerate(rows):
        single.add([place], row[np.newaxis])
    single.add([], array([]))
    assert len(single) == 200
    at_once = filled(kind, range(200), rows.tolist())
    assert single.search(rows[3], 200) == at_once.search(rows[3], 200)


def test_room_doubles(kind: str) -> None:
    index = vector_index(kind, DIMENSION)
    sizes = set()
    for place in range(1000):
        index.add([place], array([[1, 0, 0]]))
        sizes.add(index._places.nbytes)  # type: ignore[attr-defined]
    assert len(sizes) <= 6


@pytest.mark.parametrize(
    ("ids", "rows", "message"),
    [
        ([1], [[1, 0, 0]], "id 1 is already"),
        ([7, 7], [[1, 0, 0], [0, 1, 0]], "id 7 is already"),
        ([7, 8], [[1, 0, 0]], "2 ids were given for 1 vectors"),
        ([7], [[1, 0]], "dimension 3"),
        ([7], [1, 0, 0], "dimension 3"),
        ([7, 8], [[1, 0, 0], [math.nan, 0, 0]], "NaN"),
        ([7], [[math.inf, 0, 0]], "NaN"),
        ([7.5], [[1, 0, 0]], "whole numbers"),
        ([2**63], [[1, 0, 0]], "63 bits"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_added(
    kind: str, ids: list[int], rows: Rows, message: str
) -> None:
    index = filled(kind, [1, 2], [[1, 0, 0], [0, 1, 0]])
    before = index.search(array([[1, 1, 1]])[0], 9)
    with pytest.raises(IndexMismatch, match=message):
        index.add(ids, np.array(rows, dtype=np.float32))
    assert len(index) == 2
    assert index.search(array([[1, 1, 1]])[0], 9) == before


@pytest.mark.parametrize("query", [[1, 0], [[1, 0, 0]], [math.nan, 0, 0]])
def test_a_query_that_does_not_fit_is_refused(kind: str, query: list[float]) -> None:
    index = filled(kind, [1], [[1, 0, 0]])
    with pytest.raises(IndexMismatch):
        index.search(np.array(query, dtype=np.float32), 1)


def test_bytes_grow_with_what_is_held(kind: str) -> None:
    index = vector_index(kind, 256)
    assert isinstance(index, ExactIndex | FaissIndex)
    index.add(range(100), np.ones((100, 256), dtype=np.float32))
    assert 100 * 256 * 4 <= index.nbytes <= 4 * 100 * 256 * 4


@given(st.integers(1, 9), st.integers(1, 40), st.integers(0, 9))
@settings(max_examples=30, deadline=None)
def test_neighbours_change_no_bit_of_a_score(count: int, dimension: int, seed: int) -> None:
    rows, query = drawn(count, dimension, seed), drawn(1, dimension, seed + 1)[0]
    together = cosines(rows, query)
    alone = [cosines(rows[place : place + 1], query)[0] for place in range(count)]
    assert together.tolist() == alone


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3]), max_size=30), st.integers(1, 31))
def test_best_is_a_sort_cut_off(scores: list[float], count: int) -> None:
    ids = np.arange(len(scores), 0, -1, dtype=np.int64)
    expected = sorted(zip(ids.tolist(), scores, strict=True), key=lambda pair: (-pair[1], -pair[0]))[:count]
    assert [(near.id, near.score) for near in best(ids, np.array(scores), count)] == expected


def test_an_unknown_kind_names_the_key_and_the_choices() -> None:
    with pytest.raises(ConfigError, match=r"memory\.index: .*'annoy'.*exact, faiss"):
        vector_index("annoy", 3)


def test_without_faiss_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(ConfigError, match="pip install faiss-cpu"):
        vector_index("faiss", 3)
