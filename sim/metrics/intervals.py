"""Confidence intervals for what is counted customer by customer.

Questions to one customer resemble each other, so intervals treat customers, not questions, as the
independent draws.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_Z95 = 1.959963984540054


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """A share of ``n`` questions with its 95 % interval; NaN everywhere when there are none."""

    rate: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """Mean of second minus first over ``pairs``, with its 95 % interval; NaN for what cannot be told."""

    mean: float
    low: float
    high: float
    pairs: int


def wilson(successes: float, n: float, z: float = _Z95) -> tuple[float, float]:
    """The score interval of a proportion; ``n`` may be an effective sample size.

    Source: Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953
    """
    if n <= 0:
        return math.nan, math.nan
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def t_quantile(degrees: int, z: float = _Z95) -> float:
    """Student's t quantile at the level of the normal quantile ``z``, by its asymptotic expansion.

    Source: Abramowitz and Stegun (1964), formula 26.7.5.
    """
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return math.fsum(term / float(degrees) ** power for power, term in enumerate(terms))


def effective_size(hits: Sequence[int], sizes: Sequence[int]) -> float:
    """How many independent questions those asked in clusters are worth, between 1 and their number.

    Args:
        hits: successes per cluster.
        sizes: questions per cluster, none of them 0.

    With all or none right no spread can be seen; then each cluster counts as one question.

    Source: Korn and Graubard (1998), Survey Methodology 24, pages 193-201: linearised cluster
    variance, design effect, correction for few clusters.
    """
    clusters, total = len(sizes), sum(sizes)
    if clusters < 2:
        return 1.0
    share = sum(hits) / total
    if share in (0.0, 1.0):
        return float(clusters)
    spread = sum((hit - share * size) ** 2 for hit, size in zip(hits, sizes, strict=True))
    variance = clusters / (clusters - 1) * spread / total**2
    if variance == 0:
        return float(total)
    size = share * (1 - share) / variance * (_Z95 / t_quantile(clusters - 1)) ** 2
    return min(float(total), max(1.0, size))


def clustered_rate(right: Sequence[bool], clusters: Sequence[Hashable]) -> Rate:
    """The share of questions answered right, each belonging to a cluster (a customer).

    Source: Franco, Little, Louis and Slud (2019), https://pmc.ncbi.nlm.nih.gov/articles/PMC6690503
    (Wilson interval with the effective sample size).
    """
    if not right:
        return Rate(rate=math.nan, low=math.nan, high=math.nan, n=0)
    hits: defaultdict[Hashable, int] = defaultdict(int)
    sizes: defaultdict[Hashable, int] = defaultdict(int)
    for good, cluster in zip(right, clusters, strict=True):
        hits[cluster] += good
        sizes[cluster] += 1
    share = sum(hits.values()) / len(right)
    worth = effective_size(list(hits.values()), list(sizes.values()))
    low, high = wilson(share * worth, worth)
    return Rate(rate=share, low=min(low, share), high=max(high, share), n=len(right))


def paired_difference(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    seed: int = 0,
    resamples: int = 2000,
) -> Difference:
    """The mean of second minus first over pairs, with a percentile bootstrap over whole clusters.

    Fewer than two clusters give no interval.

    Args:
        first: one value per pair (a flag as 0 or 1).
        second: the value of the same pair in the other arm.
        clusters: the customer each pair belongs to.
        seed: start of the resampling; the same seed gives the same interval.
        resamples: how many times the clusters are drawn anew.

    Source: Field and Welsh (2007), https://doi.org/10.1111/j.1467-9868.2007.00593.x
    """
    if not len(first) == len(second) == len(clusters):
        raise ValueError(f"pairs need equal lengths, not {len(first)}, {len(second)} and {len(clusters)}")
    if not first:
        return Difference(mean=math.nan, low=math.nan, high=math.nan, pairs=0)
    sums, sizes = _per_cluster(np.subtract(second, first, dtype=np.float64), clusters)
    mean = float(sums.sum() / sizes.sum())
    if len(sizes) == 1:
        return Difference(mean=mean, low=math.nan, high=math.nan, pairs=len(first))
    low, high = np.quantile(_resampled(sums, sizes, seed, resamples), (0.025, 0.975))
    return Difference(mean=mean, low=float(low), high=float(high), pairs=len(first))


def _per_cluster(
    values: NDArray[np.float64], clusters: Sequence[Hashable]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    places: dict[Hashable, int] = {}
    index = np.array([places.setdefault(cluster, len(places)) for cluster in clusters])
    sums = np.zeros(len(places))
    sizes = np.zeros(len(places))
    np.add.at(sums, index, values)
    np.add.at(sizes, index, 1.0)
    return sums, sizes


def _resampled(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], seed: int, resamples: int
) -> NDArray[np.float64]:
    """The mean in each resample; a cluster may be drawn several times or not at all."""
    count = len(sizes)
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=resamples)
    means: NDArray[np.float64] = (drawn @ sums) / (drawn @ sizes)
    return means
