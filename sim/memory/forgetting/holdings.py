"""Puts together what a policy of forgetting looks at."""

from collections.abc import Callable, Iterable, Mapping

from sim.memory.forgetting.policies import Holding
from sim.memory.forgetting.uses import Uses
from sim.memory.protocol import Record


def holdings(
    records: Iterable[Record],
    at_ms: int,
    *,
    uses: Uses,
    importance: Mapping[str, float],
    pinned: Callable[[Record], bool],
) -> list[Holding]:
    """What speaks for keeping each of some living records, as of a time.

    Args:
        records: oldest first.
        at_ms: simulated time.
        uses: of these records.
        importance: from 0 to 1 by the ids of records, such as `Graph.of_records`; of others it is 0.
        pinned: whether a record must stay, such as `Profile.pinned`.
    """
    return [
        Holding(
            record=record,
            uses=uses.count(record.id, at_ms),
            last_use_ms=uses.last_ms(record.id, at_ms),
            importance=importance.get(record.id, 0.0),
            pinned=pinned(record),
        )
        for record in records
    ]
