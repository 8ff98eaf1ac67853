"""``memory=oracle``: the ledger itself; what is lost with it is the reader's loss."""

from collections.abc import Sequence

from sim.memory.archive import Archived
from sim.memory.protocol import Capabilities, Hit, Owner, Query, Record


class Oracle(Archived):
    """Every telling, structured and error-free; recalls the newest per slot of one customer."""

    capabilities = Capabilities(
        ingests=frozenset({"telling"}),
        stages=frozenset({"told", "retrieved", "in_context", "answered"}),
    )

    def __init__(self, owner: Owner) -> None:
        super().__init__(owner)
        self._of: dict[str, list[int]] = {}

    def write(self, owner: Owner, record: Record) -> None:
        """Takes in the facts of one utterance, straight from the ledger."""
        place = self.archive.add(owner, record, self.capabilities.ingests)
        self._of.setdefault(record.customer, []).append(place)

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        """The newest telling of each slot of the customer, newest first."""
        self.archive.check(owner)
        newest: dict[str, Record] = {}
        for place in self._of.get(query.truth or query.customer, ()):
            record = self.archive.records[place]
            if record.visible_at_ms <= query.at_ms:
                newest |= {claim.slot: record for claim in record.claims}
        ranked = sorted({record.id: record for record in newest.values()}.values(), key=_newest_first)
        return [Hit(record=record, score=1.0 / rank) for rank, record in enumerate(ranked[: query.limit], 1)]


def _newest_first(record: Record) -> tuple[int, str]:
    return -record.at_ms, record.id
