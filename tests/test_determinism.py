"""What a run leaves hangs on its configuration and seed, and on nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest
from shops import SMALL, shop_plan, sleeping

from sim.runs import run

WEEK = (*SMALL, "scenario.weeks=1")


@pytest.mark.parametrize("memory", ["none", "window", "flat", "oracle"])
def test_the_same_seed_gives_the_same_log_and_another_seed_another(memory: str) -> None:
    plan = shop_plan(f"memory={memory}", *WEEK)
    first, again = run(plan), run(plan)
    other = run(replace(plan, seed=1))
    assert first.digests[0] == again.digests[0]
    assert first.digests[0] != other.digests[1]


@pytest.mark.parametrize("memory", ["flat", "window", "oracle"])
def test_calls_in_flight_change_nothing(memory: str) -> None:
    plan = shop_plan(
        f"memory={memory}", *SMALL, "scenario.weeks=1", "probes.every_days=3", "probes.sample=20"
    )
    runs = [run(sleeping(plan, limit, salt=str(limit), longest_s=0.004)) for limit in (1, 8, 64)]
    assert len({one.digests[0] for one in runs}) == 1
    assert [probe_row(one) for one in runs[1:]] == [probe_row(runs[0])] * 2
    assert runs[0].peak_in_flight == 1
    assert runs[2].peak_in_flight > 8


def probe_row(result: object) -> list[object]:
    return [replace(probe, retrieval_ms=0.0) for probe in result.rows[0].probes]  # type: ignore[attr-defined]


def test_with_one_memory_per_customer_many_calls_are_in_flight_and_come_back_out_of_order() -> None:
    plan = shop_plan(
        "scenario.regulars=200", "scenario.weeks=1", "memory.scope=customer", "probes.enabled=false"
    )
    many = run(sleeping(plan, 64, salt="many"))
    few = run(sleeping(plan, 8, salt="few", longest_s=0.001))
    assert many.digests == few.digests
    assert many.peak_in_flight >= 32
    assert many.out_of_order > 0


@pytest.mark.parametrize("memory", ["flat", "window"])
def test_examinations_change_nothing(memory: str) -> None:
    plan = shop_plan(f"memory={memory}", *WEEK, "probes.every_days=2", "probes.sample=50")
    without = run(replace(plan, probes=replace(plan.probes, enabled=False)))
    examined = run(plan)
    assert examined.digests == without.digests
    assert any(probe.kind == "exam" for probe in examined.rows[0].probes)
    assert not any(probe.kind == "exam" for probe in without.rows[0].probes)


def test_eight_replications_equal_eight_runs(tmp_path: Path) -> None:
    plan = shop_plan(*WEEK, "scenario.regulars=3", "probes.sample=20")
    together = run(replace(plan, replications=8, folder=tmp_path / "eight"))
    alone = {seed: run(replace(plan, seed=seed)).digests[seed] for seed in range(8)}
    assert together.digests == alone
    assert len(set(alone.values())) == 8
    assert {path.name for path in (tmp_path / "eight").glob("seed-*")} == {f"seed-{n}" for n in range(8)}


def test_replications_share_one_limit() -> None:
    plan = replace(shop_plan(*SMALL, "scenario.weeks=1", "probes.enabled=false"), replications=4)
    limited = run(sleeping(plan, 3, salt="three", longest_s=0.002))
    free = run(sleeping(plan, 64, salt="free", longest_s=0.002))
    assert limited.digests == free.digests
    assert limited.peak_in_flight == 3


def test_two_presets_share_one_world() -> None:
    """SPEC 8: the same except clarifications, food served, feedback, satisfaction and offers."""
    worlds = [run(shop_plan(f"memory={memory}", *SMALL)) for memory in ("none", "window", "flat", "oracle")]
    rows = [[world_of(visit) for visit in world.rows[0].visits] for world in worlds]
    assert all(row == rows[0] for row in rows[1:])
    asked = [questions_of(world) for world in worlds]
    assert all(one == asked[0] for one in asked[1:])


def world_of(visit: object) -> object:
    return replace(visit, served=None, right=None, satisfaction=None)  # type: ignore[type-var]


def questions_of(result: object) -> set[tuple[str, str, str, str]]:
    """What was asked; absences are asked only of who knew the value, the kitchen only of what it heard."""
    probes = result.rows[0].probes  # type: ignore[attr-defined]
    asked = (p for p in probes if p.question in ("usual", "last_visit") and p.polarity > 0)
    return {(p.customer, p.visit, p.slot, p.expected) for p in asked}
