"""The settings of language models: which there are, who answers what, and the limits of a call."""

import shlex
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from sim.config.section import Count, Seconds, Section, Share

Url = Annotated[str, Field(pattern=r"^https?://[^\s/]+[^\s]*$")]
Temperature = Annotated[float, Field(ge=0, le=2)]
Gpus = Annotated[str, Field(pattern=r"^\d+(,\d+)*$")]


def _pair(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _tuple(value: Any) -> Any:
    return (value,) if isinstance(value, str) else _pair(value)


def _words(value: Any) -> Any:
    return tuple(shlex.split(value)) if isinstance(value, str) else _pair(value)


class Rates(Section):
    """How often the surrogate errs, as shares; see ``conf/llm/surrogate.yaml``."""

    missed_extraction: Share = 0.03
    ignored_context: Share = 0.02
    confabulation: Share = 0.01
    lost_in_compression: Share = 0.05
    malformed_json: Share = 0.01


class SurrogateModel(Section):
    """The deterministic reader with known error rates."""

    kind: Literal["surrogate"]
    rates: Rates = Rates()


class ScriptedModel(Section):
    """The surrogate behind a stand-in for a server: each call sleeps ``delay_s`` (low, high) real seconds."""

    kind: Literal["scripted"]
    rates: Rates = Rates()
    delay_s: Annotated[tuple[Seconds, Seconds], BeforeValidator(_pair)] = (0.0, 0.0)

    @model_validator(mode="after")
    def _delays_make_sense(self) -> Self:
        low, high = self.delay_s
        if low > high:
            raise ValueError(f"delay_s runs from low to high, not from {low} to {high}")
        return self


class Sampling(Section):
    """How a real model draws its words; always sent, because servers have defaults of their own."""

    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    top_k: int = -1
    repetition_penalty: Annotated[float, Field(gt=0, le=10)] = 1.0
    seed: int | None = 0


class RealModel(Section):
    """What all real models have.

    Args:
        context_tokens: the model's window; None takes what the server or the model's files say.
        tokenizer: folder or file of a tokenizer to count with, or its family (``large``, ``small``,
            ``llama2``, ``wordpiece``) for the estimate; None asks the server, else goes by the model's name.
        thinking: lets the model think; what it thinks is dropped in any case.
        max_in_flight: calls at one time per endpoint, within ``llm.max_in_flight``.
    """

    context_tokens: Annotated[int, Field(ge=256)] | None = None
    tokenizer: str | None = None
    thinking: bool = False
    max_in_flight: Count | None = None
    sampling: Sampling = Sampling()


class Serving(Section):
    """How vLLM is started for a model; ``noodle serve`` prints the commands, or carries them out.

    Args:
        weights: name on the hub, or a folder.
        gpus: for each of ``base_urls`` the GPUs of its server, as ``0`` or ``0,1`` (tensor parallel).
        options: of ``vllm serve`` beyond those every server gets, without the dashes; ``true`` for a mere
            flag, a mapping for JSON, null to leave out one that every server gets.
        program: what stands before the weights, as a shell has it or as a list of words.
    """

    weights: Annotated[str, Field(min_length=1)]
    gpus: Annotated[tuple[Gpus, ...], BeforeValidator(_tuple), Field(min_length=1)] = ("0",)
    options: dict[str, str | int | float | bool | dict[str, Any] | None] = Field(default={})
    program: Annotated[tuple[str, ...], BeforeValidator(_words), Field(min_length=1)] = ("vllm", "serve")


class ServedModel(RealModel):
    """A model behind an OpenAI-compatible server.

    Args:
        profile: what the server is; it decides how schema, thinking and priority are said.
        base_urls: addresses that end in ``/v1``; a customer's calls stay with one of them.
        model: the name the server serves it by.
        api_key_env: environment variable that holds the key; None sends none.
        connect_s: real seconds to wait for a connection.
        serve: how its servers are started; None where that is nothing of ours.
    """

    kind: Literal["openai"]
    profile: Literal["vllm", "llamacpp", "zai", "openai"] = "vllm"
    base_urls: Annotated[tuple[Url, ...], BeforeValidator(_tuple), Field(min_length=1)]
    model: Annotated[str, Field(min_length=1)]
    api_key_env: str | None = None
    connect_s: Annotated[float, Field(gt=0, le=3600)] = 5.0
    serve: Serving | None = None


class OllamaModel(RealModel):
    """A model of an Ollama server, asked through its own API; ``keep_alive`` as Ollama writes it."""

    kind: Literal["ollama"]
    base_urls: Annotated[tuple[Url, ...], BeforeValidator(_tuple), Field(min_length=1)]
    model: Annotated[str, Field(min_length=1)]
    keep_alive: str = "10m"
    connect_s: Annotated[float, Field(gt=0, le=3600)] = 5.0


class TransformersModel(RealModel):
    """A model in this process through transformers; ``model`` is a folder or a name already downloaded.

    Args:
        device: ``cpu``, ``cuda``, …; None takes a GPU where there is one.
        dtype: ``auto``, ``float32``, ``bfloat16`` or ``float16``.
        batch: calls answered together at most.
    """

    kind: Literal["transformers"]
    model: Annotated[str, Field(min_length=1)]
    device: str | None = None
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    batch: Count = 8


class LlamacppModel(RealModel):
    """A GGUF model in this process through xllamacpp.

    Args:
        model: a GGUF file, or ``smollm2`` for the packaged one.
        parallel: calls decoded together.
        threads: CPU threads; None takes all cores.
        gpu_layers: layers on the GPU.
    """

    kind: Literal["llamacpp"]
    model: Annotated[str, Field(min_length=1)] = "smollm2"
    parallel: Count = 4
    threads: Count | None = None
    gpu_layers: Annotated[int, Field(ge=0)] = 0


class ReplayModel(Section):
    """Nobody: every answer comes from the journal of the run that ``llm.journal`` names."""

    kind: Literal["replay"]


class OwnModel(Section):
    """A model of one's own: the dotted name of what makes it, called with ``name`` and the ``options``."""

    kind: Literal["own"]
    target: str = Field(alias="_target_")
    options: dict[str, Any] = Field(default={})


ModelSettings = Annotated[
    SurrogateModel
    | ScriptedModel
    | ReplayModel
    | OwnModel
    | ServedModel
    | OllamaModel
    | TransformersModel
    | LlamacppModel,
    Field(discriminator="kind"),
]


class RoleOptions(Section):
    """What one role has of its own; None takes the value of ``llm``."""

    temperature: Temperature | None = None
    max_tokens: Count | None = None
    deadline_s: Annotated[float, Field(gt=0, le=86_400)] | None = None


class Retries(Section):
    """How often a failed call is sent again, by what failed; timeouts and refusals never are.

    ``wait_s`` is the first wait, doubled each time and drawn between half and the whole of it; a server's
    ``Retry-After`` goes first. All retries lie within the one deadline of the call.
    """

    connection: Annotated[int, Field(ge=0, le=10)] = 1
    overload: Annotated[int, Field(ge=0, le=10)] = 3
    server_error: Annotated[int, Field(ge=0, le=10)] = 2
    wait_s: Annotated[float, Field(ge=0)] = 0.5


class Limits(Section):
    """Where a run stops by itself, cleanly, to be resumed or not; None is no limit."""

    max_calls: Count | None = None
    max_tokens: Count | None = None
    max_hours: Annotated[float, Field(gt=0, le=1e6)] | None = None


class LlmSettings(Section):
    """The models, which role each answers for, and the limits of a call.

    Args:
        roles: role to name in ``models``; ``default`` answers for all others.
        by_language: language to roles, for models that are better at one language.
        role_options: role to what it has of its own.
        latency_s: role to mean simulated seconds of a call, with a ``default``.
        deadline_s: real seconds after which an answer no longer counts.
        context_share: share of a model's window that a prompt may fill; the rest is for the answer.
        confidence_threshold: below this the agent asks back.
        journal: folder of the run to replay, for ``llm=replay``; its models, roles and limits hold.
    """

    name: str
    models: dict[str, ModelSettings]
    roles: dict[str, str]
    by_language: dict[str, dict[str, str]] = Field(default={})
    role_options: dict[str, RoleOptions] = Field(default={"compress": RoleOptions(temperature=0.0)})
    max_in_flight: Count = 64
    temperature: Temperature = 0.1
    max_tokens: Count = 1024
    deadline_s: Annotated[float, Field(gt=0, le=86_400)] = 30.0
    context_share: Annotated[float, Field(gt=0, lt=1)] = 0.7
    retries: Retries = Retries()
    limits: Limits = Limits()
    latency_s: dict[str, Seconds] = Field(default={"default": 2.0})
    confidence_threshold: Share = 0.5
    journal: str | None = None

    @property
    def in_use(self) -> list[str]:
        """Names of the models that some role goes to."""
        tables = (self.roles, *self.by_language.values())
        return sorted({name for table in tables for name in table.values()})

    @model_validator(mode="after")
    def _roles_are_answered(self) -> Self:
        for key, table in (("roles", self.roles), ("latency_s", self.latency_s)):
            if "default" not in table:
                raise ValueError(f"{key}.default is missing")
        tables = {"roles": self.roles} | {f"by_language.{code}": t for code, t in self.by_language.items()}
        for key, table in tables.items():
            for role, model in table.items():
                if model not in self.models:
                    raise ValueError(f"{key}.{role} names the model {model!r}, which is not among models")
        return self
