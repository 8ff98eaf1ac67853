"""What a scenario is to the engine: a cast, and a function that starts its processes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sim.engine.act import Steps
from sim.engine.simulation import Simulation
from sim.ledger import Fact
from sim.llm.surrogate import Skill
from sim.records import ActId

ExamMaker = Callable[[Simulation, ActId, Fact, int], Steps]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cast:
    """Who thinks, and how they are examined.

    Args:
        groups: the group of each agent; with ``memory.sharing=shared`` a group has one store.
        closings_ms: when each day closes; examinations come after closing.
        exam: makes the act that asks one agent about one fact, or None for no examinations.
    """

    groups: Mapping[str, str] = field(default_factory=dict)
    closings_ms: tuple[int, ...] = ()
    exam: ExamMaker | None = None


class Scenario(Protocol):
    """A world. One object serves any number of runs, so it keeps no state of a run.

    ``skills`` are what the surrogate reads prompts with, by role; they see the text only.
    One that the command line builds is called with its checked keys, an instance of its pydantic
    model ``Settings``, and may have a ``start``: the Monday of simulated time 0, and ``inputs``: the
    sha256 of each file that a key names, by key, so that a resume with another file is refused.
    """

    name: str
    duration_ms: int
    cast: Cast
    skills: Mapping[str, Skill]

    def open(self, simulation: Simulation) -> None:
        """Starts the processes of a fresh run at simulated time 0."""
        ...
