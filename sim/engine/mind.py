"""The mind: acts run concurrently in real time and give the same answers at any speed.

Waiting goes one way. An act waits for the model, and for acts of lower sequence whose due time is
not later than its own; the clock waits for acts; nothing waits for the clock. That excludes
deadlock. The limit of calls in flight surrounds the model call alone, never an act.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from sim.agents.effects import (
    After,
    Ask,
    Became,
    Effect,
    Forgettable,
    Note,
    Observed,
    Overflow,
    Recall,
    Recalled,
    Report,
    Tell,
    Write,
)
from sim.engine.act import Act, State, check_order
from sim.engine.scope import Scopes
from sim.errors import OrderError
from sim.llm.outcomes import CANCELLED
from sim.llm.protocol import Outcome, Request
from sim.memory.protocol import Memory, Owner, Record
from sim.records import ActId, LlmCall

Asker = Callable[[Request], Awaitable[Outcome]]
RequestMaker = Callable[[ActId, int, Ask, int], Request]


class Mind:
    """Runs acts as tasks of the running loop.

    Args:
        scopes: memories and their visibility.
        ask: the structured-output ladder over the routed models.
        request: makes a request of (act, place of the question, effect, simulated time).
        tell: receives (act, effect) of each `Tell` and `Became`, for memories that read the ledger.

    Attributes:
        taken_back: what was asked for acts that were taken back; it cost something and counts for nothing.
    """

    def __init__(
        self,
        scopes: Scopes,
        ask: Asker,
        request: RequestMaker,
        tell: Callable[[Act, Tell | Became], Iterable[tuple[Owner, Record]]] | None = None,
    ) -> None:
        self.scopes = scopes
        self._ask = ask
        self._request = request
        self._tell = tell or (lambda act, effect: ())
        self._tasks: dict[Act, asyncio.Task[None]] = {}
        self._followers: dict[Act, list[Act]] = {}
        self._progress = asyncio.Event()
        self.taken_back: list[LlmCall] = []

    @property
    def open(self) -> int:
        """How many acts are still thinking."""
        return len(self._tasks)

    def thought_ms(self, now_ms: int) -> int:
        """The time up to which every act that was handed in has ended, ``now_ms`` where all have."""
        # A dict keeps the order of insertion, so its first key was handed in before all others.
        oldest = next(iter(self._tasks), None)
        return now_ms if oldest is None else oldest.submitted_ms

    def start(self, act: Act, now_ms: int) -> None:
        """Starts an act after a look at its times; its writes count as declared from here on."""
        check_order(act, now_ms)
        self.scopes.declare(act)
        for earlier in act.after.values():
            if earlier.due_ms > now_ms:  # one that is due cannot be taken back any more
                self._followers.setdefault(earlier, []).append(act)
        if any(earlier.state is State.CANCELLED for earlier in act.after.values()):
            self._end(act, State.CANCELLED)
            return
        task = asyncio.get_running_loop().create_task(self._run(act))
        self._tasks[act] = task
        # In the callback and not in the task: a task cancelled before its first step never
        # reaches its own `finally`.
        task.add_done_callback(lambda done: self._settled(act, done))

    def cancel(self, act: Act, now_ms: int) -> bool:
        """Takes an act back before it is due, and every act that waits for it; False if it is too late.

        What the act would have written or logged never happens, even if its answer came already:
        the decision hangs on simulated time alone.
        """
        if now_ms >= act.due_ms or act.state is State.CANCELLED:
            return False
        for follower in self._followers.pop(act, ()):
            self.cancel(follower, now_ms)
        self._take_back(act)
        return True

    def _take_back(self, act: Act) -> None:
        self.taken_back += [replace(call, outcome=CANCELLED, step="") for call in act.calls]
        if act.state is State.OPEN:
            self._end(act, State.CANCELLED)
        else:
            self.scopes.withdraw(act)
            act.withdraw()
        if (task := self._tasks.get(act)) is not None:
            task.cancel()

    def forget(self, act: Act) -> None:
        """Drops what is only needed while the act could still be taken back."""
        self._followers.pop(act, None)

    def _settled(self, act: Act, task: asyncio.Task[None]) -> None:
        self._tasks.pop(act, None)
        if act.state is State.OPEN:
            if task.cancelled():
                self._end(act, State.CANCELLED)
            elif (failure := task.exception()) is not None:
                self._end(act, State.FAILED, failure)
            else:
                self._end(act, State.DONE)
        elif not task.cancelled():
            task.exception()
        self._progress.set()

    def _end(self, act: Act, state: State, failure: BaseException | None = None) -> None:
        act.settle(state, failure)
        self.scopes.settle(act)
        act.steps.close()

    async def _run(self, act: Act) -> None:
        answer: Any = None
        try:
            while True:
                effect = act.steps.send(answer)
                answer = await self._perform(act, effect)
        except StopIteration as stop:
            act.result = stop.value

    async def _perform(self, act: Act, effect: Effect) -> Any:
        match effect:
            case Recall():
                return await self._recall(act, effect)
            case Overflow():
                memory = await self.scopes[effect.owner].seen_at(act.submitted_ms, act.seq)
                return tuple(map(tuple, memory.overflow(effect.owner, act.submitted_ms)))
            case Forgettable():
                memory = await self.scopes[effect.owner].seen_at(act.submitted_ms, act.seq)
                return tuple(memory.forgettable(effect.owner, act.submitted_ms))
            case Ask():
                return await self._question(act, effect)
            case Write():
                return self._write(act, effect)
            case After():
                return await self._after(act, effect.act)
            case Tell() | Became():
                self._hear(act, effect)
                return None
            case Note() | Report() | Observed():
                act.lines.append(effect)
                return None
        raise OrderError(f"act {act.id} yielded {effect!r}, which is no effect")

    async def _recall(self, act: Act, effect: Recall) -> Recalled:
        memory = await self.scopes[effect.owner].seen_at(act.submitted_ms, act.seq)
        if effect.query.at_ms != act.submitted_ms:
            asked_ms = effect.query.at_ms
            raise OrderError(f"act {act.id}: a recall sees the time of submission, not {asked_ms} ms")
        return timed_recall(memory, effect)

    async def _question(self, act: Act, effect: Ask) -> Outcome:
        request = self._request(act.id, act.asked, effect, act.submitted_ms)
        act.asked += 1
        try:
            outcome = await self._ask(request)
        except asyncio.CancelledError:
            self.taken_back.append(call_record(request, Outcome(value=None, kind=CANCELLED)))
            raise
        act.calls.append(call_record(request, outcome))
        return outcome

    def _write(self, act: Act, effect: Write) -> None:
        if effect.owner not in act.writes:
            raise OrderError(f"act {act.id} writes to {effect.owner} without having declared it")
        record = seal(effect.record, act.visible_at_ms)
        act.records.append((effect.owner, record))

    def _hear(self, act: Act, effect: Tell | Became) -> None:
        act.lines.append(effect)
        for owner, record in self._tell(act, effect):
            self._write(act, Write(owner=owner, record=record))

    async def _after(self, act: Act, wanted: ActId) -> Any:
        earlier = act.after.get(wanted)
        if earlier is None:
            raise OrderError(f"act {act.id} waits for {wanted} without having declared it")
        await earlier.finished.wait()
        if earlier.state is not State.DONE:
            raise OrderError(f"act {act.id} needs the answer of {wanted}, which {earlier.state.value}")
        return earlier.result

    async def progress(self) -> None:
        """Waits until at least one act has ended since the last look."""
        self._progress.clear()
        if self._tasks:
            await self._progress.wait()

    async def end(self, acts: Iterable[Act], until_ms: int) -> None:
        """Finishes acts due before ``until_ms`` and takes the rest back, also those that have an answer.

        Args:
            acts: all that have no place in the log yet.
            until_ms: the end, exclusive.
        """
        for act in acts:
            self.cancel(act, until_ms - 1)
        while self._tasks:
            await self.progress()

    async def abort(self) -> None:
        """Takes every act back at once; used when the run itself failed."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def timed_recall(memory: Memory, effect: Recall) -> Recalled:
    """Asks the memory and takes the real time; the time is for the records, never for the run."""
    started = perf_counter()
    hits = tuple(memory.recall(effect.owner, effect.query))
    return Recalled(hits=hits, milliseconds=(perf_counter() - started) * 1e3)


def seal(record: Record, visible_at_ms: int) -> Record:
    """The record with the visibility its act declared."""
    if record.visible_at_ms == visible_at_ms:
        return record
    fields = {name: getattr(record, name) for name in Record.__slots__}
    return Record(**{**fields, "visible_at_ms": visible_at_ms})


def call_record(request: Request, outcome: Outcome) -> LlmCall:
    """The row of ``llm_calls.parquet`` for one decision."""
    server = urlsplit(outcome.endpoint)
    return LlmCall(
        act=str(request.act),
        ask=request.ask,
        time_ms=request.time_ms,
        role=request.role,
        model=outcome.model,
        outcome=outcome.kind,
        step=outcome.step,
        attempts=outcome.attempts,
        prompt_tokens=outcome.prompt_tokens,
        completion_tokens=outcome.completion_tokens,
        seconds=outcome.seconds,
        replayed=outcome.replayed,
        provider=request.provider,
        requested=request.model,
        server=server.hostname or "",
        port=server.port,
        error=None if outcome.value is not None else outcome.kind,
    )
