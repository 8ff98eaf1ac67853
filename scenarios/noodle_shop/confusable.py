"""People who are easily taken for one another: one first name, one look, and tastes almost the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scenarios.noodle_shop.menu import Menu
from sim.streams import Stream

_OF_THREE = 1 / 3


def regular_id(number: int) -> str:
    """The id of a drawn regular."""
    return f"c-{number:03d}"


def stream_of(streams: Stream, name: str) -> Stream:
    """The stream of the customer with this id."""
    return streams.of("customer", name)


@dataclass(frozen=True, kw_only=True, slots=True)
class Likeness:
    """Somebody's place among people like them.

    Args:
        place: 0 for the leader, whom the others resemble, then 1, 2, … for the others.
        size: how many they are.
        leader: the stream of the leader, from which all that they share is drawn.
    """

    place: int
    size: int
    leader: Stream


@lru_cache(maxsize=64)  # a pure function, asked once per customer
def likenesses(count: int, share: float, streams: Stream) -> Mapping[int, Likeness]:
    """By number, the regulars that are in a pair or a group of three.

    Together they are ``share`` of all ``count`` regulars, rounded; one alone is none.
    """
    draw = streams.of("confusable")
    left = sorted(range(1, count + 1), key=lambda number: draw.of(number).key)[: round(share * count)]
    found: dict[int, Likeness] = {}
    while len(left) > 1:
        size = _size(len(left), draw.of("size", left[0]))
        members, left = sorted(left[:size]), left[size:]
        leader = stream_of(streams, regular_id(members[0]))
        found |= {n: Likeness(place=place, size=size, leader=leader) for place, n in enumerate(members)}
    return found


def told_apart(
    wishes: Mapping[str, str], likeness: Likeness, menu: Menu, slots: Sequence[str]
) -> dict[str, str]:
    """The wishes of one of a group, made of their leader's: any two differ in the same one or two slots.

    Args:
        wishes: the leader's, by slot.
        likeness: who of the group it is; the leader keeps the wishes as they are.
        menu: what can be wished for.
        slots: the slots that may differ.
    """
    if not likeness.place:
        return dict(wishes)
    choices = {slot: _others(slot, wishes, menu) for slot in slots}
    enough = [slot for slot in slots if len(choices[slot]) >= likeness.size - 1]
    draw = likeness.leader.of("told apart")
    chosen = draw.of("slots").sample(enough, 1 + draw.of("two").integer(0, 1))
    values = {slot: _shuffled(choices[slot], draw.of(slot))[likeness.place - 1] for slot in chosen}
    return {slot: (dict(wishes) | values)[slot] for slot in slots if slot in values or slot in wishes}


def _size(left: int, draw: Stream) -> int:
    if left <= 3:
        return left
    # Three of four would leave one alone.
    return 3 if left > 4 and draw.chance(_OF_THREE) else 2


def _others(slot: str, wishes: Mapping[str, str], menu: Menu) -> list[str]:
    """The values of a slot that the leader does not have and that go with their other wishes."""
    barred = {wishes.get(slot)}
    if slot == "extra":
        barred |= {wishes.get("allergy")}
    if slot == "allergy":  # whatever extra goes with it, nobody wants what makes them ill
        barred |= set(menu.extra)
    return [value for value in menu.values(slot) if value not in barred]


def _shuffled(values: Sequence[str], draw: Stream) -> list[str]:
    return sorted(values, key=lambda value: draw.of(value).key)
