"""The recall log against what is known beforehand: the order of presets, and error rates that were set."""

import pytest

from benchmarks.instrument import CASES, SET, measured, settings_of
from benchmarks.recall import arm, difference
from sim.build import plan_of
from sim.door import configured
from sim.runs import run

WORLD = ["scenario.weeks=2", "scenario.regulars=10", "scenario.rhythm_days=3", "scenario.walk_ins_per_day=2"]


def test_presets_stand_in_the_order_that_theory_gives() -> None:
    arms = {memory: arm(memory, 3, WORLD) for memory in ("none", "flat", "window", "oracle")}
    for low, high in (("none", "flat"), ("none", "window"), ("flat", "oracle")):
        found = difference(arms[low], arms[high])
        assert found.low > 0, f"{high} is not above {low}: {found}"
    # Over few seeds a window is as good as the ledger; it must not be better.
    assert difference(arms["window"], arms["oracle"]).high >= 0


@pytest.mark.parametrize("rate", CASES)
def test_a_rate_that_was_set_is_read_back(rate: str) -> None:
    world = [
        "scenario.regulars=80",
        "scenario.weeks=1",
        "scenario.rhythm_days=3",
        "scenario.walk_ins_per_day=0",
    ]
    result = run(plan_of(configured(*settings_of(rate, 2, world)), None, resume=False))
    found = measured(rate, result)
    assert found.low < SET < found.high or abs(found.rate - SET) < 0.03, found
    assert found.n > 300


def test_without_errors_nothing_is_lost_by_the_reader() -> None:
    rates = [
        f"llm.models.surrogate.rates.{name}=0"
        for name in (
            "missed_extraction",
            "ignored_context",
            "confabulation",
            "lost_in_compression",
            "malformed_json",
        )
    ]
    result = run(
        plan_of(configured("memory=oracle", "scenario.phrasings=seen", *WORLD, *rates), None, resume=False)
    )
    assert result.summary["recall"]["answered"]["rate"] == 1.0
    assert result.summary["recall_exam"]["answered"]["rate"] == 1.0
    assert result.summary["incidents"] == 0
