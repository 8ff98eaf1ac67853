"""What an embedder is: texts in, unit vectors out."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors.

    ``fingerprint`` names model and revision; equal fingerprints promise equal vectors.
    """

    fingerprint: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embeds texts.

        Returns:
            Shape (len(texts), dimension), float32, rows of length 1 (or 0 for an empty text),
            in the order given. The same text gives the same row whatever stands beside it.
        """
        ...
