"""Looks at a server before a run: is it there, does it serve the model, how much fits, are schemas kept?"""

import asyncio
import re
from collections.abc import Awaitable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from sim.errors import ConfigError, ModelError
from sim.llm.probe import Served
from sim.llm.protocol import Reply
from sim.llm.served.canary import canary, check_kept, usable
from sim.llm.served.http import Answer
from sim.llm.served.refusals import refusal
from sim.llm.served.server_tokens import root

if TYPE_CHECKING:
    from sim.llm.served.openai_compatible import OpenAICompatible

_PAGE_S = 15.0
_CANARY_S = 120.0  # a cold server compiles its first schema

T = TypeVar("T")


class Look:
    """A look at one endpoint of a model.

    Args:
        model: who is to answer there.
        url: the endpoint.
    """

    def __init__(self, model: "OpenAICompatible", url: str) -> None:
        self._model = model
        self._url = url
        self._key = f"llm.models.{model.name}"
        self._warnings: list[str] = []

    async def served(self) -> Served:
        """What the endpoint is, as far as it says.

        Raises:
            ConfigError: it cannot be used; one line that names the model, the address and what to do.
        """
        entry = self._entry(await self._page("models"))
        details = await self._details()
        window = self._window(entry, details)
        reply = await self._canary()
        version = str(details.get("version") or details.get("build_info") or "")
        self._check_version(version)
        return Served(
            model=reply.model,
            endpoint=self._url,
            window_tokens=window,
            schema_enforced=self._keeps_schemas(reply),
            version=version,
            warnings=tuple(self._warnings),
        )

    async def _page(self, name: str) -> Answer:
        return await self._usable(self._model.client.get(f"{self._url}/{name}"), _PAGE_S)

    async def _usable(self, asked: Awaitable[T], longest_s: float) -> T:
        return await usable(asked, self._key, self._url, longest_s, "Start the server")

    def _entry(self, answer: Answer) -> dict[str, Any]:
        """The server's own entry of the model."""
        if answer.status in (401, 403):
            raise ConfigError(
                f"{self._key}.api_key_env: {self._url} wants another key ({answer.status}):"
                " name the environment variable that holds the right one"
            )
        if answer.status >= 429:
            raise ConfigError(f"{self._key}: {refusal(answer, self._model.model)}")
        entries = {str(entry.get("id")): entry for entry in _entries(answer)}
        if not entries and not self._model.profile.enforces:
            self._warnings.append(f"{self._url} lists no models: only a call shows what it serves")
            return {}
        return self._own(entries, answer.status)

    def _own(self, entries: dict[str, dict[str, Any]], status: int) -> dict[str, Any]:
        model = self._model.model
        if not entries:
            raise ConfigError(
                f"{self._key}.base_urls: {self._url}/models answers {status} and lists no models:"
                " the address of an OpenAI-compatible server ends in /v1"
            )
        if model not in entries:
            raise ConfigError(
                f"{self._key}.model: {self._url} does not serve {model!r} but {', '.join(sorted(entries))}:"
                " name one of those, or serve it by that name"
            )
        return entries[model]

    async def _details(self) -> dict[str, Any]:
        """What a server says of itself on a page of its own kind; nothing where it has none."""
        page = {"vllm": "version", "llamacpp": "props"}.get(self._model.profile.name)
        if page is None:
            return {}
        try:
            async with asyncio.timeout(_PAGE_S):
                data = (await self._model.client.get(f"{root(self._url)}/{page}")).data()
        except (ModelError, TimeoutError):
            return {}
        return data if isinstance(data, dict) else {}

    def _window(self, entry: dict[str, Any], details: dict[str, Any]) -> int:
        generation = details.get("default_generation_settings")
        slot = generation.get("n_ctx") if isinstance(generation, dict) else None
        found = next((size for size in (entry.get("max_model_len"), slot) if isinstance(size, int)), None)
        wanted = self._model.context_tokens
        if found is None and wanted is None:
            raise ConfigError(f"{self._key}.context_tokens: {self._url} does not say how much fits: set it")
        if found is not None and wanted is not None and wanted > found:
            raise ConfigError(
                f"{self._key}.context_tokens: {wanted} is more than the {found} of {self._url}:"
                " lower it, or start the server with a longer window"
            )
        return min(size for size in (found, wanted) if size is not None)

    async def _canary(self) -> Reply:
        """An answer to a question whose schema no model would keep by chance."""
        question = canary(self._url, thinking=self._model.thinking)
        reply = await self._usable(self._model.complete(question), _CANARY_S)
        if not self._model.takes_priority:
            self._warnings.append(
                f"{self._url} takes no priorities: start vLLM with --scheduling-policy priority"
            )
        return reply

    def _keeps_schemas(self, reply: Reply) -> bool:
        if not self._model.profile.enforces:
            self._warnings.append(f"{self._url} asks for JSON in words only: replies are checked here")
            return False
        check_kept(reply, self._key, self._url, self._model.profile.cure)
        return True

    def _check_version(self, version: str) -> None:
        since = self._model.profile.since
        numbers = tuple(map(int, re.findall(r"\d+", version)[:2]))
        if since and numbers and numbers < since:
            known = ".".join(map(str, since))
            self._warnings.append(f"{self._url} is version {version}, this was written for {known} and later")


def _entries(answer: Answer) -> Iterator[dict[str, Any]]:
    data = answer.data()
    listed = data.get("data") if answer.status == 200 and isinstance(data, dict) else None
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict):
            yield entry
