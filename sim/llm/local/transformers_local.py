"""A model in this process through transformers: for models no server is at hand for."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

from sim.errors import ConfigError, ContextOverflow, ModelError
from sim.llm.ladder.salvage import without_thinking
from sim.llm.local.batches import Batches, Waiting
from sim.llm.local.transformers_engine import INSTALL, Engine, Prompt, Said, load
from sim.llm.probe import Served
from sim.llm.protocol import Reply, Request
from sim.llm.sampling import Sampling
from sim.llm.served.profiles import schema_in_words

_UNENFORCED = (
    "schemas stand in the prompt and nothing enforces them here: expect more replies that are no good;"
    " a server (vLLM, llama.cpp) enforces them"
)


class TransformersLocal:
    """Calls that arrive together are answered together, in a thread; the weights stay once loaded.

    Args:
        name: as in the settings, for messages.
        model: a folder, or the name of a model downloaded before.
        device: ``cpu``, ``cuda``, …; None takes a GPU where there is one.
        dtype: number format of the weights, ``auto`` as stored.
        batch: calls answered together at most.
        thinking: lets the model think; what it thinks is dropped.
        sampling: how it draws its words.
        context_tokens: its window; None takes what its files say.

    Raises:
        ConfigError: a library is not installed, or ``model`` looks like a folder and is none.
    """

    def __init__(
        self,
        *,
        name: str,
        model: str,
        device: str | None = None,
        dtype: str = "auto",
        batch: int = 8,
        thinking: bool = False,
        sampling: Sampling | None = None,
        context_tokens: int | None = None,
    ) -> None:
        check(name, model)
        self.name = name
        self.model = model
        self._device = device
        self._dtype = dtype
        self._thinking = thinking
        self._sampling = sampling or Sampling()
        self._context_tokens = context_tokens
        self._engine: Engine | None = None
        self._loading = Lock()
        self._batches: Batches[Prompt, Said] = Batches(self._work, lambda prompt: prompt.temperature, batch)

    async def complete(self, request: Request) -> Reply:
        """Answers one request.

        Raises:
            ContextOverflow: the prompt leaves no room for an answer.
            ModelError: the model failed.
        """
        started = time.perf_counter()
        said = await self._batches.ask(await asyncio.to_thread(self._prompt, request))
        return Reply(
            text=without_thinking(said.text).strip(),
            model=self._called,
            finish=said.finish,
            prompt_tokens=said.prompt_tokens,
            completion_tokens=said.completion_tokens,
            seconds=time.perf_counter() - started,
        )

    async def close(self) -> None:
        """Nothing is left open; the weights go with this object."""

    @property
    def window_tokens(self) -> int | None:
        """The window of the settings, or of its files once they are loaded."""
        promised = None if self._engine is None else self._engine.window_tokens
        return self._context_tokens or promised

    async def tokens(self, request: Request) -> int:
        """Tokens of a prompt, by the model's own tokenizer."""
        return await asyncio.to_thread(self._count, request)

    async def probe(self) -> list[Served]:
        """Loads the model and lets it say a word.

        Raises:
            ConfigError: it cannot be loaded, or says nothing.
        """
        return [await asyncio.to_thread(self._looked_at)]

    @property
    def _called(self) -> str:
        return Path(self.model).name

    def _engine_loaded(self) -> Engine:
        with self._loading:
            if self._engine is None:
                self._engine = load(
                    self.name,
                    self.model,
                    self._device,
                    self._dtype,
                    self._sampling,
                    thinking=self._thinking,
                )
            return self._engine

    def _window(self) -> int | None:
        return self._context_tokens or self._engine_loaded().window_tokens

    def _prompt(self, request: Request) -> Prompt:
        engine = self._engine_loaded()
        text = engine.prompt(with_schema(request))
        window = self._window()
        room = request.max_tokens if window is None else window - engine.count(text)
        if room < 1:
            raise ContextOverflow(
                f"a prompt of {window} tokens or more does not fit the window of {self.name}"
            )
        return Prompt(text=text, temperature=request.temperature, max_tokens=min(request.max_tokens, room))

    def _count(self, request: Request) -> int:
        engine = self._engine_loaded()
        return engine.count(engine.prompt(with_schema(request)))

    def _work(self, batch: Sequence[Waiting[Prompt, Said]]) -> list[Said]:
        rows = [replace(one.question, given_up=one.is_given_up) for one in batch]
        return self._engine_loaded().answer(rows)

    def _looked_at(self) -> Served:
        engine = self._engine_loaded()
        try:
            engine.answer([Prompt(text="Hello", temperature=0.0, max_tokens=1)])
        except ModelError as error:
            raise ConfigError(f"llm.models.{self.name}: {self.model} says nothing ({error})") from error
        promised = engine.window_tokens
        warnings = [_UNENFORCED]
        if promised is not None and (self._context_tokens or 0) > promised:
            warnings.append(
                f"context_tokens {self._context_tokens} is more than its files promise, {promised}"
            )
        return Served(
            model=self._called, window_tokens=self._window(), version=engine.version, warnings=tuple(warnings)
        )


def check(name: str, model: str) -> None:
    """Refuses what cannot work, without importing anything heavy.

    Raises:
        ConfigError: a library is not installed, or ``model`` looks like a folder and is none.
    """
    for library in ("torch", "transformers"):
        if find_spec(library) is None:
            raise ConfigError(f"llm.models.{name}: the package {library} is not installed: {INSTALL}")
    looks_like_path = model.startswith((".", "/", "~")) or model.count("/") > 1
    if looks_like_path and not (Path(model).expanduser() / "config.json").is_file():
        raise ConfigError(f"llm.models.{name}.model: {model} is no model folder: it has no config.json")


def with_schema(request: Request) -> Request:
    """The request with its schema in the stable part of the prompt, for models that are only told."""
    if request.schema is None:
        return request
    return replace(request, system=f"{request.system}\n\n{schema_in_words(request.schema)}".lstrip())
