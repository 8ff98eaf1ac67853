"""How recall falls with the time since a fact was last told: points, and the strength S of R = e^(-t/S)."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.metrics.intervals import Rate, clustered_rate
from sim.records import Probe

_Z95 = 1.959963984540054
_STEPS = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """The share answered right among questions of about one size (a lag, or a length of memory).

    Args:
        at: mean of the size over these questions.
        rate: the share with its interval.
    """

    at: float
    rate: Rate


@dataclass(frozen=True, kw_only=True, slots=True)
class Fit:
    """The strength S of a memory in days, with its 95 % interval, from ``n`` questions.

    NaN where there are no questions; infinite where nothing was lost.
    """

    strength_days: float
    low: float
    high: float
    n: int

    def recall_at(self, lag_days: float) -> float:
        """What is recalled after so many days."""
        return math.exp(-lag_days / self.strength_days) if self.strength_days > 0 else 0.0


def by_lag(probes: Sequence[Probe], bins: int = 8) -> list[Point]:
    """Recall against days since the fact was last told to the agent, in bins of about equal numbers."""
    lagged = [probe for probe in probes if probe.told and probe.lag_days is not None]
    return _points(lagged, lambda probe: probe.lag_days or 0.0, bins)


def by_tokens(probes: Sequence[Probe], bins: int = 8) -> list[Point]:
    """Recall against tokens of memory in the prompt, in bins of about equal numbers."""
    return _points([probe for probe in probes if probe.told], lambda probe: probe.context_tokens, bins)


def _points(probes: Sequence[Probe], size: Callable[[Probe], float], bins: int) -> list[Point]:
    """Equal sizes share a bin, so there may be fewer bins than asked for."""
    sizes = np.array([size(probe) for probe in probes], dtype=np.float64)
    if not len(sizes):
        return []
    edges = np.unique(np.quantile(sizes, np.linspace(0, 1, bins + 1)[1:-1]))
    places = np.searchsorted(edges, sizes, side="left")
    return [_point(probes, sizes, np.flatnonzero(places == place)) for place in np.unique(places)]


def _point(probes: Sequence[Probe], sizes: NDArray[np.float64], chosen: NDArray[np.intp]) -> Point:
    here = [probes[index] for index in chosen]
    rate = clustered_rate([probe.answered for probe in here], [probe.customer for probe in here])
    return Point(at=float(sizes[chosen].mean()), rate=rate)


def fitted(probes: Sequence[Probe]) -> Fit:
    """The strength S of R = e^(-t/S) for the told probes; those told at the very moment say nothing."""
    lagged = [(probe.lag_days, probe) for probe in probes if probe.told and probe.lag_days]
    lags = np.array([lag for lag, _ in lagged], dtype=np.float64)
    right = np.array([probe.answered for _, probe in lagged], dtype=np.bool_)
    return strength(lags, right, [probe.customer for _, probe in lagged])


def strength(lags_days: NDArray[np.float64], right: NDArray[np.bool_], clusters: Sequence[Hashable]) -> Fit:
    """The most likely S of R = e^(-t/S), each question right with chance R; interval by customer.

    Args:
        lags_days: shape (n,), all above 0.
        right: shape (n,), whether each was answered right.
        clusters: the customer each question belongs to.

    Source: Wozniak, Gorzelanczyk and Murakowski (1995), Acta Neurobiologiae Experimentalis 55, 301-305
    (the curve); Liang and Zeger (1986), https://doi.org/10.1093/biomet/73.1.13 (the interval).
    """
    count = len(lags_days)
    if not count or right.all() or not right.any():
        level = math.nan if not count else math.inf if right.all() else 0.0
        return Fit(strength_days=level, low=math.nan, high=math.nan, n=count)
    rate = _rate(lags_days, right)
    spread = _spread(rate, lags_days, right, clusters)
    low, high = (1 / rate * math.exp(sign * _Z95 * spread) for sign in (-1, 1))
    return Fit(strength_days=1 / rate, low=low, high=high, n=count)


def _scores(rate: float, lags: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The slope of each question's log likelihood in the rate 1/S; their sum falls as the rate grows."""
    with np.errstate(over="ignore"):
        lost: NDArray[np.float64] = lags / np.expm1(rate * lags)
    return np.where(right, -lags, lost)


def _rate(lags: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    low, high = math.log(1e-6 / lags.max()), math.log(1e3 / lags.min())
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _scores(math.exp(middle), lags, right).sum() > 0:
            low = middle
        else:
            high = middle
    return math.exp(low)


def _spread(
    rate: float, lags: NDArray[np.float64], right: NDArray[np.bool_], clusters: Sequence[Hashable]
) -> float:
    """The standard error of the logarithm of the rate, with customers as the independent draws."""
    names = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    if len(names) < 2:
        return math.nan
    sums = np.zeros(len(names))
    np.add.at(sums, [names[name] for name in clusters], _scores(rate, lags, right))
    lost = lags[~right]
    information = float((lost**2 / (4 * np.sinh(np.minimum(rate * lost, 700) / 2) ** 2)).sum())
    few = len(names) / (len(names) - 1)
    return math.sqrt(few * float((sums**2).sum())) / information / rate
