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
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import hydra
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra._internal.hydra import Hydra
from hydra._internal.utils import get_args_parser
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException, MissingConfigException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from sim.config import Settings, validated
from sim.errors import ConfigError, SimError
from sim.place import check_free, check_run, check_writable

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


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
    with _application(_parsed(list(overrides))) as application:
        return _settings(application.compose_config("config", list(overrides), run_mode=RunMode.RUN))


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
    if args.hydra_help or args.info or args.shell_completion or args.experimental_rerun:
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
    if args.config_dir:
        args.overrides.append(f"hydra.searchpath=['file://{Path(args.config_dir).absolute()}']")
    return args


@contextlib.contextmanager
def _application(args: Namespace) -> Iterator[Hydra]:
    folder = Path(args.config_path or conf_folder()).absolute()
    before = HydraConfig.instance().cfg
    try:
        with hydra.initialize_config_dir(str(folder), job_name="noodle", version_base="1.3"):
            application = GlobalHydra.instance().hydra
            assert application is not None
            yield application
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(_plain(error)) from error
    finally:
        HydraConfig.instance().cfg = before


def _hydra_itself(arguments: list[str]) -> int:
    sys.argv = ["noodle run", *arguments]
    hydra.main(version_base="1.3", config_path=str(conf_folder()), config_name="config")(job)()
    return DONE


def _show_config(application: Hydra, args: Namespace) -> int:
    application.show_cfg(
        config_name=args.config_name,
        overrides=args.overrides,
        cfg_type=args.cfg,
        package=args.package,
        resolve=args.resolve,
    )
    return DONE


def _run(application: Hydra, args: Namespace) -> int:
    cfg = _composed(application, args, RunMode.RUN)
    _check(cfg)
    check_free(_folder(cfg, "hydra.run.dir"), "hydra.run.dir")
    done = application.run(args.config_name, job, [*args.overrides, "hydra.mode=RUN"])
    return int(done.return_value)


def _sweep(application: Hydra, args: Namespace) -> int:
    cfg = _composed(application, args, RunMode.MULTIRUN)
    for arm in _arms(application, cfg):
        _check(arm, where=f"arm {' '.join(arm.hydra.overrides.task)}: ")
    folder = _folder(cfg, "hydra.sweep.dir")
    check_free(folder, "hydra.sweep.dir")
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
    for arm in BasicSweeper.split_arguments(parsed, max_batch_size=None)[0]:
        yield loader.load_sweep_config(cfg, list(arm))


def _mode(application: Hydra, args: Namespace) -> RunMode | None:
    mode: RunMode | None = _composed(application, args, RunMode.MULTIRUN, sweeps=False).hydra.mode
    return mode


def _composed(application: Hydra, args: Namespace, mode: RunMode, *, sweeps: bool = True) -> DictConfig:
    cfg = application.compose_config(
        config_name=args.config_name,
        overrides=args.overrides,
        run_mode=mode,
        validate_sweep_overrides=sweeps,
    )
    # what `${hydra:...}` reads from
    HydraConfig.instance().set_config(cfg)
    return cfg


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
    return validated({str(key): value for key, value in plain.items()})


def _check(cfg: DictConfig, where: str = "") -> Settings:
    from sim.build import check

    try:
        settings = _settings(cfg)
        if settings.resume is not None:
            raise ConfigError("resume: belongs on the command line, not into a file")
        check(settings)
    except ConfigError as error:
        raise ConfigError(where + str(error)) from error
    return settings


def _resume(given: Sequence[Override], args: Namespace) -> int:
    if args.multirun:
        raise ConfigError("resume: takes up one run, not a sweep; leave out -m")
    folder = next(Path(str(one.value())) for one in given if one.key_or_group == "resume").absolute()
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
    text = " ".join(f"{error} {error.__cause__ or ''}".split())
    if isinstance(error, MissingConfigException) and error.options:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        return f"{group}: there is no {name!r}, only {', '.join(error.options)}"
    if unknown := re.search(r"Could not override '([^']+)'", text):
        return f"{unknown[1]}: there is no such key or group; noodle run --cfg job shows all"
    where = re.search(r"full_key: (\S+)", text)
    text = re.sub(r"\s*(See https?://\S+.*|full_key: .*)$", "", text)
    return f"{where[1]}: {text}" if where else text


def _complain(line: str) -> None:
    if os.environ.get("HYDRA_FULL_ERROR") == "1" and sys.exc_info()[0]:
        traceback.print_exc()
    print("noodle: " + " ".join(line.split()), file=sys.stderr, flush=True)
