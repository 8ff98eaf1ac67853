"""What a store of diaries leaves beside its records: profile, graph and rules, for people to read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from sim.memory.diary.manners import Manners
from sim.memory.diary.parts import Parts
from sim.memory.experience.patterns import read, write
from sim.memory.experience.rule import Rule
from sim.memory.graph.files import write_together
from sim.memory.graph.graph import Graph
from sim.memory.profile.profile import Profile
from sim.memory.saved.files import encoded, put

PROFILE_FILE, GRAPH_FILE, PATTERNS_FILE = "profile.json", "graph.graphml", "patterns.json"


class Exported(Protocol):
    """What is looked at of a memory."""

    parts: Parts
    profile: Profile
    graph: Graph
    manners: Manners


def export(folder: Path, memories: Sequence[Exported], at_ms: int) -> None:
    """Writes what the parts of one store's memories hold as of a time; a part that is off leaves no file."""
    parts = memories[0].parts
    if parts.profile:
        people = [portrait for memory in memories for portrait in _people(memory.profile, at_ms)]
        put(folder / PROFILE_FILE, encoded({"customers": people}, indent=1) + b"\n")
    if parts.graph:
        write_together((memory.graph for memory in memories), folder / GRAPH_FILE, at_ms)
    if parts.experience:
        path = folder / PATTERNS_FILE
        write(path, learnt(memories, at_ms), read(path))


def learnt(memories: Iterable[Exported], at_ms: int) -> Mapping[str, Rule]:
    """All rules of a store by id."""
    return {rule.id: rule for memory in memories for rule in memory.manners.rules(at_ms)}


def _people(profile: Profile, at_ms: int) -> Iterable[dict[str, Any]]:
    for customer in profile.customers(at_ms):
        portrait = profile.at(customer, at_ms)
        rows = [asdict(row) for row in profile.history(customer, at_ms)]
        yield {
            "customer": customer,
            "visits": portrait.visits,
            "regular": portrait.regular,
            "last_ms": portrait.last_ms,
            "rows": rows,
        }
