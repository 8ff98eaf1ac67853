"""A progress bar in simulated time; silent when nobody looks."""

import sys
from typing import Any, Protocol

from sim.clock import DAY_MS


class Progress(Protocol):
    """Who is told how far the run is."""

    def show(self, days: float, *, in_flight: int, failures: int) -> None:
        """``days`` simulated days have passed since the last call."""
        ...

    def close(self) -> None:
        """The run is over."""
        ...


class Silent:
    """Shows nothing."""

    def show(self, days: float, *, in_flight: int, failures: int) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class Bar:
    """A bar over simulated days with an estimate of what is left, calls in flight and failures."""

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

    def show(self, days: float, *, in_flight: int, failures: int) -> None:
        """Moves the bar on."""
        self._bar.set_postfix_str(f"in flight {in_flight}, failures {failures}", refresh=False)
        self._bar.update(days)

    def close(self) -> None:
        """Takes the bar off the screen."""
        self._bar.close()


def progress_bar(duration_ms: int, runs: int, wanted: bool) -> Progress:
    """A bar over all runs together on a terminal, else silence."""
    if wanted and sys.stderr.isatty():
        return Bar(duration_ms * runs / DAY_MS)
    return Silent()
