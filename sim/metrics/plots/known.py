"""What an agent knows about a customer, drawn from the ``graph.graphml`` of its memory."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import RecordError
from sim.metrics.plots.canvas import (
    BLUE,
    EDGE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    YELLOW,
    bare,
    canvas,
    plain,
)

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CENTRE = "customer:"
# What leads from a customer to what is known of them, past the records that say so.
_KNOWN = frozenset({"prefers", "rejects", "of"})
_SHOWN = 40
_LONGEST = 26
_OF_A_SLOT = 3
_APART = 0.35
# Kind of node: colour and shape, so that kinds differ in grey as well.
_LOOKS = {
    "customer": (VERMILION, "*"),
    "dish": (ORANGE, "s"),
    "ingredient": (YELLOW, "o"),
    "event": (SKY, "D"),
    "fact": (BLUE, "^"),
    "decision": (PURPLE, "v"),
    "user_preference": (GREEN, "h"),
    "context": (GREY, "o"),
    "compressed": (EDGE, "p"),
}


def graph_in(path: Path) -> "nx.DiGraph[str]":
    """The graph in a GraphML file.

    Raises:
        RecordError: the file is missing or no GraphML.
    """
    import networkx as nx

    try:
        return nx.DiGraph(nx.read_graphml(path))
    except FileNotFoundError:
        raise RecordError(f"{path}: missing; only memory=graph and memory=full keep a graph") from None
    except Exception as error:  # a damaged file fails in the XML reader, in networkx or in a number
        raise RecordError(f"{path}: cannot be read as GraphML ({type(error).__name__})") from None


def known_about(graph: "nx.DiGraph[str]", customer: str) -> "nx.DiGraph[str]":
    """The part of a graph that says what is known of a customer: preferences, and what these are about.

    Of one slot the three newest, and at most 40 nodes, the weightiest; empty where the customer is not in it.
    """
    centre = f"{_CENTRE}{customer}"
    if centre not in graph:
        return graph.subgraph([])
    near = _newest(graph, _known_from(graph, centre))
    things = {far for node in near for far in _known_from(graph, node)} - {centre}
    ranked = sorted({*near, *things}, key=lambda node: (-float(graph.nodes[node].get("weight", 0)), node))
    return graph.subgraph([centre, *ranked[:_SHOWN]])


def _known_from(graph: "nx.DiGraph[str]", node: str) -> list[str]:
    return [far for far in graph[node] if graph.edges[node, far].get("kind") in _KNOWN]


def _newest(graph: "nx.DiGraph[str]", nodes: Iterable[str]) -> list[str]:
    """Of the values of one slot the newest few: every visit has a date of its own."""
    by_age = sorted(nodes, key=lambda node: (-int(graph.nodes[node].get("created_at", 0)), node))
    slots = Counter[str]()
    chosen = []
    for node in by_age:
        slot = node.rpartition("|")[0] or node
        slots[slot] += 1
        if slots[slot] <= _OF_A_SLOT:
            chosen.append(node)
    return chosen


def knowledge(graph: "nx.DiGraph[str]", customer: str, title: str) -> "Figure":
    """What an agent knows about one customer: around them what they like and reject, and what that is about.

    Args:
        graph: a graph as in ``graph.graphml``, whole.
        customer: who stands in the middle, as the agent calls them.
        title: the line that says what is shown.
    """
    shown = known_about(graph, customer)
    figure, axes = canvas(8.6, 6.4, f"What is known of {plain(customer)}", title)
    axes.set_xticks([])
    axes.set_yticks([])
    bare(axes, "top", "right", "left", "bottom")
    if len(shown):
        _draw(figure, axes, shown, f"{_CENTRE}{customer}")
    else:
        axes.text(0.5, 0.5, "nothing", ha="center", va="center", color=INK, transform=axes.transAxes)
    return figure


def _draw(figure: "Figure", axes: "Axes", shown: "nx.DiGraph[str]", centre: str) -> None:
    places = _places(shown, centre)
    for start, end in sorted(shown.edges()):
        rejected = shown.edges[start, end].get("kind") == "rejects"
        xs, ys = zip(places[start], places[end], strict=True)
        style = (VERMILION, ":") if rejected else (EDGE, "-")
        axes.plot(xs, ys, color=style[0], linestyle=style[1], linewidth=1.1, zorder=1)
    for node in sorted(shown):
        data = shown.nodes[node]
        colour, marker = _LOOKS.get(data.get("entity_type", ""), (GREY, "o"))
        look: dict[str, Any] = {"c": colour, "marker": marker, "edgecolors": INK, "linewidths": 0.5}
        axes.scatter(*places[node], s=_size(data), zorder=3, **look)
        _name(axes, node, places[node], centre)
    _key(figure, shown)


def _places(shown: "nx.DiGraph[str]", centre: str) -> dict[str, tuple[float, float]]:
    """The customer in the middle, preferences on a ring, and what they are about outside of theirs."""
    inner = sorted(shown[centre])
    around = {node: 2 * math.pi * number / len(inner) for number, node in enumerate(inner)}
    outside = {node: _angle(shown, node, around) for node in sorted(set(shown) - set(around) - {centre})}
    places = {node: (math.cos(angle), math.sin(angle)) for node, angle in around.items()}
    for node, angle in _apart(outside).items():
        places[node] = (1.8 * math.cos(angle), 1.8 * math.sin(angle))
    return places | {centre: (0.0, 0.0)}


def _angle(shown: "nx.DiGraph[str]", node: str, around: Mapping[str, float]) -> float:
    """Where on the ring what leads to a node stands, so that few lines cross."""
    angles = [around[one] for one in shown.predecessors(node) if one in around] or [0.0]
    return math.atan2(sum(map(math.sin, angles)), sum(map(math.cos, angles))) % (2 * math.pi)


def _apart(angles: Mapping[str, float]) -> dict[str, float]:
    """The angles in order, pushed on where two names would stand on one another."""
    least, last = min(_APART, 2 * math.pi / max(1, len(angles))), -math.inf
    found = {}
    for node, angle in sorted(angles.items(), key=lambda one: (one[1], one[0])):
        last = max(angle, last + least)
        found[node] = last
    return found


def _size(data: Mapping[str, Any]) -> float:
    return 60 + 260 * float(data.get("weight", 0))


def _name(axes: "Axes", node: str, place: tuple[float, float], centre: str) -> None:
    name = node.partition(":")[2].removeprefix(f"{centre.removeprefix(_CENTRE)}|").replace("|", ": ")
    axes.annotate(
        plain(name[:_LONGEST]),
        place,
        xytext=(0, 9),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=INK,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
    )


def _key(figure: "Figure", shown: "nx.DiGraph[str]") -> None:
    from matplotlib.lines import Line2D

    kinds = {data.get("entity_type", "") for _, data in shown.nodes(data=True)}
    key = [
        Line2D(
            [],
            [],
            color=colour,
            marker=marker,
            linestyle="",
            markeredgecolor=INK,
            label=kind.replace("_", " "),
        )
        for kind, (colour, marker) in _LOOKS.items()
        if kind in kinds
    ]
    if any(data.get("kind") == "rejects" for *_, data in shown.edges(data=True)):
        key.append(Line2D([], [], color=VERMILION, linestyle=":", label="no longer, or not wanted"))
    figure.legend(handles=key, loc="outside lower center", ncols=4, fontsize=8, frameon=False, labelcolor=INK)
