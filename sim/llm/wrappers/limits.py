"""Limits of a whole run: so many calls, tokens and hours, and then it stops without losing an answer."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from sim.errors import LimitReached
from sim.llm.protocol import LanguageModel, Reply, Request

_HOUR_S = 3_600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class CallLimits:
    """Where a run stops by itself; None is no limit.

    Args:
        max_calls: questions to models, those found in the journal included, so that it is one limit for
            a run and all its resumes.
        max_tokens: tokens of prompts and answers, counted likewise.
        max_hours: real hours since this process began the run.
    """

    max_calls: int | None = None
    max_tokens: int | None = None
    max_hours: float | None = None


class Meter:
    """Counts what a run asks of its models, over all seeds, and knows when a limit is used up.

    Args:
        limits: where to stop.
        clock: real seconds.

    Attributes:
        calls: questions begun.
        tokens: of the prompts and answers that came back.
    """

    def __init__(self, limits: CallLimits | None = None, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits or CallLimits()
        self.calls = 0
        self.tokens = 0
        self._clock = clock
        self._began_s = clock()
        self._open = 0
        self._drained = asyncio.Event()

    @asynccontextmanager
    async def call(self) -> AsyncIterator[None]:
        """Lets a call begin.

        Raises:
            LimitReached: a limit is used up. Raised only when no call is under way any more, so that what
                was begun within the limit is answered, stored and not paid for twice.
        """
        if reason := self._used_up():
            await self._no_call_open()
            raise LimitReached(reason)
        self.calls += 1
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            if not self._open:
                self._drained.set()

    async def _no_call_open(self) -> None:
        while self._open:
            self._drained.clear()
            await self._drained.wait()

    def _used_up(self) -> str:
        """Which limit is used up, in words; empty where none is."""
        limits, hours = self.limits, (self._clock() - self._began_s) / _HOUR_S
        used = (
            ("max_calls", limits.max_calls, self.calls, f"{self.calls} calls are made"),
            ("max_tokens", limits.max_tokens, self.tokens, f"{self.tokens} tokens are used"),
            ("max_hours", limits.max_hours, hours, f"{hours:.3g} hours have gone"),
        )
        for name, limit, count, words in used:
            if limit is not None and count >= limit:
                return f"llm.limits.{name}={limit:g}: {words}"
        return ""


class Metered:
    """A model whose calls are counted, and which is asked no more when a limit is used up.

    It belongs outside the journal: what a resumed run finds there was asked within the same limits.
    """

    def __init__(self, model: LanguageModel, meter: Meter) -> None:
        self._model = model
        self._meter = meter

    async def complete(self, request: Request) -> Reply:
        """Answers, or raises `LimitReached`."""
        async with self._meter.call():
            reply = await self._model.complete(request)
        self._meter.tokens += reply.prompt_tokens + reply.completion_tokens
        return reply

    async def close(self) -> None:
        """Closes the model behind."""
        await self._model.close()
