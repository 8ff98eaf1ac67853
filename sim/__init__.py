"""Noodle Shop: what does a language-model agent still know weeks later?

``sim.run(...)``, ``await sim.arun(...)`` and ``sim.load(folder)`` are fetched when they are first used,
so that importing the package imports nothing else.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_HOMES = {"arun": "sim.run", "load": "sim.metrics.load", "run": "sim.run"}


class _RunModule(ModuleType):
    """The module ``sim.run``, which can be called like the function of that name in it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(*args, **kwargs)


class _Package(ModuleType):
    """This package. Importing ``sim.run`` binds that module to the name of the function ``run``."""

    def __setattr__(self, name: str, value: Any) -> None:
        # Both must work whatever was imported first: sim.run(...) and sim.run.RunResult.
        if name == "run" and isinstance(value, ModuleType):
            value.__class__ = _RunModule
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sim' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    return home if name == "run" else getattr(home, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
