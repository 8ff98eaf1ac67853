"""A model of an Ollama server, through the server's own API.

Its OpenAI-compatible address will not do: there it ignores the window, cuts prompts without a word and
cannot be told not to think.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from sim.errors import ConfigError, ModelError, ModelRefused, PromptCut
from sim.llm.ladder.salvage import without_thinking
from sim.llm.ladder.schema import wire_schema
from sim.llm.probe import Served
from sim.llm.protocol import Reply, Request
from sim.llm.sampling import Sampling
from sim.llm.served.counting import TextCount
from sim.llm.served.http import Answer, HttpClient
from sim.llm.served.profiles import messages
from sim.llm.served.prompt_cut import check_whole
from sim.llm.served.refusals import check
from sim.llm.tokens import TEMPLATE_TOKENS, estimate_tokens

_CUT_SLACK = 8  # tokens kept from the beginning besides half a window, as seen: 2 to 5


class Ollama:
    """Asks over HTTP, one try a call; retries, limits and deadlines are wrapped around it.

    Args:
        name: as in the settings, for messages.
        model: its name with the tag, as ``ollama list`` shows it.
        base_urls: addresses of servers, without ``/v1``; a request says which one it is meant for.
        thinking: lets the model think; what it thinks is dropped.
        sampling: how it draws its words.
        tokenizer: file or folder to count with, or its family; Ollama lends nobody its own.
        context_tokens: its window, sent with every call; None takes what the model was made for.
        keep_alive: how long the server keeps it loaded, as Ollama writes it.
        connect_s: real seconds to wait for a connection.

    Raises:
        ConfigError: an address is that of the OpenAI-compatible API.
    """

    def __init__(
        self,
        *,
        name: str,
        model: str,
        base_urls: Sequence[str],
        thinking: bool = False,
        sampling: Sampling | None = None,
        context_tokens: int | None = None,
        tokenizer: str | None = None,
        keep_alive: str = "10m",
        connect_s: float = 5.0,
    ) -> None:
        self.name = name
        self.model = model
        self.base_urls = tuple(url.rstrip("/") for url in base_urls)
        for url in self.base_urls:
            if url.endswith(("/v1", "/api")):
                raise ConfigError(
                    f"llm.models.{name}.base_urls: {url} must end with host and port for Ollama"
                )
        self.context_tokens = context_tokens
        self._text_count = TextCount(tokenizer, model, f"llm.models.{name}.tokenizer")
        self.client = HttpClient(connect_s=connect_s)
        self.thinking = thinking
        self._sampling = sampling or Sampling()
        self._keep_alive = keep_alive
        self._windows: dict[str, int] = {}
        self.takes_think = True

    async def complete(self, request: Request) -> Reply:
        """Answers one request.

        Raises:
            ModelError: of the class that fits what went wrong.
        """
        started = time.perf_counter()
        url = request.endpoint.rstrip("/") or self.base_urls[0]
        window = await self.window(url)
        answer = await self._said(url, request, window)
        said = answer.json()
        text = _content(said, answer)
        read = _count(said, "prompt_eval_count")
        _check_read(request, read, window, url)
        drawn = _count(said, "eval_count")
        return Reply(
            text=without_thinking(text).strip(),
            model=str(said.get("model") or self.model),
            finish="length" if said.get("done_reason") == "length" else "stop",
            prompt_tokens=_estimate(request) if read is None else read,
            completion_tokens=estimate_tokens(text) if drawn is None else drawn,
            seconds=time.perf_counter() - started,
        )

    async def close(self) -> None:
        """Closes the connections; the server unloads the model by itself."""
        await self.client.close()

    async def tokens(self, request: Request) -> int:
        """Tokens of a prompt, by its tokenizer's file or estimated high."""
        return sum(map(self._text_count, (request.system, request.user))) + TEMPLATE_TOKENS

    @property
    def window_tokens(self) -> int | None:
        """The window of the settings, or the smallest that a server told."""
        return self.context_tokens or min(self._windows.values(), default=None)

    async def probe(self) -> list[Served]:
        """Looks at every endpoint before simulated time starts.

        Raises:
            ConfigError: one line that says what is wrong and what to do.
        """
        from sim.llm.served.ollama_probe import probed

        return [await probed(self, url) for url in self.base_urls]

    async def window(self, url: str) -> int:
        """The window to ask for: as set, else as the server describes the model; asked once per server.

        Raises:
            ModelError: the server does not say.
        """
        if self.context_tokens is not None:
            return self.context_tokens
        if url not in self._windows:
            shown = await self.shown(url)
            length = trained_window(shown)
            if length is None:
                raise ModelError(f"{url} does not say how much fits into {self.model}: set context_tokens")
            self._windows[url] = length
        return self._windows[url]

    async def shown(self, url: str) -> dict[str, Any]:
        """What the server says of the model."""
        answer = await self.client.post(f"{url}/api/show", {"model": self.model})
        check(answer, self.model)
        return answer.json()

    async def _said(self, url: str, request: Request, window: int) -> Answer:
        try:
            return await self._asked(url, request, window)
        except ModelRefused as error:
            if not self.takes_think or "does not support thinking" not in str(error):
                raise
            self.takes_think = False
            return await self._asked(url, request, window)

    async def _asked(self, url: str, request: Request, window: int) -> Answer:
        answer = await self.client.post(f"{url}/api/chat", self._payload(request, window))
        check(answer, self.model)
        return answer

    def _payload(self, request: Request, window: int) -> dict[str, Any]:
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": messages(request.system, request.user),
            "stream": False,
            "keep_alive": self._keep_alive,
            # Known to newer servers: say that a prompt is too long instead of cutting it.
            "truncate": False,
            "shift": False,
            "options": self._options(request, window),
        }
        if self.takes_think:
            asked["think"] = self.thinking
        return asked if request.schema is None else asked | {"format": wire_schema(request.schema)}

    def _options(self, request: Request, window: int) -> dict[str, Any]:
        options: dict[str, Any] = {
            "num_ctx": window,
            "num_predict": request.max_tokens,
            "temperature": request.temperature,
            "top_p": self._sampling.top_p,
            "top_k": max(0, self._sampling.top_k),  # 0 is all here, -1 with others
            "min_p": 0.0,
            "repeat_penalty": self._sampling.repetition_penalty,
        }
        return options if self._sampling.seed is None else options | {"seed": self._sampling.seed}


def trained_window(shown: Mapping[str, Any]) -> int | None:
    """The window that a model was made for, out of what ``/api/show`` says."""
    info = shown.get("model_info")
    for key, value in info.items() if isinstance(info, Mapping) else ():
        if str(key).endswith(".context_length") and isinstance(value, int) and value > 0:
            return value
    return None


def _content(said: Mapping[str, Any], answer: Answer) -> str:
    message = said.get("message")
    if not isinstance(message, Mapping):
        raise ModelError(f"{answer.url} answers without a message: {answer.excerpt()!r}")
    # What it thought stands beside it, as `thinking`, and is left there.
    content = message.get("content")
    return content if isinstance(content, str) else ""


def _count(said: Mapping[str, Any], key: str) -> int | None:
    value = said.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _check_read(request: Request, read: int | None, window: int, url: str) -> None:
    """Lets a reply pass whose prompt was read whole.

    A prompt longer than the window is cut to half of it, or in older versions to the whole of it, and
    counted after that.

    Raises:
        PromptCut: it was not.
    """
    check_whole(request, read, url)
    if read is None or _estimate(request) < window:
        return
    if read >= window - 1 or abs(read - window // 2) <= _CUT_SLACK:
        raise PromptCut(
            f"{url} read {read} tokens of a prompt that may have up to {_estimate(request)}, with a window of"
            f" {window}: so it cut it; raise context_tokens"
        )


def _estimate(request: Request) -> int:
    return estimate_tokens(request.system) + estimate_tokens(request.user) + TEMPLATE_TOKENS
