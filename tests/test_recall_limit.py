"""The limit of a query goes before a memory's own setting, in every preset."""

from collections.abc import Callable
from functools import partial

import pytest

from sim.embed.static import wordllama
from sim.memory.flat import Flat
from sim.memory.index_kinds import vector_index
from sim.memory.none import NoMemory
from sim.memory.oracle import Oracle
from sim.memory.protocol import Claim, Memory, Owner, Query, Record
from sim.memory.simple import Simple
from sim.memory.transcript import Transcript
from sim.memory.window import Window

OWNER = Owner(store="w1")
SLOTS = ("dish", "extra", "without", "spice", "portion")


def flat() -> Memory:
    return Flat(
        OWNER, embedder=wordllama(None, None), index=partial(vector_index, "exact"), top_k=3,
        squeeze_above=50, squeeze_count=10,
    )  # fmt: skip


MEMORIES: dict[str, tuple[str, Callable[[], Memory]]] = {
    "window": ("exchange", lambda: Window(OWNER, window=3)),
    "transcript": ("exchange", lambda: Transcript(OWNER, budget_tokens=12)),
    "simple": ("exchange", lambda: Simple(OWNER, top_k=3)),
    "flat": ("event", flat),
    "oracle": ("telling", lambda: Oracle(OWNER)),
}


def filled(kind: str, memory: Memory) -> Memory:
    """Five records of five facts about one customer."""
    for place, slot in enumerate(SLOTS):
        claims = (Claim(slot=slot, value="x"),) if kind != "exchange" else ()
        memory.write(
            OWNER,
            Record(
                id=f"r{place}",
                at_ms=place,
                visible_at_ms=place,
                agent="w1",
                customer="anna",
                visit="",
                kind=kind,
                text=f"anna {slot} laksa",
                claims=claims,
                sources=(f"u{place}",),
            ),
        )
    return memory


@pytest.mark.parametrize("name", MEMORIES)
def test_the_limit_of_a_query_is_kept_and_takes_the_best(name: str) -> None:
    memory = filled(MEMORIES[name][0], MEMORIES[name][1]())

    def recalled(limit: int | None) -> list[str]:
        query = Query(text="anna: laksa", customer="anna", at_ms=9, limit=limit)
        return [hit.record.id for hit in memory.recall(OWNER, query)]

    own = recalled(None)
    assert len(own) > 2
    for limit in range(3):
        assert recalled(limit) == own[:limit]


def test_no_memory_has_nothing_to_limit() -> None:
    assert NoMemory(OWNER).recall(OWNER, Query(text="", customer="anna", at_ms=9, limit=2)) == ()
