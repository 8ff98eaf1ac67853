"""What a vector index is: nearest ids by cosine, filtered inside the search."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from sim.embed.protocol import Vectors


@dataclass(frozen=True, kw_only=True, slots=True)
class Near:
    """A neighbour: the id it was added under and its cosine, rounded to 6 digits."""

    id: int
    score: float


class VectorIndex(Protocol):
    """Vectors under stable integer ids."""

    dimension: int

    def add(self, ids: Sequence[int], vectors: Vectors) -> None:
        """Adds vectors of shape (len(ids), dimension); an id already there is an IndexMismatch."""
        ...

    def search(self, vector: Vectors, count: int, among: Collection[int] | None = None) -> list[Near]:
        """The ``count`` nearest ids to one vector of shape (dimension,).

        ``among`` limits the search itself (it is not applied afterwards), so that a small owner
        in a large index still gets ``count`` answers. Order: rounded score downwards, then id
        downwards, which is newest first. Every implementation returns the same ids in the same order.
        """
        ...

    def __len__(self) -> int:
        """How many vectors it holds."""
        ...
