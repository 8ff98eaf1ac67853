"""``memory=transcript``: everything anybody said, word for word, newest first, to the budget."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from sim.memory.archive import Archived
from sim.memory.protocol import Capabilities, Hit, Owner, Query, Record

# No text has more characters to a token by the estimate of `sim.llm.tokens`; a test holds them together.
_CHARACTERS_PER_TOKEN = 3


class Transcript(Archived):
    """All exchanges of its owner, with whomever they were; the score is the rank, newest first.

    It stops at the first exchange that is beyond the budget by the lowest estimate, so a recall costs
    what a prompt can hold and not what was ever said. The prompt cuts to the exact budget. So a fact
    that is too old is lost as ``cut_by_budget`` or, if older still, as ``not_retrieved``.

    Args:
        owner: whose memory it is; with a customer, only what was said with that one is here.
        budget_tokens: tokens of all memory layers in a prompt.
    """

    capabilities = Capabilities(
        ingests=frozenset({"exchange"}),
        stages=frozenset({"told", "written", "kept", "retrieved", "in_context", "answered"}),
        uses=frozenset({"budget_tokens"}),
    )

    def __init__(self, owner: Owner, *, budget_tokens: int) -> None:
        super().__init__(owner)
        self._characters = budget_tokens * _CHARACTERS_PER_TOKEN

    def write(self, owner: Owner, record: Record) -> None:
        """Takes in one verbatim exchange."""
        self.archive.add(owner, record, self.capabilities.ingests)

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        """The newest exchanges that were visible by then and may fit the budget, newest first."""
        self.archive.check(owner)
        newest = islice(self._newest(query.at_ms), query.limit)
        return [Hit(record=record, score=1.0 / rank) for rank, record in enumerate(newest, 1)]

    def _newest(self, at_ms: int) -> Iterator[Record]:
        left = self._characters
        seen = bisect_right(self.archive.records, at_ms, key=lambda record: record.visible_at_ms)
        for place in reversed(range(seen)):
            record = self.archive.records[place]
            yield record
            left -= max(1, len(record.text))
            if left < 0:
                return
