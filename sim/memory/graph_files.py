"""A graph of knowledge as GraphML for other programs, and as a picture."""

import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.memory.files import put
from sim.memory.graph import Graph
from sim.memory.knowledge import customer_node

if TYPE_CHECKING:
    import networkx as nx

# XML 1.0 knows no such characters, not even escaped.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LAYOUT_SEED = 7
_SHOWN = 60
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
    import networkx as nx

    plain: nx.DiGraph[str] = nx.relabel_nodes(graph.as_of(at_ms), _readable)
    for _, data in plain.nodes(data=True):
        data["content"] = _readable(data["content"])
    text = BytesIO()
    nx.write_graphml(plain, text)
    put(path, text.getvalue())


def draw(graph: Graph, customer: str, path: Path, at_ms: int, *, hops: int = 2) -> None:
    """Draws what is known around a customer, the most weighty nodes; nodes bear ids and not texts.

    Raises:
        ValueError: nothing is known of them by then.
    """
    near = graph.neighbours(customer_node(customer), hops=hops, at_ms=at_ms)
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
    nx.draw_networkx_edges(shown, places, ax=axes, edge_color="#CCCCCC", arrowsize=6)
    # Half of a name says which it is; the whole of it would hide the rest.
    names = {name: _readable(name.partition(":")[2])[-24:].replace("$", "\\$") for name in shown}
    nx.draw_networkx_labels(shown, places, names, font_size=6, ax=axes)
    who = _readable(customer).replace("$", "\\$")
    axes.set_title(f"What is known around {who}: {len(shown)} of {of} nodes")
    axes.legend(loc="lower right", fontsize=8)
    axes.set_axis_off()
    file = BytesIO()
    figure.savefig(file, format="png", dpi=110)
    return file.getvalue()


def _draw_kind(shown: "nx.DiGraph[str]", kind: str, places: Any, axes: Any) -> None:
    import networkx as nx

    names = [name for name, data in shown.nodes(data=True) if data["entity_type"] == kind]
    sizes = [80 + 500 * float(shown.nodes[name]["weight"]) for name in names]
    nx.draw_networkx_nodes(
        shown, places, nodelist=names, node_size=sizes, node_color=_COLOURS[kind], label=kind, ax=axes
    )


def _readable(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
