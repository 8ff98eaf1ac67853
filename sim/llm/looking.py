"""Looks at the models of a run before it begins: are they there, and what are they?"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sim.llm.probe import Probed, Served
from sim.llm.thinking import Thinking

Found = Mapping[str, Sequence[Served]]


async def looked_at(thinking: Thinking, seed: int) -> Found:
    """What was found of each model that can be looked at, by name; the others are not in it.

    Models are made for the look and closed after it: a run has its own.

    Raises:
        ConfigError: a model cannot be used; one line that names it and says what to do.
    """
    models = thinking.models(seed)
    try:
        return {
            name: await model.probe()
            for name, model in models.items()
            if name in thinking.in_use and isinstance(model, Probed)
        }
    finally:
        for model in models.values():
            await model.close()


def windows(found: Found) -> dict[str, int]:
    """The window of each model in tokens: the smallest of its endpoints; left out where nobody knows."""
    sizes = {name: [one.window_tokens for one in served] for name, served in found.items()}
    known = {name: [size for size in all_sizes if size is not None] for name, all_sizes in sizes.items()}
    return {name: min(some) for name, some in known.items() if some}


def as_data(found: Found) -> dict[str, list[dict[str, Any]]]:
    """What was found, as the manifest holds it."""
    return {
        name: [asdict(one) | {"warnings": [*one.warnings]} for one in served]
        for name, served in found.items()
    }
