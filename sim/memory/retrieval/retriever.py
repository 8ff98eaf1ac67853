"""The gateway: all signs of what a record has to do with a question, weighed against one another."""

from collections.abc import Collection, Mapping

import numpy as np

from sim.clock import Calendar
from sim.embed.protocol import Embedder
from sim.memory.protocol import Hit, Query, Record
from sim.memory.retrieval.dense import Dense
from sim.memory.retrieval.fusion import DIGITS, broad, order
from sim.memory.retrieval.indexes import Indexes
from sim.memory.retrieval.question import read
from sim.memory.retrieval.signs import Outside, Search
from sim.memory.retrieval.weights import Weights

NOTHING_OUTSIDE = Outside()


class Retriever:
    """Finds the records that a question is about.

    Records come one at a time in the order in which they become visible, and are never erased:
    a search for an earlier time gives what it would have given then. Searching changes nothing.

    Args:
        weights: how much each sign counts.
        embedder: gives nearness of meaning; None leaves it out.
        synonyms: an embedder that is quick on single words gives those of nearly the same meaning;
            None leaves them out.
        calendar: tells dates; None leaves out the times that questions name.
        things: terms that name things in the scenario, such as dishes.
    """

    def __init__(
        self,
        *,
        weights: Weights | None = None,
        embedder: Embedder | None = None,
        synonyms: Embedder | None = None,
        calendar: Calendar | None = None,
        things: Collection[str] = (),
    ) -> None:
        self.weights = weights or Weights()
        self.records: list[Record] = []
        self._indexes = Indexes(embedder=embedder, synonyms=synonyms, things=things)
        self._calendar = calendar

    def __len__(self) -> int:
        return len(self.records)

    @property
    def dense(self) -> Dense | None:
        """The vectors, which can be saved and restored."""
        return self._indexes.dense

    @property
    def nbytes(self) -> Mapping[str, int]:
        """About how many bytes each index takes."""
        return self._indexes.nbytes

    def add(self, record: Record) -> None:
        """Takes in the next record; those it replaces are retired from its own time on.

        Raises:
            ValueError: its id is here already, what it replaces never came, or it comes out of order.
        """
        self._indexes.add(record)
        self.records.append(record)

    def retire(self, record: str, at_ms: int) -> None:
        """From ``at_ms`` on the record with this id is found no more.

        Raises:
            ValueError: no such record came.
        """
        self._indexes.retire(record, at_ms)

    def search(self, query: Query, count: int, outside: Outside = NOTHING_OUTSIDE) -> list[Hit]:
        """The ``count`` records that have most to do with the query as of ``query.at_ms``, best first.

        Of equal scores the newer record comes first. ``query.limit``, where given, is the count.
        """
        search = self._search(query, outside)
        wanted = count if query.limit is None else query.limit
        if not search.view.count or wanted < 1:
            return []
        scores = search.total()
        if search.question.kind == "list" and self.weights.breadth:
            places = broad(scores, search.view, wanted, self.weights.breadth)
        else:
            places = order(scores, search.view, wanted)
        return [
            Hit(record=self.records[place], score=round(float(scores[place]), DIGITS)) for place in places
        ]

    def explain(self, query: Query, outside: Outside = NOTHING_OUTSIDE) -> dict[str, dict[str, float]]:
        """What each sign adds to the score of each record that can be seen, by record and sign."""
        search = self._search(query, outside)
        if not search.view.count:
            return {}
        signs = search.signs()
        return {
            self.records[place].id: {name: float(values[place]) for name, values in signs.items()}
            for place in np.flatnonzero(search.view.alive)
        }

    def _search(self, query: Query, outside: Outside) -> Search:
        calendar = self._calendar
        today = None if calendar is None else calendar.moment(query.at_ms).date()
        return Search(
            indexes=self._indexes,
            weights=self.weights,
            calendar=calendar,
            query=query,
            question=read(query.text, today),
            view=self._indexes.view(query.at_ms),
            outside=outside,
        )
