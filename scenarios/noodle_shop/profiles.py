"""What the shop tells the memories of its agents: its slots, its things and its calendar."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date

from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import OTHER_LIKING, SINGLE, SLOTS, Menu
from scenarios.noodle_shop.speech import LANGUAGES, speech
from sim.clock import Calendar
from sim.memory.domain import Domain
from sim.memory.graph.knowledge import EntityType
from sim.memory.profile.portrait import Row
from sim.memory.profile.slots import Slots
from sim.memory.retrieval.terms import terms, words

STATED_SLOTS = Slots(
    single=SINGLE,
    multi=frozenset(SLOTS) - SINGLE,
    pinned=frozenset({"allergy"}),
    episodic=frozenset({"visit"}),
    opposites={"liked": OTHER_LIKING},
)
"""Every slot that something can be stated about."""

NOODLE_SLOTS = Slots(
    # How somebody wants to be answered is a matter of manners, which rules carry.
    single=SINGLE - {"style"},
    multi=STATED_SLOTS.multi,
    pinned=STATED_SLOTS.pinned,
    episodic=STATED_SLOTS.episodic,
    opposites=STATED_SLOTS.opposites,
)
"""Those that a profile keeps."""

ENTITY_TYPES: Mapping[str, EntityType] = {
    "dish": "dish",
    "extra": "ingredient",
    "without": "ingredient",
    "allergy": "ingredient",
    "offer": "decision",
    "visit": "event",
}
"""What the values of a slot are in a graph; those of the other slots are preferences and nothing else."""

_FOOD = ("dish", "extra", "without", "allergy")


def domain_of(menu: Menu, start: date) -> Domain:
    """What memories may know of a shop with this menu."""
    things = frozenset(term for name in _names(menu) for term in terms(words(name)))
    return Domain(slots=NOODLE_SLOTS, types=ENTITY_TYPES, things=things, calendar=Calendar(start=start))


def row_text(language: str) -> Callable[[Row], str]:
    """Puts rows in words of a language; `Reader` reads them back."""

    def text(row: Row) -> str:
        return event_text(language, [row.claim])

    return text


def _names(menu: Menu) -> Iterator[str]:
    """What dishes and ingredients are called, in every form of every language."""
    for code in LANGUAGES:
        talk = speech(code).talk
        for slot in _FOOD:
            for value in menu.values(slot):
                forms = talk.names.get(slot, {}).get(value, {})
                yield from forms.values() if forms else (talk.name(slot, value),)
