"""How well a ranking finds what is relevant; NaN where nothing is.

Source for all: Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), chapter 8.
"""

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]
Id = TypeVar("Id", str, int)


def recall_at(ranked: Sequence[Id], relevant: Collection[Id], k: int | None) -> float:
    """The share of what is relevant that stands among the first ``k``, or anywhere for None."""
    wanted = set(relevant)
    return len(wanted.intersection(ranked[:k])) / len(wanted) if wanted else math.nan


def hit_at(ranked: Sequence[Id], relevant: Collection[Id], k: int | None) -> float:
    """1 when anything relevant stands among the first ``k``, else 0."""
    return float(recall_at(ranked, relevant, k) > 0) if relevant else math.nan


def all_at(ranked: Sequence[Id], relevant: Collection[Id], k: int | None) -> float:
    """1 when all that is relevant stands among the first ``k``, else 0."""
    return float(recall_at(ranked, relevant, k) == 1) if relevant else math.nan


def reciprocal_rank(ranked: Sequence[Id], relevant: Collection[Id]) -> float:
    """1 over the rank of the first that is relevant, 0 when none is there."""
    if not relevant:
        return math.nan
    return next((1 / rank for rank, one in enumerate(ranked, 1) if one in relevant), 0.0)


def ndcg_at(ranked: Sequence[Id], relevant: Collection[Id], k: int) -> float:
    """Discounted gain of the first ``k``, over that of the best order there could be.

    Source: Järvelin and Kekäläinen (2002), https://doi.org/10.1145/582415.582418, with gain 0 or 1 and
    discount 1 / log2(rank + 1).
    """
    if not relevant:
        return math.nan
    gained = sum(_discount(rank) for rank, one in enumerate(ranked[:k], 1) if one in relevant)
    return gained / sum(_discount(rank) for rank in range(1, min(k, len(set(relevant))) + 1))


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Mean:
    """A mean over ``n`` values with its 95 % interval; NaN for what cannot be told."""

    mean: float
    low: float
    high: float
    n: int


def means(
    columns: Mapping[str, Sequence[float]],
    clusters: Sequence[Hashable],
    *,
    seed: int = 0,
    resamples: int = 2000,
) -> dict[str, Mean]:
    """The mean of each column with a percentile bootstrap over whole clusters, all drawn together.

    Rows in which anything is NaN are left out. Fewer than two clusters give no interval.

    Args:
        columns: one value per question in each.
        clusters: what each question belongs to and is drawn with; its own id draws questions singly.
        seed: start of the resampling; the same seed gives the same intervals.
        resamples: how many times the clusters are drawn anew.

    Source: Field and Welsh (2007), https://doi.org/10.1111/j.1467-9868.2007.00593.x
    """
    values = np.array(list(columns.values()), dtype=np.float64).reshape(len(columns), -1).T
    there = np.flatnonzero(~np.isnan(values).any(axis=1)).tolist()
    values = values[there]
    numbers: dict[Hashable, int] = {}
    index = [numbers.setdefault(clusters[place], len(numbers)) for place in there]
    if not index:
        return {name: Mean(mean=math.nan, low=math.nan, high=math.nan, n=0) for name in columns}
    low, high = _interval(values, np.array(index), len(numbers), seed, resamples)
    return {
        name: Mean(mean=float(values[:, place].mean()), low=low[place], high=high[place], n=len(index))
        for place, name in enumerate(columns)
    }


def _interval(
    values: Table, index: NDArray[np.int64], clusters: int, seed: int, resamples: int
) -> tuple[list[float], list[float]]:
    if clusters < 2:
        nothing = [math.nan] * values.shape[1]
        return nothing, nothing
    sums = np.zeros((clusters, values.shape[1]))
    np.add.at(sums, index, values)
    sizes = np.bincount(index, minlength=clusters)
    drawn = np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)
    low, high = np.quantile((drawn @ sums) / (drawn @ sizes)[:, np.newaxis], (0.025, 0.975), axis=0)
    return low.tolist(), high.tolist()
