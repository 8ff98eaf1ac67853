"""How old records are read when `sim.agents.night` makes them shorter after a session."""

from collections.abc import Iterator

from scenarios.locomo.prompts import one_line
from scenarios.locomo.world import LANGUAGE, World
from sim.agents.night import Batch, Reading, consolidate
from sim.engine.act import Steps
from sim.memory.profile.slots import Slots
from sim.memory.protocol import Claim, Owner, Record
from sim.records import ActId


def night(world: World, act: ActId, owner: Owner, at_ms: int) -> Steps:
    """Makes the oldest records shorter, and lets go of what the memory would let go of."""
    del at_ms
    return consolidate(act, owner, world.memory.capabilities, lambda batch: reading(world, batch))


def reading(world: World, batch: Batch) -> Reading:
    """How some records are read: by their words alone.

    No answer is a thing that a summary must keep (``episodic``), for that would tell it to the model; but
    those are counted that it still says.
    """
    questions = world.questions_of(source for record in batch for source in record.sources)
    people = world.speakers(batch)
    slots = frozenset(one.fact.slot for one in questions)
    sources = tuple(source for record in batch for source in record.sources)

    def claims(line: str) -> Iterator[Claim]:
        yield from world.claims(line, sources, questions)

    def body(record: Record) -> str:
        text = one_line(record.text)
        return text.removeprefix(f"{people[0]}: ") if len(people) == 1 else text

    return Reading(
        language=LANGUAGE,
        who=" and ".join(people),
        known=people,
        day=lambda record: world.calendar.day(record.at_ms),
        body=body,
        line=world.line,
        claims=claims,
        worded=lambda claim: claim.value,
        slots=Slots(multi=slots, episodic=slots),
    )
