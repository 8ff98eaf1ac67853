"""A run taken up again: from the configuration in its own folder, and from no other."""

import re
from collections.abc import Sequence
from pathlib import Path

from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf

from sim.config import Settings
from sim.door.checking import check, settings_of
from sim.errors import ConfigError
from sim.place import check_run, check_writable

# What decides neither what is asked nor what is answered: a resumed run may have more time, other servers.
_MAY_CHANGE = re.compile(r"llm\.(limits\.\w+|max_in_flight|models\.[^.]+\.base_urls)|progress|plots")


def settings_in(folder: Path) -> Settings:
    """The settings a run began with, from its folder.

    Raises:
        ConfigError: it is no run's folder.
    """
    check_run(folder, "RUN")
    return settings_of(_loaded(folder / ".hydra" / "config.yaml"))


def taken_up(given: Sequence[Override]) -> tuple[Settings, Path]:
    """The settings and the folder of the run that ``resume=`` names.

    Raises:
        ConfigError: there is no such run, or an override says something else than it began with and
            would change what comes out.
    """
    named = next(one for one in given if one.key_or_group == "resume")
    if named.is_sweep_override() or isinstance(named.value(), list | dict):
        raise ConfigError(f"{named.input_line}: takes up one run; name one folder")
    folder = Path(str(named.value())).absolute()
    check_run(folder)
    check_writable(folder, "resume")
    old = _loaded(folder / ".hydra" / "config.yaml")
    for override in given:
        key = override.key_or_group
        if _MAY_CHANGE.fullmatch(key) and not override.is_delete() and not override.is_sweep_override():
            OmegaConf.update(old, key, override.value())
        elif key != "resume" and not _agrees(override, old, folder):
            raise ConfigError(f"resume: that run goes on as it began; leave out {override.input_line}")
    return check(old), folder


def _agrees(override: Override, old: DictConfig, folder: Path) -> bool:
    record = folder / ".hydra" / "hydra.yaml"
    choices = OmegaConf.select(_loaded(record), "hydra.runtime.choices") if record.is_file() else None
    key = override.key_or_group
    had = (choices or {}).get(key, OmegaConf.select(old, key))
    return had is not None and not override.is_delete() and bool(had == override.value())


def _loaded(path: Path) -> DictConfig:
    try:
        cfg = OmegaConf.load(path)
    except Exception as error:
        # a torn or foreign file fails in the file system, the decoder or the YAML parser
        raise ConfigError(f"resume: cannot read {path} ({str(error).splitlines()[0]})") from None
    if not isinstance(cfg, DictConfig) or not cfg:
        raise ConfigError(f"resume: {path} holds no configuration")
    return cfg
