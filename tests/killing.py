"""Runs in processes of their own, to be killed at some call; what was asked by then, which answers are safe.

Processes are forked from one that has imported everything: starting anew would take seconds each time.
"""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sim.journal import Journal

Call = tuple[str, ...]


def started(trace: Path) -> list[Call]:
    """The calls that were started, in order."""
    return [call for what, call in _noted(trace) if what == "start"]


def under_way(trace: Path) -> set[Call]:
    """The calls whose last try did not fail: answered, or with a server when the trace ends.

    A call whose try failed is with nobody until it is sent again: it has no answer that could be lost.
    """
    last = {call: what for what, call in _noted(trace)}
    return {call for call, what in last.items() if what == "start"}


def _noted(trace: Path) -> list[tuple[str, Call]]:
    lines = trace.read_text().splitlines() if trace.exists() else []
    noted = (line.split("\t") for line in lines)
    return [(what, tuple(call)) for what, *call in noted]


def journalled(folder: Path) -> set[Call]:
    """Calls whose answer is safe; read from a copy, as the journal of a dead process needs recovery."""
    path = folder / "journal.sqlite"
    if not path.exists():
        return set()
    with Journal.open(path, mode="resume") as journal:
        return {(e.place.act, str(e.place.ask), str(e.place.attempt)) for e in journal.entries()}


class Children:
    """Begins processes that find the tests' own modules, and kills them.

    Args:
        imports: what the process they are forked from has imported.
    """

    def __init__(self, imports: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
        here = Path(__file__).parent
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(here.parent), str(here)]))
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(list(imports))

    def run(
        self, child: Callable[..., None], arguments: Sequence[Any], trace: Path, most: int | None
    ) -> bool:
        """Runs a child to its end, or kills it when it has started so many calls; whether it was killed."""
        process = self._context.Process(target=child, args=tuple(arguments))
        process.start()
        while process.is_alive():
            if most is not None and len(set(started(trace))) >= most:
                process.kill()
            time.sleep(0.002)
        process.join()
        assert process.exitcode in (0, -signal.SIGKILL)
        return process.exitcode != 0
