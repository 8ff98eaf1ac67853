"""What the shop knows of its slots, and how a row of a profile is put in words."""

from collections.abc import Callable, Mapping

from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import OTHER_LIKING, SINGLE, SLOTS
from sim.memory.graph.knowledge import EntityType
from sim.memory.profile.portrait import Row
from sim.memory.profile.slots import Slots

NOODLE_SLOTS = Slots(
    single=SINGLE,
    multi=frozenset(SLOTS) - SINGLE,
    pinned=frozenset({"allergy"}),
    episodic=frozenset({"visit"}),
    opposites={"liked": OTHER_LIKING},
)

ENTITY_TYPES: Mapping[str, EntityType] = {
    "dish": "dish",
    "extra": "ingredient",
    "without": "ingredient",
    "allergy": "ingredient",
    "offer": "decision",
    "visit": "event",
}
"""What the values of a slot are in a graph; those of the other slots are preferences and nothing else."""


def row_text(language: str) -> Callable[[Row], str]:
    """Puts rows in words of a language; `Reader` reads them back."""

    def text(row: Row) -> str:
        return event_text(language, [row.claim])

    return text
