"""The Ollama client against a stand-in for its server: what is sent, what is read, what is refused."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from sim.errors import ConfigError, ContextOverflow, ModelError, ModelRefused, Overloaded, PromptCut
from sim.llm.probe import Counting, Probed, Windowed
from sim.llm.protocol import Reply, Request
from sim.llm.sampling import Sampling
from sim.llm.served.ollama import Ollama
from sim.records import ActId

SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string", "x-live": True}, "number": {"type": "integer"}},
    "required": ["colour", "number"],
    "additionalProperties": False,
}
GOOD = '{"colour": "vermilion", "number": 4}'


@dataclass
class StubOllama:
    """Knows one model; ``status`` and ``said`` change what it answers to a chat."""

    said: dict[str, Any] = field(default_factory=dict)
    status: int = 200
    trained: int | None = 32_768
    thinks: bool = True
    chats: list[dict[str, Any]] = field(default_factory=list)
    shows: int = 0

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/api/tags", self.tags)
        app.router.add_get("/api/version", self.version)
        app.router.add_post("/api/show", self.show)
        app.router.add_post("/api/chat", self.chat)
        return app

    async def tags(self, request: web.Request) -> web.Response:
        return web.json_response({"models": [{"name": "qwen2.5:7b"}, {"name": "tiny:latest"}]})

    async def version(self, request: web.Request) -> web.Response:
        return web.json_response({"version": "0.33.3"})

    async def show(self, request: web.Request) -> web.Response:
        self.shows += 1
        info = {"general.architecture": "qwen2", "qwen2.context_length": self.trained}
        return web.json_response({"model_info": info if self.trained else {}})

    async def chat(self, request: web.Request) -> web.Response:
        asked = await request.json()
        self.chats.append(asked)
        if asked.get("think") and not self.thinks:
            return web.json_response({"error": '"tiny" does not support thinking'}, status=400)
        if self.status != 200:
            return web.json_response(self.said, status=self.status)
        good = {
            "model": "qwen2.5:7b",
            "message": {"role": "assistant", "content": GOOD, "thinking": "hmm"},
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": 40,
            "eval_count": 9,
        }
        return web.json_response(good | self.said)


def with_stub(stub: StubOllama, work: Callable[[Ollama], Awaitable[Any]], **fields: Any) -> Any:
    """What the work gives with a client of that server."""

    async def run() -> Any:
        runner = web.AppRunner(stub.app())
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0]
        wanted = {"name": "local", "model": "qwen2.5:7b", "base_urls": [f"http://{host}:{port}"]}
        model = Ollama(**{**wanted, "context_tokens": 4_096, **fields})
        try:
            return await work(model)
        finally:
            await model.close()
            await runner.cleanup()

    return asyncio.run(run())


def request(user: str = "Which colour is the sky?", **fields: Any) -> Request:
    act = ActId(agent="mei", customer="anna", visit="v1", purpose="reply")
    return Request(**{"role": "order", "system": "Be brief.", "user": user, "act": act, **fields})


def ask(stub: StubOllama, asked: Request, **fields: Any) -> Reply:
    reply: Reply = with_stub(stub, lambda model: model.complete(asked), **fields)
    return reply


def test_all_that_v1_ignores_is_said() -> None:
    stub = StubOllama()
    sampling = Sampling(top_p=0.9, top_k=-1, repetition_penalty=1.1, seed=7)
    asked = request(schema=SCHEMA, temperature=0.3, max_tokens=99)
    reply = ask(stub, asked, sampling=sampling, keep_alive="1h")
    assert reply.text == GOOD
    assert (reply.model, reply.finish) == ("qwen2.5:7b", "stop")
    assert (reply.prompt_tokens, reply.completion_tokens) == (40, 9)
    (sent,) = stub.chats
    assert sent["format"]["properties"]["colour"] == {"type": "string"}
    assert sent["options"] == {
        "num_ctx": 4_096,
        "num_predict": 99,
        "temperature": 0.3,
        "top_p": 0.9,
        "top_k": 0,
        "min_p": 0.0,
        "repeat_penalty": 1.1,
        "seed": 7,
    }
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    flags = ("stream", "think", "truncate", "shift", "keep_alive")
    assert [sent[key] for key in flags] == [False, False, False, False, "1h"]
    assert stub.shows == 0


def test_the_window_is_asked_for_once_where_none_is_set() -> None:
    stub = StubOllama()

    async def twice(model: Ollama) -> int | None:
        await model.complete(request())
        await model.complete(request())
        return model.window_tokens

    assert with_stub(stub, twice, context_tokens=None) == 32_768
    assert stub.shows == 1
    assert stub.chats[0]["options"]["num_ctx"] == 32_768


@pytest.mark.parametrize(
    ("said", "text", "finish"),
    [
        ({"message": {"content": f"<think>blue?</think>\n{GOOD}"}}, GOOD, "stop"),
        ({"message": {"content": f"blue? </think>{GOOD}"}}, GOOD, "stop"),
        ({"message": {"content": None, "thinking": "blue?"}}, "", "stop"),
        ({"message": {"content": GOOD[:9]}, "done_reason": "length"}, GOOD[:9], "length"),
    ],
)
def test_thinking_is_dropped_and_cut_answers_are_known(said: Any, text: str, finish: str) -> None:
    reply = ask(StubOllama(said=said), request())
    assert (reply.text, reply.finish) == (text, finish)


@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (404, {"error": "model 'qwen2.5:7b' not found"}, ModelRefused),
        (400, {"error": "the input length exceeds the context length"}, ContextOverflow),
        (500, {"error": "the input length exceeds the context length"}, ContextOverflow),
        (503, {"error": "server busy, please try again. maximum pending requests exceeded"}, Overloaded),
        (500, {"error": "llama runner process has terminated"}, ModelError),
        (200, {"message": None}, ModelError),
    ],
)
def test_errors_are_of_their_class(status: int, said: Any, kind: type[ModelError]) -> None:
    with pytest.raises(ModelError) as caught:
        ask(StubOllama(status=status, said=said), request())
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)


LONG = "A bowl of noodles, please. " * 800  # some 4,800 tokens; the estimate says 7,200


@pytest.mark.parametrize("read", [4_096, 2_050, 40])
def test_a_prompt_cut_in_silence_is_noticed(read: int) -> None:
    with pytest.raises(PromptCut, match="cut it"):
        ask(StubOllama(said={"prompt_eval_count": read}), request(LONG))


@pytest.mark.parametrize("read", [4_000, 3_100, None])
def test_a_prompt_read_whole_is_not_called_cut(read: int | None) -> None:
    reply = ask(StubOllama(said={"prompt_eval_count": read}), request(LONG))
    assert reply.prompt_tokens == read or (read is None and reply.prompt_tokens > 4_096)


def test_a_model_that_cannot_think_is_asked_without() -> None:
    stub = StubOllama(thinks=False)
    assert ask(stub, request(), thinking=True).text == GOOD
    assert ["think" in sent for sent in stub.chats] == [True, False]


def test_probe_finds_model_window_and_schema() -> None:
    stub = StubOllama()

    async def look(model: Ollama) -> Any:
        assert isinstance(model, Probed)
        assert isinstance(model, Counting)
        assert isinstance(model, Windowed)
        return await model.probe()

    (served,) = with_stub(stub, look)
    assert (served.model, served.window_tokens, served.version) == ("qwen2.5:7b", 4_096, "ollama 0.33.3")
    assert served.schema_enforced
    assert served.warnings == ()
    (served,) = with_stub(stub, look, context_tokens=None)
    assert "context_tokens" in served.warnings[0]


@pytest.mark.parametrize(
    ("stub", "fields", "words"),
    [
        (
            StubOllama(),
            {"model": "glm"},
            "llm.models.local.model: .* has no 'glm' but qwen2.5:7b, tiny:latest",
        ),
        (StubOllama(), {"context_tokens": 65_536}, "context_tokens: 65536 is more than the 32768"),
        (StubOllama(trained=None), {"context_tokens": None}, "set context_tokens"),
        (StubOllama(said={"message": {"content": "Blue!"}}), {}, "ignores JSON schemas"),
        (StubOllama(status=500, said={"error": "no GPU"}), {}, "no GPU"),
        (StubOllama(), {"base_urls": ["http://127.0.0.1:9"]}, "base_urls: no connection .* ollama serve"),
        (StubOllama(), {"base_urls": ["http://127.0.0.1:9/v1"]}, "must end with host and port"),
    ],
)
def test_what_cannot_work_is_said_in_one_line(stub: StubOllama, fields: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        with_stub(stub, lambda model: model.probe(), **fields)
    assert "\n" not in str(caught.value)


def test_no_prompt_breaks_the_request() -> None:
    stub = StubOllama()
    ask(stub, request("half a pair: \ud83d", system=""))
    assert stub.chats[0]["messages"] == [{"role": "user", "content": "half a pair: ?"}]
