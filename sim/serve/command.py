"""The exact ``vllm serve`` commands for the models of a configuration."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sim.config import LlmSettings
from sim.config.llm import ServedModel, Serving
from sim.errors import ConfigError

# What every server gets: schemas without room for blanks to run on in, none of the model's own sampling,
# our priorities, a queue that says no rather than grow, and counts of what the prefix cache saved.
_COMMON: Mapping[str, Any] = {
    "structured-outputs-config": {"backend": "xgrammar", "disable_any_whitespace": True},
    "generation-config": "vllm",
    "scheduling-policy": "priority",
    "max-num-queued-reqs": 512,
    "enable-prompt-tokens-details": True,
    "seed": 0,
}
_LOCAL = ("127.0.0.1", "localhost", "::1")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """One server process.

    Args:
        name: of the model, with a number where it has several servers.
        url: where it is to be found, ending in ``/v1``.
        gpus: as ``CUDA_VISIBLE_DEVICES`` has it.
        arguments: the command line.
    """

    name: str
    url: str
    gpus: str
    arguments: tuple[str, ...]

    @property
    def host(self) -> str:
        """The machine it is to run on."""
        return urlsplit(self.url).hostname or ""

    @property
    def is_local(self) -> bool:
        """Whether that is this machine."""
        return self.host in _LOCAL

    @property
    def health(self) -> str:
        """The page that answers 200 once the model is loaded."""
        return f"{self.url.rstrip('/').removesuffix('/v1')}/health"

    def text(self) -> str:
        """The command as one pastes it into a shell."""
        return f"CUDA_VISIBLE_DEVICES={self.gpus} {shlex.join(self.arguments)}"


def servers(llm: LlmSettings) -> list[Server]:
    """The servers of all models in use that say how they are served, in order.

    Raises:
        ConfigError: none does, or one has GPUs for more or fewer servers than it has addresses.
    """
    found = [
        server
        for name, model in llm.models.items()
        if name in llm.in_use and isinstance(model, ServedModel) and model.serve is not None
        for server in _of_model(name, model, model.serve)
    ]
    if not found:
        raise ConfigError(
            f"llm={llm.name}: none of its models says how it is served; llm=glm_qwen does, see conf/llm"
        )
    return found


def _of_model(name: str, model: ServedModel, serve: Serving) -> Iterator[Server]:
    if len(serve.gpus) != len(model.base_urls):
        raise ConfigError(
            f"llm.models.{name}.serve.gpus: has GPUs for {len(serve.gpus)} servers, base_urls names"
            f" {len(model.base_urls)}: give one entry for each"
        )
    for number, (url, gpus) in enumerate(zip(model.base_urls, serve.gpus, strict=True), 1):
        label = name if len(serve.gpus) == 1 else f"{name}-{number}"
        yield Server(name=label, url=url, gpus=gpus, arguments=_arguments(model, serve, url, gpus))


def _arguments(model: ServedModel, serve: Serving, url: str, gpus: str) -> tuple[str, ...]:
    place = urlsplit(url)
    options: dict[str, Any] = {"served-model-name": model.model}
    if place.hostname in _LOCAL:
        options["host"] = place.hostname  # or it would listen to the whole network
    options["port"] = place.port or _PORTS[place.scheme]
    if "," in gpus:
        options["tensor-parallel-size"] = gpus.count(",") + 1
    options |= serve.options | {name: value for name, value in _COMMON.items() if name not in serve.options}
    words = [word for name, value in options.items() for word in _words(name, value)]
    return (*serve.program, serve.weights, *words)


def _words(name: str, value: Any) -> list[str]:
    if value is None or value is False:
        return []
    if value is True:
        return [f"--{name}"]
    text = json.dumps(value, separators=(",", ":")) if isinstance(value, dict) else str(value)
    return [f"--{name}", text]
