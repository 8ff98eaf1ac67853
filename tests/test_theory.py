"""Queueing theory: its formulas against tables and numerics, the simulation against its formulas."""

import heapq
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shops import SMALL, shop_plan

from benchmarks.queue_theory import (
    Estimate,
    House,
    little,
    luck,
    mean_wait_s,
    share_reneged,
    shop_settings,
    visits_of,
    wait_s,
)
from scenarios.noodle_shop.settings import NoodleSettings
from scenarios.noodle_shop.shop import NoodleShop
from sim.metrics.queueing import Queue, erlang_a, erlang_b, erlang_c, littles_law, mmc
from sim.records import Event, Visit
from sim.runs import RunPlan, run
from sim.tables import read_records

# --- formulas


def test_erlang_b_gives_the_loads_of_the_published_tables() -> None:
    # Loads that 1 % blocking allows, to the digits the tables have.
    for servers, load in ((1, 0.0101), (5, 1.361), (10, 4.461), (20, 12.03)):
        assert erlang_b(servers, load) == pytest.approx(0.01, rel=2e-3)


def test_the_formulas_give_the_figures_of_the_literature() -> None:
    # 100 calls in half an hour of 180 s each, 14 agents: 17.4 % wait, 7.8 s on average.
    centre = mmc(rate=100 / 1800, service_s=180, servers=14)
    assert (round(centre.waits, 3), round(centre.wait_s, 1)) == (0.174, 7.8)
    # Mandelbaum and Zeltyn (2007): 48 calls a minute of a minute each, 50 agents; patience of 2 minutes.
    busy = {"rate": 48 / 60, "service_s": 60.0, "servers": 50}
    patient, impatient = mmc(**busy), erlang_a(**busy, patience_s=120.0)
    assert round(patient.wait_s, 1) == 20.8
    assert (round(impatient.abandons, 3), round(impatient.wait_s, 1)) == (0.031, 3.7)


def test_one_server_is_the_textbook_case() -> None:
    found = mmc(rate=0.5, service_s=1.0, servers=1)
    assert found == Queue(waits=0.5, abandons=0.0, wait_s=pytest.approx(1.0))
    assert mmc(rate=3, service_s=1, servers=3).wait_s == math.inf
    assert erlang_c(3, 4.0) == 1.0


def stationary(rate: float, service_s: float, servers: int, patience_s: float) -> Queue:
    """The same from the generator of the chain, cut off far out and solved as linear equations."""
    size = servers + 90
    gone = [min(n, servers) / service_s + max(0, n - servers) / patience_s for n in range(size)]
    flow = np.diag([rate] * (size - 1), 1) + np.diag(gone[1:], -1)
    flow -= np.diag(flow.sum(axis=1))
    equations = np.vstack([flow.T[1:], np.ones(size)])
    shares = np.linalg.solve(equations, np.append(np.zeros(size - 1), 1.0))
    queue = sum(max(0, n - servers) * share for n, share in enumerate(shares))
    return Queue(waits=float(shares[servers:].sum()), abandons=queue / patience_s / rate, wait_s=queue / rate)


@given(load=st.floats(0.2, 12), servers=st.integers(1, 8), patience_s=st.floats(0.1, 2))
@settings(max_examples=40)
def test_erlang_a_agrees_with_the_chain_solved_numerically(
    load: float, servers: int, patience_s: float
) -> None:
    found = erlang_a(rate=load, service_s=1.0, servers=servers, patience_s=patience_s)
    solved = stationary(load, 1.0, servers, patience_s)
    assert found.waits == pytest.approx(solved.waits, abs=1e-8)
    assert found.abandons == pytest.approx(solved.abandons, abs=1e-8)
    assert found.wait_s == pytest.approx(solved.wait_s, abs=1e-8)


@given(share=st.floats(0.05, 0.8), servers=st.integers(1, 30), service_s=st.floats(0.01, 1e4))
def test_endless_patience_turns_erlang_a_into_erlang_c(share: float, servers: int, service_s: float) -> None:
    house = {"rate": share * servers / service_s, "service_s": service_s, "servers": servers}
    patient, endless = mmc(**house), erlang_a(**house, patience_s=math.inf)
    long = erlang_a(**house, patience_s=1e9 * service_s)
    assert endless == patient
    assert long.wait_s == pytest.approx(patient.wait_s, rel=1e-5)
    assert long.waits == pytest.approx(patient.waits, rel=1e-5)


def test_far_overload_and_great_patience_stay_finite() -> None:
    # Then as many give up as cannot be served.
    found = erlang_a(rate=100.0, service_s=1.0, servers=20, patience_s=1000.0)
    assert found.abandons == pytest.approx(0.8)
    assert found.waits == pytest.approx(1.0)
    assert erlang_a(rate=0.1, service_s=1.0, servers=400, patience_s=1.0).waits == 0.0


@pytest.mark.parametrize(("servers", "load"), [(0, 1.0), (1, 0.0), (1, -1.0)])
def test_a_queue_without_server_or_load_is_refused(servers: int, load: float) -> None:
    with pytest.raises(ValueError, match="a server and a load above 0"):
        erlang_b(servers, load)


def test_nobody_has_no_patience_at_all() -> None:
    with pytest.raises(ValueError, match="patience_s must be above 0"):
        erlang_a(rate=1.0, service_s=1.0, servers=1, patience_s=0.0)


# --- Little's law


def test_littles_law_on_a_day_that_can_be_counted_by_hand() -> None:
    # One is there from 0 to 10, another from 5 to 20.
    found = littles_law([0, 5], [20, 10], [10, 15])
    assert (found.customers, found.span_ms, found.present_ms, found.stays_ms) == (2, 20, 25, 25)
    assert found.present == found.rate_times_stay == 1.25
    assert found.holds


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**7)), max_size=60))
def test_littles_law_is_an_identity_and_shows_a_stay_that_is_wrong(rows: list[tuple[int, int]]) -> None:
    arrivals = [start for start, _ in rows]
    departures = sorted(start + stay for start, stay in rows)
    stays = [stay for _, stay in rows]
    found = littles_law(arrivals, departures, stays)
    assert found.holds
    if found.span_ms:
        assert found.present == pytest.approx(found.rate_times_stay)
        assert not littles_law(arrivals, departures, [stays[0] + 1, *stays[1:]]).holds


def test_who_did_not_leave_or_never_came_breaks_the_books() -> None:
    with pytest.raises(ValueError, match="2 arrivals, 1 departures"):
        littles_law([1, 2], [3], [2])
    with pytest.raises(ValueError, match="more people have left"):
        littles_law([5], [3], [2])


# --- the engine alone


def measured(house: House, seeds: Iterable[int]) -> tuple[Estimate, Estimate]:
    """Wait and share of those who give up, with 99.9 % intervals."""
    runs = [visits_of(house, seed) for seed in seeds]
    controls = [luck(house, visits) for visits in runs]
    wait = Estimate.of([mean_wait_s(visits) for visits in runs], controls, z=3.29)
    return wait, Estimate.of([share_reneged(visits) for visits in runs], controls, z=3.29)


@pytest.mark.parametrize(
    "house",
    [
        House(tables=1, between_s=1200, stay_s=600, customers=1000),
        House(tables=2, between_s=500, stay_s=600, customers=1000),
        House(tables=4, between_s=125, stay_s=600, patience_s=450, customers=1000),
    ],
    ids=["M/M/1", "M/M/2", "M/M/4+M"],
)
def test_the_engine_waits_as_theory_says(house: House) -> None:
    wait, gave_up = measured(house, range(12))
    assert wait.holds(house.theory.wait_s)
    assert wait.half < 0.4 * wait.mean
    assert gave_up.mean == pytest.approx(house.theory.abandons, abs=gave_up.half + 1e-12)


def test_the_engine_would_be_caught_with_one_table_more() -> None:
    house = House(tables=4, between_s=125, stay_s=600, patience_s=450, customers=1000)
    wait, _ = measured(house, range(12))
    assert not wait.holds(replace(house, tables=5).theory.wait_s)


def test_the_interval_covers_a_known_mean_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(3)
    hits = 0
    for _ in range(300):
        controls = generator.normal(size=(12, 2))
        values = 5 + controls @ [1.0, -2.0] + generator.normal(0, 0.5, size=12)
        hits += Estimate.of(list(values), controls.tolist()).holds(5.0)
    assert 0.92 <= hits / 300 <= 0.98


# --- the shop


def ideal(visits: Sequence[Visit], tables: int) -> list[tuple[str, int]]:
    """When each visit should be seated by first come, first served; of those who gave up, at the earliest.

    It takes the stays and who gave up as given, and nothing else: the recursion of Kiefer and Wolfowitz.
    """
    free_at, found = [0] * tables, []
    for visit in sorted(visits, key=lambda visit: visit.arrived_ms):
        seat_ms = max(visit.arrived_ms, free_at[0])
        found.append((visit.visit, seat_ms))
        if visit.outcome == "served":
            assert visit.seated_ms is not None
            heapq.heapreplace(free_at, seat_ms + visit.left_ms - visit.seated_ms)
    return found


def assert_first_come_first_served(visits: Sequence[Visit], tables: int) -> None:
    by_name = {visit.visit: visit for visit in visits}
    for name, seat_ms in ideal(visits, tables):
        visit = by_name[name]
        if visit.outcome == "served":
            assert visit.seated_ms == seat_ms
        else:
            assert visit.left_ms <= seat_ms, "gave up although a table was free"


def logged(folder: Path) -> list[Event]:
    return [event for part in sorted((folder / "events").iterdir()) for event in read_records(part, Event)]


def crowded(**changes: object) -> RunPlan:
    """A shop of one week that is too small for its guests."""
    plan = shop_plan("memory=none", "probes.enabled=false", *SMALL)
    keys = NoodleSettings.model_validate(plan.scenario.settings.model_dump() | {"weeks": 1} | changes)
    return replace(plan, scenario=NoodleShop(keys))


@settings(max_examples=4)
@given(seed=st.integers(0, 10_000), tables=st.integers(1, 3), walk_ins=st.floats(5, 40))
def test_littles_law_holds_and_tables_go_to_who_came_first_in_every_run(
    seed: int, tables: int, walk_ins: float
) -> None:
    with TemporaryDirectory() as place:
        plan = crowded(tables=tables, walk_ins_per_day=walk_ins)
        visits = run(replace(plan, seed=seed, folder=Path(place) / "r")).rows[seed].visits
        events = logged(Path(place) / "r")
    assume(visits)
    came = [event.time_ms for event in events if event.kind == "arrived"]
    went = [event.time_ms for event in events if event.kind == "left"]
    assert littles_law(came, went, [visit.left_ms - visit.arrived_ms for visit in visits]).holds
    seats = [event.time_ms for event in events if event.kind == "seated"]
    sat = [visit for visit in visits if visit.seated_ms is not None]
    rose = [visit.left_ms for visit in sat]
    assert littles_law(seats, rose, [visit.left_ms - (visit.seated_ms or 0) for visit in sat]).holds
    assert_first_come_first_served([visit for visit in visits if visit.outcome != "closed"], tables)


def test_the_log_tells_which_table(tmp_path: Path) -> None:
    run(replace(crowded(tables=2), folder=tmp_path / "r"))
    tables = {
        json.loads(event.payload)["table"] for event in logged(tmp_path / "r") if event.kind == "seated"
    }
    assert tables == {1, 2}


@pytest.mark.slow
def test_the_shop_itself_waits_as_theory_says() -> None:
    house = House(tables=2, between_s=420, stay_s=600, patience_s=600, customers=1440)
    plan = shop_plan(*shop_settings(house))
    runs = [
        sorted(run(replace(plan, seed=seed)).rows[seed].visits, key=lambda visit: visit.arrived_ms)
        for seed in range(2)
    ]
    visits = [visit for rows in runs for visit in rows if visit.outcome != "closed"]
    waits = np.asarray([wait_s(visit) for visit in visits])
    # Waits resemble their neighbours', so whole stretches of 120 are the independent draws.
    stretches = [float(part.mean()) for part in np.array_split(waits, len(waits) // 120)]
    error = float(np.std(stretches, ddof=1)) / math.sqrt(len(stretches))
    assert abs(float(waits.mean()) - house.theory.wait_s) < 3.3 * error < 0.4 * house.theory.wait_s
    assert all(little(rows) for rows in runs)


def test_stays_in_the_shop_are_exponential_when_asked_for() -> None:
    house = House(tables=8, between_s=600, stay_s=600, customers=1008)
    visits = run(shop_plan(*shop_settings(house))).rows[0].visits
    stays = sorted(visit.left_ms - visit.seated_ms for visit in visits if visit.outcome == "served")
    shares = 1 - np.exp(-np.asarray(stays) / 600_000)
    steps = np.arange(len(stays)) / len(stays)
    # Kolmogorov's distance: 1.95 / sqrt(n) is passed in one case of a thousand.
    assert float(np.abs(shares - steps).max()) < 1.95 / math.sqrt(len(stays))
