"""What every embedder does to texts before its model and to vectors after it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.embed.protocol import Vectors


def clean(text: str) -> str:
    """The text with lone surrogates replaced by ``?``; tokenizers refuse them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def spoken(texts: Sequence[str]) -> list[int]:
    """Places of the texts that hold more than white space; the others get a zero row."""
    return [place for place, text in enumerate(texts) if text.strip()]


def unit_rows(vectors: NDArray[Any]) -> Vectors:
    """Scales rows to length 1 in double precision; a zero row stays zero.

    Args:
        vectors: shape (n, d), finite.

    Returns:
        Shape (n, d), float32.
    """
    wide = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    rows: Vectors = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0).astype(np.float32)
    return rows


def with_zero_rows(count: int, places: Sequence[int], rows: Vectors, dimension: int) -> Vectors:
    """Spreads ``rows`` over ``places`` of ``count`` rows; the rest is zero."""
    spread = np.zeros((count, dimension), dtype=np.float32)
    if places:
        spread[list(places)] = rows
    return spread
