"""Failed calls sent again, as often as their class allows and within the deadline of the decision."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from sim.errors import (
    ContextOverflow,
    ModelDisconnected,
    ModelError,
    ModelRefused,
    ModelTimeout,
    Overloaded,
    PromptCut,
    RateLimited,
)
from sim.llm.protocol import LanguageModel, Reply, Request
from sim.streams import Stream

_LONGEST_WAIT_S = 60.0
_JITTER = Stream.root(0).of("retry")  # for real time only: no draw of the simulation


@dataclass(frozen=True, kw_only=True, slots=True)
class RetryPolicy:
    """How often a call is sent again, by what failed.

    Args:
        connection: after a connection lost or not made.
        overload: after 429 and 503.
        server_error: after other 5xx and answers that make no sense.
        wait_s: first wait in real seconds, doubled each time, drawn between half of it and the whole;
            what the server itself asks for goes first.
    """

    connection: int = 1
    overload: int = 3
    server_error: int = 2
    wait_s: float = 0.5

    def retries(self, error: ModelError) -> tuple[str, int]:
        """Which allowance a failure uses up, and how often a call may be sent again on it."""
        match error:
            case ModelTimeout() | ContextOverflow() | PromptCut() | ModelRefused():
                return "", 0  # the time is up, or the same would come back
            case RateLimited() | Overloaded():
                return "overload", self.overload
            case ModelDisconnected():
                return "connection", self.connection
            case _:
                return "server_error", self.server_error

    def wait(self, error: ModelError, before: int, draw: float) -> float:
        """Real seconds to wait.

        Args:
            error: what failed.
            before: how often it failed on the same allowance before.
            draw: from 0 to 1.
        """
        if isinstance(error, RateLimited | Overloaded) and error.retry_after_s is not None:
            return error.retry_after_s
        longest_s = min(self.wait_s * 2.0**before, _LONGEST_WAIT_S)
        return longest_s * (1 + draw) / 2


class Retrying:
    """A model that is asked again where that may help.

    Order of wrapping: ``Retrying(Paced(Limited(Deadline(Budgeted(model)))))``. So a wait holds no slot,
    and each try gets what is left of the one deadline; waits between tries count, waits for a slot do not.

    Args:
        model: what is asked.
        policy: how often.
        sleep: waits real seconds.
    """

    def __init__(
        self,
        model: LanguageModel,
        policy: RetryPolicy,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._model = model
        self._policy = policy
        self._sleep = sleep

    async def complete(self, request: Request) -> Reply:
        """Answers, maybe after some tries; ``seconds`` has them all.

        Raises:
            ModelError: of the last try.
        """
        failures: Counter[str] = Counter()
        gone_s = 0.0
        while True:
            try:
                reply = await self._model.complete(replace(request, deadline_s=request.deadline_s - gone_s))
                return replace(reply, seconds=reply.seconds + gone_s)
            except ModelError as error:
                name, allowed = self._policy.retries(error)
                error.spent_s += gone_s
                wait_s = self._policy.wait(error, failures[name], _draw(request, failures.total()))
                if failures[name] >= allowed or error.spent_s + wait_s >= request.deadline_s:
                    raise
                failures[name] += 1
                gone_s = error.spent_s + wait_s
            await self._sleep(wait_s)

    async def close(self) -> None:
        """Closes the model behind."""
        await self._model.close()


def _draw(request: Request, number: int) -> float:
    return _JITTER.of(str(request.act), request.ask, request.attempt, number).uniform()
