"""``memory=window``: the last exchanges of earlier visits, word for word."""

from collections.abc import Sequence

from sim.memory.archive import Archived
from sim.memory.protocol import Capabilities, Hit, Owner, Query, Record


class Window(Archived):
    """The newest ``window`` exchanges with the customer in question, verbatim.

    It selects by person, not by content: the score is the rank, newest first.
    """

    capabilities = Capabilities(
        ingests=frozenset({"exchange"}),
        stages=frozenset({"told", "written", "kept", "retrieved", "in_context", "answered"}),
        uses=frozenset({"window"}),
    )

    def __init__(self, owner: Owner, *, window: int) -> None:
        super().__init__(owner)
        self._exchanges = window
        self._of: dict[str, list[int]] = {}

    def write(self, owner: Owner, record: Record) -> None:
        """Takes in one verbatim exchange."""
        place = self.archive.add(owner, record, self.capabilities.ingests)
        self._of.setdefault(record.customer, []).append(place)

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        """The last exchanges with ``query.customer`` that were visible by then, newest first."""
        self.archive.check(owner)
        records = [self.archive.records[place] for place in self._of.get(query.customer, ())]
        seen = [record for record in records if record.visible_at_ms <= query.at_ms]
        count = self._exchanges if query.limit is None else query.limit
        newest = seen[: -count - 1 : -1]
        return [Hit(record=record, score=1.0 / rank) for rank, record in enumerate(newest, 1)]
