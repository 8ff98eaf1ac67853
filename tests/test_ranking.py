"""Measures of a ranking: known values, laws, and no answer where there is none."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.metrics.ranking import all_at, hit_at, means, ndcg_at, recall_at, reciprocal_rank

RANKED = ["a", "b", "c", "d", "e"]
IDS = st.lists(st.integers(0, 9), unique=True, max_size=10)


def test_known_values() -> None:
    relevant = ["b", "d", "z"]
    assert recall_at(RANKED, relevant, 2) == pytest.approx(1 / 3)
    assert recall_at(RANKED, relevant, None) == pytest.approx(2 / 3)
    assert (hit_at(RANKED, relevant, 1), hit_at(RANKED, relevant, 2)) == (0, 1)
    assert (all_at(RANKED, ["b", "d"], 3), all_at(RANKED, ["b", "d"], 4)) == (0, 1)
    assert reciprocal_rank(RANKED, relevant) == 0.5
    gained, best = 1 / math.log2(3) + 1 / math.log2(5), 1 + 1 / math.log2(3) + 0.5
    assert ndcg_at(RANKED, relevant, 5) == pytest.approx(gained / best)


def test_nothing_relevant_is_no_data() -> None:
    at_5 = [measure(RANKED, [], 5) for measure in (recall_at, hit_at, all_at, ndcg_at)]
    assert all(map(math.isnan, [*at_5, reciprocal_rank(RANKED, [])]))


@given(IDS, IDS.filter(bool), st.integers(1, 10))
def test_laws(ranked: list[int], relevant: list[int], k: int) -> None:
    recall, gain = recall_at(ranked, relevant, k), ndcg_at(ranked, relevant, k)
    assert 0 <= recall <= recall_at(ranked, relevant, k + 1) <= 1
    assert all_at(ranked, relevant, k) <= recall <= hit_at(ranked, relevant, k)
    assert 0 <= gain <= 1 + 1e-12
    first = [one for one in ranked if one in relevant] + [one for one in ranked if one not in relevant]
    assert ndcg_at(first, relevant, k) >= gain - 1e-12
    assert reciprocal_rank(ranked, relevant) <= 1


def test_means_leave_out_what_is_no_number_and_draw_clusters() -> None:
    columns = {"x": [1.0, 0.0, math.nan, 1.0], "y": [0.0, 0.0, math.nan, 1.0]}
    found = means(columns, ["a", "a", "b", "c"])
    assert (found["x"].mean, found["x"].n) == (pytest.approx(2 / 3), 3)
    assert (found["x"].low, found["x"].high) == (0.5, 1.0)
    assert means(columns, ["a", "a", "b", "c"]) == found
    alone = means({"x": [1.0, 0.0]}, ["a", "a"])["x"]
    assert alone.mean == 0.5
    assert all(map(math.isnan, [alone.low, alone.high, means({"x": []}, [])["x"].mean]))
