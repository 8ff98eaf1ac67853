"""What a scenario tells the memories of its agents about its world."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sim.clock import Calendar
from sim.memory.graph.knowledge import EntityType
from sim.memory.profile.slots import Slots


@dataclass(frozen=True, kw_only=True, slots=True)
class Domain:
    """What can be claimed of people, and what things there are.

    Args:
        slots: which slots hold one value, which several, which are pinned.
        types: by slot, what kind of thing its values are; see `sim.memory.graph.graph.Graph`.
        things: terms that name things, as `sim.memory.retrieval.terms` makes them.
        calendar: dates of simulated time; None where dates mean nothing.
    """

    slots: Slots = field(default_factory=lambda: Slots(open=True))
    types: Mapping[str, EntityType] = field(default_factory=dict)
    things: frozenset[str] = frozenset()
    calendar: Calendar | None = None
