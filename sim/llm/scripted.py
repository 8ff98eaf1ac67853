"""A model that answers what a function says, with real delays: the programmable stand-in."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from sim.errors import ModelError
from sim.llm.protocol import Reply, Request
from sim.llm.tokens import estimate_tokens
from sim.streams import Stream

Script = Callable[[Request], str | Reply | ModelError]
Delay = Callable[[Request], float]


class Scripted:
    """Answers each request with what the script returns for it.

    Args:
        script: a text, a whole reply, or a failure to be raised.
        delay_s: real seconds before the answer; None answers at once.
        name: what the replies call the model.
        calls: where each request is noted when it arrives.
        trace: a file that gets one line ``start`` or ``end``, act, ask and attempt, parted by tabs,
            when a call starts and when it has its answer. It survives ``kill -9``, so that calls
            asked again by a resume can be counted; a cancelled call has no end.
    """

    def __init__(
        self,
        script: Script,
        delay_s: Delay | None = None,
        name: str = "scripted",
        *,
        calls: list[Request] | None = None,
        trace: Path | str | None = None,
    ) -> None:
        self.name = name
        self.calls: list[Request] = [] if calls is None else calls
        self._script = script
        self._delay_s = delay_s
        self._trace = None if trace is None else Path(trace)

    async def complete(self, request: Request) -> Reply:
        """Answers as the script says, after the delay.

        Raises:
            ModelError: the script returned one.
        """
        started = time.perf_counter()
        self.calls.append(request)
        self._note("start", request)
        if self._delay_s is not None:
            await asyncio.sleep(self._delay_s(request))
        answer = self._script(request)
        self._note("end", request)
        if isinstance(answer, ModelError):
            raise answer
        return self._reply(request, answer, time.perf_counter() - started)

    async def close(self) -> None:
        """Has nothing to release."""

    def _note(self, what: str, request: Request) -> None:
        if self._trace is not None:
            # Opened for each line: what is written and closed outlives the process.
            with self._trace.open("a", encoding="utf-8") as file:
                file.write(f"{what}\t{request.act}\t{request.ask}\t{request.attempt}\n")

    def _reply(self, request: Request, answer: str | Reply, seconds: float) -> Reply:
        if isinstance(answer, Reply):
            return replace(answer, seconds=answer.seconds or seconds)
        return Reply(
            text=answer,
            model=self.name,
            prompt_tokens=estimate_tokens(request.system) + estimate_tokens(request.user),
            completion_tokens=estimate_tokens(answer),
            seconds=seconds,
        )


def random_delay(low_s: float, high_s: float, salt: str = "") -> Delay:
    """Delays drawn by act and salt: another salt gives the same calls another order in real time."""
    root = Stream.root(0).of("delay", salt)

    def delay(request: Request) -> float:
        draw = root.of(str(request.act), request.ask, request.attempt).uniform()
        return low_s + (high_s - low_s) * draw

    return delay
