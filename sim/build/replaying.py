"""``llm=replay``: the settings of models as the run had them whose journal answers now."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sim.config.llm import LlmSettings
from sim.errors import ConfigError, RecordError
from sim.journal import first_difference
from sim.llm.thinking import Label
from sim.metrics.load import read_json

_RECOMPUTED = "surrogate"
_SAME = ("scenario", "memory", "inputs")


@dataclass(frozen=True, kw_only=True, slots=True)
class Journalled:
    """A run whose answers are kept.

    Args:
        folder: of the run.
        llm: its settings, with nobody in place of the models that were asked.
        labels: what those models are called in the records.
    """

    folder: Path
    llm: LlmSettings
    labels: dict[str, Label]


def journalled(folder: str | None) -> Journalled:
    """What stands in the manifest of the run that ``llm.journal`` names.

    Raises:
        ConfigError: it names no run, or one that kept no answers.
    """
    if folder is None:
        raise ConfigError("llm.journal: name the folder of the run to replay")
    try:
        raw = read_json(Path(folder) / "manifest.json")["config"]["llm"]
        models: dict[str, dict[str, Any]] = raw["models"]
        kinds = {name: model["kind"] for name, model in models.items()}
        nobody = {name: models[name] if kinds[name] == _RECOMPUTED else {"kind": "replay"} for name in models}
        llm = LlmSettings.model_validate({**raw, "models": nobody})
    except (RecordError, ValidationError, TypeError, KeyError, AttributeError) as error:
        raise ConfigError(f"llm.journal: {folder} is no run to be replayed ({_line(error)})") from None
    asked = {kinds[name] for name in llm.in_use} - {_RECOMPUTED}
    if "replay" in asked:
        raise ConfigError(f"llm.journal: {folder} is a replay itself; name the run it replays, {llm.journal}")
    if not asked:
        raise ConfigError(f"llm.journal: {folder} asked nobody but the surrogate: run it again, it is free")
    labels = {name: label(name, model) for name, model in models.items()}
    return Journalled(folder=Path(folder), llm=llm, labels=labels)


def check_same(run: Path, config: Mapping[str, Any], seeds: range) -> None:
    """Sees to it that a journal answers the world and the memory it was asked by.

    Raises:
        ConfigError: one line that names the first setting that differs.
    """
    manifest = read_json(run / "manifest.json")
    old, first = manifest["config"], manifest.get("seed", 0)
    was = {name: old.get(name) for name in _SAME}
    now = json.loads(json.dumps({name: config.get(name) for name in _SAME}))
    if was != now:
        what = first_difference(was, now)
        raise ConfigError(f"llm.journal: {run} answers another configuration: {what}")
    if outside := [seed for seed in seeds if seed not in range(first, first + old.get("replications", 1))]:
        raise ConfigError(
            f"llm.journal: {run} holds no answers for seed={outside[0]}, it began with seed={first}"
        )


def label(name: str, model: Mapping[str, Any]) -> Label:
    """The kind of server or library, by its usual name, and the model's name there; out of its settings."""
    return Label(provider=str(model.get("profile", model["kind"])), model=str(model.get("model", name)))


def _line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"its manifest says llm.{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}"
    if isinstance(error, RecordError):
        return str(error)
    return "its manifest holds no settings of models"
