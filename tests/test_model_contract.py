"""What every language model and every wrapper keeps, and what each wrapper adds."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.errors import ConfigError, ModelDisconnected, ModelError, ModelTimeout
from sim.journal import Journal
from sim.llm.protocol import LanguageModel, Reply, Request
from sim.llm.router import Router
from sim.llm.scripted import Scripted, random_delay
from sim.llm.surrogate import Rates, Surrogate
from sim.llm.thinking import Service, Thinking
from sim.llm.wrappers.deadline import Deadline
from sim.llm.wrappers.endpoints import Endpoints, Paced
from sim.llm.wrappers.journalled import Journalled
from sim.llm.wrappers.limiter import Limited, Limiter
from sim.llm.wrappers.retrying import Retrying, RetryPolicy
from sim.records import ActId

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
Make = Callable[[Scripted, Path], LanguageModel]


class Closing(Scripted):
    """Counts how often it is closed."""

    closed = 0

    async def close(self) -> None:
        """Counts."""
        self.closed += 1


def request(number: int = 0, **fields: Any) -> Request:
    """A question of one act, told apart by its number."""
    act = ActId(agent="mei", customer="anna", visit=f"v{number}", purpose="reply")
    wanted = {"role": "order", "system": "You are a waiter.", "user": f"number {number}", "act": act}
    return Request(**{**wanted, **fields})


def gather(model: LanguageModel, count: int) -> list[Reply]:
    """Asks many questions at once."""

    async def ask() -> list[Reply]:
        return await asyncio.gather(*(model.complete(request(number)) for number in range(count)))

    return asyncio.run(ask())


def surrogate(_: Scripted, __: Path) -> LanguageModel:
    return Surrogate({"order": lambda asked, slips: {"text": asked.user}}, Rates(), 0)


def journalled(model: LanguageModel, folder: Path) -> LanguageModel:
    return Journalled(model, Journal.open(folder / "journal.sqlite"))


def stacked(model: LanguageModel) -> LanguageModel:
    return Retrying(Paced(model, Endpoints(["http://a/v1"], 2)), RetryPolicy(wait_s=0.0))


MAKES: dict[str, Make] = {
    "scripted": lambda model, _: model,
    "surrogate": surrogate,
    "limited": lambda model, _: Limited(model, Limiter(3)),
    "deadline": lambda model, _: Deadline(model),
    "router": lambda model, _: Router({"glm": model}, {"default": "glm"}),
    "paced": lambda model, _: Paced(model, Endpoints(["http://a/v1", "http://b/v1"], 3)),
    "retrying": lambda model, _: Retrying(model, RetryPolicy(wait_s=0.0)),
    "journalled": journalled,
    "all": lambda model, folder: journalled(
        Router({"m": stacked(Limited(Deadline(model), Limiter(2)))}, {"default": "m"}),
        folder,
    ),
}
WRAPPERS = sorted(MAKES.keys() - {"scripted", "surrogate"})


@pytest.fixture(params=sorted(MAKES))
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Scripted], LanguageModel]:
    """Builds the model under test around a scripted one."""
    return lambda model: MAKES[request.param](model, tmp_path)


def echo() -> Scripted:
    """Answers with the question, after a while that differs from call to call."""
    return Scripted(lambda asked: asked.user, random_delay(0.0, 0.01))


def test_a_request_gets_a_reply(make: Callable[[Scripted], LanguageModel]) -> None:
    (reply,) = gather(make(echo()), 1)
    assert reply.text == "number 0"
    assert reply.model
    assert reply.finish == "stop"
    assert reply.prompt_tokens > 0
    assert reply.completion_tokens > 0
    assert not reply.replayed


def test_concurrent_calls_do_not_mix(make: Callable[[Scripted], LanguageModel]) -> None:
    assert [reply.text for reply in gather(make(echo()), 20)] == [f"number {n}" for n in range(20)]


def test_closing_twice_is_fine(make: Callable[[Scripted], LanguageModel]) -> None:
    async def run() -> None:
        model = make(echo())
        await model.complete(request())
        await model.close()
        await model.close()

    asyncio.run(run())


@pytest.mark.parametrize("name", WRAPPERS)
def test_wrappers_close_what_they_wrap(name: str, tmp_path: Path) -> None:
    model = Closing(lambda asked: "x")
    asyncio.run(MAKES[name](model, tmp_path).close())
    assert model.closed == 1


@pytest.mark.parametrize("name", [*WRAPPERS, "scripted"])
def test_a_failure_keeps_its_type_and_words(name: str, tmp_path: Path) -> None:
    model = MAKES[name](Scripted(lambda asked: ModelDisconnected("no route")), tmp_path)
    with pytest.raises(ModelDisconnected, match=r"^no route$"):
        asyncio.run(model.complete(request()))


@pytest.mark.parametrize("name", [*WRAPPERS, "scripted"])
def test_other_calls_go_on_after_a_failure(name: str, tmp_path: Path) -> None:
    odd = Scripted(lambda asked: ModelError("bad") if "1" in asked.user else asked.user)
    model = MAKES[name](odd, tmp_path)

    async def ask() -> list[Reply | BaseException]:
        calls = (model.complete(request(number)) for number in range(10))
        return await asyncio.gather(*calls, return_exceptions=True)

    answers = asyncio.run(ask())
    assert [type(answer) for answer in answers] == [Reply, ModelError] + [Reply] * 8


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_cancelled_call_frees_what_it_held(name: str, tmp_path: Path) -> None:
    left = [60.0] * 8
    model = MAKES[name](Scripted(lambda asked: asked.user, lambda _: left.pop() if left else 0.0), tmp_path)

    async def run() -> str:
        tasks = [asyncio.create_task(model.complete(request(number))) for number in range(8)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        left.clear()
        return (await model.complete(request(9))).text

    assert asyncio.run(run()) == "number 9"


def test_the_limiter_holds_its_limit_first_come_first_served() -> None:
    limiter, model = Limiter(3), Scripted(lambda asked: asked.user, lambda _: 0.001)
    gather(Limited(model, limiter), 20)
    assert [call.user for call in model.calls] == [f"number {number}" for number in range(20)]
    assert (limiter.peak, limiter.total, limiter.in_flight) == (3, 20, 0)


def test_a_slot_is_taken_until_what_came_back_is_in_the_journal(tmp_path: Path) -> None:
    places, unkept = 3, list[int]()
    begun, done = set[str](), set[str]()

    def script(asked: Request) -> str | ModelError:
        return ModelTimeout("late") if asked.user.endswith("3") else asked.user

    class Watched(Scripted):
        async def complete(self, request: Request) -> Reply:
            begun.add(request.user)
            unkept.append(len(begun - done))
            return await super().complete(request)

    models = {"m": Watched(script, lambda _: 0.0)}  # so answers come in bundles, one turn of the loop each
    service = Service(endpoints=Endpoints(["http://a/v1"], places + 1))
    thinking = Thinking(models=lambda seed: models, roles={"default": "m"}, services={"m": service})

    async def ask(model: LanguageModel, number: int) -> None:
        with suppress(ModelTimeout):
            await model.complete(request(number))
        done.add(request(number).user)

    async def run(journal: Journal) -> None:
        model = thinking.router(models, Limiter(places), journal, "run")
        await asyncio.gather(*(ask(model, number) for number in range(40)))

    with Journal.open(tmp_path / "journal.sqlite") as journal:
        asyncio.run(run(journal))
        assert len(journal) == 40
    assert max(unkept) == places


def test_one_limiter_is_shared_by_models_and_lasts_longer_than_a_loop() -> None:
    limiter = Limiter(2)
    models = [Limited(Scripted(lambda asked: "x", lambda _: 0.001), limiter) for _ in range(2)]

    async def ask() -> None:
        await asyncio.gather(*(model.complete(request(n)) for model in models for n in range(5)))

    for _ in range(2):
        asyncio.run(ask())
    assert (limiter.peak, limiter.total) == (2, 20)


def out_of_order(*order: int) -> int:
    """What the limiter counts when the replies come back in this order."""

    async def run() -> int:
        limiter, gates = Limiter(len(order)), [asyncio.Event() for _ in order]

        async def call(number: int) -> None:
            async with limiter.slot():
                await gates[number].wait()

        tasks = [asyncio.create_task(call(number)) for number in range(len(order))]
        await asyncio.sleep(0)
        for number in order:
            gates[number].set()
            await tasks[number]
        return limiter.out_of_order

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("order", "count"), [((0, 1, 2), 0), ((2, 1, 0), 2), ((1, 2, 0), 2), ((1, 0, 2), 1), ((0, 2, 1), 1)]
)
def test_the_limiter_counts_replies_out_of_order(order: tuple[int, ...], count: int) -> None:
    assert out_of_order(*order) == count


def test_a_failure_frees_its_slot_and_is_no_reply() -> None:
    limiter = Limiter(1)
    model = Limited(Scripted(lambda asked: ModelError("bad")), limiter)
    for _ in range(3):
        with pytest.raises(ModelError):
            asyncio.run(model.complete(request()))
    assert (limiter.in_flight, limiter.out_of_order) == (0, 0)


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_of_nothing_names_its_key(limit: int) -> None:
    with pytest.raises(ConfigError, match=r"llm\.max_in_flight"):
        Limiter(limit)


def test_a_late_answer_is_a_timeout() -> None:
    model = Deadline(Scripted(lambda asked: "x", lambda _: 60.0))
    with pytest.raises(ModelTimeout, match=r"role order within 0\.01 s"):
        asyncio.run(model.complete(request(deadline_s=0.01)))


def test_waiting_for_a_slot_does_not_count_against_the_deadline() -> None:
    model = Limited(Deadline(Scripted(lambda asked: "x", lambda asked: asked.deadline_s / 100)), Limiter(1))

    async def ask() -> list[Reply]:
        # The first holds the slot for longer than the second may take.
        asked = (request(0, deadline_s=20.0), request(1, deadline_s=0.1))
        return await asyncio.gather(*map(model.complete, asked))

    assert len(asyncio.run(ask())) == 2


def test_cancelling_is_not_a_timeout() -> None:
    async def run() -> None:
        task = asyncio.create_task(Deadline(Scripted(lambda _: "x", lambda _: 60.0)).complete(request()))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())


def test_the_router_goes_by_role() -> None:
    glm, qwen = Closing(lambda _: "glm"), Closing(lambda _: "qwen")
    router = Router(
        {"glm": glm, "qwen": qwen, "same": qwen}, {"default": "glm", "mood": "qwen", "offer": "same"}
    )

    async def run() -> list[str]:
        texts = [(await router.complete(request(role=role))).text for role in ("order", "mood", "offer")]
        await router.close()
        await router.close()
        return texts

    assert asyncio.run(run()) == ["glm", "qwen", "qwen"]
    assert (glm.closed, qwen.closed) == (1, 1)


def test_the_router_closes_all_where_one_fails() -> None:
    class Stuck(Closing):
        async def close(self) -> None:
            raise ModelDisconnected("already gone")

    last = Closing(lambda _: "x")
    with pytest.raises(ModelDisconnected):
        asyncio.run(Router({"a": last, "b": Stuck(lambda _: "x"), "c": last}, {"default": "a"}).close())
    assert last.closed == 1


@pytest.mark.parametrize(
    ("roles", "key"),
    [({}, "default"), ({"default": "gpt"}, "default"), ({"default": "m", "mood": "gpt"}, "mood")],
)
def test_a_role_without_a_model_names_its_key(roles: dict[str, str], key: str) -> None:
    with pytest.raises(ConfigError, match=rf"llm\.roles\.{key}"):
        Router({"m": Scripted(lambda _: "x")}, roles)


def test_scripted_passes_replies_on_and_notes_calls() -> None:
    reply, calls = Reply(text="cut", model="glm", finish="length"), list[Request]()
    model = Scripted(lambda _: reply, calls=calls)
    found = asyncio.run(model.complete(request(3)))
    assert replace(found, seconds=0.0) == reply
    assert found.seconds > 0
    assert calls == model.calls == [request(3)]


def test_scripted_writes_down_starts_and_ends(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    for answer in ("x", ModelError("bad")):
        model = Scripted(lambda _, answer=answer: answer, trace=trace)
        with pytest.raises(ModelError) if isinstance(answer, ModelError) else nullcontext():
            asyncio.run(model.complete(request(ask=1, attempt=1)))
    act = str(request().act)
    assert trace.read_text().splitlines() == [f"{what}\t{act}\t1\t1" for what in ("start", "end")] * 2


def test_a_call_that_never_ends_has_no_end(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    model = Deadline(Scripted(lambda _: "x", lambda _: 60.0, trace=trace))
    with pytest.raises(ModelTimeout):
        asyncio.run(model.complete(request(deadline_s=0.01)))
    assert [line.split("\t")[0] for line in trace.read_text().splitlines()] == ["start"]


def test_delays_hang_on_act_and_salt() -> None:
    one, two = random_delay(1.0, 2.0, "a"), random_delay(1.0, 2.0, "b")
    first = [one(request(number)) for number in range(20)]
    assert first == [one(request(number, user="other words")) for number in range(20)]
    assert all(1.0 <= delay < 2.0 for delay in first)
    orders = [sorted(range(20), key=lambda n, of=of: of(request(n))) for of in (one, two)]
    assert orders[0] != orders[1]
