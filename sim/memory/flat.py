"""``memory=flat``: the well-known blog design, and our baseline.

One line per event, embedded; a query takes the ``top_k`` nearest of *all* the agent's lines,
whoever they are about; beyond a limit the oldest events are squeezed, ten into one summary.
"""

from collections.abc import Callable, Sequence

from sim.embed.protocol import Embedder
from sim.memory.archive import Archived
from sim.memory.index import VectorIndex
from sim.memory.protocol import Capabilities, Hit, Owner, Query, Record


class Flat(Archived):
    """Events in one vector index, searched by cosine.

    Args:
        owner: whose memory it is.
        embedder: turns lines and queries into vectors.
        index: makes an empty index of a given dimension.
        top_k: lines recalled.
        squeeze_above: events beyond which the oldest are squeezed after closing.
        squeeze_count: how many lines one summary replaces.
    """

    capabilities = Capabilities(
        ingests=frozenset({"event", "summary"}),
        searches=True,
        compresses=True,
        stages=frozenset({"told", "written", "kept", "retrieved", "in_context", "answered"}),
        uses=frozenset({"top_k", "squeeze_above", "squeeze_count", "index"}),
    )

    def __init__(
        self,
        owner: Owner,
        *,
        embedder: Embedder,
        index: Callable[[int], VectorIndex],
        top_k: int,
        squeeze_above: int,
        squeeze_count: int,
    ) -> None:
        super().__init__(owner)
        self._embedder = embedder
        self._index = index(embedder.dimension)
        self._top_k = top_k
        self._above = squeeze_above
        self._count = squeeze_count

    def write(self, owner: Owner, record: Record) -> None:
        """Takes in an event, or a summary that retires the lines it replaces."""
        self.archive.add(owner, record, self.capabilities.ingests)

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        """The ``top_k`` lines nearest to the query, filtered by time inside the search."""
        self.archive.check(owner)
        self._embed_new()
        if not len(self._index):
            return []
        vector = self._embedder.embed([query.text])[0]
        count = self._top_k if query.limit is None else query.limit
        near = self._index.search(vector, count, self.archive.live(query.at_ms))
        return [Hit(record=self.archive.records[found.id], score=found.score) for found in near]

    def overflow(self, owner: Owner, at_ms: int) -> Sequence[Sequence[Record]]:
        """The oldest events beyond the limit, in full batches."""
        self.archive.check(owner)
        records = [self.archive.records[place] for place in sorted(self.archive.live(at_ms), key=self._age)]
        # A summary is not squeezed again: that would wear away the oldest facts night by night.
        events = [record for record in records if record.kind == "event"]
        full = max(0, len(events) - self._above) // self._count
        return [events[n * self._count : (n + 1) * self._count] for n in range(full)]

    def _embed_new(self) -> None:
        # All at once when somebody asks, so that an embedder can work in batches.
        places = range(len(self._index), len(self.archive))
        if places:
            texts = [self.archive.records[place].text for place in places]
            self._index.add(places, self._embedder.embed(texts))

    def _age(self, place: int) -> tuple[int, int]:
        return self.archive.records[place].at_ms, place
