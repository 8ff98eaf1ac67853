"""The door opens: alone, as a sweep, or where a run stopped; Hydra carries out `job`."""

import contextlib
import io
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import hydra
from hydra._internal.hydra import Hydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.types import RunMode
from omegaconf import DictConfig

from sim.config import Settings
from sim.door.checking import check, settings_of
from sim.door.composing import check_hydra, compose, conf_folder, folder_of, opened, read_arguments
from sim.door.resuming import taken_up
from sim.door.sweeping import failure_noted, swept
from sim.door.words import complain
from sim.errors import ConfigError, LimitReached, SimError
from sim.place import check_free, has_begun

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
        complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED


def configured(*overrides: str) -> Settings:
    """The settings that ``noodle run`` would use with these overrides, for notebooks and scripts.

    Raises:
        ConfigError: as on the command line.
    """
    args = read_arguments(list(overrides))
    with opened(args) as application:
        return settings_of(compose(application, args, RunMode.RUN))


def job(cfg: DictConfig) -> int:
    """One run as Hydra calls it, alone or as an arm of a sweep; returns its exit code."""
    here = HydraConfig.get()
    folder = Path(here.runtime.output_dir)
    try:
        settings = settings_of(cfg)
    except SimError as error:
        complain(str(error))
        return BAD_INPUT
    if here.mode != RunMode.MULTIRUN:
        return _carry_out(settings, folder, resume=False)
    print(f"arm {' '.join(here.overrides.task)}", flush=True)
    again = f"the same command with hydra.sweep.dir={here.sweep.dir}"
    # what was killed or failed goes on where it was
    return _carry_out(settings, folder, resume=has_begun(folder), again=again)


def _carry_out(settings: Settings, folder: Path, *, resume: bool, again: str | None = None) -> int:
    """Runs, and says how it ended; ``again`` is how an arm of a sweep goes on."""
    from sim.build import execute

    more = again or f"noodle run resume={folder}"
    try:
        with failure_noted(folder) if again else contextlib.nullcontext():
            result = execute(settings, folder, resume)
        print(result.text, flush=True)
        if result.exit_code == INTERRUPTED:
            raise KeyboardInterrupt
        return int(result.exit_code)
    except KeyboardInterrupt:
        # passed on, so that the rest of a sweep does not begin
        complain(f"interrupted; to go on: {more}")
        raise
    except LimitReached as error:
        key = str(error).partition("=")[0]
        complain(f"stopped at {error}; to go on: {more} {'and ' if again else ''}{key}=MORE")
        return INTERRUPTED
    except SimError as error:
        complain(str(error))
        return BAD_INPUT if isinstance(error, ConfigError) else FAILED
    except Exception as error:
        complain(f"{type(error).__name__}: {error}; its traceback is in {folder / 'status.json'}")
        return FAILED


def _dispatch(arguments: list[str]) -> int:
    args = read_arguments(arguments)
    if args.hydra_help or args.info or args.shell_completion:
        return _hydra_itself(arguments)
    with opened(args) as application:
        if args.cfg:
            return _show_config(application, args)
        given = OverridesParser.create().parse_overrides(args.overrides)
        if any(override.key_or_group == "resume" and override.value() for override in given):
            return _resume(given, args)
        if args.multirun or _mode(application, args) == RunMode.MULTIRUN:
            return DONE if swept(application, args, job) else FAILED
        return _run(application, args)


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
    cfg = compose(application, args, RunMode.RUN)
    check_hydra(cfg)
    check(cfg)
    check_free(folder_of(cfg, "hydra.run.dir"), "hydra.run.dir")
    done = application.run(args.config_name, job, [*args.overrides, "hydra.mode=RUN"])
    return int(done.return_value)


def _mode(application: Hydra, args: Namespace) -> RunMode | None:
    mode: RunMode | None = compose(application, args, RunMode.MULTIRUN, sweeps=False).hydra.mode
    return mode


def _resume(given: Sequence[Override], args: Namespace) -> int:
    if args.multirun:
        raise ConfigError("resume: takes up one run, not a sweep; leave out -m")
    settings, folder = taken_up(given)
    return _carry_out(settings, folder, resume=True)
