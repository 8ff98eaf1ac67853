"""``memory=mem0``: storage and search of mem0, with the lines of ``memory=flat``.

A memory calls no model, so the lines are those of our own extractor (mem0's ``infer=False``), and our
embedder turns them into vectors. mem0 keeps them in its Qdrant store in this process and filters its search
by agent, by customer where ``memory.scope`` says so, and by simulated time.

Its other signs are off. Entities and words need models that spaCy and fastembed would download, and words are
weighed by how many lines have them, those of later times included: a recall would hang on what other acts had
written by then.

Source: https://github.com/mem0ai/mem0
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote
from warnings import catch_warnings

import numpy as np

from sim.embed.protocol import Embedder, Vectors
from sim.embed.texts import clean
from sim.errors import ConfigError
from sim.memory.archive import Archived
from sim.memory.index import VectorIndex
from sim.memory.protocol import Capabilities, Hit, Owner, Query, Record

_VERSION = "2.2."  # parts of mem0 without a public name are switched off here, so another one is refused
_INSTALL = "pip install 'noodle-shop[mem0]', or in a checkout pip install -e '.[mem0]'"
_SPARE = 8
_SLACK = 1e-5  # far above the noise of a sum of floats, far below what a question turns on


class Mem0(Archived):
    """Events in a mem0 memory of this process.

    mem0 says which lines could be among the nearest; their scores and order are those of our own index,
    the same on every machine and at every speed.

    Args:
        owner: whose memory it is.
        embedder: turns lines and queries into vectors.
        index: makes an empty index of a given dimension.
        top_k: lines recalled.

    Raises:
        ConfigError: mem0 is not installed, or was imported before with its telemetry on.
    """

    capabilities = Capabilities(
        ingests=frozenset({"event"}),
        searches=True,
        stages=frozenset({"told", "written", "kept", "retrieved", "in_context", "answered"}),
        uses=frozenset({"top_k", "index"}),
    )

    def __init__(
        self, owner: Owner, *, embedder: Embedder, index: Callable[[int], VectorIndex], top_k: int
    ) -> None:
        super().__init__(owner)
        library()
        self._embedder = embedder
        self._index = index(embedder.dimension)
        self._top_k = top_k
        self._shelf: Shelf | None = None

    def write(self, owner: Owner, record: Record) -> None:
        """Takes in an event."""
        self.archive.add(owner, record, self.capabilities.ingests)

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        """The ``top_k`` lines nearest to the query, filtered by owner and time inside mem0's search."""
        self.archive.check(owner)
        count = self._top_k if query.limit is None else query.limit
        seen = len(self.archive.live(query.at_ms))
        if min(count, seen) < 1:
            return []
        row = self._embedder.embed([query.text])[0]
        places = self._nearest(self._filled(), query, row, min(count, seen), seen)
        near = self._index.search(row, count, places)
        return [Hit(record=self.archive.records[found.id], score=found.score) for found in near]

    def _filled(self) -> "Shelf":
        # When somebody asks, so that an embedder can work in batches; many owners are never asked.
        self._shelf = shelf = self._shelf or Shelf(self.owner, self._embedder.dimension)
        new = range(len(self._index), len(self.archive))
        if new:
            rows = self._embedder.embed([self.archive.records[place].text for place in new])
            self._index.add(new, rows)
            for place, row in zip(new, rows, strict=True):
                shelf.add(place, self.archive.records[place], row)
        return shelf

    def _nearest(self, shelf: "Shelf", query: Query, row: Vectors, count: int, seen: int) -> list[int]:
        """Places of all lines that could be among the first ``count``; asks for more while the last could."""
        asked = min(seen, count + _SPARE)
        while True:
            found = shelf.search(query, row, asked)
            if asked == seen or found[-1].score < found[count - 1].score - _SLACK:
                return [one.place for one in found]
            asked = min(seen, 4 * asked)


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A line that mem0 found: its place in the archive and mem0's score."""

    place: int
    score: float


class Shelf:
    """One mem0 memory in this process, for one owner.

    Args:
        owner: whose lines it holds.
        dimension: length of a vector.
    """

    def __init__(self, owner: Owner, dimension: int) -> None:
        self._handed = Handed()
        self._memory = _memory(self._handed, dimension + Handed.more)
        named = {"agent_id": owner.store, "user_id": owner.customer}
        # mem0 refuses white space in a name, and takes * for any.
        self._whose = {key: quote(name, "", errors="replace") for key, name in named.items() if name}

    def add(self, place: int, record: Record, row: Vectors) -> None:
        """Stores a line under its vector."""
        self._handed.row = row
        # Without a text mem0 would store the line and never find it.
        text, seen_from = clean(record.text) or " ", {"place": place, "visible_ms": record.visible_at_ms}
        self._memory.add(text, metadata=seen_from, infer=False, **self._whose)

    def search(self, query: Query, row: Vectors, count: int) -> list[Found]:
        """The ``count`` lines that mem0 finds nearest of those visible at the time, best first."""
        self._handed.row = row
        found = self._memory.search(
            clean(query.text).strip() or "?",  # mem0 refuses an empty one
            top_k=count,
            filters=self._whose | {"visible_ms": {"lte": query.at_ms}},
            threshold=0.0,
        )
        return [Found(place=one["metadata"]["place"], score=one["score"]) for one in found["results"]]


class Handed:
    """What mem0 takes for its embedder: hands over the row of the text that it is given next.

    mem0 drops what scores below 0. So each vector has two more numbers, which put every cosine ``c`` at
    ``(c + 1) / 2``, that of a text without words (a zero row) too: nothing starves, and the order stays.
    """

    more = 2

    def __init__(self) -> None:
        self.row: Vectors = np.zeros(0, dtype=np.float32)

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """The row, with its two more numbers."""
        del text
        stored = memory_action != "search"
        return [*self.row.tolist(), 1.0, float(stored and not self.row.any())]


def _memory(embedder: Handed, dimension: int) -> Any:
    """A ``mem0.Memory`` as its own constructor makes it, but without clients of hosted models."""
    parts = library()
    made = parts.Memory.__new__(parts.Memory)
    made.config = parts.MemoryConfig(history_db_path=":memory:")
    made.api_version = made.config.version
    made.embedding_model = embedder
    made.vector_store = _store(parts, dimension)
    made.db = parts.SQLiteManager(":memory:")
    made.llm = made.reranker = made._entity_store = None
    return made


def _store(parts: Any, dimension: int) -> Any:
    """mem0's Qdrant store, on Qdrant's engine itself: the client around it takes 700 KB and 15 ms each."""
    engine = import_module("qdrant_client.local.qdrant_local").QdrantLocal(":memory:")
    config = {"collection_name": "lines", "embedding_model_dims": dimension, "client": engine}
    with catch_warnings(action="ignore"):  # that a store in memory needs no index of names
        made = parts.VectorStoreFactory.create("qdrant", config)
    made._has_bm25_slot = False  # see the top of this file
    return made


@cache
def library() -> Any:
    """The module ``mem0.memory.main``, imported so that it calls nobody and leaves nothing behind.

    Raises:
        ConfigError: mem0 is not installed, is another version, or was imported before with its telemetry on.
    """
    _check_version()
    try:
        with TemporaryDirectory() as folder, _environment(MEM0_TELEMETRY="False", MEM0_DIR=folder):
            main: Any = import_module("mem0.memory.main")
            words: Any = import_module("mem0.utils.spacy_models")
    except ImportError as error:
        raise ConfigError(f"memory=mem0: mem0 cannot be imported ({error}): run {_INSTALL}") from error
    if main.MEM0_TELEMETRY:
        raise ConfigError(
            "memory=mem0: mem0 was imported before with its telemetry on: set MEM0_TELEMETRY=False"
        )
    words._load_failed_full = words._load_failed_lemma = True  # see the top of this file
    return main


def _check_version() -> None:
    try:
        found = version("mem0ai")
    except PackageNotFoundError:
        raise ConfigError(f"memory=mem0: the package mem0ai is not installed: run {_INSTALL}") from None
    if not found.startswith(_VERSION):
        raise ConfigError(f"memory=mem0: mem0ai {found} is installed, not {_VERSION}x: run {_INSTALL}")


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value
