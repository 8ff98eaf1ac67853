"""The settings of a run as checked, frozen objects; nothing below the door sees raw configuration.

A key that is not declared here is an error, and so is a value of the wrong type. The keys of a
scenario are declared by the scenario itself, as a pydantic model in its attribute ``Settings``.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from sim.config.llm import LlmSettings
from sim.config.memory import MemorySettings
from sim.config.section import Count, Section, Share
from sim.errors import ConfigError

M = TypeVar("M", bound=BaseModel)


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

    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    replications: Annotated[int, Field(ge=1, le=100_000)] = 1
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
    key = (prefix + ".".join(map(str, _place(detail["loc"])))).rstrip(".") or "configuration"
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


def _place(loc: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Where a key lies, without the name of the kind that pydantic puts behind that of a model."""
    return (*loc[:3], *loc[4:]) if loc[:2] == ("llm", "models") else loc
