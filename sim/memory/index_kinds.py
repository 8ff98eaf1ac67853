"""The vector indexes by the name the configuration gives them."""

from collections.abc import Callable, Mapping

from sim.errors import ConfigError
from sim.memory.exact import ExactIndex
from sim.memory.faiss_flat import FaissIndex
from sim.memory.index import VectorIndex

INDEX_KINDS: Mapping[str, Callable[[int], VectorIndex]] = {"exact": ExactIndex, "faiss": FaissIndex}


def vector_index(kind: str, dimension: int) -> VectorIndex:
    """Builds an empty index.

    Args:
        kind: one of `INDEX_KINDS`.
        dimension: length of a vector.

    Raises:
        ConfigError: no such kind, or its library is not installed.
    """
    if kind not in INDEX_KINDS:
        raise ConfigError(
            f"memory.index: no index is called {kind!r}; choose one of {', '.join(INDEX_KINDS)}"
        )
    return INDEX_KINDS[kind](dimension)
