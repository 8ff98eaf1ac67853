"""The mind against a sequential oracle: random acts, scopes, latencies, limits, cancellations, failures."""

import pytest
from fuzzed_world import Everything, concurrently, sequentially

from sim.engine.scope import Scope
from sim.memory.protocol import Memory
from sim.streams import Stream

CASES = 600


def case(number: int) -> Stream:
    return Stream.root(number).of("case")


@pytest.mark.parametrize("block", range(6))
def test_every_digest_equals_the_oracles(block: int) -> None:
    for number in range(block, CASES, 6):
        limit = case(number).of("limit").choice([1, 2, 8, 64])
        wrong = f"case {number} with {limit} in flight"
        assert concurrently(case(number), limit, str(number)) == sequentially(case(number)), wrong


def test_the_cases_differ_and_have_something_in_them() -> None:
    digests = {sequentially(case(number)).digest for number in range(100)}
    assert len(digests) > 95


def test_a_programming_error_is_reported_once_and_in_its_place_in_the_log() -> None:
    deaths = 0
    for number in range(200):
        wanted = sequentially(case(number), deadly=0.05)
        found = concurrently(case(number), 8, str(number), deadly=0.05)
        deaths += bool(wanted.error)
        assert found.digest == wanted.digest, f"case {number}"
        assert found.error.startswith(f"act {wanted.error} died" if wanted.error else ""), f"case {number}"
        assert bool(found.error) == bool(wanted.error)
    assert deaths > 50


def caught(cases: int = 150) -> int:
    return sum(
        concurrently(case(number), 8, "fault") != sequentially(case(number)) for number in range(cases)
    )


def test_a_recall_that_does_not_wait_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hasty(self: Scope, time_ms: int, seq: int) -> Memory:
        return self.applied(time_ms)

    monkeypatch.setattr(Scope, "seen_at", hasty)
    assert caught() > 0


def test_a_recall_without_the_visibility_filter_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Everything, "blind", True)
    assert caught() > 0
