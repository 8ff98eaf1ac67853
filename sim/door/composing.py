"""Hydra composes here, as an application that leaves nothing behind."""

import contextlib
import io
import warnings
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import hydra
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra._internal.hydra import Hydra
from hydra._internal.utils import get_args_parser
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.plugins import Plugins
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf, open_dict
from omegaconf.errors import OmegaConfBaseException

from sim.door.checking import check_text
from sim.door.words import plain
from sim.errors import ConfigError

# Without the first no run could be taken up again; with the second its relative paths would lead elsewhere.
_FIXED = {"hydra.output_subdir": ".hydra", "hydra.job.chdir": False}
# Launchers that are extras of ours, under the same name.
_LAUNCHERS = ("joblib", "submitit", "ray")


def conf_folder() -> Path:
    """The packaged configuration: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).parent.parent
    packaged = package / "conf"
    return packaged if packaged.is_dir() else package.parent / "conf"


def read_arguments(arguments: list[str]) -> Namespace:
    """The arguments as Hydra's own parser reads them, each checked for what no file can hold.

    Raises:
        ConfigError: an argument cannot be used.
    """
    for argument in arguments:
        check_text(argument, argument.partition("=")[0])
    parser = get_args_parser()
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            args = parser.parse_intermixed_args(arguments)
    except SystemExit as stop:
        if not stop.code:
            raise
        raise ConfigError(said.getvalue().strip().rpartition("error: ")[2]) from None
    args.config_name = args.config_name or "config"
    if args.experimental_rerun:
        raise ConfigError("--experimental-rerun: is not offered; noodle run resume=DIR takes up a run")
    if args.config_dir:
        if not Path(args.config_dir).is_dir():
            raise ConfigError(f"--config-dir: there is no folder {args.config_dir}")
        there = str(Path(args.config_dir).absolute()).replace("'", r"\'")
        args.overrides.append(f"hydra.searchpath=['file://{there}']")
    return args


@contextlib.contextmanager
def opened(args: Namespace) -> Iterator[Hydra]:
    """Hydra with our configuration, for a while; its errors become ours.

    Raises:
        ConfigError: one line, whatever Hydra made of it.
    """
    folder = Path(args.config_path or conf_folder()).absolute()
    before = HydraConfig.instance().cfg
    try:
        with (
            warnings.catch_warnings(),
            hydra.initialize_config_dir(str(folder), job_name="noodle", version_base="1.3"),
        ):
            # of a folder that is not there Hydra only warns
            warnings.filterwarnings("error", "provider=hydra.searchpath")
            application = GlobalHydra.instance().hydra
            assert application is not None
            for line in args.overrides:
                _check_override(application, line)
            yield application
    except (HydraException, OmegaConfBaseException, UserWarning) as error:
        raise ConfigError(plain(error)) from error
    finally:
        HydraConfig.instance().cfg = before


def _check_override(application: Hydra, line: str) -> None:
    """Refuses an override over which Hydra would stumble later, and not name it."""
    try:
        one = OverridesParser.create().parse_overrides([line])[0]
    except ValueError as error:
        raise ConfigError(f"{line[:60]}: cannot be read ({error})") from None
    key = one.key_or_group
    if not key:
        raise ConfigError(f"{line}: names no key; write key=value")
    if one.is_delete() or "." in key or not isinstance(one.value(), int | float | None):
        return
    if choices := application.config_loader.get_group_options(key):
        raise ConfigError(f"{line}: {key} is a group; give one of {', '.join(choices)}")


def combinations(application: Hydra, cfg: DictConfig) -> list[list[str]]:
    """What each arm of a sweep sets, as Hydra's own sweeper combines it.

    A value given on the command line takes the place of the one in ``hydra.sweeper.params``.
    """
    lines = [f"{key}={value}" for key, value in (cfg.hydra.sweeper.params or {}).items()]
    parser = OverridesParser.create(config_loader=application.config_loader)
    parsed = parser.parse_overrides([*lines, *cfg.hydra.overrides.task])
    return [list(arm) for arm in BasicSweeper.split_arguments(parsed, max_batch_size=None)[0]]


def compose_arm(application: Hydra, cfg: DictConfig, number: int, sets: list[str]) -> DictConfig:
    """The configuration of one arm of a sweep, which `HydraConfig` knows afterwards."""
    composed = application.config_loader.load_sweep_config(cfg, sets)
    with open_dict(composed):
        composed.hydra.job.num, composed.hydra.job.id = number, str(number)
    HydraConfig.instance().set_config(composed)
    return composed


def compose(application: Hydra, args: Namespace, mode: RunMode, *, sweeps: bool = True) -> DictConfig:
    """The composed configuration, which `HydraConfig` knows afterwards."""
    cfg = application.compose_config(
        args.config_name, args.overrides, run_mode=mode, validate_sweep_overrides=sweeps
    )
    # what `${hydra:...}` reads from
    HydraConfig.instance().set_config(cfg)
    return cfg


def check_hydra(cfg: DictConfig) -> None:
    """Refuses settings of Hydra's own with which a run would fail later, or could not be resumed."""
    for key, value in _FIXED.items():
        if OmegaConf.select(cfg, key) != value:
            raise ConfigError(f"{key}: must stay {value}, or the run could not be taken up again")
    for key in ("hydra.launcher._target_", "hydra.sweeper._target_"):
        if (target := OmegaConf.select(cfg, key)) not in Plugins.instance().class_name_to_class:
            raise ConfigError(f"{key}: there is no such plugin of Hydra, {target}{_extra_of(target)}")


def _extra_of(target: object) -> str:
    """What to install for one of the launchers that ``conf/hydra/launcher`` offers."""
    extra = next((name for name in _LAUNCHERS if f"hydra_{name}_launcher" in str(target)), None)
    return f"; install it: pip install 'noodle-shop[{extra}]'" if extra else ""


def folder_of(cfg: DictConfig, key: str) -> Path:
    """The path under a key of Hydra's own.

    Raises:
        ConfigError: the key is empty.
    """
    value = OmegaConf.select(cfg, key)
    if not value:
        raise ConfigError(f"{key}: is missing")
    return Path(str(value))
