"""A graph of knowledge as GraphML for other programs, and as a picture."""

import re
from collections.abc import Collection, Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.memory.graph.graph import Graph
from sim.memory.graph.knowledge import customer_node
from sim.memory.saved.files import put

if TYPE_CHECKING:
    import networkx as nx

# XML 1.0 knows no such characters, not even escaped.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LAYOUT_SEED = 7
_SHOWN = 60
_LONGEST = 24
# What leads from a customer to what is known of them, past the records that say so.
_KNOWN = ("prefers", "rejects", "of", "visited")
_RED, _GREY = "#D55E00", "#BBBBBB"
# Colour-blind safe. Source: Okabe and Ito (2008), https://jfly.uni-koeln.de/color/
_COLOURS = {
    "customer": "#D55E00",
    "dish": "#E69F00",
    "ingredient": "#F0E442",
    "event": "#56B4E9",
    "fact": "#0072B2",
    "decision": "#CC79A7",
    "user_preference": "#009E73",
    "context": "#BBBBBB",
    "compressed": "#666666",
}


def write_graphml(graph: Graph, path: Path, at_ms: int) -> None:
    """Writes what was known by a time as GraphML, whole or not at all.

    Characters that XML cannot hold become U+FFFD.
    """
    write_together([graph], path, at_ms)


def write_together(graphs: Iterable[Graph], path: Path, at_ms: int) -> None:
    """As `write_graphml`, of several graphs as one: what has one name is one node."""
    import networkx as nx

    whole: nx.DiGraph[str] = nx.compose_all(graph.as_of(at_ms) for graph in graphs)
    plain: nx.DiGraph[str] = nx.relabel_nodes(whole, _readable)
    for _, data in plain.nodes(data=True):
        data["content"] = _readable(data["content"])
    text = BytesIO()
    nx.write_graphml(plain, text)
    put(path, text.getvalue())


def draw(
    graph: Graph,
    customer: str,
    path: Path,
    at_ms: int,
    *,
    hops: int = 2,
    kinds: Collection[str] | None = _KNOWN,
) -> None:
    """Draws what is known around a customer, the most weighty nodes, with ids and not with texts.

    Args:
        graph: the graph.
        customer: who stands in the middle.
        path: where the picture goes, a PNG.
        at_ms: what was visible by then.
        hops: steps from the customer.
        kinds: of edges to follow; None follows all, and so shows the records as well.

    Raises:
        ValueError: nothing is known of them by then.
    """
    near = graph.neighbours(customer_node(customer), hops=hops, at_ms=at_ms, kinds=kinds)
    if not near:
        raise ValueError(f"nothing is known of {customer!r} by {at_ms} ms")
    near.sort(key=lambda one: (one.hops, -graph.weight(one.node, at_ms), one.node))
    shown = graph.as_of(at_ms, {customer_node(customer), *(one.node for one in near[:_SHOWN])})
    put(path, _picture(shown, customer, len(near) + 1))


def _picture(shown: "nx.DiGraph[str]", customer: str, of: int) -> bytes:
    import networkx as nx
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 9), layout="constrained")
    axes = figure.subplots()
    places = nx.spring_layout(shown, seed=_LAYOUT_SEED)
    for kind in dict.fromkeys(data["entity_type"] for _, data in shown.nodes(data=True)):
        _draw_kind(shown, kind, places, axes)
    colours = [_RED if data["kind"] == "rejects" else _GREY for _, _, data in shown.edges(data=True)]
    nx.draw_networkx_edges(shown, places, ax=axes, edge_color=colours, arrowsize=8)
    names = {name: _label(name, customer) for name in shown}
    back = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 1}
    nx.draw_networkx_labels(shown, places, names, font_size=7, ax=axes, bbox=back)
    who = _readable(customer).replace("$", "\\$")
    axes.set_title(f"What is known around {who}: {len(shown)} of {of} nodes")
    axes.legend(loc="lower right", fontsize=8)
    axes.set_axis_off()
    file = BytesIO()
    figure.savefig(file, format="png", dpi=110)
    return file.getvalue()


def _label(node: str, customer: str) -> str:
    """The id of a node without its kind and without the customer, who stands in the middle."""
    name = node.partition(":")[2].removeprefix(f"{customer}|").replace("|", ": ")
    return _readable(name)[-_LONGEST:].replace("$", "\\$")


def _draw_kind(shown: "nx.DiGraph[str]", kind: str, places: Any, axes: Any) -> None:
    import networkx as nx

    names = [name for name, data in shown.nodes(data=True) if data["entity_type"] == kind]
    sizes = [80 + 400 * float(shown.nodes[name]["weight"]) for name in names]
    nx.draw_networkx_nodes(
        shown, places, nodelist=names, node_size=sizes, node_color=_COLOURS[kind], label=kind, ax=axes
    )


def _readable(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
