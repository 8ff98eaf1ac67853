"""``llm=replay``: the settings of models as the run had them whose journal answers now."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sim.config.llm import LlmSettings, ReplayModel, SurrogateModel
from sim.errors import ConfigError, RecordError
from sim.metrics.load import read_json


def journalled(llm: LlmSettings) -> LlmSettings:
    """The settings of the run that ``llm.journal`` names.

    Raises:
        ConfigError: it names no run, or one that kept no answers.
    """
    if llm.journal is None:
        raise ConfigError("llm.journal: name the folder of the run to replay, llm.journal=outputs/<date>/<time>")
    try:
        manifest = read_json(Path(llm.journal) / "manifest.json")
        old = LlmSettings.model_validate(_llm(manifest))
    except (RecordError, ValidationError, TypeError) as error:
        raise ConfigError(f"llm.journal: {llm.journal} is no run that can be replayed ({_line(error)})") from None
    if any(isinstance(model, ReplayModel) for model in old.models.values()):
        raise ConfigError(f"llm.journal: {llm.journal} is a replay itself; name the run it replays, {old.journal}")
    if all(isinstance(old.models[name], SurrogateModel) for name in in_use(old)):
        raise ConfigError(f"llm.journal: {llm.journal} asked the surrogate, which needs no journal: run it again")
    return old


def replaying(old: LlmSettings) -> LlmSettings:
    """The same settings with nobody to ask; the surrogate answers itself, as it did then."""
    models = {
        name: model if isinstance(model, SurrogateModel) else ReplayModel(kind="replay")
        for name, model in old.models.items()
    }
    return old.model_copy(update={"models": models})


def in_use(llm: LlmSettings) -> list[str]:
    """Names of the models that some role goes to."""
    return sorted({name for table in (llm.roles, *llm.by_language.values()) for name in table.values()})


def _llm(manifest: dict[str, Any]) -> Any:
    config = manifest.get("config")
    return config.get("llm") if isinstance(config, dict) else None


def _line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"its manifest says llm.{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}"
    return str(error)
