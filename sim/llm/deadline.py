"""A deadline on every call, in real time."""

import asyncio

from sim.errors import ModelTimeout
from sim.llm.protocol import LanguageModel, Reply, Request


class Deadline:
    """A model that fails with `ModelTimeout` when a call outlasts the request's deadline.

    Order of wrapping: ``Limited(Deadline(Retrying(model)))``. The deadline covers all retries
    together, since the act waits for all of them. It does not cover the wait for a slot: that
    depends on how many calls are in flight, and a lower limit must not turn answers into failures.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    async def complete(self, request: Request) -> Reply:
        """Answers within ``request.deadline_s`` seconds.

        Raises:
            ModelTimeout: it did not.
        """
        try:
            async with asyncio.timeout(request.deadline_s):
                return await self._model.complete(request)
        except TimeoutError as error:
            raise ModelTimeout(
                f"no answer for role {request.role} within {request.deadline_s:g} s: raise llm deadline_s"
            ) from error

    async def close(self) -> None:
        """Closes the model behind."""
        await self._model.close()
