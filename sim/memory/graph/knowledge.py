"""What a record adds to a graph of knowledge: nodes with a type, and typed edges between them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from sim.memory.protocol import Claim, Record

EntityType = Literal[
    "customer",
    "dish",
    "ingredient",
    "event",
    "fact",
    "decision",
    "user_preference",
    "context",
    "compressed",
]

START_WEIGHT = 0.5
COMPRESSED_WEIGHT = 0.7
"""What a compressed node begins with: it stands for several."""

_TYPE_OF_KIND: Mapping[str, EntityType] = {
    "exchange": "context",
    "event": "fact",
    "diary": "fact",
    "telling": "fact",
    "summary": "compressed",
}
Keywords = Callable[[Record], Iterable[tuple[str, EntityType]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A node as it begins.

    Args:
        name: unique in the graph; what it is of, a colon, and an id.
        content: its text.
        at_ms: simulated time of what happened.
    """

    name: str
    content: str
    entity_type: EntityType
    at_ms: int
    weight: float = START_WEIGHT


@dataclass(frozen=True, kw_only=True, slots=True)
class Edge:
    """A typed edge; two nodes have at most one in each direction."""

    start: str
    end: str
    kind: str


Part = Node | Edge


def record_node(record: str) -> str:
    """The node of a record."""
    return f"record:{record}"


def customer_node(customer: str) -> str:
    """The node of a customer."""
    return f"customer:{customer}"


def entity_node(value: str) -> str:
    """The node of a thing, the same in whatever slot it stands: egg as an extra, egg as an allergy."""
    return f"entity:{value}"


def parts(
    record: Record, types: Mapping[str, EntityType], keywords: Keywords | None = None
) -> Iterator[Part]:
    """The nodes and edges of one record; what is there already is given again.

    Args:
        record: the record.
        types: by slot, what kind of thing its values are, with a node of their own beside the claim. Claims
            of a slot of decisions or events are such nodes themselves, all others are preferences.
        keywords: further things that a record names, with their types.
    """
    me = record_node(record.id)
    kind = "compressed" if record.replaces else _TYPE_OF_KIND.get(record.kind, "context")
    weight = COMPRESSED_WEIGHT if kind == "compressed" else START_WEIGHT
    yield Node(name=me, content=record.text, entity_type=kind, at_ms=record.at_ms, weight=weight)
    yield from _visit(record, me)
    for claim, who in zip(record.claims, record.about, strict=True):
        yield from _claim(claim, who, me, record.at_ms, types)
    for value, of in keywords(record) if keywords else ():
        yield Node(name=entity_node(value), content=value, entity_type=of, at_ms=record.at_ms)
        yield Edge(start=me, end=entity_node(value), kind="mentions")
    for replaced in record.replaces:
        yield Edge(start=me, end=record_node(replaced), kind="replaces")


def _visit(record: Record, me: str) -> Iterator[Part]:
    for customer in dict.fromkeys((record.customer, *record.claimants)):
        if customer:
            name = customer_node(customer)
            yield Node(name=name, content=customer, entity_type="customer", at_ms=record.at_ms)
            yield Edge(start=me, end=name, kind="about")
    if record.visit:
        visit = f"visit:{record.visit}"
        yield Node(name=visit, content=record.visit, entity_type="event", at_ms=record.at_ms)
        yield Edge(start=visit, end=me, kind="holds")
        if record.customer:
            yield Edge(start=customer_node(record.customer), end=visit, kind="visited")


def _claim(
    claim: Claim, customer: str, me: str, at_ms: int, types: Mapping[str, EntityType]
) -> Iterator[Part]:
    sign = "" if claim.polarity == 1 else "no "
    wish = f"preference:{customer}|{claim.slot}|{sign}{claim.value}"
    thing = types.get(claim.slot)
    of: EntityType = thing if thing in ("decision", "event") else "user_preference"
    yield Node(name=wish, content=f"{claim.slot}: {sign}{claim.value}", entity_type=of, at_ms=at_ms)
    yield Edge(start=me, end=wish, kind="states")
    if customer:
        yield Edge(
            start=customer_node(customer), end=wish, kind="prefers" if claim.polarity == 1 else "rejects"
        )
    if thing and thing != of:
        yield Node(name=entity_node(claim.value), content=claim.value, entity_type=thing, at_ms=at_ms)
        yield Edge(start=wish, end=entity_node(claim.value), kind="of")
