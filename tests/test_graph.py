"""The graph of knowledge: as of a time, typed, centrality by an independent sum, files that can be read."""

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.noodle_shop.profiles import ENTITY_TYPES
from sim.memory.graph.centrality import degrees, pagerank
from sim.memory.graph.files import draw, write_graphml
from sim.memory.graph.graph import Graph
from sim.memory.graph.knowledge import customer_node, entity_node, record_node
from sim.memory.protocol import Claim, Record


def record(name: str, at_ms: int, *claims: Claim, customer: str = "anna", **changes: Any) -> Record:
    given = {
        "id": name,
        "at_ms": at_ms,
        "visible_at_ms": at_ms + 1,
        "agent": "waiter-1",
        "customer": customer,
        "visit": f"{customer}/{at_ms // 100}",
        "kind": "event",
        "text": f"{customer}: {name}",
        "claims": claims,
        "sources": (f"said-{name}",),
    }
    return Record(**(given | changes))


def wants(slot: str, value: str, polarity: int = 1) -> Claim:
    return Claim(slot=slot, value=value, polarity=polarity)


def small() -> Graph:
    graph = Graph(ENTITY_TYPES)
    graph.add(record("a", 0, wants("dish", "laksa"), wants("extra", "egg")))
    graph.add(record("b", 10, wants("allergy", "egg"), wants("offer", "laksa"), customer="boris"))
    graph.add(record("words", 20, kind="exchange"))
    graph.add(record("s", 30, wants("dish", "laksa"), kind="summary", replaces=("a",)))
    return graph


def test_nodes_have_content_type_time_and_weight() -> None:
    graph = small().as_of(31)
    assert graph.nodes[record_node("s")] == {
        "content": "anna: s",
        "entity_type": "compressed",
        "created_at": 30,
        "weight": 0.7,
        "visible_ms": 31,
    }
    kinds = {name: graph.nodes[name]["entity_type"] for name in graph}
    assert kinds[customer_node("anna")] == "customer"
    assert (kinds[entity_node("laksa")], kinds[entity_node("egg")]) == ("dish", "ingredient")
    assert (kinds[record_node("a")], kinds[record_node("words")]) == ("fact", "context")
    assert kinds["preference:boris|allergy|egg"] == "user_preference"
    assert kinds["preference:boris|offer|laksa"] == "decision"
    assert graph.edges[record_node("s"), record_node("a")]["kind"] == "replaces"
    assert graph.edges[customer_node("anna"), "visit:anna/0"]["created_at"] == 0


def test_a_question_for_an_earlier_time_sees_what_was_there_then() -> None:
    graph = small()
    assert customer_node("boris") not in graph.as_of(10)
    assert customer_node("boris") in graph.as_of(11)
    assert graph.neighbours(customer_node("boris"), hops=3, at_ms=10) == []
    near = {one.node for one in graph.neighbours(customer_node("anna"), hops=9, at_ms=10)}
    assert near == set(graph.as_of(10)) - {customer_node("anna")}


def test_two_people_meet_in_an_ingredient_several_hops_away() -> None:
    graph = small()
    found = {one.node: one for one in graph.neighbours(customer_node("anna"), hops=4, at_ms=99)}
    assert found[customer_node("boris")].path == (
        "customer:anna",
        "preference:anna|extra|egg",
        "entity:egg",
        "preference:boris|allergy|egg",
        "customer:boris",
    )
    near = graph.neighbours(customer_node("anna"), hops=2, at_ms=99, kinds={"prefers", "of"}, types={"dish"})
    assert [(one.node, one.hops) for one in near] == [("entity:laksa", 2)]
    assert graph.records_near(entity_node("egg"), hops=2, at_ms=99) == {"a": 2, "b": 2}


def test_a_night_reckons_weights_that_earlier_questions_do_not_see() -> None:
    graph = small()
    assert graph.of_records(99) == {}
    graph.recompute(50)
    assert graph.weight(customer_node("anna"), 49) == 0.5
    assert graph.weight(customer_node("anna"), 50) == 0.75  # the most central node
    weights = graph.of_records(50)
    assert set(weights) == {"a", "b", "words", "s"}
    assert weights["a"] > weights["words"]
    with pytest.raises(ValueError, match="already"):
        graph.recompute(40)


def test_a_summary_of_nothing_known_is_refused_and_leaves_nothing() -> None:
    graph = small()
    before = len(graph)
    with pytest.raises(ValueError, match="never came"):
        graph.add(record("t", 40, replaces=("nobody",)))
    assert len(graph) == before


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))))
    )
)
@settings(max_examples=50, deadline=None)
def test_pagerank_is_what_solving_its_equations_gives(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    count, ends = drawn
    links = {node: [to for start, to in sorted(ends) if start == node] for node in range(count)}
    follow = np.array(
        [
            [(to in links[a]) / len(links[a]) if links[a] else 1 / count for a in range(count)]
            for to in range(count)
        ]
    )
    exact = np.linalg.solve(np.eye(count) - 0.85 * follow, np.full(count, 0.15 / count))
    assert list(pagerank(links).values()) == pytest.approx(list(exact), abs=1e-5)


def test_no_nodes_have_no_centrality_and_a_star_has_one_centre() -> None:
    assert pagerank({}) == {}
    assert degrees({}) == {}
    assert degrees({"a": ["b", "c"], "b": ["a"], "c": ["a"]}) == {"a": 1.0, "b": 0.5, "c": 0.5}


def test_graphml_is_read_back_and_bears_any_text(tmp_path: Path) -> None:
    graph = small()
    graph.add(record("odd", 60, text='NUL \0, half \ud800, <b>&"quoted"'))
    write_graphml(graph, tmp_path / "graph.graphml", 99)
    there = nx.read_graphml(tmp_path / "graph.graphml")
    expected = graph.as_of(99)
    assert set(there) == set(expected)
    assert set(there.edges) == set(expected.edges)
    assert there.nodes[record_node("odd")]["content"] == 'NUL \ufffd, half \ufffd, <b>&"quoted"'
    assert there.nodes[record_node("s")]["weight"] == 0.7


def test_a_picture_of_a_customer_is_drawn_the_same_each_time(tmp_path: Path) -> None:
    graph = small()
    draw(graph, "anna", tmp_path / "one.png", 99)
    draw(graph, "anna", tmp_path / "two.png", 99)
    one = (tmp_path / "one.png").read_bytes()
    assert one[:4] == b"\x89PNG"
    assert one == (tmp_path / "two.png").read_bytes()
    with pytest.raises(ValueError, match="nothing is known"):
        draw(graph, "nobody", tmp_path / "three.png", 99)
