"""Composed configuration becomes checked settings, and everything is built once before a run begins."""

import re
import traceback
from typing import Any

from omegaconf import DictConfig, OmegaConf

from sim.config import Settings, validated
from sim.errors import ConfigError, SimError

# Which function of `sim.build` calls what which key names; the embedder is built inside the memory.
_BUILDERS = {
    "check_model": "embedder._target_",
    "embedder_of": "embedder._target_",
    "scenario_of": "scenario._target_",
    "memory_of": "memory._target_",
}
# Neither can be encoded for a file or its name.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def settings_of(cfg: DictConfig) -> Settings:
    """Our part of a composed configuration, checked.

    Raises:
        ConfigError: one line that names every key that cannot be used.
    """
    # a run must not depend on Hydra's own node, which jobs do not get to see
    own = OmegaConf.masked_copy(cfg, [str(key) for key in cfg if key != "hydra"])
    plain = OmegaConf.to_container(own, resolve=True, throw_on_missing=True)
    assert isinstance(plain, dict)
    check_text(plain)
    return validated({str(key): value for key, value in plain.items()})


def check_text(value: Any, key: str = "") -> None:
    """Refuses text that no file can hold, in values and in names of keys."""
    if isinstance(value, str) and _NO_TEXT.search(value):
        raise ConfigError(f"{key}: holds a character that cannot be written in UTF-8, {value!r}")
    parts = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    for name, part in parts:
        check_text(name, key or "configuration")
        check_text(part, f"{key}.{name}".removeprefix("."))


def check(cfg: DictConfig, where: str = "") -> Settings:
    """Settings that have proved to be buildable; ``where`` stands before what is wrong.

    Raises:
        ConfigError: they cannot be used.
    """
    try:
        settings = settings_of(cfg)
        if settings.resume is not None:
            raise ConfigError("resume: belongs on the command line, not into a file")
        _check_built(settings)
    except ConfigError as error:
        raise ConfigError(where + str(error)) from error
    return settings


def _check_built(settings: Settings) -> None:
    from sim.build import check

    try:
        check(settings)
    except SimError:
        raise
    except Exception as error:
        # what a `_target_` names may do anything
        called = {frame.name for frame in traceback.extract_tb(error.__traceback__)}
        key = next((key for name, key in _BUILDERS.items() if name in called), "configuration")
        raise ConfigError(f"{key}: cannot be built ({type(error).__name__}: {error})") from error
