"""The knowledge graph of one memory: what records say, joined by what they have in common."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sim.memory.graph.centrality import degrees, pagerank
from sim.memory.graph.knowledge import Edge, EntityType, Keywords, Node, parts, record_node
from sim.memory.protocol import Record

if TYPE_CHECKING:
    import networkx as nx

Method = Literal["pagerank", "degree"]
_METHODS = {"pagerank": pagerank, "degree": degrees}


@dataclass(frozen=True, kw_only=True, slots=True)
class Neighbour:
    """A node found by following edges.

    Args:
        path: the nodes from where the search began to this one, both included.
    """

    node: str
    hops: int
    path: tuple[str, ...]


class Graph:
    """Grows record by record; nothing is taken out, and every question has a time.

    Node attributes: ``content``, ``entity_type``, ``created_at`` (simulated ms), ``weight``. Edge attributes:
    ``kind``, ``created_at``. Both have ``visible_ms``, from which a question may see them.

    Args:
        types: by slot, what kind of thing its values are.
        keywords: further things that a record names.
        method: how centrality is reckoned.
    """

    def __init__(
        self,
        types: Mapping[str, EntityType] | None = None,
        *,
        keywords: Keywords | None = None,
        method: Method = "pagerank",
    ) -> None:
        import networkx as nx

        self._graph: nx.DiGraph[str] = nx.DiGraph()
        self._types = dict(types or {})
        self._keywords = keywords
        self._method = method
        self._records: dict[str, str] = {}
        self._nights: list[int] = []
        self._weights: list[Mapping[str, float]] = []

    def __len__(self) -> int:
        return len(self._graph)

    def add(self, record: Record) -> None:
        """Takes in the next record, in order of visibility.

        Raises:
            ValueError: it replaces a record that never came.
        """
        if unknown := [one for one in record.replaces if record_node(one) not in self._graph]:
            raise ValueError(f"record {record.id!r} replaces {unknown[0]!r}, which never came")
        self._records[record_node(record.id)] = record.id
        seen_ms = record.visible_at_ms
        for part in parts(record, self._types, self._keywords):
            if isinstance(part, Edge):
                self._join(part, record.at_ms, seen_ms)
            elif part.name not in self._graph:
                self._graph.add_node(part.name, **_attributes(part), visible_ms=seen_ms)

    def recompute(self, at_ms: int) -> None:
        """Reckons all weights anew as of a time, after closing: half from the start, half by centrality.

        Raises:
            ValueError: a later time was reckoned already.
        """
        if self._nights and at_ms < self._nights[-1]:
            raise ValueError(f"weights are reckoned as of {self._nights[-1]} ms already, not of {at_ms}")
        central = self.central(at_ms)
        starts = self._graph.nodes
        self._nights.append(at_ms)
        self._weights.append(
            {name: round((starts[name]["weight"] + central[name]) / 2, 6) for name in central}
        )

    def weight(self, node: str, at_ms: int) -> float:
        """The weight of a node as of a time: of the last night, or the one it began with."""
        night = bisect_right(self._nights, at_ms)
        began: float = self._graph.nodes[node]["weight"]
        return self._weights[night - 1].get(node, began) if night else began

    def of_records(self, at_ms: int) -> Mapping[str, float]:
        """The weights of the last night by the ids of records, for ranking; empty before the first."""
        night = bisect_right(self._nights, at_ms)
        weights = self._weights[night - 1] if night else {}
        return {record: weights[name] for name, record in self._records.items() if name in weights}

    def central(self, at_ms: int) -> Mapping[str, float]:
        """How central each node is as of a time, from 0 to 1, the most central one 1."""
        found = _METHODS[self._method]({name: list(self._around(name, at_ms)) for name in self._seen(at_ms)})
        most = max(found.values(), default=0.0) or 1.0
        return {name: value / most for name, value in found.items()}

    def neighbours(
        self,
        node: str,
        *,
        hops: int,
        at_ms: int,
        kinds: Collection[str] | None = None,
        types: Collection[EntityType] | None = None,
    ) -> list[Neighbour]:
        """What can be reached from a node in so many steps, along edges in either direction, nearest first.

        Args:
            node: where to begin; a node that is not there, or not yet, has no neighbours.
            hops: steps at most.
            at_ms: only what was visible by then is seen.
            kinds: of edges to follow; None follows all.
            types: of nodes to give; others are passed through.
        """
        if node not in self._graph or self._graph.nodes[node]["visible_ms"] > at_ms:
            return []
        paths: dict[str, tuple[str, ...]] = {node: (node,)}
        edge = [node]
        for _ in range(hops):
            edge = [new for name in edge for new in self._step(name, paths, at_ms, kinds)]
        found = [Neighbour(node=name, hops=len(path) - 1, path=path) for name, path in paths.items()]
        wanted = [one for one in found if types is None or self.kind(one.node) in types]
        return [one for one in wanted if one.node != node]

    def records_near(self, node: str, *, hops: int, at_ms: int) -> Mapping[str, int]:
        """The records within so many steps, by id, with the number of steps."""
        return self.records_among(self.neighbours(node, hops=hops, at_ms=at_ms))

    def records_among(self, near: Iterable[Neighbour]) -> Mapping[str, int]:
        """Those of some neighbours that are records, by id, with the number of steps."""
        return {self._records[one.node]: one.hops for one in near if one.node in self._records}

    def kind(self, node: str) -> EntityType:
        """The type of a node."""
        found: EntityType = self._graph.nodes[node]["entity_type"]
        return found

    def as_of(self, at_ms: int, nodes: Collection[str] | None = None) -> "nx.DiGraph[str]":
        """A copy of what was visible by then, with the weights of then; ``nodes`` limits it."""
        wanted = [name for name in self._seen(at_ms) if nodes is None or name in nodes]
        copy: nx.DiGraph[str] = self._graph.subgraph(wanted).copy()
        edges = copy.edges(data=True)
        later = [(start, end) for start, end, data in edges if data["visible_ms"] > at_ms]
        copy.remove_edges_from(later)
        for name in copy:
            copy.nodes[name]["weight"] = self.weight(name, at_ms)
        return copy

    def _join(self, edge: Edge, at_ms: int, seen_ms: int) -> None:
        if not self._graph.has_edge(edge.start, edge.end):
            self._graph.add_edge(edge.start, edge.end, kind=edge.kind, created_at=at_ms, visible_ms=seen_ms)

    def _step(
        self, node: str, paths: dict[str, tuple[str, ...]], at_ms: int, kinds: Collection[str] | None
    ) -> Sequence[str]:
        new = [name for name in self._around(node, at_ms, kinds) if name not in paths]
        paths.update({name: (*paths[node], name) for name in new})
        return new

    def _seen(self, at_ms: int) -> Iterator[str]:
        return (name for name, data in self._graph.nodes(data=True) if data["visible_ms"] <= at_ms)

    def _around(self, node: str, at_ms: int, kinds: Collection[str] | None = None) -> Iterator[str]:
        """The nodes one step away in either direction, each once, in order of arrival."""
        leading, led = self._graph.adj[node], self._graph.pred[node]
        for name, data in (
            *leading.items(),
            *((name, data) for name, data in led.items() if name not in leading),
        ):
            if data["visible_ms"] <= at_ms and (kinds is None or data["kind"] in kinds):
                yield name


def _attributes(node: Node) -> dict[str, Any]:
    return {
        "content": node.content,
        "entity_type": node.entity_type,
        "created_at": node.at_ms,
        "weight": node.weight,
    }
