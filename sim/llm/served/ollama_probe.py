"""Looks at an Ollama server before a run: is it there, has it the model, how much fits, are schemas kept?"""

from collections.abc import Awaitable
from typing import Any, TypeVar

from sim.errors import ConfigError
from sim.llm.probe import Served
from sim.llm.served.canary import canary, check_kept, usable
from sim.llm.served.ollama import Ollama, trained_window

_PAGE_S = 15.0
_CANARY_S = 600.0  # a cold server first loads the model
_MISCOUNTS = "0.30."  # https://github.com/ollama/ollama/pull/16428

T = TypeVar("T")


async def probed(model: Ollama, url: str) -> Served:
    """What one server is.

    Raises:
        ConfigError: it cannot be used; one line that names the model, the address and what to do.
    """
    key = f"llm.models.{model.name}"
    tags = await _usable(_page(model, f"{url}/api/tags"), key, url, _PAGE_S)
    _check_there(model, url, tags)
    window, warnings = await _window(model, url)
    question = canary(url, thinking=model.thinking)
    reply = await _usable(model.complete(question), key, url, _CANARY_S)
    check_kept(reply, key, url, "update Ollama to 0.5 or newer")
    if model.thinking and not model.takes_think:
        warnings.append(f"{model.model} cannot think, so it does not")
    version = str((await _usable(_page(model, f"{url}/api/version"), key, url, _PAGE_S)).get("version", ""))
    if version.startswith(_MISCOUNTS):
        warnings.append(
            f"Ollama {version} may not count what it has cached, so whole prompts look cut: update"
        )
    return Served(
        model=reply.model,
        endpoint=url,
        window_tokens=window,
        schema_enforced=True,
        version=f"ollama {version}".strip(),
        warnings=tuple(warnings),
    )


async def _page(model: Ollama, url: str) -> dict[str, Any]:
    data = (await model.client.get(url)).data()
    return data if isinstance(data, dict) else {}


def _check_there(model: Ollama, url: str, tags: dict[str, Any]) -> None:
    listed = tags.get("models")
    if not isinstance(listed, list):
        raise ConfigError(
            f"llm.models.{model.name}.base_urls: {url} lists no models, so it is no Ollama server:"
            " give its host and port, which is 11434 unless changed"
        )
    names = {str(entry.get("name")) for entry in listed if isinstance(entry, dict)}
    wanted = model.model if ":" in model.model else f"{model.model}:latest"
    if wanted not in names:
        raise ConfigError(
            f"llm.models.{model.name}.model: {url} has no {model.model!r} but"
            f" {', '.join(sorted(names)) or 'nothing at all'}: run ollama pull {model.model}, or name another"
        )


async def _window(model: Ollama, url: str) -> tuple[int, list[str]]:
    key = f"llm.models.{model.name}"
    window = await _usable(model.window(url), f"{key}.context_tokens", url, _PAGE_S)
    trained = trained_window(await _usable(model.shown(url), key, url, _PAGE_S))
    if trained is not None and window > trained:
        # Ollama would take the smaller one without a word, and cut prompts.
        raise ConfigError(
            f"{key}.context_tokens: {window} is more than the {trained} of {model.model}: lower it"
        )
    if model.context_tokens is None:
        return window, [
            f"the whole window of {window} tokens is asked for: set context_tokens to save memory"
        ]
    return window, []


async def _usable(asked: Awaitable[T], key: str, url: str, longest_s: float) -> T:
    return await usable(asked, key, url, longest_s, "Run ollama serve")
