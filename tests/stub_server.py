"""A stand-in for an OpenAI-compatible server: it answers by a script, and fails in every way servers do."""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from hashlib import sha256
from typing import Any

from aiohttp import web

from sim.llm.protocol import Request
from sim.llm.surrogate import Rates, Skill, Surrogate
from sim.records import ActId
from sim.streams import Stream

BAD = "BADTEXT"
"""Stands in everything a fault says beside an answer; it must be found nowhere afterwards."""

NAME = web.AppKey("name", str)

CANARY = "canary"
"""Stands for the prompt of a probe, which only a fault of one's own choice may spoil."""

Payload = dict[str, Any]
Respond = Callable[[web.Request, str], Awaitable[web.StreamResponse]]


def completion(text: str | None, finish: str = "stop", **more: Any) -> Payload:
    """The body of a good answer."""
    message = {"role": "assistant", "content": text} | more.pop("message", {})
    usage = {"prompt_tokens": 10_000, "completion_tokens": 7}
    choices = [{"index": 0, "message": message, "finish_reason": finish}]
    return {"object": "chat.completion", "model": "stub-1", "choices": choices, "usage": usage} | more


def says(make: Callable[[str], Payload]) -> Respond:
    """Answers 200 with what is made of the good answer."""

    async def respond(request: web.Request, answer: str) -> web.StreamResponse:
        body = make(answer)
        return web.json_response(body | {"model": request.app[NAME]} if "model" in body else body)

    return respond


def refuses(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Respond:
    """Answers with an error."""

    async def respond(request: web.Request, answer: str) -> web.StreamResponse:
        del request, answer
        if isinstance(body, str):
            return web.Response(status=status, text=body, content_type="text/html", headers=headers)
        return web.json_response(body, status=status, headers=headers)

    return respond


def error(message: str, code: Any = None) -> Payload:
    """An error as OpenAI words it."""
    return {"error": {"message": f"{message} {BAD}", "type": "invalid_request_error", "code": code}}


async def slow(request: web.Request, answer: str) -> web.StreamResponse:
    """Takes its time and then answers well."""
    await asyncio.sleep(0.02)
    return await good(request, answer)


async def hangs_up(request: web.Request, answer: str) -> web.StreamResponse:
    """Closes without a byte."""
    del answer
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def half_a_body(request: web.Request, answer: str) -> web.StreamResponse:
    """Closes in the middle of the body."""
    body = json.dumps(completion(answer)).encode()
    response = web.StreamResponse(
        headers={"Content-Length": str(len(body)), "Content-Type": "application/json"}
    )
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    assert request.transport is not None
    request.transport.close()
    return response


async def as_text(request: web.Request, answer: str) -> web.StreamResponse:
    """Claims another content type."""
    del request
    return web.Response(text=json.dumps(completion(answer)), content_type="text/plain")


good = says(completion)
CHINESE = "顾客想要一碗很辣的面条"
_SOON = format_datetime(datetime.now(UTC) + timedelta(seconds=-1), usegmt=True)
_TOO_LONG = "This model's maximum context length is 4096 tokens."


def _changed(answer: str, **changes: Any) -> str:
    return json.dumps({**json.loads(answer), **changes}, ensure_ascii=False)


def _other_enum(answer: str) -> str:
    # The first field of each role whose values are listed in its schema.
    data = json.loads(answer)
    for key in ("action", "dish", "item", "mood", "number", "colour"):
        if key in data:
            return _changed(answer, **{key: f"unicorn {BAD}"})
    return _changed(answer, claims=[{"slot": "dish", "value": f"unicorn {BAD}", "polarity": 1}], values=[BAD])


def _in_chinese(answer: str) -> str:
    data = json.loads(answer)
    texts = [key for key in ("say", "event") if isinstance(data.get(key), str)]
    return _changed(answer, **{key: f"{data[key]} {CHINESE}" for key in texts})


# Faults that pass when the call is sent again, and those that a re-ask or nothing can mend.
TRANSPORT: dict[str, Respond] = {
    "hangs up": hangs_up,
    "half a body": half_a_body,
    "429": refuses(429, error("slow down")),
    "429 with seconds": refuses(429, error("slow down"), {"Retry-After": "0.01"}),
    "429 with a date": refuses(429, error("slow down"), {"Retry-After": _SOON}),
    "429 of Z.ai": refuses(429, {"error": {"code": "1302", "message": f"concurrency {BAD}"}}),
    "503": refuses(503, error("no room")),
    "500": refuses(500, error("oh")),
    "502 in HTML": refuses(502, f"<html><h1>Bad gateway {BAD}</h1></html>"),
    "choices null": says(lambda answer: completion(answer, choices=None)),
    "choices empty": says(lambda answer: completion(answer, choices=[])),
    "error in disguise": says(lambda answer: error("engine dead")),
    "aborted": says(lambda answer: completion(answer[:5], "abort")),
    "HTML at 200": refuses(200, f"<html>Welcome {BAD}</html>"),
}
FINAL: dict[str, Respond] = {
    "overflow of vLLM": refuses(400, error(f"{_TOO_LONG} However, you requested 5000 tokens", 400)),
    "overflow of vLLM in the engine": refuses(
        400, error("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", 400)
    ),
    "overflow of vLLM for the answer": refuses(
        400,
        error(
            "'max_tokens' or 'max_completion_tokens' is too large: 1024. Your request has 4000 input tokens",
            400,
        ),
    ),
    "overflow of vLLM for any answer": refuses(
        400,
        error("max_tokens=5000 cannot be greater than max_model_len=4096. Request fewer output tokens.", 400),
    ),
    "overflow of llama.cpp": refuses(
        400,
        {
            "error": {
                "code": 400,
                "type": "exceed_context_size_error",
                "n_ctx": 4096,
                "message": f"the request exceeds the available context size {BAD}",
            }
        },
    ),
    "overflow of OpenAI": refuses(
        400, error("Input tokens exceed the configured limit", "context_length_exceeded")
    ),
    "overflow of Z.ai": refuses(
        400, {"error": {"code": "1261", "message": f"Prompt exceeds max length {BAD}"}}
    ),
    "prompt cut": says(
        lambda answer: completion(answer, usage={"prompt_tokens": 12, "completion_tokens": 1})
    ),
    "no such model": refuses(404, error("The model `x` does not exist.")),
    "wrong key": refuses(401, error("Incorrect API key provided")),
    "no credit": refuses(429, error("You exceeded your current quota", "insufficient_quota")),
    "bad request": refuses(400, error("seed must be an integer")),
    "elsewhere": refuses(307, "", {"Location": "http://127.0.0.1:9/"}),
}
CONTENT: dict[str, Respond] = {
    "slow": slow,
    "usage null": says(lambda answer: completion(answer, usage=None)),
    "in parts": says(
        lambda answer: completion(None, message={"content": [{"type": "text", "text": answer}]})
    ),
    "JSON as text": as_text,
    "fence": says(lambda answer: completion(f"```json\n{answer}\n```")),
    "think before": says(lambda answer: completion(f"<think>{BAD}</think>{answer}")),
    "think never opened": says(lambda answer: completion(f"{BAD} {{hm}}</think>\n{answer}")),
    "think beside": says(lambda answer: completion(answer, message={"reasoning_content": BAD})),
    "think never closed": says(lambda answer: completion(f"<think>{BAD} {answer}", "length")),
    "reasoning only": says(lambda answer: completion(None, message={"reasoning": BAD})),
    "cut": says(lambda answer: completion(answer[: len(answer) // 2] + BAD, "length")),
    "5,000 spaces": says(lambda answer: completion(" " * 5_000, "length")),
    "Chinese": says(lambda answer: completion(_in_chinese(answer))),
    "unknown enum": says(lambda answer: completion(_other_enum(answer))),
    "extra keys": says(lambda answer: completion(_changed(answer, mood_of_the_day=BAD))),
    "schema ignored": says(lambda answer: completion(f"Sure, I would love some noodles! {BAD}")),
}
FAULTS = TRANSPORT | FINAL | CONTENT


Answers = Callable[[Payload], str]
Faulty = Callable[[str, int], str]


def no_fault(prompt: str, before: int) -> str:
    """Every call goes well."""
    del prompt, before
    return ""


def some_faults(rate: float, lasting: Mapping[str, Respond], passing: Mapping[str, Respond]) -> Faulty:
    """A share of the prompts meets a fault: a lasting one each time it is sent, a passing one once."""

    def fault(prompt: str, before: int) -> str:
        draw = Stream.root(0).of("fault", prompt)
        if prompt == CANARY or not draw.chance(rate):
            return ""
        name = draw.of("which").choice(sorted({**lasting, **passing}))
        return name if name in lasting or not before else ""

    return fault


def surrogate_answers(skills: Mapping[str, Skill]) -> Answers:
    """Answers that make sense: the surrogate reads the prompt; the name of the schema is the role."""
    surrogate = Surrogate(skills, Rates(), 0)

    def answer(payload: Payload) -> str:
        if prompt_digest(payload) == CANARY:
            return canary_answer(payload)
        asked = payload["response_format"]["json_schema"]
        texts = {message["role"]: message["content"] for message in payload["messages"]}
        act = ActId(agent="stub", purpose=prompt_digest(payload))
        request = Request(
            role=asked["name"], system=texts["system"], user=texts["user"], schema=asked["schema"], act=act
        )
        return surrogate.answer(request).text

    return answer


def canary_answer(payload: Payload) -> str:
    """What the canary of a probe wants to hear."""
    del payload
    return '{"colour": "vermilion", "number": 4}'


def prompt_digest(payload: Payload) -> str:
    """Tells prompts apart; that of a probe is known."""
    if payload.get("response_format", {}).get("json_schema", {}).get("name") == CANARY:
        return CANARY
    return sha256(json.dumps(payload["messages"]).encode()).hexdigest()[:16]


@dataclass(kw_only=True)
class StubServer:
    """What it serves, and what it has seen.

    Args:
        answers: the good answer to a payload.
        faulty: name of the fault for a prompt that came so often before, or "".
        answers_as: what it calls the model in its answers.
        pages: its other pages by path; a callable is called with the request's JSON.
        key: the key it wants.
        takes_priority: as vLLM with ``--scheduling-policy priority``.
        delay_s: before each answer.
    """

    answers: Answers = canary_answer
    faulty: Faulty = no_fault
    models: tuple[str, ...] = ("stub",)
    answers_as: str = "stub-1"
    window: int | None = 16_384
    version: str | None = "0.33.0"
    pages: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""
    takes_priority: bool = True
    delay_s: float = 0.0
    asked: list[Payload] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    gone: int = 0
    in_flight: int = 0
    peak: int = 0
    url: str = ""
    _before: Counter[str] = field(default_factory=Counter)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["StubServer"]:
        """Serves on a port of its own, in the current loop."""
        app = web.Application(client_max_size=1 << 24)
        app[NAME] = self.answers_as
        app.router.add_route("*", "/{path:.*}", self._handle)
        runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        try:
            yield self
        finally:
            await runner.cleanup()

    @contextmanager
    def in_thread(self) -> Iterator["StubServer"]:
        """Serves from a thread with a loop of its own, for runs that have theirs."""
        loop, ready, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

        async def serve() -> None:
            async with self.running():
                ready.set()
                await stop.wait()

        thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
        thread.start()
        assert ready.wait(10)
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(10)
            loop.close()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix("/")
        self.paths.append(path)
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response(error("Incorrect API key provided"), status=401)
        if path == "v1/chat/completions":
            return await self._complete(request)
        page = self._page(path)
        if callable(page):
            page = page(await request.json())
        return (
            web.json_response({"detail": "Not Found"}, status=404)
            if page is None
            else web.json_response(page)
        )

    def _page(self, path: str) -> Any:
        if path in self.pages:
            return self.pages[path]
        if path == "v1/models":
            size = {} if self.window is None else {"max_model_len": self.window}
            return {
                "object": "list",
                "data": [{"id": name, "object": "model"} | size for name in self.models],
            }
        return {"version": self.version} if path == "version" and self.version else None

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        payload = await request.json()
        self.asked.append(payload)
        if not self.takes_priority and payload.get("priority"):
            return web.json_response(
                error("Got priority 1 but Priority scheduling is not enabled."), status=400
            )
        digest = prompt_digest(payload)
        fault = self.faulty(digest, self._before[digest])
        self._before[digest] += 1
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            await asyncio.sleep(self.delay_s)
            return await FAULTS.get(fault, good)(request, self.answers(payload))
        except asyncio.CancelledError:
            self.gone += 1
            raise
        finally:
            self.in_flight -= 1
