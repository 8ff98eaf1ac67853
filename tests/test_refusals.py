"""What the simulation refuses because the result would hang on chance, and ids that nobody can share."""

import asyncio
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sim.agents.effects import Note
from sim.clock import Calendar
from sim.engine.act import Steps
from sim.engine.log import EventLog
from sim.engine.mind import Mind
from sim.engine.simulation import Simulation
from sim.errors import OrderError
from sim.ledger import Ledger
from sim.memory.none import NoMemory
from sim.memory.plan import MemoryPlan
from sim.records import ActId, refuse_floats, utterance_of
from sim.streams import Stream

WORDS = st.text(alphabet="ab:/@%|1", max_size=5)
FLOATS = {
    "payload.a": {"a": 0.5},
    "payload.a.1.b": {"a": [1, {"b": float("nan")}]},
    "payload.a.0": {"a": (1.0, "x")},
    "payload.a, a key": {"a": {0.5: "x"}},
}


def simulation() -> Simulation:
    return Simulation(
        streams=Stream.root(0),
        calendar=Calendar(start=date(2026, 1, 5)),
        memory=MemoryPlan(make=NoMemory, capabilities=NoMemory.capabilities),
        ledger=Ledger(),
    )


def thought() -> Steps:
    yield Note(kind="thought", payload={"n": 1, "sure": True, "of": None})


@pytest.mark.parametrize(("place", "payload"), FLOATS.items())
def test_no_line_of_the_log_holds_a_float(place: str, payload: dict[str, Any]) -> None:
    with pytest.raises(OrderError, match=f"'left'.*{place}"):
        Note(kind="left", payload=payload)
    with pytest.raises(OrderError, match=f"'left'.*{place}"):
        simulation().log("left", **payload)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.floats(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
        max_leaves=8,
    )
)
def test_a_payload_is_refused_exactly_when_a_float_is_in_it(value: Any) -> None:
    try:
        refuse_floats("x", {"value": value})
    except OrderError:
        assert any(leaves(value))
    else:
        assert not any(leaves(value))


def leaves(value: Any) -> Iterator[bool]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    else:
        yield isinstance(value, float)


async def submitted(*acts: ActId) -> int:
    """Submits thoughts at one time; returns how many lines they came to."""
    world, lines = simulation(), []

    def process() -> Iterator[Any]:
        for act in acts:
            world.submit(act, thought(), due_ms=5)
        yield world.timeout(1)

    ask: Any = None  # no act asks anything
    world.attach(Mind(world.scopes, ask, ask), EventLog(lambda time_ms, entry: lines.append(entry)))
    world.process(process())
    await world.run(10)
    return len(lines)


def test_an_identity_is_submitted_once() -> None:
    act = ActId(agent="w", customer="a", visit="a/1", purpose="reply")
    again = ActId(agent="w", customer="a", visit="a/1", purpose="reply")
    retry = ActId(agent="w", customer="a", visit="a/1", purpose="reply", attempt=1)
    assert asyncio.run(submitted(act, retry)) == 2
    with pytest.raises(OrderError, match=r"act w\|a\|a/1\|0\|reply\|0 was submitted already"):
        asyncio.run(submitted(act, again))


@example("a", "b/2@c", 1, "a/1@b", "c", 2)
@given(WORDS, WORDS, st.integers(0, 11), WORDS, WORDS, st.integers(0, 11))
def test_no_two_exchanges_share_an_id(
    visit: str, agent: str, place: int, other_visit: str, other_agent: str, other_place: int
) -> None:
    one = ActId(agent=agent, visit=visit, exchange=place, purpose="p")
    other = ActId(agent=other_agent, visit=other_visit, exchange=other_place, purpose="p")
    same = (visit, agent, place) == (other_visit, other_agent, other_place)
    assert (utterance_of(one) == utterance_of(other)) == same
