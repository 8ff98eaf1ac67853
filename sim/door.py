"""The door: the one file that knows Hydra. It composes, checks, and only then lets a run begin.

Hydra by itself makes the output folder first and exits with 1 on bad input; here everything is
composed and checked before, so that bad input costs one line, leaves nothing behind and exits
with 2. Hydra's own ``run`` and ``multirun`` then compose again and carry out `job`.
"""

import contextlib
import io
import os
import re
import sys
import traceback
import warnings
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import hydra
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra._internal.hydra import Hydra
from hydra._internal.utils import get_args_parser
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.core.plugins import Plugins
from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf, open_dict
from omegaconf.errors import OmegaConfBaseException

from sim.config import Settings, validated
from sim.errors import ConfigError, SimError
from sim.place import check_free, check_run, check_writable

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
# Without the first no run could be taken up again; with the second its relative paths would lead elsewhere.
_FIXED = {"hydra.output_subdir": ".hydra", "hydra.job.chdir": False}
# Which function of `sim.build` calls what which key names; the embedder is built inside the memory.
_BUILDERS = {
    "_check_model": "embedder._target_",
    "embedder_of": "embedder._target_",
    "scenario_of": "scenario._target_",
    "memory_of": "memory._target_",
}
# Neither can be encoded for a file or its name.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``noodle run`` with these arguments.

    Returns:
        0 done; 1 the run failed or is degraded; 2 bad input; 130 interrupted.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _dispatch(arguments)
    except SimError as error:
        _complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED


def conf_folder() -> Path:
    """The packaged configuration: beside this file in a wheel, above it in a checkout."""
    packaged = Path(__file__).parent / "conf"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "conf"


def configured(*overrides: str) -> Settings:
    """The settings that ``noodle run`` would use with these overrides, for notebooks and scripts.

    Raises:
        ConfigError: as on the command line.
    """
    args = _parsed(list(overrides))
    with _application(args) as application:
        return _settings(_composed(application, args, RunMode.RUN))


def job(cfg: DictConfig) -> int:
    """One run as Hydra calls it, alone or as an arm of a sweep; returns its exit code."""
    here = HydraConfig.get()
    if here.mode == RunMode.MULTIRUN:
        print(f"arm {here.job.num}: {' '.join(here.overrides.task)}", flush=True)
    try:
        settings = _settings(cfg)
    except SimError as error:
        _complain(str(error))
        return BAD_INPUT
    return _carry_out(settings, Path(here.runtime.output_dir), resume=False)


def _carry_out(settings: Settings, folder: Path, *, resume: bool) -> int:
    from sim.build import execute

    try:
        result = execute(settings, folder, resume)
        print(result.text, flush=True)
        if result.exit_code == INTERRUPTED:
            raise KeyboardInterrupt
        return int(result.exit_code)
    except KeyboardInterrupt:
        # passed on, so that the rest of a sweep does not begin
        _complain(f"interrupted; to go on: noodle run resume={folder}")
        raise
    except SimError as error:
        _complain(str(error))
        return BAD_INPUT if isinstance(error, ConfigError) else FAILED
    except Exception as error:
        _complain(f"{type(error).__name__}: {error}; its traceback is in {folder / 'status.json'}")
        return FAILED


def _dispatch(arguments: list[str]) -> int:
    args = _parsed(arguments)
    if args.hydra_help or args.info or args.shell_completion:
        return _hydra_itself(arguments)
    with _application(args) as application:
        if args.cfg:
            return _show_config(application, args)
        given = OverridesParser.create().parse_overrides(args.overrides)
        if any(override.key_or_group == "resume" and override.value() for override in given):
            return _resume(given, args)
        if args.multirun or _mode(application, args) == RunMode.MULTIRUN:
            return _sweep(application, args)
        return _run(application, args)


def _parsed(arguments: list[str]) -> Namespace:
    for argument in arguments:
        _check_text(argument, argument.partition("=")[0])
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
def _application(args: Namespace) -> Iterator[Hydra]:
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
        raise ConfigError(_plain(error)) from error
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


def _hydra_itself(arguments: list[str]) -> int:
    sys.argv = ["noodle run", *arguments]
    hydra.main(version_base="1.3", config_path=str(conf_folder()), config_name="config")(job)()
    return DONE


def _show_config(application: Hydra, args: Namespace) -> int:
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            application.show_cfg(args.config_name, args.overrides, args.cfg, args.package, args.resolve)
    except SystemExit:
        raise ConfigError(f"--package: there is no {args.package!r} in the configuration") from None
    return DONE


def _run(application: Hydra, args: Namespace) -> int:
    cfg = _composed(application, args, RunMode.RUN)
    _check_hydra(cfg)
    _check(cfg)
    check_free(_folder(cfg, "hydra.run.dir"), "hydra.run.dir")
    done = application.run(args.config_name, job, [*args.overrides, "hydra.mode=RUN"])
    return int(done.return_value)


def _sweep(application: Hydra, args: Namespace) -> int:
    cfg = _composed(application, args, RunMode.MULTIRUN)
    _check_hydra(cfg)
    folders: set[Path] = set()
    for arm in _arms(application, cfg):
        _check(arm, where=f"arm {' '.join(arm.hydra.overrides.task)}: ")
        folder = _folder(arm, "hydra.sweep.subdir")
        if folder in folders:
            raise ConfigError(f"hydra.sweep.subdir: two arms would go to {folder}; put ${{hydra.job.num}} in")
        folders.add(folder)
    check_free(_folder(cfg, "hydra.sweep.dir"), "hydra.sweep.dir")
    batches = application.multirun(args.config_name, job, [*args.overrides, "hydra.mode=MULTIRUN"])
    # sweepers other than Hydra's own return nothing; their arms say how they ended in status.json
    codes = [int(done.return_value) for batch in batches or [] for done in batch]
    bad = [str(number) for number, code in enumerate(codes) if code]
    print(f"{len(codes)} arms" + (f", failed or degraded: {', '.join(bad)}" if bad else ""), flush=True)
    return FAILED if bad else DONE


def _arms(application: Hydra, cfg: DictConfig) -> Iterator[DictConfig]:
    sweeper = cfg.hydra.sweeper
    if not sweeper._target_.endswith(".BasicSweeper"):
        return
    lines = [f"{key}={value}" for key, value in (sweeper.params or {}).items()]
    loader = application.config_loader
    parsed = OverridesParser.create(config_loader=loader).parse_overrides([*lines, *cfg.hydra.overrides.task])
    for number, arm in enumerate(BasicSweeper.split_arguments(parsed, max_batch_size=None)[0]):
        composed = loader.load_sweep_config(cfg, list(arm))
        with open_dict(composed):
            composed.hydra.job.num, composed.hydra.job.id = number, str(number)
        HydraConfig.instance().set_config(composed)
        yield composed


def _mode(application: Hydra, args: Namespace) -> RunMode | None:
    mode: RunMode | None = _composed(application, args, RunMode.MULTIRUN, sweeps=False).hydra.mode
    return mode


def _composed(application: Hydra, args: Namespace, mode: RunMode, *, sweeps: bool = True) -> DictConfig:
    cfg = application.compose_config(
        args.config_name, args.overrides, run_mode=mode, validate_sweep_overrides=sweeps
    )
    # what `${hydra:...}` reads from
    HydraConfig.instance().set_config(cfg)
    return cfg


def _check_hydra(cfg: DictConfig) -> None:
    """Refuses settings of Hydra's own with which a run would fail later, or could not be resumed."""
    for key, value in _FIXED.items():
        if OmegaConf.select(cfg, key) != value:
            raise ConfigError(f"{key}: must stay {value}, or the run could not be taken up again")
    for key in ("hydra.launcher._target_", "hydra.sweeper._target_"):
        if (target := OmegaConf.select(cfg, key)) not in Plugins.instance().class_name_to_class:
            raise ConfigError(f"{key}: there is no such plugin of Hydra, {target}")


def _folder(cfg: DictConfig, key: str) -> Path:
    value = OmegaConf.select(cfg, key)
    if not value:
        raise ConfigError(f"{key}: is missing")
    return Path(str(value))


def _settings(cfg: DictConfig) -> Settings:
    # a run must not depend on Hydra's own node, which jobs do not get to see
    own = OmegaConf.masked_copy(cfg, [str(key) for key in cfg if key != "hydra"])
    plain = OmegaConf.to_container(own, resolve=True, throw_on_missing=True)
    assert isinstance(plain, dict)
    _check_text(plain)
    return validated({str(key): value for key, value in plain.items()})


def _check_text(value: Any, key: str = "") -> None:
    """Refuses text that no file can hold, in values and in names of keys."""
    if isinstance(value, str) and _NO_TEXT.search(value):
        raise ConfigError(f"{key}: holds a character that cannot be written in UTF-8, {value!r}")
    parts = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    for name, part in parts:
        _check_text(name, key or "configuration")
        _check_text(part, f"{key}.{name}".removeprefix("."))


def _check(cfg: DictConfig, where: str = "") -> Settings:
    try:
        settings = _settings(cfg)
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


def _resume(given: Sequence[Override], args: Namespace) -> int:
    if args.multirun:
        raise ConfigError("resume: takes up one run, not a sweep; leave out -m")
    named = next(one for one in given if one.key_or_group == "resume")
    if named.is_sweep_override() or isinstance(named.value(), list | dict):
        raise ConfigError(f"{named.input_line}: takes up one run; name one folder")
    folder = Path(str(named.value())).absolute()
    check_run(folder)
    check_writable(folder, "resume")
    old = _loaded(folder / ".hydra" / "config.yaml")
    for override in given:
        if override.key_or_group != "resume" and not _agrees(override, old, folder):
            raise ConfigError(f"resume: that run goes on as it began; leave out {override.input_line}")
    return _carry_out(_check(old), folder, resume=True)


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


def _plain(error: Exception) -> str:
    if isinstance(error, OverrideParseException):
        return _misread(error)
    text = " ".join(f"{error} {error.__cause__ or ''}".split())
    if isinstance(error, MissingConfigException) and error.options:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        return f"{group}: there is no {name!r}, only {', '.join(error.options)}"
    if unknown := re.search(r"Could not override '([^']+)'", text):
        return f"{unknown[1]}: there is no such key or group; noodle run --cfg job shows all"
    if absent := re.search(r"path=(.*) is not available", text):
        return f"hydra.searchpath: there is no folder {absent[1]}"
    where = re.search(r"full_key: (\S+)", text)
    text = re.sub(r"\s*(See https?://\S+.*|full_key: .*)$", "", text)
    return f"{where[1]}: {text}" if where else text


def _misread(error: OverrideParseException) -> str:
    key, _, value = error.override.partition("=")
    if value and "LexerNoViableAltException" in str(error):
        return f"{error.override}: put the value in quotes, and all in others: \"{key}='{value}'\""
    reason = str(error).splitlines()[-2 if "See http" in str(error) else -1]
    return f"{error.override or 'an empty argument'}: is not like key=value ({reason})"


def _complain(line: str) -> None:
    if os.environ.get("HYDRA_FULL_ERROR") == "1" and sys.exc_info()[0]:
        traceback.print_exc()
    print("noodle: " + " ".join(line.split()), file=sys.stderr, flush=True)
