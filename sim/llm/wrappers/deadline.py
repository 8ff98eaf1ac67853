"""A deadline on every call, in real time."""

import asyncio

from sim.errors import ModelError, ModelTimeout
from sim.llm.protocol import LanguageModel, Reply, Request


class Deadline:
    """A model that fails with `ModelTimeout` when a call outlasts the request's deadline.

    Order of wrapping: ``Retrying(Paced(Limited(Deadline(Budgeted(model)))))``. It does not cover the
    wait for a slot: that depends on how many calls are in flight, and a lower limit must not turn
    answers into failures. All tries of a decision share one deadline, since the act waits for all of them:
    `Retrying` passes on what is left, for which every failure says here how long it took.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    async def complete(self, request: Request) -> Reply:
        """Answers within ``request.deadline_s`` seconds.

        Raises:
            ModelTimeout: it did not.
        """
        clock = asyncio.get_running_loop().time
        started_s = clock()
        try:
            return await self._in_time(request)
        except ModelError as error:
            error.spent_s = clock() - started_s
            raise

    async def _in_time(self, request: Request) -> Reply:
        try:
            async with asyncio.timeout(request.deadline_s):
                return await self._model.complete(request)
        except TimeoutError as error:
            raise ModelTimeout(
                f"no answer for role {request.role} within {request.deadline_s:.3g} s: raise llm.deadline_s"
            ) from error

    async def close(self) -> None:
        """Closes the model behind."""
        await self._model.close()
