"""Questions that arrive together, worked on together: batches for a model that computes in a thread."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")

_GATHER_S = 0.01  # what one step of the simulation asks arrives within this


@dataclass(frozen=True, eq=False, slots=True)
class Waiting(Generic[Q, A]):
    """One question with whoever waits for its answer."""

    question: Q
    answer: asyncio.Future[A]

    def is_given_up(self) -> bool:
        """Nobody waits any more, so it need not be worked on; may be asked from the working thread."""
        return self.answer.done()


class Batches(Generic[Q, A]):
    """Hands questions of one kind to a thread, at most so many at a time, oldest first.

    While a batch is being worked on the next one gathers. Nothing outlives the questions: it may serve
    one event loop after another.

    Args:
        work: answers a batch, in its order; runs in a thread, never twice at once.
        kind: questions of different kinds never share a batch.
        most: questions in a batch.
    """

    def __init__(
        self, work: Callable[[Sequence[Waiting[Q, A]]], Sequence[A]], kind: Callable[[Q], object], most: int
    ) -> None:
        self._work = work
        self._kind = kind
        self._most = most
        self._waiting: list[Waiting[Q, A]] = []
        self._worker: asyncio.Task[None] | None = None

    async def ask(self, question: Q) -> A:
        """The answer to one question; an error of its batch is raised to all who asked in it."""
        loop = asyncio.get_running_loop()
        one: Waiting[Q, A] = Waiting(question, loop.create_future())
        self._waiting.append(one)
        if self._worker is None or self._worker.done() or self._worker.get_loop() is not loop:
            self._worker = loop.create_task(self._run())
        return await one.answer

    async def _run(self) -> None:
        await asyncio.sleep(_GATHER_S)
        while batch := self._next():
            try:
                answers = await asyncio.to_thread(self._work, batch)
            except Exception as error:
                # Whatever the model's library raises belongs to those who asked, not to this task.
                _fail(batch, error)
            else:
                for one, answer in zip(batch, answers, strict=True):
                    if not one.is_given_up():
                        one.answer.set_result(answer)

    def _next(self) -> list[Waiting[Q, A]]:
        there = [one for one in self._waiting if not one.is_given_up()]
        kind = self._kind(there[0].question) if there else None
        batch = [one for one in there if self._kind(one.question) == kind][: self._most]
        self._waiting = [one for one in there if one not in batch]
        return batch


def _fail(batch: Sequence[Waiting[Q, A]], error: Exception) -> None:
    for one in batch:
        if not one.is_given_up():
            one.answer.set_exception(error)
