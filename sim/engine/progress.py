"""How far a run is, in simulated time: looked at in real time, shown as a bar and a heartbeat.

A clock of its own does the looking, because a run that only waits for its models takes no step for
minutes. It reads the simulation and never touches it.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol

from sim.clock import DAY_MS
from sim.engine.session import Session
from sim.llm.wrappers.limiter import Limiter
from sim.llm.wrappers.limits import Meter

LOOK_S = 0.5


class Progress(Protocol):
    """Who is told how far the run is."""

    def show(self, days: float, *, answered: int, in_flight: int, tokens: int, failures: int) -> None:
        """``days`` simulated days are thought through by now, over all runs together."""
        ...

    def close(self) -> None:
        """The run is over."""
        ...


class Silent:
    """Shows nothing."""

    def show(self, days: float, *, answered: int, in_flight: int, tokens: int, failures: int) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class Bar:
    """A bar over simulated days with an estimate of what is left, calls answered, in flight and failed."""

    def __init__(self, days: float, stream: Any = None) -> None:
        from tqdm import tqdm

        self._bar = tqdm(
            total=round(days, 2),
            unit="day",
            file=stream or sys.stderr,
            dynamic_ncols=True,
            leave=False,
            bar_format="{desc}day {n:.0f}/{total:.0f} |{bar}| {elapsed}, {remaining} left{postfix}",
        )

    def show(self, days: float, *, answered: int, in_flight: int, tokens: int, failures: int) -> None:
        """Draws the bar anew, also where only the time has moved."""
        calls = [f"answered {answered}, in flight {in_flight}"] if answered or in_flight else []
        calls += [f"tokens {_short(tokens)}"] if tokens else []
        self._bar.set_postfix_str(", ".join([*calls, f"failures {failures}"]), refresh=False)
        self._bar.n = days
        self._bar.refresh()

    def close(self) -> None:
        """Takes the bar off the screen."""
        self._bar.close()


def _short(tokens: int) -> str:
    """A number of tokens in few characters."""
    if tokens >= 1_000_000:
        return f"{tokens / 1e6:.1f} M"
    return f"{tokens / 1e3:.0f} k" if tokens >= 10_000 else str(tokens)


def progress_bar(duration_ms: int, runs: int, wanted: bool) -> Progress:
    """A bar over all runs together on a terminal, else silence."""
    if wanted and sys.stderr.isatty():
        return Bar(duration_ms * runs / DAY_MS)
    return Silent()


class Watch:
    """Looks at sessions that run, and tells a bar and a heartbeat what it saw.

    Args:
        bar: who is shown how far it is.
        beat: receives the same as named numbers.
        limiter: counts the calls of all sessions; the surrogate's, which take no time, are not counted.
        meter: counts their tokens.
    """

    def __init__(
        self, bar: Progress, beat: Callable[..., None], limiter: Limiter, meter: Meter | None = None
    ) -> None:
        self.sessions: list[Session] = []
        self._bar = bar
        self._beat = beat
        self._limiter = limiter
        self._meter = meter

    def look(self) -> None:
        """Takes one look."""
        days = sum(session.thought_ms for session in self.sessions) / DAY_MS
        in_flight = self._limiter.in_flight
        calls = {
            "answered": self._limiter.total - in_flight,
            "in_flight": in_flight,
            "tokens": self._meter.tokens if self._meter else 0,
            "failures": sum(session.harvest.failures for session in self.sessions),
        }
        self._bar.show(days, **calls)
        self._beat(simulated_days=round(days, 2), **calls)


@asynccontextmanager
async def regularly(call: Callable[[], None], every_s: float) -> AsyncIterator[None]:
    """Calls ``call`` every so many real seconds while the block runs."""
    task = asyncio.create_task(_repeat(call, every_s))
    try:
        yield
    finally:
        task.cancel()
        # Waited for, so that no look comes after the end; its own failure must not hide the run's.
        await asyncio.gather(task, return_exceptions=True)


async def _repeat(call: Callable[[], None], every_s: float) -> None:
    while True:
        await asyncio.sleep(every_s)
        call()
