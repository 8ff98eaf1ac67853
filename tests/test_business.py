"""The figures of the shop, day by day and in the summary, and one day as spans and as a picture."""

import json
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_run import DAY_MS, NOON_MS, visit
from shops import SMALL, shop_plan

from sim.metrics.business import Day, business, daily, lost_regulars, returns, revenue
from sim.metrics.load import load
from sim.metrics.plots import save_day
from sim.metrics.summary import Rows, pooled, summary
from sim.metrics.text import WIDTH, text
from sim.metrics.timeline import WHATS, Span, day, day_of, in_rows
from sim.records import Event, Visit, canonical
from sim.runs import run
from sim.tables import read_records, write_table

MANIFEST = {
    "seed": 1,
    "config": {"scenario": {"name": "noodle_shop", "weeks": 8}, "memory": {"name": "flat"}},
}


def came(day: int, customer: str = "c-001", **changes: Any) -> Visit:
    """A visit at noon of a day."""
    at = day * DAY_MS + NOON_MS
    times = {
        "arrived_ms": at,
        "seated_ms": at + 60_000,
        "ordered_ms": at + 120_000,
        "served_ms": at + 600_000,
    }
    fields = {"visit": f"{customer}/{day}", "customer": customer, "left_ms": at + 1_800_000, **times}
    return visit(**(fields | changes))


def gave_up(day: int, customer: str = "c-001", wait_ms: int = 600_000) -> Visit:
    never = dict.fromkeys(("seated_ms", "ordered_ms", "served_ms", "served", "right", "satisfaction"))
    left_ms = day * DAY_MS + NOON_MS + wait_ms
    return came(day, customer, outcome="reneged", waiter="", left_ms=left_ms, **never)


# --- figures


def test_waiting_counts_those_who_gave_up_and_not_those_the_end_found_waiting() -> None:
    found_waiting = replace(gave_up(2), outcome="closed", visit="c-001/9")
    found = business([came(0), gave_up(1), found_waiting])
    assert found["wait_for_table_s"] == 330.0
    assert found["wait_for_table_p95_s"] == 600.0
    assert found["reneging"]["rate"] == 0.5
    assert (found["served"], found["reneged"], found["closed"]) == (1, 1, 1)
    assert (found["wait_for_dish_s"], found["wait_for_dish_p95_s"]) == (480.0, 480.0)


def test_the_slowest_twentieth_is_left_out_of_the_95_percent() -> None:
    waits = [gave_up(n, wait_ms=1000 * (n + 1)) for n in range(20)]
    assert business(waits)["wait_for_table_p95_s"] == 19.0


def test_revenue_adds_up_what_was_paid_and_is_no_data_when_nobody_tells() -> None:
    assert revenue([came(0, revenue=12.5), came(1, revenue=0.1), gave_up(2)]) == 12.6
    assert revenue([came(0)]) is None
    assert revenue([came(0, revenue=0.0)]) == 0.0


def test_a_regular_is_lost_after_three_of_their_own_intervals() -> None:
    weekly = [came(n, "weekly") for n in (0, 7, 14)]
    stays = [came(n, "stays") for n in range(0, 43, 7)]
    assert lost_regulars([*weekly, *stays]) == ["weekly"]
    assert lost_regulars([*weekly, *stays], end_ms=35 * DAY_MS + NOON_MS) == []
    assert lost_regulars([*weekly, *stays], end_ms=100 * DAY_MS) == ["stays", "weekly"]


def test_who_came_once_is_judged_by_the_interval_of_the_others() -> None:
    stays = [came(n, "stays") for n in range(0, 43, 7)]
    assert lost_regulars([came(10, "once"), *stays]) == ["once"]
    assert lost_regulars([came(25, "once"), *stays]) == []
    assert lost_regulars([came(10, "once")], end_ms=1000 * DAY_MS) == []


def test_passers_by_are_no_lost_regulars_until_they_became_regulars() -> None:
    stays = [came(n, "stays") for n in range(0, 43, 7)]
    passer_by = came(3, "w-1", regular=False)
    assert business([passer_by, *stays])["regulars"] == 1
    became = [passer_by, came(6, "w-1", regular=True)]
    assert lost_regulars([*became, *stays]) == ["w-1"]
    assert returns([*became, *stays]) == 7


def test_no_visits_are_no_data() -> None:
    found = business([])
    assert (found["revenue"], found["wait_for_table_s"], found["wait_for_table_p95_s"]) == (None, None, None)
    assert found["reneging"]["rate"] is None
    assert (found["regulars"], found["lost_regulars"], daily([])) == (0, 0, [])


# --- tables


visits_strategy = st.lists(
    st.builds(
        lambda day, wait, paid, ends: came(day, revenue=paid) if ends else gave_up(day, wait_ms=wait),
        st.integers(0, 20),
        st.integers(0, 10**6),
        st.none() | st.integers(0, 5000).map(lambda cents: cents / 100),
        st.booleans(),
    ),
    max_size=40,
)


@given(visits_strategy)
def test_days_add_up_to_the_run(visits: list[Visit]) -> None:
    days, whole = daily(visits), business(visits)
    assert [one.day for one in days] == list(range(len(days)))
    assert sum(one.arrivals for one in days) == len(visits)
    assert sum(one.served for one in days) == whole["served"]
    assert sum(one.reneged for one in days) == whole["reneged"]
    takings = [one.revenue for one in days if one.revenue is not None]
    assert (sum(takings) if takings else None) == (
        None if whole["revenue"] is None else pytest.approx(whole["revenue"])
    )


def test_a_day_without_visits_stands_in_the_table_and_the_table_can_be_written(tmp_path: Path) -> None:
    days = daily([came(0, revenue=11.0), gave_up(2)])
    assert days[1] == Day(day=1, arrivals=0, served=0, reneged=0, revenue=None, wait_s=None)
    assert (days[0].revenue, days[0].wait_s, days[2].wait_s) == (11.0, 60.0, 600.0)
    write_table(tmp_path / "days.parquet", days, Day)
    assert read_records(tmp_path / "days.parquet", Day) == days


def test_visits_keep_their_revenue_on_the_disk(tmp_path: Path) -> None:
    rows = [came(0, revenue=12.5), came(1)]
    write_table(tmp_path / "visits.parquet", rows, Visit)
    assert read_records(tmp_path / "visits.parquet", Visit) == rows


# --- in the summary


def shown(**extra: int) -> str:
    rows = [came(0, revenue=12.5), came(7, revenue=11.0), gave_up(8, "c-002")]
    return text(summary(rows, [], [], extra), MANIFEST, "x")


def test_the_page_tells_takings_waits_offers_and_who_was_lost() -> None:
    page = shown(offers_made=34, offers_accepted=12, remakes=3)
    told = ("waited 240 s for a table (95 % at most 600 s)", "revenue 23.50", "lost regulars 0 of 2")
    for words in (*told, "offers 34, accepted 12", "remakes 3"):
        assert words in page
    assert all(len(line) <= WIDTH for line in page.splitlines())


def test_the_page_leaves_out_what_a_scenario_does_not_have() -> None:
    page = shown()
    assert "offers" not in page
    assert "remakes" not in page
    assert "business" not in text(summary([], [], [], {}), MANIFEST, "x")
    assert "revenue" not in text(summary([came(0)], [], [], {}), MANIFEST, "x")


def test_replications_add_offers_and_takings_and_show_each_seed() -> None:
    extra = {"offers_made": 5, "offers_accepted": 2, "remakes": 1}
    rows = Rows(visits=[came(0, revenue=12.5), came(7, revenue=11.0)], probes=[], calls=[], extra=extra)
    found = pooled({1: rows, 2: replace(rows, visits=[came(0, revenue=10.0)])})
    assert (found["offers_made"], found["offers_accepted"], found["remakes"]) == (10, 4, 2)
    assert found["business"]["revenue"] == 33.5
    assert [found["by_seed"][seed]["returns"] for seed in ("1", "2")] == [1, 0]
    assert [found["by_seed"][seed]["revenue"] for seed in ("1", "2")] == [23.5, 10.0]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


# --- a day


def seated(visit: Visit, table: int, kind: str = "seated", at_ms: int | None = None) -> Event:
    return Event(
        time_ms=(visit.seated_ms or 0) if at_ms is None else at_ms,
        seq=0,
        kind=kind,
        agent="",
        customer=visit.customer,
        visit=visit.visit,
        payload=canonical({"table": table}),
    )


def test_a_visit_falls_into_spans_without_gaps() -> None:
    one = came(1)
    waiter_comes = seated(one, 0, "attended", (one.seated_ms or 0) + 20_000)
    spans = day([seated(one, 3), waiter_comes], [came(0), one, came(2)], 1)
    assert [span.what for span in spans] == list(WHATS)
    assert [span.table for span in spans] == [None, 3, 3, 3, 3]
    assert [span.waiter for span in spans] == ["", "", *["waiter-1"] * 3]
    assert [span.start_ms for span in spans[1:]] == [span.end_ms for span in spans[:-1]]
    assert (spans[0].start_ms, spans[-1].end_ms) == (one.arrived_ms, one.left_ms)


def test_without_a_line_for_the_waiter_ordering_begins_at_the_table() -> None:
    one = came(0)
    spans = day([seated(one, 2)], [one], 0)
    assert [span.what for span in spans] == ["waiting", "ordering", "kitchen", "eating"]
    assert spans[1].start_ms == one.seated_ms


def test_who_gives_up_only_waits_and_who_is_left_at_the_end_is_cut_there() -> None:
    (only,) = day([], [gave_up(0)], 0)
    assert (only.what, only.outcome, only.table) == ("waiting", "reneged", None)
    late = came(0, outcome="closed", served_ms=None, left_ms=NOON_MS + 130_000)
    assert [span.what for span in day([seated(late, 1)], [late], 0)] == ["waiting", "ordering", "kitchen"]


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(1, 100)), max_size=25))
def test_nobody_waits_in_a_row_that_is_taken(rows: list[tuple[int, int]]) -> None:
    spans = [
        Span(
            customer="c", visit=str(n), what="waiting", start_ms=start, end_ms=start + length, table=None,
            waiter="", outcome="served",
        )
        for n, (start, length) in enumerate(rows)
    ]  # fmt: skip
    placed = in_rows(spans)
    by_row: dict[int, list[Span]] = defaultdict(list)
    for span in sorted(spans, key=lambda span: span.start_ms):
        by_row[placed[span.visit]].append(span)
    for row in by_row.values():
        assert all(first.end_ms <= then.start_ms for first, then in pairwise(row))
    most = max((sum(s.start_ms <= at < s.end_ms for s in spans) for at, _ in rows), default=0)
    assert len(by_row) == most


def test_a_day_of_a_real_shop_can_be_read_back_and_drawn(tmp_path: Path) -> None:
    crowded = ("scenario.weeks=1", "scenario.tables=2", "scenario.walk_ins_per_day=40")
    plan = shop_plan("memory=none", "probes.enabled=false", *SMALL, *crowded, folder=tmp_path / "r")
    visits = run(plan).rows[0].visits
    spans = day_of(load(tmp_path / "r"), 2)
    assert {span.visit for span in spans} <= {v.visit for v in visits if v.arrived_ms // DAY_MS == 2}
    assert {span.what for span in spans} >= {"waiting", "ordering", "kitchen", "eating"}
    at_table: dict[int, list[Span]] = defaultdict(list)
    for span in sorted(spans, key=lambda span: span.start_ms):
        if span.table is not None:
            at_table[span.table].append(span)
    assert set(at_table) == {1, 2}
    for row in at_table.values():
        assert all(first.end_ms <= then.start_ms for first, then in pairwise(row))
    save_day(spans, tmp_path / "day.png", "a day with a $ in it")
    assert (tmp_path / "day.png").read_bytes().startswith(b"\x89PNG")


def test_a_day_on_which_nobody_came_can_be_drawn(tmp_path: Path) -> None:
    save_day([], tmp_path / "deep" / "day.png", "nobody")
    assert (tmp_path / "deep" / "day.png").read_bytes().startswith(b"\x89PNG")
