"""Models of this process: questions that arrive together, and one model for several seeds."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from sim.errors import ModelError
from sim.llm.local.batches import Batches, Waiting
from sim.llm.probe import Served
from sim.llm.protocol import Reply, Request
from sim.llm.wrappers.shared import Shared
from sim.records import ActId


class Work:
    """Answers numbers with their squares, and notes what came together."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.entered = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def __call__(self, batch: Sequence[Waiting[int, int]]) -> list[int]:
        self.batches.append([one.question for one in batch])
        self.entered.set()
        assert self.go_on.wait(30)
        if 13 in self.batches[-1]:
            raise ModelError("unlucky")
        return [one.question**2 for one in batch]


def batches(work: Work, most: int = 4) -> Batches[int, int]:
    """Even and odd numbers never share a batch."""
    return Batches(work, lambda number: number % 2, most)


def test_what_arrives_together_is_worked_on_together_and_by_kind() -> None:
    work = Work()

    async def ask() -> list[int]:
        asked = batches(work)
        return await asyncio.gather(*(asked.ask(number) for number in [2, 1, 4, 6, 8, 10, 3]))

    assert asyncio.run(ask()) == [4, 1, 16, 36, 64, 100, 9]
    assert work.batches == [[2, 4, 6, 8], [1, 3], [10]]


def test_a_failure_is_that_of_its_batch_alone_and_the_next_loop_works() -> None:
    work = Work()
    asked = batches(work)

    async def ask(*numbers: int) -> list[int | BaseException]:
        return await asyncio.gather(*map(asked.ask, numbers), return_exceptions=True)

    first = asyncio.run(ask(13, 2, 5))
    assert [type(answer) for answer in first] == [ModelError, int, ModelError]
    assert asyncio.run(ask(3)) == [9]


def test_nobody_works_for_who_has_gone() -> None:
    work = Work()
    work.go_on.clear()

    async def ask() -> list[int]:
        asked = batches(work)
        first = asyncio.create_task(asked.ask(2))
        await asyncio.to_thread(work.entered.wait, 30)
        late = [asyncio.create_task(asked.ask(number)) for number in (4, 6)]
        await asyncio.sleep(0)
        late[0].cancel()
        work.go_on.set()
        return [await first, await late[1]]

    assert asyncio.run(ask()) == [4, 36]
    assert work.batches == [[2], [6]]


class Counted:
    """A model that counts how often it was opened and closed."""

    window_tokens = 99

    def __init__(self) -> None:
        self.is_open = False
        self.closed = 0

    async def complete(self, request: Request) -> Reply:
        self.is_open = True
        return Reply(text=request.user, model="counted")

    async def tokens(self, request: Request) -> int:
        self.is_open = True
        return len(request.user)

    async def probe(self) -> list[Served]:
        self.is_open = True
        return [Served(model="counted")]

    async def close(self) -> None:
        self.is_open = False
        self.closed += 1


def request() -> Request:
    return Request(role="order", system="", user="Ramen", act=ActId(agent="mei", purpose="reply"))


@pytest.mark.parametrize("by", ["complete", "tokens", "probe"])
def test_a_shared_model_closes_with_the_last_who_used_it(by: str) -> None:
    model = Counted()
    shared = Shared(model)
    first, second, idle = shared.lease(), shared.lease(), shared.lease()

    async def run() -> None:
        for lease in (first, second):
            await (lease.probe() if by == "probe" else getattr(lease, by)(request()))
        await idle.close()
        await first.close()
        await first.close()
        assert model.is_open
        await second.close()
        assert not model.is_open
        assert (await first.complete(request())).text == "Ramen"
        await first.close()

    asyncio.run(run())
    assert model.closed == 2
    assert first.window_tokens == 99
