"""A limit on calls in flight, shared by all models and runs that are given the same limiter."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sim.errors import ConfigError
from sim.llm.protocol import LanguageModel, Reply, Request


class Limiter:
    """Lets so many calls through at a time, first come, first served.

    Attributes:
        in_flight: calls running now.
        peak: most calls that ever ran at once.
        total: calls started.
        out_of_order: replies that came back before one that was started earlier.
    """

    def __init__(self, max_in_flight: int) -> None:
        if max_in_flight < 1:
            raise ConfigError(f"llm.max_in_flight must be at least 1, not {max_in_flight}")
        self.max_in_flight = max_in_flight
        self.peak = 0
        self.total = 0
        self.out_of_order = 0
        self._running: dict[int, None] = {}
        self._gate: asyncio.Semaphore | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def in_flight(self) -> int:
        """Calls running now."""
        return len(self._running)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Waits for a free slot and holds it; leaving without an error counts as a reply.

        The slot is free again two turns of the loop later: what came back is committed in the next one
        (`Journal.keep`), so a run that is killed has never more calls uncommitted than there are slots.
        """
        gate = self._semaphore()
        await gate.acquire()
        number = self._start()
        try:
            yield
            self._note_reply(number)
        finally:
            del self._running[number]
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, gate.release)

    def _semaphore(self) -> asyncio.Semaphore:
        # Made inside the loop: a semaphore belongs to the loop in which it was first waited for,
        # and a limiter may serve one loop after another.
        loop = asyncio.get_running_loop()
        if self._gate is None or self._loop is not loop:
            self._gate, self._loop = asyncio.Semaphore(self.max_in_flight), loop
        return self._gate

    def _start(self) -> int:
        number = self.total
        self.total += 1
        self._running[number] = None
        self.peak = max(self.peak, len(self._running))
        return number

    def _note_reply(self, number: int) -> None:
        # A dict keeps the order of insertion, so its first key is the oldest call still running.
        self.out_of_order += next(iter(self._running)) != number


class Limited:
    """A model behind a limiter; only the call itself holds a slot, never a whole act."""

    def __init__(self, model: LanguageModel, limiter: Limiter) -> None:
        self._model = model
        self._limiter = limiter

    async def complete(self, request: Request) -> Reply:
        """Answers once a slot is free."""
        async with self._limiter.slot():
            return await self._model.complete(request)

    async def close(self) -> None:
        """Closes the model behind."""
        await self._model.close()
