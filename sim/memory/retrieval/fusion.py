"""Scores of different kinds made comparable, and the order that comes of their sum."""

from math import sqrt

import numpy as np

from sim.memory.retrieval.columns import Floats, Places
from sim.memory.retrieval.neighbours import View

DIGITS = 6
# Of so many records for each one wanted the order is decided again where a list is wanted.
_POOL = 5


def standard(values: Floats, view: View) -> Floats:
    """Values in standard deviations from the mean over the records that can be seen.

    Equal values say nothing, so they become 0 and no NaN.
    """
    if not view.count:
        return np.zeros(len(values))
    mean = float(view.shown(values).sum()) / view.count
    away = values - mean
    spread = sqrt(float(np.square(view.shown(away)).sum()) / view.count)
    # The mean of equal floats may differ from them in the last bits.
    if spread <= 1e-9 * max(1.0, abs(mean)):
        return np.zeros(len(values))
    return away / spread


def order(scores: Floats, view: View, count: int) -> Places:
    """Places of the ``count`` best that can be seen: by rounded score, and of equals the newer first."""
    places = np.arange(view.seen) if view.all_alive else np.flatnonzero(view.alive)
    rounded = np.round(scores[places], DIGITS)
    if 0 < count < len(places):
        cut = np.partition(rounded, len(places) - count)[len(places) - count]
        places, rounded = places[rounded >= cut], rounded[rounded >= cut]
    return places[np.lexsort((-places, -rounded))[: max(count, 0)]]


def broad(scores: Floats, view: View, count: int, penalty: float) -> Places:
    """As `order`, but each record taken costs the others of its session ``penalty``.

    Source: the greedy selection of maximal marginal relevance, with "same session" for similarity;
    Carbonell and Goldstein (1998), https://doi.org/10.1145/290941.291025
    """
    pool = order(scores, view, _POOL * count)
    left, sessions, taken = scores[pool].copy(), view.session[pool], list[int]()
    while len(taken) < min(count, len(pool)):
        best = int(np.argmax(np.round(left, DIGITS)))  # of equals the first, which is the newer
        taken.append(best)
        left[sessions == sessions[best]] -= penalty
        left[best] = -np.inf
    return pool[taken]
