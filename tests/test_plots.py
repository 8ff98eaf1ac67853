"""Pictures of runs can be drawn from anything a run leaves, and the curves in them are right."""

import math
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_run import missed, probe, visit

from sim.clock import DAY_MS
from sim.errors import RecordError
from sim.metrics import plots
from sim.metrics.business import daily
from sim.metrics.losing import grouped, shares
from sim.metrics.plots import lost, shop
from sim.metrics.recall_table import lag_group
from sim.metrics.retention import Fit, by_lag, by_tokens, fitted, strength
from sim.records import LOSSES, Probe
from sim.streams import Stream

ODD = "50 $x_{ $ <b>"


def forgetful(strength_days: float, count: int = 3000) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Questions to 300 customers whose facts fade with a known strength."""
    stream = Stream.root(5)
    lags = np.array([40 * stream.of("lag", number).uniform() + 0.01 for number in range(count)])
    draws = np.array([stream.of("kept", number).uniform() for number in range(count)])
    return lags, draws < np.exp(-lags / strength_days), [number % 300 for number in range(count)]


def asked(lags: Iterable[float], **changes: Any) -> list[Probe]:
    return [
        probe(customer=f"c-{number}", lag_days=lag, context_tokens=10 * number, **changes)
        for number, lag in enumerate(lags)
    ]


@pytest.mark.parametrize("true", [3.0, 20.0, 90.0])
def test_the_strength_of_a_memory_is_found_again(true: float) -> None:
    lags, right, customers = forgetful(true)
    fit = strength(lags, right, customers)
    assert fit.low < true < fit.high
    assert fit.high / fit.low < 1.5
    assert fit.strength_days == pytest.approx(true, rel=0.15)


def test_no_other_strength_is_likelier() -> None:
    lags, right, customers = forgetful(12.0, 200)
    found = strength(lags, right, customers).strength_days

    def likelihood(days: float) -> float:
        kept = np.exp(-lags / days)
        return float(np.log(np.where(right, kept, 1 - kept)).sum())

    assert all(likelihood(found) > likelihood(found * factor) for factor in (0.5, 0.98, 1.02, 2))


def test_questions_to_one_customer_count_as_one_and_give_no_interval() -> None:
    lags, right, customers = forgetful(12.0, 300)
    alone = strength(lags, right, [0] * len(lags))
    assert math.isnan(alone.low)
    doubled = strength(np.tile(lags, 2), np.tile(right, 2), customers * 2)
    single = strength(lags, right, customers)
    assert doubled.strength_days == pytest.approx(single.strength_days)
    assert doubled.high - doubled.low == pytest.approx(single.high - single.low, rel=0.02)


def test_the_ends_of_what_can_be_fitted() -> None:
    assert math.isnan(fitted([]).strength_days)
    assert math.isnan(fitted(asked([0.0, 0.0])).strength_days)
    assert fitted(asked([1.0, 9.0])).strength_days == math.inf
    assert fitted([missed(lag_days=3.0)]).strength_days == 0.0
    assert [plots.strength_text(fitted(some)) for some in ([], asked([1.0]))] == [
        "no data to fit",
        "nothing forgotten",
    ]
    assert Fit(strength_days=0.0, low=1, high=1, n=1).recall_at(2) == 0.0


@given(lags=st.lists(st.floats(0, 60), max_size=40), bins=st.integers(1, 9))
def test_every_question_is_in_one_point(lags: list[float], bins: int) -> None:
    probes = [*asked(lags), probe(told=False), probe(lag_days=None)]
    points = by_lag(probes, bins)
    assert sum(point.rate.n for point in points) == len(lags)
    assert len(points) <= bins
    assert [point.at for point in points] == sorted({point.at for point in points})
    assert sum(point.rate.n for point in by_tokens(probes, bins)) == len(lags) + 1


@given(st.lists(st.sampled_from([None, *LOSSES, "something_new"]), max_size=30))
def test_the_parts_of_a_bar_make_it_whole(losses: list[str | None]) -> None:
    probes = [probe(loss=loss, outcome="missing" if loss else "correct") for loss in losses]
    table = shares({"some": probes, "none": [probe(told=False)]})
    assert set(table) == ({"some"} if losses else set())
    assert all(sum(row.values()) == pytest.approx(1) for row in table.values())


def brightness(colour: str) -> float:
    from matplotlib.colors import to_rgb

    return sum(weight * part for weight, part in zip((0.299, 0.587, 0.114), to_rgb(colour), strict=True))


@pytest.mark.parametrize("looks", [lost._LOOKS, shop._LOOKS])
def test_what_stands_side_by_side_differs_in_grey_too(looks: dict[str, dict[str, Any]]) -> None:
    for one, other in combinations(looks.values(), 2):
        apart = abs(brightness(one["facecolor"]) - brightness(other["facecolor"])) > 0.1
        assert apart or one.get("hatch", "") != other.get("hatch", "")


def known_graph(customer: str) -> "nx.DiGraph[str]":
    liked = f"preference:{customer}|extra|egg"
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node(f"customer:{customer}", entity_type="customer", weight=0.7, created_at=0)
    for day in range(6):
        graph.add_node(f"preference:{customer}|visit|{day}", entity_type="event", weight=0.3, created_at=day)
        graph.add_edge(f"customer:{customer}", f"preference:{customer}|visit|{day}", kind="prefers")
    graph.add_node(
        f"preference:{customer}|extra|egg", entity_type="user_preference", weight=0.3, created_at=3
    )
    graph.add_edge(f"customer:{customer}", f"preference:{customer}|extra|egg", kind="rejects")
    graph.add_node("entity:egg", entity_type="ingredient", weight=0.4, created_at=3)
    graph.add_edge(liked, "entity:egg", kind="of")
    graph.add_node("record:r", entity_type="context", weight=0.4, created_at=3)
    graph.add_edge("record:r", f"customer:{customer}", kind="about")
    return graph


def figures(some: bool, name: str) -> dict[str, Any]:
    probes = [*asked([1.0, 3.0, 9.0, 40.0]), missed(lag_days=2.0)] if some else []
    series = {name: probes} if some else {}
    visits = [visit(), visit(visit="v", outcome="reneged", arrived_ms=DAY_MS)] if some else []
    return {
        "retention": plots.retention(
            {key: (by_lag(each), fitted(each)) for key, each in series.items()}, name
        ),
        "tokens": plots.tokens({key: by_tokens(each) for key, each in series.items()}, name),
        "losses": plots.losses(shares(grouped(probes, lag_group)), name),
        "heat": plots.heat_map({(name, "1"): 0.2, (name, "2"): math.nan} if some else {}, name),
        "known": plots.knowledge(known_graph(name) if some else nx.DiGraph(), name, name),
        "days": plots.days(daily(visits), name),
    }


@pytest.mark.parametrize("some", [True, False])
def test_everything_can_be_drawn_with_odd_names_and_with_nothing_in_it(some: bool, tmp_path: Path) -> None:
    for name, figure in figures(some, ODD).items():
        plots.save(figure, tmp_path / "deep" / f"{name}.png")
        assert (tmp_path / "deep" / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_axes_say_what_they_are_and_in_which_unit() -> None:
    drawn = figures(True, "full")
    units = {"retention": "days", "tokens": "tokens", "losses": "share", "days": "day"}
    for name, unit in units.items():
        axes = drawn[name].axes[0]
        assert unit in axes.get_xlabel()
        assert name == "losses" or axes.get_ylabel()


def test_of_a_customer_the_newest_values_are_shown_and_no_records() -> None:
    shown = plots.known_about(known_graph("c-1"), "c-1")
    visits = {node for node in shown if "|visit|" in node}
    assert visits == {f"preference:c-1|visit|{day}" for day in (3, 4, 5)}
    assert "entity:egg" in shown
    assert "record:r" not in shown
    assert not plots.known_about(known_graph("c-1"), "c-2")


def test_a_graph_that_is_not_there_or_damaged_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="missing"):
        plots.graph_in(tmp_path / "graph.graphml")
    (tmp_path / "graph.graphml").write_text("<graphml", encoding="utf-8")
    with pytest.raises(RecordError, match="GraphML"):
        plots.graph_in(tmp_path / "graph.graphml")
    nx.write_graphml(known_graph("c-1"), tmp_path / "graph.graphml")
    assert set(plots.graph_in(tmp_path / "graph.graphml")) == set(known_graph("c-1"))
