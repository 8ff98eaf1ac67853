"""A content-addressed cache of embeddings on disk, in front of any embedder."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from sim.embed.protocol import Embedder, Vectors
from sim.embed.store import VectorStore

Row = NDArray[np.float32]


class CachedEmbedder:
    """An embedder that computes each text once per folder.

    Processes may share the folder; threads may share the object. ``hits`` and ``misses`` count
    the texts asked for; a text asked for twice in one call is computed once and counts once more
    as a hit.

    Args:
        embedder: computes what is not there, all misses of a call in one call.
        folder: holds one database per fingerprint; made when absent.
        keep: how many rows stay in memory, at about ``4 * dimension`` bytes each.

    Raises:
        ConfigError: the folder cannot be made or written.
        EmbedderError: the database is damaged or was written for other vectors.
    """

    def __init__(self, embedder: Embedder, folder: Path | str, *, keep: int = 4096) -> None:
        if keep < 0:
            raise ValueError(f"keep is a number of rows, not {keep}")
        self.fingerprint = embedder.fingerprint
        self.dimension = embedder.dimension
        self.hits = 0
        self.misses = 0
        self._embedder = embedder
        self._store = VectorStore(Path(folder), embedder.fingerprint, embedder.dimension)
        self._keep = keep
        self._recent: OrderedDict[bytes, Row] = OrderedDict()
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embeds texts; see `sim.embed.protocol.Embedder`."""
        keys = [self._key(text) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        with self._lock:
            rows = self._known(wanted)
            absent = [key for key in wanted if key not in rows]
            if absent:
                rows |= self._computed(absent, [wanted[key] for key in absent])
            self.misses += len(absent)
            self.hits += len(texts) - len(absent)
            self._remember(rows)
        return np.stack([rows[key] for key in keys]) if keys else np.zeros((0, self.dimension), np.float32)

    def close(self) -> None:
        """Closes the database; embedding afterwards is an error."""
        with self._lock:
            self._store.close()

    def _key(self, text: str) -> bytes:
        content = f"{len(self.fingerprint)}:{self.fingerprint}{text}"
        return sha256(content.encode("utf-8", "surrogatepass")).digest()

    def _known(self, keys: Iterable[bytes]) -> dict[bytes, Row]:
        rows = {key: self._recent[key] for key in keys if key in self._recent}
        return rows | self._store.read([key for key in keys if key not in rows])

    def _computed(self, keys: list[bytes], texts: list[str]) -> dict[bytes, Row]:
        rows = dict(zip(keys, self._embedder.embed(texts), strict=True))
        self._store.write(rows)
        return rows

    def _remember(self, rows: dict[bytes, Row]) -> None:
        for key, row in rows.items():
            self._recent[key] = row
            self._recent.move_to_end(key)
        while len(self._recent) > self._keep:
            self._recent.popitem(last=False)
