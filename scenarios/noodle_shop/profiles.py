"""What the shop knows of its slots, and how a row of a profile is put in words."""

from collections.abc import Callable

from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import SINGLE, SLOTS
from sim.memory.portrait import Row
from sim.memory.slots import Slots

NOODLE_SLOTS = Slots(
    single=SINGLE,
    multi=frozenset(SLOTS) - SINGLE,
    pinned=frozenset({"allergy"}),
    episodic=frozenset({"visit"}),
    opposites={"liked": {"good": "bad", "bad": "good"}},
)

ENTITY_TYPES = {"dish": "dish", "extra": "ingredient", "without": "ingredient", "allergy": "ingredient"}
"""What the value of a slot is, for a graph; of the other slots it is a preference and nothing else."""


def row_text(language: str) -> Callable[[Row], str]:
    """Puts rows in words of a language; `Reader` reads them back."""

    def text(row: Row) -> str:
        return event_text(language, [row.claim])

    return text
