"""Vectors as whole numbers, so that a product is the same on every machine and in every order.

A sum of floats hangs on the order in which a library adds, which differs with the processor, the
number of threads and the rows beside it. Vectors of length 1 are therefore scaled to `SCALE` and
rounded. By Cauchy and Schwarz no partial sum of a product then exceeds 2^24, up to which float32
holds every whole number: the fastest product there is, and exact. A cosine is off by about 1e-4.
"""

import numpy as np
from numpy.typing import NDArray

from sim.embed.protocol import Vectors
from sim.memory.retrieval.columns import Floats

SCALE = 4000
_MOST = 2**24
# Rounding moves each number by at most a half, hence a vector by at most half the root of its dimension.
LONGEST_DIMENSION = int((2 * (_MOST**0.5 - SCALE)) ** 2)


def whole(vectors: Vectors) -> NDArray[np.float32]:
    """Unit vectors (or zero), shape (..., d), scaled and rounded.

    Raises:
        ValueError: the dimension is so large that products would not be exact.
    """
    if vectors.shape[-1] > LONGEST_DIMENSION:
        raise ValueError(f"vectors have at most {LONGEST_DIMENSION} numbers, not {vectors.shape[-1]}")
    rounded: NDArray[np.float32] = np.rint(vectors * np.float32(SCALE))
    return rounded


def cosines(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> Floats:
    """Cosines of whole rows, shape (n, d), with a whole vector, shape (d,)."""
    # Not a matrix product: that starts threads, which on a busy machine take ten times as long as the work.
    found: Floats = np.vecdot(rows, vector) / np.float64(SCALE * SCALE)
    return found
