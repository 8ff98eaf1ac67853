"""The settings of a run as checked, frozen objects; nothing below the door sees raw configuration.

A key that is not declared here is an error, and so is a value of the wrong type. The keys of a
scenario are declared by the scenario itself, as a pydantic model in its attribute ``Settings``.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from sim.errors import ConfigError

M = TypeVar("M", bound=BaseModel)

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(ge=0)]


def _pair(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _delay(value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value == "next_morning" or (number and value >= 0):
        return value
    raise ValueError("input should be seconds from 0 up, or next_morning")


class Section(BaseModel):
    """A group of settings: frozen, strictly typed, and closed to keys it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class ScenarioSettings(Section):
    """Which world is run; its keys besides ``_target_`` and ``name`` are the scenario's own.

    ``options`` holds them once `validated` has had the scenario's ``Settings`` check them.
    """

    model_config = ConfigDict(extra="allow")

    target: str = Field(alias="_target_")
    name: str
    _options: BaseModel | None = PrivateAttr(default=None)

    @property
    def options(self) -> Any:
        """The scenario's own keys as an instance of its ``Settings`` model."""
        if self._options is None:
            raise ConfigError("scenario: its keys were not checked; build the settings with validated()")
        return self._options


class MemorySettings(Section):
    """What an agent's memory does; every preset has every key and ignores those it has no use for.

    Args:
        window: exchanges of earlier visits kept raw, per customer.
        visible_after: simulated seconds until a record can be recalled, or ``next_morning``.
        squeeze_above: beyond so many records the oldest ``squeeze_count`` become one summary of at most
            ``squeeze_lines`` lines.
    """

    target: str = Field(alias="_target_")
    name: str
    top_k: Count = 3
    budget_tokens: Count = 1500
    scope: Literal["customer", "agent"] = "agent"
    visible_after: Annotated[float | Literal["next_morning"], BeforeValidator(_delay)] = 0.0
    sharing: Literal["private", "shared"] = "private"
    window: Count = 10
    squeeze_above: Count = 50
    squeeze_count: Annotated[int, Field(ge=2)] = 10
    squeeze_lines: Count = 12
    index: Literal["exact", "faiss"] = "faiss"

    @model_validator(mode="after")
    def _squeezes_what_is_there(self) -> Self:
        if self.squeeze_count > self.squeeze_above:
            raise ValueError(f"squeeze_count must not exceed squeeze_above, {self.squeeze_above}")
        return self


class Rates(Section):
    """How often the surrogate errs, as shares; see ``conf/llm/surrogate.yaml``."""

    missed_extraction: Share = 0.03
    ignored_context: Share = 0.02
    confabulation: Share = 0.01
    lost_in_compression: Share = 0.05
    malformed_json: Share = 0.01


class ModelSettings(Section):
    """One language model; ``delay_s`` is the range of real seconds a scripted call sleeps."""

    kind: Literal["surrogate", "scripted"]
    rates: Rates = Rates()
    delay_s: Annotated[tuple[Seconds, Seconds], BeforeValidator(_pair)] = (0.0, 0.0)

    @model_validator(mode="after")
    def _delays_make_sense(self) -> Self:
        low, high = self.delay_s
        if low > high:
            raise ValueError(f"delay_s runs from low to high, not from {low} to {high}")
        if high and self.kind != "scripted":
            raise ValueError("delay_s belongs to models of kind scripted")
        return self


class LlmSettings(Section):
    """The models, which role each answers for, and the limits of a call.

    Args:
        roles: role to name in ``models``; ``default`` answers for all others.
        latency_s: role to mean simulated seconds of a call, with a ``default``.
        deadline_s: real seconds after which an answer no longer counts.
        confidence_threshold: below this the agent asks back.
    """

    name: str
    models: dict[str, ModelSettings]
    roles: dict[str, str]
    max_in_flight: Count = 64
    temperature: Annotated[float, Field(ge=0)] = 0.1
    max_tokens: Count = 1024
    deadline_s: Annotated[float, Field(gt=0)] = 30.0
    latency_s: dict[str, Seconds] = {"default": 2.0}
    confidence_threshold: Share = 0.5

    @model_validator(mode="after")
    def _roles_are_answered(self) -> Self:
        for key, table in (("roles", self.roles), ("latency_s", self.latency_s)):
            if "default" not in table:
                raise ValueError(f"{key}.default is missing")
        for role, model in self.roles.items():
            if model not in self.models:
                raise ValueError(f"roles.{role} names the model {model!r}, which is not among models")
        return self


class EmbedderSettings(Section):
    """What turns text into vectors; ``cache`` None keeps no vectors on the disk."""

    target: str = Field(alias="_target_")
    name: str
    model: str | None = None
    device: str | None = None
    cache: str | None = None


class ProbeSettings(Section):
    """Examinations: how often, and over how many facts at most."""

    enabled: bool = True
    every_days: Count = 7
    sample: Count = 200


class LogSettings(Section):
    """How the event log is written."""

    rows_per_part: Count = 50_000


class Settings(Section):
    """Everything a run needs to know.

    Args:
        replications: runs of seeds ``seed`` to ``seed + replications - 1``.
        resume: folder of the run that is taken up again.
        max_failure_rate: share of failed model calls beyond which the run counts as degraded.
    """

    seed: Annotated[int, Field(ge=0)] = 0
    replications: Count = 1
    resume: str | None = None
    scenario: ScenarioSettings
    memory: MemorySettings
    llm: LlmSettings
    embedder: EmbedderSettings
    probes: ProbeSettings = ProbeSettings()
    max_failure_rate: Share = 0.05
    log: LogSettings = LogSettings()
    progress: bool = True
    plots: bool = True


def locate(target: str, key: str = "scenario._target_") -> Any:
    """The object with this dotted name, such as ``scenarios.noodle_shop.shop.NoodleShop``.

    Raises:
        ConfigError: it cannot be imported; the message names ``key``.
    """
    module_name, _, name = target.rpartition(".")
    try:
        module = import_module(module_name)
    except Exception as error:
        # whatever a user's own module does wrong while it is imported belongs to this key
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ConfigError(f"{key}: cannot import {target!r} ({what})") from error
    if not hasattr(module, name):
        raise ConfigError(f"{key}: the module {module_name} has no {name!r}")
    return getattr(module, name)


def validated(raw: Mapping[str, Any]) -> Settings:
    """Checks plain configuration, the scenario's own keys included.

    Raises:
        ConfigError: one line that names every key that cannot be used.
    """
    settings = _checked(Settings, raw, "")
    scenario = settings.scenario
    model = getattr(locate(scenario.target), "Settings", None)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise ConfigError(f"scenario._target_: {scenario.target} has no pydantic model named Settings")
    checked = scenario.model_copy()
    checked._options = _checked(model, scenario.model_extra or {}, "scenario.")
    return settings.model_copy(update={"scenario": checked})


def _checked(model: type[M], raw: Mapping[str, Any], prefix: str) -> M:
    try:
        return model.model_validate(dict(raw))
    except ValidationError as error:
        lines = [_complaint(dict(detail), prefix) for detail in error.errors(include_url=False)]
        raise ConfigError("; ".join(dict.fromkeys(lines))) from None


def _complaint(detail: Mapping[str, Any], prefix: str) -> str:
    key = (prefix + ".".join(map(str, detail["loc"]))).rstrip(".") or "configuration"
    if detail["type"] == "extra_forbidden":
        return f"{key}: there is no such key"
    if detail["type"] == "missing":
        return f"{key}: is missing"
    message = detail["msg"].removeprefix("Value error, ")
    message = " ".join((message[:1].lower() + message[1:]).split())
    given = detail["input"]
    if isinstance(given, BaseModel | Mapping):
        return f"{key}: {message}"
    return f"{key}: {message}, not {given!r:.60}"
