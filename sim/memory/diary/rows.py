"""A profile as records, so that it is recalled, cut and scored like everything else."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from sim.clock import DAY_MS
from sim.memory.profile.portrait import Portrait, Row
from sim.memory.protocol import Owner, Record

PROFILE = "profile"


def row_records(portrait: Portrait, owner: Owner) -> Iterator[Record]:
    """What holds of a customer, pinned rows first, one record for all that was said on one day.

    They are made for one recall and stored nowhere. Their text is empty: the claims are all there is.
    """
    rows = sorted(portrait.rows, key=lambda row: (not row.pinned, row.since_ms // DAY_MS))
    for (free, day), group in groupby(rows, key=lambda row: (not row.pinned, row.since_ms // DAY_MS)):
        name = f"{owner.store}/{PROFILE}/{portrait.customer}/{day}{'' if free else '/pinned'}"
        yield _record(name, owner, portrait.customer, list(group))


def _record(name: str, owner: Owner, customer: str, rows: list[Row]) -> Record:
    at_ms = max(row.since_ms for row in rows)
    return Record(
        id=name,
        at_ms=at_ms,
        visible_at_ms=at_ms,
        agent=owner.store,
        customer=customer,
        visit="",
        kind=PROFILE,
        text="",
        claims=tuple(row.claim for row in rows),
        sources=tuple(dict.fromkeys(_utterances(rows))),
    )


def _utterances(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        yield from row.utterances
