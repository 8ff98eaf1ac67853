"""A cafe: guests name their drink once and then ask for the same again. Does the barista know it?

A whole scenario, meant to be read first and from the bottom up. `Cafe.open` starts one process per guest.
Each morning the guest comes and one act is handed in: `serve`, all that the barista does. Where the
barista asks the model, the surrogate answers with `read`, which sees nothing but the prompt.
"""

import re
from typing import Any

from pydantic import Field, field_validator

from sim.agents.effects import Given, Note
from sim.agents.notebook import Notebook
from sim.clock import DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS
from sim.config import Section
from sim.engine.act import Steps
from sim.engine.scenario import Cast
from sim.engine.simulation import Process, Simulation
from sim.ledger import Fact
from sim.llm.protocol import Request
from sim.llm.surrogate import Slips
from sim.memory.protocol import Claim
from sim.records import ActId

NAME = re.compile(r"\w[\w .'-]*")
DRINKS = ("espresso", "flat white", "cocoa", "mint tea")
SYSTEM = "You are a barista. Which drink does the last guest want? null if you cannot know."
DRINK = {"anyOf": [{"type": "string", "enum": list(DRINKS)}, {"type": "null"}]}
SCHEMA = {"type": "object", "properties": {"drink": DRINK}, "required": ["drink"]}


class CafeSettings(Section):
    """The keys of ``scenario=cafe``."""

    weeks: int = Field(default=4, ge=1, le=520)
    guests: list[str] = Field(default=["Anna", "Boris", "Chen"], min_length=1)

    @field_validator("guests")
    @classmethod
    def _are_told_apart(cls, guests: list[str]) -> list[str]:
        if len(set(guests)) < len(guests) or not all(map(NAME.fullmatch, guests)):
            raise ValueError("give each guest a name of their own, of letters, digits, spaces, . ' and -")
        return guests


def read(request: Request, slips: Slips) -> dict[str, Any]:
    """The surrogate: takes the newest drink the prompt names for this guest, and errs at its known rates."""
    *notes, last = request.user.splitlines()
    guest, _, words = last.partition(":")
    said = [] if slips.missed(guest, "drink") else [drink for drink in DRINKS if drink in words]
    own = [note.removeprefix(f"{guest}:") for note in notes if note.startswith(f"{guest}:")]
    known = [] if slips.ignored(guest, "drink") else [one for note in own for one in DRINKS if one in note]
    known += said
    if not known and slips.confabulated(guest, "drink"):
        known = [slips.invented(guest, "drink", DRINKS)]
    return {"drink": known[-1] if known else None}


def serve(notebook: Notebook, fact: Fact, number: int, due_ms: int) -> Steps:
    """One visit: the guest speaks, the barista recalls, decides, serves, and writes it down."""
    words = f"One {fact.value}, please." if number == 1 else "The same again, please."
    said = f"{fact.customer}: {words}"
    page = yield from notebook.recall(said)
    outcome, page = yield from notebook.ask("serve", SYSTEM, page, said, SCHEMA)
    drink = outcome.value["drink"] if outcome.value else None
    if number == 1:
        yield from notebook.tell(fact)
    else:
        values = (drink,) if drink else ()
        silent = outcome.value is not None and not values
        given = Given(slot=fact.slot, values=values, abstained=silent, restated=True)
        yield from notebook.observe("same_again", page, given)
    yield Note(kind="served", payload={"said": words, "drink": drink})
    understood = [Claim(slot=fact.slot, value=drink)] if drink else []
    yield from notebook.keep(f"{said} - Here: {drink or 'sorry, what was it?'}", understood)
    yield from notebook.close(number=number, left_ms=due_ms, wanted=fact.value, served=drink)


class Cafe:
    """The scenario; see `sim.engine.scenario.Scenario`."""

    Settings = CafeSettings
    name = "cafe"

    def __init__(self, settings: CafeSettings | None = None) -> None:
        self.settings = settings or CafeSettings()
        self.duration_ms = self.settings.weeks * WEEK_MS
        self.cast = Cast(groups={"barista": ""})
        self.skills = {"serve": read}

    def open(self, simulation: Simulation) -> None:
        """Starts a process for each guest."""
        for guest in self.settings.guests:
            simulation.process(self._mornings(simulation, guest))

    def _mornings(self, simulation: Simulation, guest: str) -> Process:
        chance = simulation.streams.of("guest", guest)
        taste = chance.of("drink").choice(DRINKS)
        fact = simulation.ledger.make_true(customer=guest, slot="drink", value=taste, at_ms=0)
        for day in range(self.duration_ms // DAY_MS):
            yield simulation.until(day * DAY_MS + chance.of("day", day).integer(8 * HOUR_MS, 10 * HOUR_MS))
            self._visit(simulation, fact, day + 1)

    def _visit(self, simulation: Simulation, fact: Fact, number: int) -> None:
        guest, now_ms, due_ms = fact.customer, simulation.now, simulation.now + MINUTE_MS
        act = ActId(agent="barista", customer=guest, visit=f"{guest}/{number}", purpose="serve")
        notebook = Notebook(plan=simulation.memory, act=act, at_ms=now_ms)
        seen_ms = simulation.memory.visible_at(due_ms, simulation.latency("serve", act.visit))
        simulation.ledger.visited(guest, now_ms)
        steps = serve(notebook, fact, number, due_ms)
        simulation.submit(act, steps, due_ms=due_ms, writes=[notebook.owner], visible_at_ms=seen_ms)
