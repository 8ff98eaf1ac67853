"""Counts prompts with the tokenizer of a server, each prompt once."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import Any

from sim.errors import ModelError
from sim.llm.protocol import Request
from sim.llm.served.http import Answer, HttpClient
from sim.llm.served.profiles import Profile, messages

_KEPT = 4_096  # counts; prompts repeat within an act, its re-ask and its shortened second try


class ServerTokens:
    """Asks ``/tokenize`` of vLLM or llama.cpp; None where the server has no such page.

    Args:
        client: how to reach it.
        profile: what kind of server it is.
        model: name of the model there.
    """

    def __init__(self, client: HttpClient, profile: Profile, model: str) -> None:
        asks: dict[str, Callable[[str, list[dict[str, str]]], Awaitable[Any]]] = {
            "vllm": self._vllm,
            "llamacpp": self._llamacpp,
        }
        self._client = client
        self._model = model
        self._ask = asks.get(profile.name)
        self._counts: OrderedDict[bytes, int] = OrderedDict()

    def known(self, request: Request) -> int | None:
        """The count of a prompt that was counted before."""
        return self._counts.get(_key(request))

    async def count(self, base_url: str, request: Request) -> int | None:
        """Tokens of a prompt, chat template included; None where the server does not say."""
        if self._ask is None or (key := _key(request)) in self._counts:
            return self.known(request)
        try:
            count = await self._ask(root(base_url), messages(request.system, request.user))
        except ModelError:
            # Counting must not fail a call that may go well; the estimate errs high.
            return None
        if not isinstance(count, int):
            self._ask = None  # it has no such page, and will have none later on
            return None
        self._counts[key] = count
        if len(self._counts) > _KEPT:
            self._counts.popitem(last=False)
        return count

    async def _vllm(self, server: str, chat: list[dict[str, str]]) -> Any:
        asked = {"model": self._model, "messages": chat, "add_generation_prompt": True}
        return _field(await self._client.post(f"{server}/tokenize", asked), "count")

    async def _llamacpp(self, server: str, chat: list[dict[str, str]]) -> Any:
        prompt = _field(await self._client.post(f"{server}/apply-template", {"messages": chat}), "prompt")
        asked = {"content": prompt, "add_special": True, "parse_special": True}
        tokens = _field(await self._client.post(f"{server}/tokenize", asked), "tokens")
        return len(tokens) if isinstance(tokens, list) else None


def root(base_url: str) -> str:
    """The address of a server's own pages, which lie beside those of OpenAI."""
    return base_url.rstrip("/").removesuffix("/v1")


def _field(answer: Answer, name: str) -> Any:
    data = answer.data()
    return data.get(name) if answer.status == 200 and isinstance(data, dict) else None


def _key(request: Request) -> bytes:
    text = f"{len(request.system)}\n{request.system}{request.user}"
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
