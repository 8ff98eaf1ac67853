"""Models behind servers: every fault lands in its class, nothing hangs, nothing bad is kept."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from stub_server import CONTENT, FAULTS, FINAL, TRANSPORT, StubServer

from sim.build.models import thinking_of
from sim.config import LlmSettings
from sim.door import configured
from sim.errors import (
    ConfigError,
    ContextOverflow,
    ModelDisconnected,
    ModelError,
    ModelRefused,
    ModelTimeout,
    Overloaded,
    PromptCut,
    RateLimited,
)
from sim.llm.ladder.structured import Ladder
from sim.llm.protocol import LanguageModel, Outcome, Reply, Request
from sim.llm.router import Router
from sim.llm.sampling import Sampling
from sim.llm.scripted import Scripted
from sim.llm.served.openai_compatible import OpenAICompatible
from sim.llm.served.profiles import PROFILES, payload
from sim.llm.served.refusals import retry_after
from sim.llm.wrappers.adaptive import AdaptiveLimit
from sim.llm.wrappers.deadline import Deadline
from sim.llm.wrappers.endpoints import Endpoints, Paced, ranked
from sim.llm.wrappers.limiter import Limited, Limiter
from sim.llm.wrappers.retrying import Retrying, RetryPolicy
from sim.records import ActId

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["order", "answer"], "x-live": True},
        "say": {"type": "string"},
    },
    "required": ["action", "say"],
    "additionalProperties": False,
}
GOOD = {"action": "order", "say": "С удовольствием, рамен."}


def request(number: int = 0, **fields: Any) -> Request:
    act = ActId(agent="mei", customer=f"c{number}", visit="v1", purpose="reply")
    wanted = {
        "role": "order",
        "system": "Ты официант. " * 20,
        "user": f"Рамен {number}",
        "schema": SCHEMA,
        "act": act,
        "language": "ru",
    }
    return Request(**{**wanted, **fields})


def model_of(*stubs: StubServer, profile: str = "vllm", **fields: Any) -> OpenAICompatible:
    urls = [stub.url for stub in stubs]
    return OpenAICompatible(name="glm", model="stub", base_urls=urls, profile=profile, **fields)


def wrapped(model: LanguageModel, urls: list[str], policy: RetryPolicy | None = None) -> LanguageModel:
    """As `Thinking` wraps a model behind servers, with no real waiting between tries."""
    paced = Paced(Limited(Deadline(model), Limiter(8)), Endpoints(urls, 8))
    return Retrying(paced, policy or RetryPolicy(wait_s=0.0))


async def with_fault(fault: str, ask: Callable[[LanguageModel], Awaitable[Any]]) -> tuple[Any, StubServer]:
    """What comes of asking a server that always has this fault."""
    stub = StubServer(answers=lambda _: json.dumps(GOOD, ensure_ascii=False), faulty=lambda _, __: fault)
    async with stub.running():
        model = wrapped(model_of(stub), [stub.url])
        try:
            return await ask(model), stub
        finally:
            await model.close()


CLASSES = {
    **dict.fromkeys(("hangs up", "half a body"), "disconnected"),
    **dict.fromkeys(("429", "429 with seconds", "429 with a date", "429 of Z.ai"), "rate_limited"),
    "503": "overloaded",
    **dict.fromkeys(
        (
            "500",
            "502 in HTML",
            "choices null",
            "choices empty",
            "error in disguise",
            "aborted",
            "HTML at 200",
        ),
        "server_error",
    ),
    **{name: "context_overflow" for name in FINAL if name.startswith("overflow")},
    "prompt cut": "prompt_truncated_by_server",
    **dict.fromkeys(("no such model", "wrong key", "no credit", "bad request", "elsewhere"), "server_error"),
    **dict.fromkeys(("slow", "usage null", "in parts", "JSON as text", "extra keys"), "ok"),
    **dict.fromkeys(("think before", "think never opened", "think beside"), "ok"),
    "fence": "recovered",
    "think never closed": "truncated",
    "cut": "truncated",
    "reasoning only": "empty",
    "schema ignored": "invalid_json",
    "5,000 spaces": "whitespace_loop",
    "Chinese": "wrong_language",
    "unknown enum": "illegal_action",
}
TRIES = {"disconnected": 2, "rate_limited": 4, "overloaded": 4, "server_error": 3}


@pytest.mark.parametrize("fault", sorted(CLASSES))
def test_every_fault_lands_in_its_class(fault: str) -> None:
    outcome, stub = asyncio.run(with_fault(fault, lambda model: Ladder(model).ask(request())))
    assert isinstance(outcome, Outcome)
    assert outcome.kind == CLASSES[fault]
    assert (outcome.value is None) == (outcome.kind not in ("ok", "recovered"))
    assert outcome.value in (None, GOOD)
    assert "\n" not in outcome.error
    if fault in TRANSPORT:
        assert len(stub.asked) == TRIES[outcome.kind]
    elif fault in FINAL:
        assert len(stub.asked) == 1
    else:  # shown to the model once more, unless it was fine
        assert len(stub.asked) == (1 if outcome.value is not None else 2)


def test_no_fault_is_left_out() -> None:
    assert CLASSES.keys() == FAULTS.keys()
    assert len(FAULTS) == len(TRANSPORT) + len(FINAL) + len(CONTENT), "one name, two faults"


def test_silence_is_a_timeout_and_closes_the_connection() -> None:
    async def run() -> StubServer:
        stub = StubServer()
        async with stub.running():
            model = wrapped(model_of(stub), [stub.url])
            await model.complete(request())
            stub.delay_s = 3_600.0
            with pytest.raises(ModelTimeout, match="role order"):
                await model.complete(request(deadline_s=0.5))
            await until(lambda: stub.gone == 1)
            await model.close()
        return stub

    assert len(asyncio.run(run()).asked) == 2


def test_cancelling_closes_the_connection_and_frees_every_place() -> None:
    async def run() -> None:
        stub = StubServer(delay_s=3_600.0)
        async with stub.running():
            model = wrapped(model_of(stub), [stub.url])
            calls = [asyncio.create_task(model.complete(request(number))) for number in range(12)]
            await until(lambda: stub.in_flight == 8)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            await until(lambda: stub.gone == 8 and stub.in_flight == 0)
            stub.delay_s = 0.0
            assert (await model.complete(request(99))).model == "stub-1"
            await model.close()

    asyncio.run(run())


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - what it waits for happens in the server
            await asyncio.sleep(0.005)


def test_a_port_that_is_closed_is_disconnected_and_tried_twice() -> None:
    async def ask() -> None:
        model = wrapped(
            OpenAICompatible(name="glm", model="m", base_urls=["http://127.0.0.1:9/v1"]),
            ["http://127.0.0.1:9/v1"],
        )
        await model.complete(request())

    with pytest.raises(ModelDisconnected, match=r"no connection to http://127\.0\.0\.1:9/v1/chat"):
        asyncio.run(ask())


def test_a_client_serves_one_loop_after_another() -> None:
    with StubServer().in_thread() as stub:
        model = model_of(stub)

        async def ask() -> str:
            text = (await model.complete(request())).text
            await model.close()
            return text

        assert asyncio.run(ask()) == asyncio.run(ask())


# What is sent


def sent(profile: str, thinking: bool = False, **fields: Any) -> dict[str, Any]:
    return payload(PROFILES[profile], "m", request(time_ms=9_500, **fields), Sampling(top_p=0.9), thinking)


def test_vllm_is_told_schema_priority_sampling_and_not_to_think() -> None:
    body = sent("vllm")
    asked = body["response_format"]["json_schema"]
    assert (asked["name"], asked["strict"]) == ("order", True)
    assert asked["schema"]["properties"]["action"] == {"type": "string", "enum": ["order", "answer"]}
    assert body["priority"] == 9
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert {"temperature", "top_p", "top_k", "repetition_penalty", "seed", "max_tokens"} <= body.keys()
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert sent("vllm", thinking=True)["chat_template_kwargs"] == {"enable_thinking": True}
    assert "response_format" not in sent("vllm", schema=None)


def test_llamacpp_gets_the_schema_nested_and_nothing_of_vllm() -> None:
    body = sent("llamacpp")
    assert set(body["response_format"]["json_schema"]) == {"schema"}
    assert body["cache_prompt"] is True
    assert not body.keys() & {"priority", "repetition_penalty"}


def test_zai_is_asked_for_json_in_words() -> None:
    body = sent("zai")
    assert body["response_format"] == {"type": "json_object"}
    assert body["thinking"] == {"type": "disabled"}
    assert '"enum":["order","answer"]' in body["messages"][0]["content"]
    assert not body.keys() & {"priority", "top_k", "seed", "chat_template_kwargs"}


def test_openai_is_told_nothing_it_does_not_know() -> None:
    body = sent("openai")
    assert body["response_format"]["json_schema"]["strict"] is True
    assert not body.keys() & {
        "priority",
        "top_k",
        "repetition_penalty",
        "chat_template_kwargs",
        "cache_prompt",
    }


def test_half_a_surrogate_pair_does_not_spoil_the_request() -> None:
    async def ask(model: LanguageModel) -> Reply:
        return await model.complete(request(user="x\ud800y"))

    _, stub = asyncio.run(with_fault("", ask))
    assert stub.asked[0]["messages"][1]["content"] == "x?y"


def test_a_server_without_priorities_is_asked_without_from_then_on() -> None:
    async def run() -> list[bool]:
        stub = StubServer(takes_priority=False)
        async with stub.running():
            model = model_of(stub)
            for number in range(2):
                await model.complete(request(number, time_ms=5_000))
            await model.close()
        return ["priority" in body for body in stub.asked]

    assert asyncio.run(run()) == [True, False, False]


# Retries


NEVER = [ModelTimeout("t"), ContextOverflow("c"), PromptCut("p"), ModelRefused("r")]
OFTEN = [(ModelDisconnected("d"), 2), (ModelError("500"), 3), (RateLimited("l"), 4), (Overloaded("o"), 4)]


@pytest.mark.parametrize(("error", "tries"), [*((error, 1) for error in NEVER), *OFTEN])
def test_each_class_is_tried_as_often_as_it_is_worth(error: ModelError, tries: int) -> None:
    model = Scripted(lambda _: error)
    with pytest.raises(type(error)):
        asyncio.run(Retrying(model, RetryPolicy(wait_s=0.0)).complete(request()))
    assert len(model.calls) == tries


def waits(*errors: ModelError, deadline_s: float = 30.0, takes_s: float = 0.0) -> tuple[list[float], Any]:
    """The waits between tries that fail like this, and what came in the end."""
    left, slept = [*errors], list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    def answer(_: Request) -> str | ModelError:
        if not left:
            return "x"
        left[0].spent_s = takes_s
        return left.pop(0)

    try:
        asked = request(deadline_s=deadline_s)
        return slept, asyncio.run(Retrying(Scripted(answer), RetryPolicy(), sleep).complete(asked))
    except ModelError as error:
        return slept, error


def test_waits_double_within_their_bounds_and_the_server_has_its_say() -> None:
    slept, reply = waits(Overloaded("1"), RateLimited("2"), Overloaded("3"))
    assert [base / 2 <= wait <= base for wait, base in zip(slept, (0.5, 1.0, 2.0), strict=True)] == [True] * 3
    assert slept == waits(Overloaded("1"), RateLimited("2"), Overloaded("3"))[0]
    assert reply.seconds >= sum(slept)
    told = Overloaded("later")
    told.retry_after_s = 7.0
    assert waits(told)[0] == [7.0]


def test_all_tries_share_one_deadline() -> None:
    slept, error = waits(ModelError("1"), ModelError("2"), deadline_s=10.0, takes_s=6.0)
    assert (len(slept), str(error)) == (1, "2")
    assert error.spent_s > 12.0
    told = RateLimited("much later")
    told.retry_after_s = 60.0
    assert waits(told) == ([], told)

    seen: list[float] = []

    def second(asked: Request) -> str | ModelError:
        seen.append(asked.deadline_s)
        return "x" if len(seen) > 1 else ModelError("1")

    model = Retrying(Limited(Deadline(Scripted(second, lambda _: 0.01)), Limiter(1)), RetryPolicy(wait_s=0.0))
    asyncio.run(model.complete(request(deadline_s=20.0)))
    assert seen[0] == 20.0
    assert seen[1] < 20.0


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("2", 2.0),
        (" 0.5 ", 0.5),
        ("-3", 0.0),
        ("Mon, 30 Nov 2026 12:00:09 GMT", 9.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("inf", None),
        ("", None),
    ],
)
def test_retry_after_is_read_in_both_forms(told: str, seconds: float | None) -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert retry_after({"Retry-After": told}, now) == seconds


# Endpoints and what they bear


def test_customers_stay_where_they_are_when_a_server_is_added() -> None:
    two, three = ["http://a/v1", "http://b/v1"], ["http://a/v1", "http://b/v1", "http://c/v1"]
    before = {f"c{n}": ranked(two, f"c{n}")[0] for n in range(300)}
    after = {key: ranked(three, key)[0] for key in before}
    moved = [key for key in before if before[key] != after[key]]
    assert {after[key] for key in moved} == {"http://c/v1"}
    assert 60 < len(moved) < 140
    assert 110 < sum(url == two[0] for url in before.values()) < 190


def test_a_lost_server_is_left_and_returned_to() -> None:
    endpoints = Endpoints(["http://a/v1", "http://b/v1"], 4)
    home = endpoints.of(request(), 100.0)
    home.lost_at_s = 100.0
    other = endpoints.of(request(), 101.0)
    assert other is not home
    other.lost_at_s = 102.0
    assert endpoints.of(request(), 103.0) is home, "with both lost, the one lost first"
    assert endpoints.of(request(), 111.0) is home


def test_a_lost_connection_is_retried_at_the_next_server() -> None:
    async def run() -> tuple[int, int]:
        broken = StubServer(faulty=lambda _, __: "hangs up")
        async with broken.running(), StubServer().running() as whole:
            urls = [broken.url, whole.url]
            model = wrapped(model_of(broken, whole), urls)
            at_home = [number for number in range(99) if ranked(urls, f"c{number}")[0] == broken.url]
            for number in at_home[:5]:
                await model.complete(request(number))
            await model.close()
        return len(broken.asked), len(whole.asked)

    assert asyncio.run(run()) == (1, 5)


def test_the_limit_halves_once_per_burst_and_grows_when_clean() -> None:
    async def run() -> None:
        limit = AdaptiveLimit(8)
        gates = [asyncio.Event() for _ in range(8)]

        async def call(number: int) -> None:
            async with limit.slot():
                await gates[number].wait()
                raise Overloaded("no room")

        calls = [asyncio.create_task(call(number)) for number in range(8)]
        await asyncio.sleep(0)
        for gate in gates:
            gate.set()
        await asyncio.gather(*calls, return_exceptions=True)
        assert (limit.limit, limit.in_flight, limit.peak) == (4, 0, 8)
        for expected in (2, 1, 1):
            with pytest.raises(RateLimited):
                async with limit.slot():
                    raise RateLimited("fewer")
            assert limit.limit == expected
        with pytest.raises(ModelTimeout):
            async with limit.slot():
                raise ModelTimeout("says nothing of room")
        assert limit.limit == 1
        for _ in range(40):
            async with limit.slot():
                pass
        assert limit.limit == 8

    asyncio.run(run())


def test_whoever_waits_for_a_server_holds_no_slot_of_the_run() -> None:
    async def run() -> None:
        limiter, stuck = Limiter(2), asyncio.Event()
        narrow = Paced(Limited(Waiting(stuck), limiter), Endpoints(["http://a/v1"], 1))
        wide = Paced(Limited(Scripted(lambda _: "x"), limiter), Endpoints(["http://b/v1"], 8))
        waiting = [asyncio.create_task(narrow.complete(request(number))) for number in range(6)]
        await asyncio.sleep(0.01)
        assert limiter.in_flight == 1
        assert (await wide.complete(request())).text == "x"
        waiting[3].cancel()
        stuck.set()
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(answer) for answer in answers].count(Reply) == 5

    asyncio.run(run())


class Waiting(Scripted):
    """Answers when it is let."""

    def __init__(self, gate: asyncio.Event) -> None:
        super().__init__(lambda _: "x")
        self._gate = gate

    async def complete(self, request: Request) -> Reply:
        await self._gate.wait()
        return await super().complete(request)


def test_a_server_that_bears_two_calls_gets_them_all_answered() -> None:
    async def run() -> tuple[int, int]:
        stub = StubServer(delay_s=0.002)
        stub.faulty = lambda _, __: "503" if stub.in_flight >= 2 else ""
        async with stub.running():
            endpoints = Endpoints([stub.url], 16)
            model = Retrying(
                Paced(Limited(Deadline(model_of(stub)), Limiter(64)), endpoints),
                RetryPolicy(overload=9, wait_s=0.01),
            )
            replies = await asyncio.gather(*(model.complete(request(number)) for number in range(60)))
            await model.close()
        return len(replies), next(iter(endpoints)).limit.limit

    answered, limit = asyncio.run(run())
    assert answered == 60
    assert limit < 16


# What is found at the start


def probed(stub: StubServer, profile: str = "vllm", suffix: str = "", **fields: Any) -> Any:
    """What a probe finds, or the error it ends with."""

    async def look() -> Any:
        async with stub.running():
            fields["base_urls"] = [f"{stub.url}{suffix}"]
            model = OpenAICompatible(**{"name": "glm", "model": "stub", "profile": profile, **fields})
            try:
                return (await model.probe())[0], model.window_tokens
            finally:
                await model.close()

    return asyncio.run(look())


def test_a_good_server_says_what_it_is() -> None:
    stub = StubServer(models=("other", "stub"), key="sesame")
    served, window = probed(stub, api_key="sesame")
    assert (served.model, served.endpoint, served.version) == ("stub-1", stub.url, "0.33.0")
    assert (served.window_tokens, window, served.schema_enforced, served.warnings) == (
        16_384,
        16_384,
        True,
        (),
    )
    assert probed(StubServer(), context_tokens=4_096)[1] == 4_096


def test_what_will_work_but_should_be_known_is_a_warning() -> None:
    served, _ = probed(StubServer(version="0.11.2", takes_priority=False))
    assert [word in " ".join(served.warnings) for word in ("0.11.2", "--scheduling-policy priority")] == [
        True
    ] * 2
    served, _ = probed(StubServer(models=(), window=None), "zai", context_tokens=8_192)
    assert not served.schema_enforced
    assert "lists no models" in served.warnings[0]


def test_llamacpp_tells_the_window_of_a_slot() -> None:
    props = {"default_generation_settings": {"n_ctx": 2_048}, "build_info": "b7001-abc"}
    served, window = probed(StubServer(window=None, pages={"props": props}), "llamacpp")
    assert (window, served.version) == (2_048, "b7001-abc")


@pytest.mark.parametrize(
    ("stub", "fields", "words"),
    [
        (StubServer(), {"suffix": "/v2"}, r"base_urls: http\S+/v1/v2/models answers 404.* ends in /v1"),
        (StubServer(models=("a", "b")), {}, r"llm\.models\.glm\.model: .* does not serve 'stub' but a, b"),
        (StubServer(key="sesame"), {}, r"api_key_env: .* wants another key \(401\)"),
        (StubServer(window=None), {}, r"context_tokens: .* set it"),
        (StubServer(), {"context_tokens": 99_999}, r"context_tokens: 99999 is more than the 16384"),
        (
            StubServer(faulty=lambda _, __: "schema ignored"),
            {},
            r"ignores JSON schemas .* start vLLM 0\.29 or newer with --structured-outputs-config",
        ),
        (StubServer(faulty=lambda _, __: "500"), {}, r"llm\.models\.glm: .* answers 500"),
        (StubServer(faulty=lambda _, __: "choices null"), {}, r"llm\.models\.glm: .* without choices"),
    ],
)
def test_a_server_that_cannot_be_used_says_why_in_one_line(
    stub: StubServer, fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        probed(stub, **fields)
    assert "\n" not in str(caught.value)


def test_a_closed_port_and_a_foreign_page_are_told_apart() -> None:
    async def look(url: str) -> None:
        model = OpenAICompatible(name="glm", model="m", base_urls=[url])
        try:
            await model.probe()
        finally:
            await model.close()

    with pytest.raises(ConfigError, match=r"llm\.models\.glm\.base_urls: no connection .* Start the server"):
        asyncio.run(look("http://127.0.0.1:9/v1"))
    stub = StubServer(pages={"v1/models": [1]})
    with stub.in_thread(), pytest.raises(ConfigError, match="lists no models"):
        asyncio.run(look(stub.url))


def test_the_smallest_window_holds_for_all_endpoints() -> None:
    async def look() -> int | None:
        async with StubServer().running() as wide, StubServer(window=4_096).running() as narrow:
            model = model_of(wide, narrow)
            await model.probe()
            await model.close()
            return model.window_tokens

    assert asyncio.run(look()) == 4_096


# How long a prompt is


def counted(profile: str, pages: dict[str, Any], *requests: Request, **fields: Any) -> tuple[list[int], int]:
    """Counts of the prompts, and how often the server was asked."""

    async def count() -> tuple[list[int], int]:
        async with StubServer(pages=pages).running() as stub:
            model = model_of(stub, profile=profile, **fields)
            counts = [await model.tokens(one) for one in requests]
            await model.close()
            return counts, sum(path.startswith(("tokenize", "apply")) for path in stub.paths)

    return asyncio.run(count())


def test_the_server_counts_each_prompt_once() -> None:
    def count(asked: dict[str, Any]) -> dict[str, Any]:
        return {"count": sum(len(message["content"]) for message in asked["messages"])}

    one, other = request(1, system="ab", user="cde"), request(2, system="ab", user="c")
    assert counted("vllm", {"tokenize": count}, one, other, one) == ([5, 3, 5], 2)
    pages = {
        "apply-template": lambda asked: {"prompt": "".join(m["content"] for m in asked["messages"])},
        "tokenize": lambda asked: {"tokens": list(asked["content"])},
    }
    assert counted("llamacpp", pages, one, one) == ([5, 5], 2)


def test_where_nobody_counts_the_estimate_errs_high() -> None:
    asked = [request(number) for number in range(3)]
    counts, times = counted("vllm", {}, *asked)
    assert min(counts) > 100
    assert times == 1, "a server without the page is asked once"
    plain, with_schema = counted("openai", {}, asked[0])[0][0], counted("zai", {}, asked[0])[0][0]
    assert with_schema > plain == counts[0]


def test_a_tokenizer_file_counts_without_the_server(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({"a": 0, "[UNK]": 1}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    long, short = request(1, user="a a a a"), request(2, user="a")
    (more, less), times = counted("vllm", {}, long, short, tokenizer=str(tmp_path))
    assert (more - less, times) == (3, 0)
    with pytest.raises(ConfigError, match=r"llm\.models\.glm\.tokenizer: there is no .*x\.json"):
        OpenAICompatible(name="glm", model="m", base_urls=["http://a/v1"], tokenizer=str(tmp_path / "x.json"))
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(ConfigError, match="is no tokenizer"):
        counted("vllm", {}, long, tokenizer=str(tmp_path / "bad.json"))


# From the settings


def settings(*overrides: str) -> LlmSettings:
    return configured(*overrides).llm


def test_a_key_that_is_not_there_is_missed_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match=r"llm\.models\.zai\.api_key_env: .* ZAI_API_KEY is not set"):
        thinking_of(settings("llm=zai"), {})
    monkeypatch.setenv("ZAI_API_KEY", "schlüssel")
    with pytest.raises(ConfigError, match="holds no key"):
        thinking_of(settings("llm=zai"), {})
    monkeypatch.setenv("ZAI_API_KEY", " secret\n")
    thinking = thinking_of(settings("llm=zai"), {})
    assert thinking.models(0)["zai"].client._headers == {"Authorization": "Bearer secret"}  # type: ignore[attr-defined]
    assert next(iter(thinking.services["zai"].endpoints)).limit.most == 1
    assert "secret" not in repr(thinking)


def test_roles_go_where_the_settings_say_each_with_its_own_limits() -> None:
    thinking = thinking_of(
        settings(
            "llm=glm_qwen",
            "+llm.role_options.compress={temperature:0,max_tokens:99}",
            "+llm.by_language.zh={order:qwen}",
            "llm.max_in_flight=5",
        ),
        {},
    )
    assert thinking.in_use == {"glm", "qwen"}
    assert thinking.journals
    models = thinking.models(0)
    assert {type(model) for model in models.values()} == {OpenAICompatible}
    assert [one.limit.most for one in thinking.services["glm"].endpoints] == [5]
    asked = thinking.request(request().act, 0, request(role="compress"), 7)
    assert (asked.temperature, asked.max_tokens, asked.deadline_s) == (0, 99, 30.0)
    assert thinking.request(request().act, 0, request(), 7).max_tokens == 1024


def test_languages_may_have_models_of_their_own() -> None:
    models = {name: Scripted(lambda _, name=name: name) for name in ("glm", "qwen", "small")}
    by_language = {"zh": {"order": "qwen"}, "ru": {"default": "small"}}
    router = Router(models, {"default": "glm", "mood": "small"}, by_language)

    def answered(role: str, language: str) -> str:
        return asyncio.run(router.complete(request(role=role, language=language))).text

    roles = [(role, language) for language in ("zh", "ru", "en") for role in ("order", "mood")]
    assert [answered(*one) for one in roles] == ["qwen", "small", "small", "small", "glm", "small"]
    with pytest.raises(ConfigError, match=r"llm\.by_language\.zh\.order: no model 'gpt'"):
        Router(models, {"default": "glm"}, {"zh": {"order": "gpt"}})


def test_all_seeds_share_what_an_endpoint_bears() -> None:
    with StubServer(answers=lambda _: json.dumps(GOOD), delay_s=0.01).in_thread() as stub:
        thinking = thinking_of(
            settings("llm=vllm", f"llm.models.vllm.base_urls={stub.url}", "llm.models.vllm.max_in_flight=3"),
            {},
        )

        async def ask() -> None:
            limiter = Limiter(64)
            models = [thinking.models(seed) for seed in (0, 1)]
            routers = [thinking.router(one, limiter, None, "run") for one in models]
            calls = (router.complete(request(n)) for router in routers for n in range(6))
            await asyncio.gather(*calls)
            for router in routers:
                await router.close()

        asyncio.run(ask())
    assert stub.peak == 3
