"""``memory=none``: nothing outlives the visit; the floor every other preset must beat."""

from collections.abc import Sequence

from sim.memory.archive import Archived
from sim.memory.protocol import Capabilities, Hit, Owner, Query, Record


class NoMemory(Archived):
    """Keeps nothing and recalls nothing."""

    capabilities = Capabilities(stages=frozenset({"told", "in_context", "answered"}))

    def write(self, owner: Owner, record: Record) -> None:
        """Refuses every record: it ingests no kind."""
        self.archive.add(owner, record, self.capabilities.ingests)

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        """Nothing."""
        del query
        self.archive.check(owner)
        return ()
