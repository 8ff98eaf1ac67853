"""The two formulas of BM25, as Lucene computes them.

Source: Kamphuis, de Vries, Boytsov and Lin (2020), "Which BM25 do you mean?",
https://doi.org/10.1007/978-3-030-45442-5_4, table 1, "Lucene (accurate)"; in bm25s ``method="lucene"``.
"""

from math import log

import numpy as np

from sim.memory.retrieval.columns import Floats


def rarity(having: float, total: float) -> float:
    """The weight of a word that ``having`` of ``total`` records have: log(1 + (N - n + ½) / (n + ½))."""
    return log(1 + (total - having + 0.5) / (having + 0.5))


def damping(lengths: Floats, mean: float, k1: float, b: float) -> Floats:
    """How slowly a record's count saturates, by its length against the mean: k1 (1 - b + b l / mean)."""
    if mean <= 0:
        return np.full(len(lengths), k1)
    damped: Floats = k1 * (1 - b + b * lengths / mean)
    return damped


def saturated(counts: Floats, damped: Floats) -> Floats:
    """The counts of a word brought below 1: f / (f + damping)."""
    return counts / (counts + damped)
