"""A limit on calls in flight that follows what a server bears: halved when refused, raised when clean."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sim.errors import Overloaded, RateLimited


class AdaptiveLimit:
    """Additive increase, multiplicative decrease; never below 1, never above what is allowed.

    It starts at the top, for most servers bear what they were configured for. A refusal halves it,
    once for all calls that were under way together; so many good answers as it lets through raise it by one.

    Source: Chiu and Jain (1989), https://doi.org/10.1016/0169-7552(89)90019-6

    Args:
        most: calls at one time at most.

    Attributes:
        in_flight: calls running now.
        peak: most calls that ever ran at once.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.in_flight = 0
        self.peak = 0
        self._limit = float(most)
        self._halvings = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def limit(self) -> int:
        """Calls that may run now."""
        return int(self._limit)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Waits for a place, first come first served, holds it, and learns from how the call ends."""
        await self._enter()
        halvings = self._halvings
        try:
            yield
            self._limit = min(float(self.most), self._limit + 1 / self._limit)
        except (RateLimited, Overloaded):
            self._shrink(halvings)
            raise
        finally:
            self.in_flight -= 1
            self._admit()

    def _shrink(self, halvings: int) -> None:
        # A burst of refusals answers one state of the limit, and counts once.
        if halvings == self._halvings:
            self._halvings += 1
            self._limit = max(1.0, self._limit / 2)

    async def _enter(self) -> None:
        if self.in_flight < self.limit and all(place.done() for place in self._waiting):
            self._take()
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # admitted, and cancelled before it could go on
                self.in_flight -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        while self._waiting and self.in_flight < self.limit:
            place = self._waiting.popleft()
            if not place.done():  # whoever was cancelled meanwhile waits no more
                self._take()
                place.set_result(None)

    def _take(self) -> None:
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
