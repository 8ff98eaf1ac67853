"""A profile as records, so that it is recalled, cut and scored like everything else."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from sim.clock import DAY_MS, day_start
from sim.memory.forgetting.uses import MADE
from sim.memory.profile.portrait import Row
from sim.memory.profile.profile import Profile
from sim.memory.protocol import Owner, Record

PROFILE = MADE


def row_records(profile: Profile, owner: Owner, customer: str, at_ms: int) -> Iterator[Record]:
    """What holds of a customer, pinned rows first, one record for all that was said on one day.

    They are made for one recall and stored nowhere. Their text is empty: the claims are all there is. What
    happened is told as of this morning as well: who asks for the last visit does not mean the one that is
    under way.
    """
    now, morning = profile.at(customer, at_ms).rows, profile.at(customer, day_start(at_ms)).rows
    past = [row for row in morning if row.claim.slot in profile.slots.episodic and row not in now]
    rows = sorted([*now, *past], key=lambda row: (not row.pinned, row.since_ms // DAY_MS))
    for (free, day), group in groupby(rows, key=lambda row: (not row.pinned, row.since_ms // DAY_MS)):
        name = f"{owner.store}/{PROFILE}/{customer}/{day}{'' if free else '/pinned'}"
        yield _record(name, owner, customer, list(group))


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
        sources=tuple(dict.fromkeys(_each(row.utterances for row in rows))),
        # Whose place it takes in the prompt; `sim.memory.forgetting.uses` counts these as used.
        replaces=tuple(dict.fromkeys(_each(row.records for row in rows))),
    )


def _each(names: Iterable[Iterable[str]]) -> Iterator[str]:
    for some in names:
        yield from some
