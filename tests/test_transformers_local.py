"""A model in this process through transformers: a tiny one with random weights, made here."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sim.errors import ConfigError, ContextOverflow, ModelError, Overloaded
from sim.llm.local.transformers_engine import Prompt, Said
from sim.llm.local.transformers_local import TransformersLocal, with_schema
from sim.llm.probe import Counting, Probed, Windowed
from sim.llm.protocol import Reply, Request
from sim.llm.sampling import Sampling
from sim.records import ActId

SCHEMA = {"type": "object", "properties": {"dish": {"type": "string", "x-live": True}}, "required": ["dish"]}
WINDOW = 256
TEMPLATE = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
    "{% if not enable_thinking %}<think></think>{% endif %}"
)
NO_SYSTEM = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}" + TEMPLATE


def request(number: int = 0, **fields: Any) -> Request:
    act = ActId(agent="mei", customer="anna", visit=f"v{number}", purpose="reply")
    user = f"{number}: " + "a bowl of noodles " * (1 + number % 4)
    wanted = {"role": "order", "system": "Be brief.", "user": user, "act": act, "max_tokens": 8}
    return Request(**{**wanted, "temperature": 0.0, **fields})


def test_the_schema_is_told_in_the_stable_part() -> None:
    asked = with_schema(request(schema=SCHEMA))
    assert asked.system.startswith("Be brief.\n\nAnswer with one JSON object of this schema: {")
    assert "x-live" not in asked.system
    assert asked.user == request().user
    assert with_schema(request()) == request()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of two layers with a tokenizer of bytes."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    import tokenizers

    place = tmp_path_factory.mktemp("tiny")
    special = ["<|start|>", "<|end|>", "<think>", "</think>"]
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    vocabulary = {token: number for number, token in enumerate([*special, *sorted(alphabet)])}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|end|>", additional_special_tokens=["<|start|>"]
    )
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(place)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=WINDOW,
        eos_token_id=vocabulary["<|end|>"],
        bos_token_id=None,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(place)
    return place


def local(folder: Path, **fields: Any) -> TransformersLocal:
    return TransformersLocal(**{"name": "tiny", "model": str(folder), "dtype": "float32", **fields})


def ask(model: TransformersLocal, *asked: Request) -> list[Reply]:
    async def run() -> list[Reply]:
        replies = await asyncio.gather(*map(model.complete, asked))
        await model.close()
        return replies

    return asyncio.run(run())


@pytest.mark.embed
def test_padding_changes_no_answer_and_lengths_are_each_rows_own(folder: Path) -> None:
    asked = [request(number, max_tokens=3 + number) for number in range(5)]
    alone = [ask(local(folder), one)[0] for one in asked]
    together = ask(local(folder, batch=5), *asked)
    assert [reply.text for reply in together] == [reply.text for reply in alone]
    for reply, one in zip(together, asked, strict=True):
        assert (reply.finish, reply.completion_tokens) == ("length", one.max_tokens)
        assert reply.model == folder.name
        assert reply.prompt_tokens == asyncio.run(local(folder).tokens(one)) > len(one.user)


@pytest.mark.embed
def test_draws_hang_on_the_seed_alone_and_leave_those_of_others(folder: Path) -> None:
    import torch

    asked = request(temperature=1.5)
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    first, again, other = (
        ask(local(folder, sampling=Sampling(seed=seed, top_p=0.9, top_k=20)), asked)[0].text
        for seed in (1, 1, 2)
    )
    assert torch.rand(1) == expected
    assert first == again != other


@pytest.mark.embed
def test_what_does_not_fit_is_refused_and_answers_end_at_the_window(folder: Path) -> None:
    model = local(folder)
    with pytest.raises(ContextOverflow, match="window of tiny"):
        ask(model, request(user="noodles " * WINDOW))
    (reply,) = ask(model, request(user="n" * 150, max_tokens=1_000))
    assert reply.prompt_tokens + reply.completion_tokens == WINDOW
    assert model.window_tokens == WINDOW


@pytest.mark.embed
def test_a_template_without_system_messages_gets_one_text(folder: Path) -> None:
    model = local(folder)
    engine = model._engine_loaded()
    usual = engine.prompt(request())
    assert usual.startswith("<|start|>system\nBe brief.<|end|><|start|>user\n")
    assert usual.endswith("<think></think>")
    engine._tokenizer.chat_template = NO_SYSTEM
    assert engine.prompt(request()).startswith("<|start|>user\nBe brief.\n\n0: a bowl")
    thinking = local(folder, thinking=True)._engine_loaded()
    assert not thinking.prompt(request()).endswith("</think>")


@pytest.mark.embed
def test_a_cancelled_call_ends_its_row(folder: Path) -> None:
    model = local(folder, context_tokens=100_000)
    begun = threading.Event()
    sizes = []

    def answer(prompts: Sequence[Prompt]) -> list[Said]:
        sizes.append(len(prompts))
        begun.set()
        return real(prompts)

    async def run() -> None:
        call = asyncio.create_task(model.complete(request(max_tokens=90_000)))
        await asyncio.to_thread(begun.wait, 300)
        call.cancel()
        assert (await model.complete(request(1))).finish == "length"

    engine = model._engine_loaded()
    real = engine.answer
    engine.answer = answer  # type: ignore[method-assign]
    # Ninety thousand tokens would take far longer than any test may.
    asyncio.run(asyncio.wait_for(run(), 300))
    assert sizes == [1, 1]


@pytest.mark.embed
def test_short_memory_asks_for_fewer_calls_and_other_faults_are_the_models(folder: Path) -> None:
    import torch

    model = local(folder)
    engine = model._engine_loaded()
    for error, kind in ((torch.OutOfMemoryError("oh"), Overloaded), (RuntimeError("shape\nno"), ModelError)):

        def generate(*, error: Exception = error, **_: Any) -> Any:
            raise error

        engine._model.generate = generate
        with pytest.raises(ModelError) as caught:
            ask(model, request())
        assert type(caught.value) is kind
        assert "\n" not in str(caught.value)


@pytest.mark.embed
def test_probe_says_what_is_there(folder: Path) -> None:
    model = local(folder)
    assert isinstance(model, Probed)
    assert isinstance(model, Counting)
    assert isinstance(model, Windowed)
    (served,) = asyncio.run(model.probe())
    assert (served.model, served.window_tokens, served.schema_enforced) == (folder.name, WINDOW, False)
    assert "cpu, torch.float32" in served.version
    assert "nothing enforces them" in served.warnings[0]
    (served,) = asyncio.run(local(folder, context_tokens=WINDOW * 2).probe())
    assert f"context_tokens {WINDOW * 2} is more than its files promise, {WINDOW}" in served.warnings[1]


@pytest.mark.embed
@pytest.mark.parametrize(
    ("change", "fields", "words"),
    [
        (
            "",
            {"model": "nobody/nothing-at-all"},
            "llm.models.tiny.model: .* cannot be loaded .* nothing is fetched",
        ),
        ("", {"device": "cuda:7"}, "cannot be loaded on cuda:7"),
        ("chat_template.jinja", {}, "has no chat template"),
    ],
)
def test_what_cannot_be_loaded_is_said_in_one_line(
    folder: Path, tmp_path: Path, change: str, fields: Any, words: str
) -> None:
    for file in folder.iterdir():
        if file.name != change:
            (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(ConfigError, match=words) as caught:
        asyncio.run(local(tmp_path, **fields).probe())
    assert "\n" not in str(caught.value)


@pytest.mark.embed
def test_a_folder_that_is_none_is_refused_when_built(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no model folder"):
        local(tmp_path / "absent")


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.llm.local.transformers_local.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="the package torch is not installed: run pip"):
        local(Path("anywhere"))
