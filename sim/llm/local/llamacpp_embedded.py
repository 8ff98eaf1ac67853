"""A GGUF model in this process: llama.cpp, with batching and enforced schemas, and no server to start."""

from dataclasses import replace
from importlib import import_module

from sim.llm.local.llamacpp_engine import LlamaServer, check_library, gguf_file, start
from sim.llm.local.llamacpp_grammar import embedded_profile
from sim.llm.probe import Served
from sim.llm.protocol import Reply, Request
from sim.llm.sampling import Sampling
from sim.llm.served.openai_compatible import OpenAICompatible

DEFAULT_WINDOW_TOKENS = 8_192


class LlamacppEmbedded:
    """An engine of our own, asked over loopback: so a cancelled call closes its connection and really ends.

    The engine is started by the first call and ended by `close`; after that the next call starts
    another one.

    Args:
        name: as in the settings, for messages.
        model: a GGUF file, or ``smollm2`` for the packaged one.
        parallel: calls decoded together.
        threads: CPU threads; None takes all cores.
        gpu_layers: layers on the GPU.
        thinking: lets the model think, where its template knows how; what it thinks is dropped.
        sampling: how it draws its words.
        context_tokens: window of each call; None takes `DEFAULT_WINDOW_TOKENS`.

    Raises:
        ConfigError: the file or a package is not there.
    """

    def __init__(
        self,
        *,
        name: str,
        model: str = "smollm2",
        parallel: int = 4,
        threads: int | None = None,
        gpu_layers: int = 0,
        thinking: bool = False,
        sampling: Sampling | None = None,
        context_tokens: int | None = None,
    ) -> None:
        check_library(name)
        self.name = name
        self._file = gguf_file(name, model)
        self._parallel = parallel
        self._threads = threads
        self._gpu_layers = gpu_layers
        self._thinking = thinking
        self._sampling = sampling
        self._window = context_tokens or DEFAULT_WINDOW_TOKENS
        self._running: tuple[LlamaServer, OpenAICompatible] | None = None

    async def complete(self, request: Request) -> Reply:
        """Answers one request; see `OpenAICompatible.complete`."""
        return await self._asked().complete(replace(request, endpoint=""))

    async def close(self) -> None:
        """Ends the engine, its connections first: it would wait for them."""
        running, self._running = self._running, None
        if running is not None:
            server, asked = running
            await asked.close()
            server.close()

    @property
    def window_tokens(self) -> int:
        """Tokens of prompt and answer of one call."""
        return self._window

    async def tokens(self, request: Request) -> int:
        """Tokens of a prompt, by the model's own tokenizer."""
        return await self._asked().tokens(replace(request, endpoint=""))

    async def probe(self) -> list[Served]:
        """Starts the engine and tries it.

        Raises:
            ConfigError: it cannot be started, or does not keep schemas.
        """
        version = f"xllamacpp {import_module('xllamacpp').__version__}"
        found = await self._asked().probe()
        return [replace(served, endpoint="", version=version) for served in found]

    def _asked(self) -> OpenAICompatible:
        # Nothing is awaited here, so two calls cannot start two engines.
        if self._running is None:
            server = start(
                self.name,
                self._file,
                parallel=self._parallel,
                window_tokens=self._window,
                threads=self._threads,
                gpu_layers=self._gpu_layers,
            )
            self._running = server, self._client(server)
        return self._running[1]

    def _client(self, server: LlamaServer) -> OpenAICompatible:
        return OpenAICompatible(
            name=self.name,
            model=self._file.stem,
            base_urls=[server.base_url],
            profile=embedded_profile(),
            api_key=server.api_key,
            thinking=self._thinking,
            sampling=self._sampling,
            context_tokens=self._window,
        )
