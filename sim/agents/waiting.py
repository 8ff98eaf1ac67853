"""Waiting for several acts, as a part of an act: ``results = yield from after_all(acts)``."""

from collections.abc import Generator, Iterable
from typing import Any

from sim.agents.effects import After, Effect
from sim.records import ActId


def after_all(acts: Iterable[ActId]) -> Generator[Effect, Any, list[Any]]:
    """Waits for acts declared at submission; returns their results in the order given."""
    results = []
    for act in acts:
        result = yield After(act=act)
        results.append(result)
    return results
