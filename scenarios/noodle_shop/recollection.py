"""What a set of dated statements amounts to: of every slot the newest one holds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scenarios.noodle_shop.menu import SINGLE
from sim.memory.protocol import Claim


@dataclass(frozen=True, kw_only=True, slots=True)
class Stated:
    """A claim and the day on which it was made."""

    day: str
    claim: Claim


Known = Mapping[tuple[str, str], Stated]


def newest(stated: Iterable[Stated]) -> Known:
    """The last statement per slot, or per slot and value where a slot holds several values."""
    known: dict[tuple[str, str], Stated] = {}
    for one in stated:
        slot = one.claim.slot
        key = (slot, "" if slot in SINGLE else one.claim.value)
        known.pop(key, None)
        known[key] = one
    return known


def values(known: Known, slot: str) -> list[str]:
    """The values of a slot that hold."""
    claims = [stated.claim for stated in known.values() if stated.claim.slot == slot]
    return [claim.value for claim in claims if claim.polarity == 1]


def mentions(known: Known, slot: str) -> bool:
    """Whether anything at all was stated about a slot, if only that a value was taken back."""
    return any(stated.claim.slot == slot for stated in known.values())
