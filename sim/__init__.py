"""Noodle Shop: what does a language-model agent still know weeks later?

The names below are fetched when they are first used, so that importing the package imports nothing else.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "RunPlan": "sim.runs",
    "arun": "sim.runs",
    "collect": "sim.metrics.collect",
    "configured": "sim.door",
    "load": "sim.metrics.load",
    "plan_of": "sim.build",
    "run": "sim.runs",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sim' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
