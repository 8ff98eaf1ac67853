"""Starts servers as child processes, waits until they are well, and ends all of them together."""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from sim.errors import ConfigError, ModelError, SimError
from sim.llm.served.http import HttpClient
from sim.serve.command import Server
from sim.signals import cancelled_by_signals

Say = Callable[[str], None]

FAILED, INTERRUPTED = 1, 130
_LOOK_S = 1.0
_GRACE_S = 30.0  # vLLM frees its GPUs when it is let
_POLL_S = 0.05
_LAST_WORDS_S = 1.0
_LONGEST_LINE = 1 << 20


class ServerEnded(SimError):
    """A server ended by itself; the others were stopped."""


def started(wanted: Sequence[Server], say: Say) -> int:
    """Runs servers until Ctrl-C, a signal, or the end of one of them.

    Returns:
        1 when a server ended by itself, 130 when it was told to stop.

    Raises:
        ConfigError: they cannot be started here.
    """

    async def stoppable() -> None:
        with cancelled_by_signals():
            await supervise(wanted, say)

    try:
        asyncio.run(stoppable())
    except ServerEnded as error:
        say(str(error))
        return FAILED
    except (asyncio.CancelledError, KeyboardInterrupt):
        say("all servers are stopped")
    return INTERRUPTED


async def supervise(
    wanted: Sequence[Server], say: Say, *, look_s: float = _LOOK_S, grace_s: float = _GRACE_S
) -> None:
    """Runs servers until one ends or the task is cancelled; then none is left.

    Servers on GPUs of their own load side by side. One that shares a GPU waits until the earlier one is
    up, for each looks at what is free when it starts.

    Args:
        wanted: the servers, all of this machine.
        say: receives every line to show.
        look_s: real seconds between two looks at a server that loads.
        grace_s: real seconds that a server gets to end.

    Raises:
        ConfigError: one belongs elsewhere, or vLLM is not installed here.
        ServerEnded: one of them ended.
    """
    _check(wanted)
    children = {server.name: _Child(server, say) for server in wanted}
    ready = {server.name: asyncio.Event() for server in wanted}
    try:
        async with asyncio.TaskGroup() as group:
            for number, server in enumerate(wanted):
                before = [ready[one.name] for one in wanted[:number] if _share(one, server)]
                group.create_task(_kept(children[server.name], before, ready[server.name], look_s))
            group.create_task(_told(ready, say))
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    finally:
        await asyncio.gather(*(child.end(grace_s) for child in children.values()))


def _check(wanted: Sequence[Server]) -> None:
    for server in wanted:
        if not server.is_local:
            raise ConfigError(
                f"--start: {server.url} is another machine: run noodle serve there, or the printed command"
            )
    for program in dict.fromkeys(server.arguments[0] for server in wanted):
        if shutil.which(program) is None:
            raise ConfigError(
                f"--start: there is no {program!r} on the PATH: install vLLM into an environment of its own"
                " (pip install 'vllm>=0.29') and call noodle with its bin folder on the PATH, or name the"
                " program in serve.program"
            )


def _share(one: Server, other: Server) -> bool:
    return bool(set(one.gpus.split(",")) & set(other.gpus.split(",")))


class _Child:
    """One server as a process."""

    def __init__(self, server: Server, say: Say) -> None:
        self.server = server
        self.say = say
        self._process: asyncio.subprocess.Process | None = None

    async def run(self) -> int:
        """Starts the process, passes its lines on, and returns its exit code."""
        self.say(f"[{self.server.name}] {self.server.text()}")
        self._process = await asyncio.create_subprocess_exec(
            *self.server.arguments,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            stdin=asyncio.subprocess.DEVNULL,
            env={**os.environ, "CUDA_VISIBLE_DEVICES": self.server.gpus},
            limit=_LONGEST_LINE,
            # A session of its own: Ctrl-C reaches it through us, and its workers end with it.
            start_new_session=True,
        )
        reading = asyncio.create_task(self._pass_on(self._process))
        try:
            code = await self._ended(self._process)
            # Its last words; workers it left behind may hold the pipe open for ever.
            await asyncio.wait({reading}, timeout=_LAST_WORDS_S)
        finally:
            reading.cancel()
        return code

    async def end(self, grace_s: float) -> None:
        """Asks the process and all it has started to end, and after a while insists."""
        process = self._process
        if process is None:
            return
        self._signal(process.pid, signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                await self._ended(process)
        # The group outlives its first process where a worker does not listen.
        self._signal(process.pid, signal.SIGKILL)
        await self._ended(process)

    async def _pass_on(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        with suppress(ValueError):  # a line without end; the server itself goes on
            async for line in process.stdout:
                self.say(f"[{self.server.name}] {line.decode('utf-8', 'replace').rstrip()}")

    @staticmethod
    async def _ended(process: asyncio.subprocess.Process) -> int:
        # Looked at, since `wait` may wait for the pipe as well, which workers hold open.
        while process.returncode is None:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(_POLL_S)
        return process.returncode

    @staticmethod
    def _signal(pid: int, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)


async def _kept(child: _Child, before: Sequence[asyncio.Event], ready: asyncio.Event, look_s: float) -> None:
    for earlier in before:
        await earlier.wait()
    looking = asyncio.create_task(_until_well(child, ready, look_s))
    try:
        code = await child.run()
    finally:
        looking.cancel()
    how = f"exit code {code}" if code >= 0 else f"signal {-code}"
    raise ServerEnded(f"the server of {child.server.name} ended ({how}); its last lines say why")


async def _until_well(child: _Child, ready: asyncio.Event, look_s: float) -> None:
    async with HttpClient() as client:
        while True:
            with suppress(ModelError):
                if (await client.get(child.server.health)).status == 200:
                    break
            await asyncio.sleep(look_s)
    child.say(f"[{child.server.name}] is up at {child.server.url}")
    ready.set()


async def _told(ready: Mapping[str, asyncio.Event], say: Say) -> None:
    for event in ready.values():
        await event.wait()
    say("all servers are up; noodle doctor checks them, Ctrl-C stops them")
