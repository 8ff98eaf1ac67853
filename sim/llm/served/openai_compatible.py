"""A model behind an OpenAI-compatible server: vLLM, llama.cpp, Z.ai, or OpenAI's own."""

import time
from collections.abc import Sequence
from typing import Any

from sim.errors import ModelRefused
from sim.llm.probe import Served
from sim.llm.protocol import Reply, Request
from sim.llm.sampling import Sampling
from sim.llm.served.completions import Completion, read_completion
from sim.llm.served.counting import TextCount
from sim.llm.served.http import HttpClient
from sim.llm.served.profiles import PROFILES, Profile, payload
from sim.llm.served.prompt_cut import check_whole
from sim.llm.served.refusals import check
from sim.llm.served.server_tokens import ServerTokens
from sim.llm.tokens import TEMPLATE_TOKENS, estimate_tokens


class OpenAICompatible:
    """Asks over HTTP, one try a call; retries, limits and deadlines are wrapped around it.

    Args:
        name: as in the settings, for messages.
        model: the name the server serves it by.
        base_urls: addresses that end in ``/v1``; a request says which one it is meant for.
        profile: what kind of server it is, or its key in `PROFILES`.
        api_key: sent as a bearer token; empty sends none.
        thinking: lets the model think, where the server can be told.
        sampling: how it draws its words.
        context_tokens: its window; None takes what `probe` finds.
        tokenizer: file or folder to count with, or its family; without a file the server is asked, and
            where it does not say, the estimate errs high.
        connect_s: real seconds to wait for a connection.

    Attributes:
        window_tokens: prompt and answer together; None until `probe` has found it or settings gave it.
        takes_priority: False once the server refused a priority; then none is sent.
    """

    def __init__(
        self,
        *,
        name: str,
        model: str,
        base_urls: Sequence[str],
        profile: str | Profile = "vllm",
        api_key: str = "",
        thinking: bool = False,
        sampling: Sampling | None = None,
        context_tokens: int | None = None,
        tokenizer: str | None = None,
        connect_s: float = 5.0,
    ) -> None:
        self.name = name
        self.model = model
        self.base_urls = tuple(url.rstrip("/") for url in base_urls)
        self.profile = PROFILES[profile] if isinstance(profile, str) else profile
        self.context_tokens = context_tokens
        self.window_tokens = context_tokens
        self.client = HttpClient(connect_s=connect_s, api_key=api_key)
        self.thinking = thinking
        self._sampling = sampling or Sampling()
        self._count = TextCount(tokenizer, model, f"llm.models.{name}.tokenizer")
        self._tokens = ServerTokens(self.client, self.profile, model)
        self.takes_priority = True

    async def complete(self, request: Request) -> Reply:
        """Answers one request.

        Raises:
            ModelError: of the class that fits what went wrong.
        """
        started = time.perf_counter()
        url = request.endpoint.rstrip("/") or self.base_urls[0]
        said = await self._said(url, request)
        check_whole(request, said.prompt_tokens, url, self._tokens.known(request))
        return Reply(
            text=said.text,
            model=said.model or self.model,
            finish=said.finish,
            prompt_tokens=self._estimate(request) if said.prompt_tokens is None else said.prompt_tokens,
            completion_tokens=_or_estimate(said),
            seconds=time.perf_counter() - started,
        )

    async def close(self) -> None:
        """Closes the connections."""
        await self.client.close()

    async def tokens(self, request: Request) -> int:
        """Tokens of a prompt: by its tokenizer, by the server, or estimated high."""
        if self._count.is_exact:
            return self._estimate(request)
        counted = await self._tokens.count(request.endpoint or self.base_urls[0], request)
        return self._estimate(request) if counted is None else counted

    async def probe(self) -> list[Served]:
        """Looks at every endpoint before simulated time starts; sets the window where none was given.

        Raises:
            ConfigError: one line that says what is wrong and what to do.
        """
        from sim.llm.served.served_probe import Look

        found = [await Look(self, url).served() for url in self.base_urls]
        # A prompt does not know where it will go, so the smallest window holds for all.
        self.window_tokens = min(one.window_tokens for one in found if one.window_tokens is not None)
        return found

    async def _said(self, url: str, request: Request) -> Completion:
        try:
            return await self._asked(url, request)
        except ModelRefused as error:
            if not self.takes_priority or "riority scheduling" not in str(error):
                raise
            self.takes_priority = False
            return await self._asked(url, request)

    async def _asked(self, url: str, request: Request) -> Completion:
        asked = self._payload(request)
        if not self.takes_priority:
            asked.pop("priority", None)
        answer = await self.client.post(f"{url}/chat/completions", asked)
        check(answer, self.model)
        return read_completion(answer)

    def _payload(self, request: Request) -> dict[str, Any]:
        return payload(self.profile, self.model, request, self._sampling, self.thinking)

    def _texts(self, request: Request) -> list[str]:
        """What the prompt is made of, words that a profile adds included."""
        return [message["content"] for message in self._payload(request)["messages"]]

    def _estimate(self, request: Request) -> int:
        return sum(map(self._count, self._texts(request))) + TEMPLATE_TOKENS


def _or_estimate(said: Completion) -> int:
    return estimate_tokens(said.text) if said.completion_tokens is None else said.completion_tokens
