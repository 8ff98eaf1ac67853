"""An act: one thought of one agent, handed in at one simulated time and answered at another."""

import asyncio
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import simpy

from sim.agents.effects import Became, Effect, Note, Observed, Report, Tell
from sim.errors import OrderError
from sim.memory.protocol import Owner, Record
from sim.records import ActId, LlmCall

Steps = Generator[Effect, Any, Any]


class State(Enum):
    """Where an act stands."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(kw_only=True, eq=False)
class Act:
    """What a process holds of an act it submitted.

    Args:
        id: identity; seeds, errors and the journal hang on it.
        seq: place in the order of submission.
        submitted_ms: a recall sees what was visible at this simulated time.
        due_ms: simulated time at which the answer counts and the act's lines stand in the log.
        after: acts whose results this one may wait for, by identity.
        writes: scopes it may write to.
        visible_at_ms: simulated time from which its writes can be seen.
    """

    id: ActId
    seq: int
    submitted_ms: int
    due_ms: int
    steps: Steps
    after: Mapping[ActId, "Act"]
    writes: frozenset[Owner]
    visible_at_ms: int
    finished: asyncio.Event = field(default_factory=asyncio.Event)
    state: State = State.OPEN
    failure: BaseException | None = None
    asked: int = 0
    heard: bool = False
    make_event: Callable[["Act"], simpy.Event] | None = None
    records: list[tuple[Owner, Record]] = field(default_factory=list)
    lines: list[Note | Tell | Became | Report | Observed] = field(default_factory=list)
    calls: list[LlmCall] = field(default_factory=list)
    result: Any = None

    @property
    def value(self) -> Any:
        """The result, once a process has heard the act's event.

        Raises:
            OrderError: nobody heard the event yet; peeking would make the result depend on real speed.
        """
        if not self.heard:
            raise OrderError(f"act {self.id}: yield its event before you read its value")
        return self.result

    def event(self) -> simpy.Event:
        """A fresh event that fires with the result at the due time (or now, if that is past)."""
        if self.make_event is None:
            raise OrderError(f"act {self.id} was not submitted")
        return self.make_event(self)

    @property
    def taken_back(self) -> bool:
        """Whether it was cancelled."""
        return self.state is State.CANCELLED

    def settle(self, state: State, failure: BaseException | None = None) -> None:
        """Ends the act once; later calls change nothing."""
        if self.state is not State.OPEN:
            return
        self.state, self.failure = state, failure
        if state is not State.DONE:
            self.records.clear()
            self.lines.clear()
        self.finished.set()

    def withdraw(self) -> None:
        """Makes an act that already ended count as cancelled."""
        self.state, self.failure = State.CANCELLED, None
        self.records.clear()
        self.lines.clear()


def check_order(act: Act, now_ms: int) -> None:
    """Refuses an act whose times would let it wait for the future.

    Raises:
        OrderError: due before now, writes visible too early, or an answer awaited that comes later.
    """
    if act.due_ms < now_ms:
        raise OrderError(f"act {act.id}: due at {act.due_ms} ms, before now ({now_ms} ms)")
    if act.writes and (act.visible_at_ms <= now_ms or act.visible_at_ms < act.due_ms):
        raise OrderError(
            f"act {act.id}: its writes must become visible after {now_ms} ms and not before"
            f" it is due ({act.due_ms} ms), not at {act.visible_at_ms} ms"
        )
    for earlier in act.after.values():
        if earlier.due_ms > act.due_ms or earlier.seq >= act.seq:
            raise OrderError(f"act {act.id}: cannot wait for {earlier.id}, which is due later")
