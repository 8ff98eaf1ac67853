"""How central each node of a graph is."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

Node = TypeVar("Node", bound=Hashable)

_ROUNDS, _CLOSE = 100, 1e-9
DIGITS = 6


def pagerank(links: Mapping[Node, Sequence[Node]], *, damping: float = 0.85) -> dict[Node, float]:
    """The share of time a walker spends at each node who follows links and now and then jumps.

    Rounded, so that sums in another order give the same. Written out here because networkx leaves it to a
    library that we do not need otherwise.

    Source: L. Page, S. Brin, R. Motwani, T. Winograd, The PageRank Citation Ranking (1999),
    http://ilpubs.stanford.edu:8090/422

    Args:
        links: the nodes that each node leads to; every one of them is a key as well.
        damping: how often the walker follows a link.
    """
    if not links:
        return {}
    place = {node: number for number, node in enumerate(links)}
    ends = [(place[node], place[to]) for node, leads in links.items() for to in leads]
    start, end = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    degree = np.bincount(start, minlength=len(links))
    rank = np.full(len(links), 1 / len(links))
    for _ in range(_ROUNDS):
        given = np.divide(rank, degree, out=np.zeros_like(rank), where=degree > 0)
        followed = np.bincount(end, weights=given[start], minlength=len(links))
        # Who stands where nothing leads on jumps.
        lost = rank[degree == 0].sum()
        new = damping * (followed + lost / len(links)) + (1 - damping) / len(links)
        done = np.abs(new - rank).sum() < _CLOSE
        rank = new
        if done:
            break
    return {node: round(float(rank[number]), DIGITS) for node, number in place.items()}


def degrees(links: Mapping[Node, Sequence[Node]]) -> dict[Node, float]:
    """The share of the other nodes that each node leads to."""
    others = max(1, len(links) - 1)
    return {node: round(len(set(leads)) / others, DIGITS) for node, leads in links.items()}
