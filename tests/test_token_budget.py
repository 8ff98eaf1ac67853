"""Prompts are counted before they are sent: cheaply, never too low, and none too long is sent."""

import asyncio
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks._prompts import sample
from benchmarks._tokenizers import FAMILY, tokenizers
from sim.build.models import thinking_of
from sim.door import configured
from sim.errors import ConfigError, ContextOverflow
from sim.llm.protocol import LanguageModel, Reply, Request
from sim.llm.served.counting import TextCount, rates_of
from sim.llm.served.ollama import Ollama
from sim.llm.served.openai_compatible import OpenAICompatible
from sim.llm.tokens import FAMILIES, HIGHEST, USUAL, estimate_tokens
from sim.llm.wrappers.budgeted import Budgeted, prompt_tokens
from sim.llm.wrappers.limiter import Limiter
from sim.records import ActId

COUNTS = dict(tokenizers())


class Model:
    """A model with a window that counts a token per word, and what it was asked."""

    def __init__(self, window_tokens: int | None) -> None:
        self.window_tokens = window_tokens
        self.counted = 0
        self.sent = 0

    async def complete(self, request: Request) -> Reply:
        """Says something."""
        del request
        self.sent += 1
        return Reply(text="x", model="m")

    async def close(self) -> None:
        """Has nothing to release."""

    async def tokens(self, request: Request) -> int:
        """Words of the prompt."""
        self.counted += 1
        return len(f"{request.system} {request.user}".split())


def request(words: int, **more: Any) -> Request:
    act = ActId(agent="mei", purpose="reply")
    return Request(role="order", system="You wait.", user="noodle " * words, act=act, **more)


def sent(model: LanguageModel, words: int, **budget: Any) -> bool:
    """Whether a prompt of so many words went out."""
    budgeted = Budgeted(model, **{"share": 0.5, **budget})
    try:
        return bool(asyncio.run(budgeted.complete(request(words))).text)
    except ContextOverflow:
        return False


def test_what_surely_fits_is_sent_without_counting() -> None:
    model = Model(4_000)
    assert sent(model, 100)
    assert (model.sent, model.counted) == (1, 0)


def test_what_seems_too_long_is_counted_and_then_sent_or_not() -> None:
    model = Model(4_000)
    assert sent(model, 1_900)
    assert not sent(model, 2_100)
    assert (model.sent, model.counted) == (1, 2)


def test_the_window_may_be_found_at_start_up_or_not_at_all() -> None:
    assert sent(Model(None), 100_000)
    assert not sent(Model(None), 2_100, window_tokens=4_000)
    assert sent(Model(400), 1_900, window_tokens=4_000)


def test_a_model_that_cannot_count_is_judged_by_the_estimate() -> None:
    class Plain:
        window_tokens = 4_000

        async def complete(self, request: Request) -> Reply:
            return Reply(text=request.role, model="m")

        async def close(self) -> None:
            pass

    most = next(words for words in range(2_000) if prompt_tokens(request(words), USUAL) > 2_000)
    assert sent(Plain(), most - 1, rates=USUAL)
    assert not sent(Plain(), most, rates=USUAL)


def test_a_schema_counts_since_some_models_are_shown_it() -> None:
    schema = {"type": "object", "properties": {"dish": {"enum": ["laksa"] * 50}}}
    assert prompt_tokens(request(1, schema=schema), USUAL) > prompt_tokens(request(1), USUAL) + 50


def test_every_real_model_of_a_run_has_its_budget() -> None:
    keys = ("llm=vllm", "llm.models.vllm.context_tokens=1000", "llm.context_share=0.1")
    thinking = thinking_of(configured(*keys).llm, {})
    models = thinking.models(0)
    router = thinking.router(models, Limiter(1), None, "run")

    async def ask() -> None:
        try:
            await router.complete(request(500))
        finally:
            await router.close()

    # Nothing listens there, so the count is the estimate.
    with pytest.raises(ContextOverflow, match=r"llm\.context_share leaves it 100 of a window of 1000"):
        asyncio.run(ask())


# What is estimated


@pytest.mark.parametrize("name", FAMILY)
def test_the_estimate_lies_above_each_tokenizer_but_not_far(name: str) -> None:
    """On few prompts here; ``benchmarks/tokens.py`` does the same on a thousand."""
    if name not in COUNTS:
        pytest.skip("its package is not installed")
    count, rates = COUNTS[name], FAMILIES[FAMILY[name]]
    by_language: dict[str, list[float]] = {}
    for language, _, prompt in sample(72):
        truth = sum(map(count, prompt))
        assert sum(estimate_tokens(text, HIGHEST) for text in prompt) >= truth
        ratio = sum(estimate_tokens(text, rates) for text in prompt) / truth
        assert ratio >= 1, prompt
        by_language.setdefault(language, []).append(ratio)
    assert all(median(ratios) <= 1.4 for ratios in by_language.values())


def test_the_tokenizers_of_the_tests_are_there() -> None:
    assert {"Llama 2"} <= COUNTS.keys()


@given(text=st.text(), family=st.sampled_from(sorted(FAMILIES)))
def test_nothing_is_estimated_higher_than_by_the_highest_rates(text: str, family: str) -> None:
    assert estimate_tokens(text, FAMILIES[family]) <= estimate_tokens(text, HIGHEST)
    assert (estimate_tokens(text, FAMILIES[family]) == 0) == (text == "")


def test_families_are_named_guessed_or_unknown() -> None:
    assert rates_of("small", "qwen2.5") == FAMILIES["small"]
    assert rates_of(None, "Qwen/Qwen2.5-7B-Instruct") == FAMILIES["large"]
    assert rates_of(None, "zai-org/GLM-4.7-Flash") == FAMILIES["large"]
    assert rates_of(None, "smollm2") == FAMILIES["small"]
    assert rates_of(None, "somebody/else") == HIGHEST


def a_tokenizer(folder: Path) -> Path:
    from tokenizers import Tokenizer, models, pre_tokenizers

    made = Tokenizer(models.WordLevel({"noodle": 0, "[UNK]": 1}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.save(str(folder / "tokenizer.json"))
    return folder


def test_a_file_counts_exactly(tmp_path: Path) -> None:
    count = TextCount(str(a_tokenizer(tmp_path)), "m", "llm.models.m.tokenizer")
    assert count.is_exact
    assert count("noodle soup noodle") == 3
    family = TextCount("large", "m", "k")
    assert not family.is_exact
    assert family("noodle") == estimate_tokens("noodle", FAMILIES["large"])
    with pytest.raises(ConfigError, match=r"llm\.models\.m\.tokenizer: there is no /nowhere"):
        TextCount("/nowhere", "m", "llm.models.m.tokenizer")


def test_servers_that_do_not_count_are_counted_for(tmp_path: Path) -> None:
    asked = request(100)
    exact = str(a_tokenizer(tmp_path))

    async def tokens(model: OpenAICompatible | Ollama) -> int:
        try:
            return await model.tokens(asked)
        finally:
            await model.close()

    ollama: dict[str, Any] = {"name": "o", "model": "x", "base_urls": ["http://127.0.0.1:9"]}
    zai = OpenAICompatible(
        name="z", model="x", base_urls=["http://127.0.0.1:9/v1"], profile="zai", tokenizer="large"
    )
    assert asyncio.run(tokens(Ollama(**ollama, tokenizer=exact))) == 103 + 32
    low = asyncio.run(tokens(Ollama(**ollama, tokenizer="large")))
    assert 135 < low < asyncio.run(tokens(Ollama(**ollama)))
    assert low <= asyncio.run(tokens(zai))
