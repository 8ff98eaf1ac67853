"""Nearness of meaning: the vectors of records, and what keeps them on disk."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from sim.embed.protocol import Embedder
from sim.errors import IndexMismatch
from sim.memory.retrieval.columns import Column, Floats
from sim.memory.retrieval.whole import cosines, whole

_FORMAT = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Restored:
    """How many vectors a file gave; where it gave none, why: they are made anew when they are needed."""

    rows: int
    reason: str = ""


class Dense:
    """One vector for each record, made when somebody asks, so that an embedder can work in batches.

    Args:
        embedder: turns texts into vectors.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._rows = Column(np.float32, embedder.dimension)
        self._waiting: list[str] = []
        self._digest = sha256()

    def __len__(self) -> int:
        return len(self._rows) + len(self._waiting)

    @property
    def nbytes(self) -> int:
        """Bytes of the vectors held."""
        return self._rows.nbytes

    def add(self, text: str) -> None:
        """Takes in the text of the next record."""
        self._waiting.append(text)

    def nearness(self, text: str, seen: int) -> Floats:
        """The cosine of the text with each of the first ``seen`` records, shape (seen,)."""
        self._embed_waiting()
        asked = whole(self._embedder.embed([text]))[0]
        return cosines(self._rows.upto(seen), asked)

    def save(self, path: Path) -> None:
        """Writes all vectors, whole or not at all."""
        self._embed_waiting()
        rows = self._rows.upto(len(self._rows)).astype(np.int16)
        part = path.with_name(f"{path.name}.part")
        with part.open("wb") as stream:
            np.savez(
                stream,
                rows=rows,
                about=np.array([_FORMAT, len(rows)]),
                fingerprint=np.array(self._embedder.fingerprint),
                digest=np.array(self._digest.hexdigest()),
            )
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)

    def restore(self, path: Path) -> Restored:
        """Takes the vectors of the records that came first from a file, if it was written for them.

        The records must have been added and none embedded yet. Whatever does not fit is no loss.
        """
        if len(self._rows):
            raise IndexMismatch("vectors are restored before the first search, and here are some already")
        try:
            rows = self._fitting(path)
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            reason = next(iter(str(error).splitlines()), "") or type(error).__name__
            return Restored(rows=0, reason=f"{path} holds no vectors to use ({reason}); they are made anew")
        self._take(self._waiting[: len(rows)], rows)
        return Restored(rows=len(rows))

    def _fitting(self, path: Path) -> Any:
        with np.load(path, allow_pickle=False) as file:
            rows, (form, count) = file["rows"], file["about"].tolist()
            kept = {name: file[name].tolist() for name in ("fingerprint", "digest")}
        if form != _FORMAT or rows.shape != (count, self._embedder.dimension) or rows.dtype != np.int16:
            raise ValueError("written in another form")
        if kept["fingerprint"] != self._embedder.fingerprint:
            raise ValueError(f"written by {kept['fingerprint']}, not {self._embedder.fingerprint}")
        if count > len(self._waiting) or kept["digest"] != _digest(self._waiting[:count]).hexdigest():
            raise ValueError("written for other records")
        return rows

    def _embed_waiting(self) -> None:
        if self._waiting:
            texts = list(self._waiting)
            self._take(texts, whole(self._embedder.embed(texts)))

    def _take(self, texts: Sequence[str], rows: Any) -> None:
        self._rows.extend(rows)
        del self._waiting[: len(texts)]
        _digest(texts, self._digest)


def _digest(texts: Sequence[str], digest: Any = None) -> Any:
    """A digest of texts one after the other, their lengths included; goes on with one already begun."""
    digest = digest or sha256()
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest
