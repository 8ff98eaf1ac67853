"""The world of the shop: nobody gets lost, no time runs backwards, and the clock ignores what is said."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shops import SMALL, shop_plan

from scenarios.noodle_shop.calendar import Hours, visits_of, walk_in_times
from scenarios.noodle_shop.customers import regulars, wishes
from scenarios.noodle_shop.settings import NoodleSettings
from scenarios.noodle_shop.shop import NoodleShop
from sim.clock import DAY_MS, WEEK_MS
from sim.ledger import Ledger
from sim.records import Event
from sim.runs import RunPlan, RunResult, run
from sim.streams import Stream
from sim.tables import read_records


def world(**keys: object) -> RunPlan:
    plan = shop_plan("memory=none", "probes.enabled=false", *SMALL)
    changed = plan.scenario.settings.model_copy(update=keys)
    return replace(plan, scenario=NoodleShop(NoodleSettings.model_validate(changed.model_dump())))


@settings(max_examples=8)
@given(
    seed=st.integers(0, 10_000),
    tables=st.integers(1, 3),
    waiters=st.integers(1, 2),
    patience_s=st.floats(1, 3000),
    walk_ins=st.floats(0, 40),
)
def test_customers_are_conserved_and_no_event_comes_before_its_cause(
    seed: int, tables: int, waiters: int, patience_s: float, walk_ins: float
) -> None:
    timing = NoodleSettings().timing.model_copy(update={"patience_s": patience_s})
    plan = world(weeks=1, tables=tables, waiters=waiters, walk_ins_per_day=walk_ins, timing=timing)
    result = run(replace(plan, seed=seed))
    visits = result.rows[seed].visits
    assert len({visit.visit for visit in visits}) == len(visits)
    assert {visit.outcome for visit in visits} <= {"served", "reneged", "closed"}
    for visit in visits:
        times = [visit.arrived_ms, visit.seated_ms, visit.ordered_ms, visit.served_ms, visit.left_ms]
        known = [time for time in times if time is not None]
        assert known == sorted(known)
        assert (visit.outcome == "served") == (visit.served_ms is not None and visit.right is not None)


def logged(result: RunResult) -> list[Event]:
    assert result.folder is not None
    return [
        event for part in sorted((result.folder / "events").iterdir()) for event in read_records(part, Event)
    ]


def test_every_arrival_leaves_and_no_table_is_taken_twice(tmp_path: object) -> None:
    plan = replace(world(weeks=2, tables=2, walk_ins_per_day=30), folder=tmp_path / "run")  # type: ignore[operator]
    events = logged(run(plan))
    kinds = Counter(event.kind for event in events)
    assert kinds["arrived"] == kinds["left"] > 300
    assert kinds["reneged"] > 0
    assert [event.seq for event in events] == list(range(len(events)))
    assert [event.time_ms for event in events] == sorted(event.time_ms for event in events)
    taken: dict[int, str] = {}
    at: dict[str, int] = {}
    for event in events:
        if event.kind == "seated":
            table = json.loads(event.payload)["table"]
            assert table not in taken, f"table {table} holds {taken[table]} and {event.visit}"
            taken[table], at[event.visit] = event.visit, table
        elif event.kind == "left" and event.visit in at:
            del taken[at.pop(event.visit)]


def test_whoever_is_there_at_the_end_is_counted() -> None:
    late = {"eating_s": 400_000.0}
    result = run(world(weeks=1, timing=NoodleSettings().timing.model_copy(update=late)))
    outcomes = Counter(visit.outcome for visit in result.rows[0].visits)
    assert outcomes["closed"] > 0


def test_a_closed_day_sees_nobody() -> None:
    opening = dict.fromkeys(("mon", "tue", "wed", "thu", "fri", "sat"), "11:00-21:00") | {"sun": None}
    result = run(world(weeks=2, opening=opening, walk_ins_per_day=10))
    weekdays = {visit.arrived_ms // DAY_MS % 7 for visit in result.rows[0].visits}
    assert weekdays == {0, 1, 2, 3, 4, 5}


def test_passers_by_are_a_poisson_process() -> None:
    settings = NoodleSettings(weeks=200, walk_ins_per_day=10)
    days = Counter(time // DAY_MS for time in walk_in_times(settings, Hours.of(settings), Stream.root(3)))
    counts = [days[day] for day in range(7 * 200)]
    mean = sum(counts) / len(counts)
    variance = sum((count - mean) ** 2 for count in counts) / (len(counts) - 1)
    # Standard error of the mean of 1400 Poisson(10) days is .085; of the variance about .38.
    assert mean == pytest.approx(10, abs=0.3)
    assert variance == pytest.approx(10, abs=1.5)


def test_regulars_come_about_as_often_as_their_rhythm_says() -> None:
    settings = NoodleSettings(weeks=52, regulars=50)
    hours = Hours.of(settings)
    visits = [len(list(visits_of(one, settings, hours))) for one in regulars(settings, Stream.root(0))]
    assert sum(visits) / len(visits) == pytest.approx(52, rel=0.05)


def test_drift_supersedes_and_never_wants_what_makes_ill() -> None:
    settings = NoodleSettings(weeks=52, regulars=30)
    menu, ledger = NoodleShop(settings).menu, Ledger()
    from scenarios.noodle_shop.customers import make_true

    changes = 0
    for one in regulars(settings, Stream.root(1)):
        make_true(one, settings.tastes, menu, ledger, settings.weeks)
        before, after = wishes(one, ledger, 0), wishes(one, ledger, settings.weeks * WEEK_MS)
        changes += sum(before.get(slot) != fact for slot, fact in after.items())
        if "allergy" in after and "extra" in after and after["extra"].polarity > 0:
            assert after["extra"].value != after["allergy"].value
    assert changes > 30


@pytest.mark.parametrize("assignment", ["free", "sticky", "random"])
def test_assignment_says_who_serves(assignment: str) -> None:
    result = run(world(weeks=4, assignment=assignment))
    waiters: dict[str, set[str]] = {}
    for visit in result.rows[0].visits:
        waiters.setdefault(visit.customer, set()).add(visit.waiter)
    most = max(len(served_by) for served_by in waiters.values())
    assert most == (1 if assignment == "sticky" else 2)


def test_shared_memory_hears_what_a_colleague_was_told() -> None:
    private = run(shop_plan("memory=window", *SMALL, "probes.enabled=false"))
    shared = run(shop_plan("memory=window", "memory.sharing=shared", *SMALL, "probes.enabled=false"))
    assert private.summary["losses"]["told_to_colleague"]["count"] > 0
    assert shared.summary["losses"]["told_to_colleague"]["count"] == 0


def test_the_shop_speaks_russian() -> None:
    result = run(shop_plan("memory=window", "scenario.language=ru", *SMALL))
    assert result.summary["recall_by_language"].keys() == {"ru"}
    assert result.summary["recall"]["answered"]["rate"] > 0.9


def test_waiting_with_one_waiter_does_not_hang_on_the_memory() -> None:
    times = [
        [(v.arrived_ms, v.seated_ms, v.ordered_ms, v.served_ms, v.left_ms) for v in run(plan).rows[0].visits]
        for plan in (world(weeks=1), replace(world(weeks=1), memory=shop_plan("memory=window").memory))
    ]
    assert times[0] == times[1]
