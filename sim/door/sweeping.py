"""A sweep: every combination of values is an arm with a folder of its own, and what is done stays done.

Hydra has no resume: its sweeper would begin every arm anew. So the arms are made here, those that are
completed are left out, and Hydra's launcher gets the rest; how each ended is read from its ``status.json``.
"""

import re
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from hydra._internal.callbacks import Callbacks
from hydra._internal.hydra import Hydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.plugins import Plugins
from hydra.types import HydraContext, RunMode, TaskFunction
from omegaconf import DictConfig, OmegaConf

from sim.config import Settings
from sim.door.checking import check, settings_of
from sim.door.composing import check_hydra, combinations, compose, compose_arm, folder_of
from sim.door.words import complain
from sim.errors import ConfigError, LimitReached, RecordError
from sim.folder import Status, check_same
from sim.metrics.load import read_json
from sim.place import check_free, check_writable, has_begun, locked
from sim.records import canonical

_ENDED = ("completed", "degraded")
_KEY = "hydra.sweep.dir"
# Hydra writes it into the folder of each sweep.
_MARK = "multirun.yaml"
_BY_SETTINGS = "{values}_{digest}"
_NAME_LENGTH = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class Arm:
    """One combination of values.

    Args:
        name: what sets it apart, as on the command line.
        sets: everything it sets, as Hydra's launchers take it.
        folder: where its run lies, or will lie.
    """

    name: str
    sets: tuple[str, ...]
    folder: Path

    @property
    def state(self) -> str:
        """What its ``status.json`` says; ``missing`` where it has none."""
        return str(self._status.get("state", "missing"))

    @property
    def is_done(self) -> bool:
        """Whether it needs no more work."""
        return self.state in _ENDED and (self.folder / "summary.json").is_file()

    @property
    def ending(self) -> str:
        """Why it is not completed, and where to read more."""
        why = " ".join(str(self._status.get("error", "")).split())[:200]
        if "traceback" in self._status:
            why += f"; its traceback is in {self.folder / 'status.json'}"
        elif self.state == "running":
            why = "another process is at it, or it was killed"
        return f"{self.state:<11}{self.name}" + (f": {why}" if why else "")

    @property
    def _status(self) -> dict[str, object]:
        try:
            return read_json(self.folder / "status.json")
        except RecordError:
            return {}


def swept(application: Hydra, args: Namespace, job: TaskFunction) -> bool:
    """Carries out the arms that are not done yet; whether all have completed then.

    Raises:
        ConfigError: an arm cannot be run, or the folder holds something else; no arm has begun.
    """
    args.overrides.append("hydra.mode=MULTIRUN")
    cfg = compose(application, args, RunMode.MULTIRUN)
    check_hydra(cfg)
    if not cfg.hydra.sweeper._target_.endswith(".BasicSweeper"):
        return _swept_by_another(application, args, cfg, job)
    # first, so that all arms read the same clock in it
    folder = folder_of(cfg, _KEY)
    all_arms = _checked_arms(application, cfg)
    _check_place(folder)
    left = [arm for arm in all_arms if not arm.is_done]
    done = f", {len(all_arms) - len(left)} of them done before" if len(left) < len(all_arms) else ""
    print(f"sweep of {len(all_arms)} arms{done}, in {folder}", flush=True)
    if left:
        _launch(application, args, cfg, left, job)
    return _told(all_arms, folder, ran=bool(left))


def _checked_arms(application: Hydra, cfg: DictConfig) -> list[Arm]:
    every = combinations(application, cfg)
    common = set(every[0]).intersection(*every[1:])
    swept_keys = tuple(f"{key}=" for key in cfg.hydra.sweeper.params or {})
    found: dict[str, Arm] = {}
    for number, sets in enumerate(every):
        # what an experiment sweeps tells arms apart also where the command line picks one value
        own = [one for one in sets if one not in common or one.startswith(swept_keys)]
        key, arm = _checked_arm(application, cfg, number, sets, own)
        if key in found:
            both = f"{found[key].name}; {arm.name}"
            raise ConfigError(f"hydra.sweep.subdir: two arms would go to {arm.folder.name}: {both}")
        found[key] = arm
    return list(found.values())


def _checked_arm(
    application: Hydra, cfg: DictConfig, number: int, sets: list[str], own: Sequence[str]
) -> tuple[str, Arm]:
    """An arm that can be run, or lies there already with just these settings; and what no other may share."""
    composed = compose_arm(application, cfg, number, sets)
    try:
        settings = settings_of(composed)
        key, folder = _place_of(composed, settings, own)
        if _can_go_on(folder):
            from sim.build import plan_of

            check_same(folder, plan_of(settings, None, resume=False).config, settings.seed)
        else:
            check(composed)
    except ConfigError as error:
        raise ConfigError(f"arm {' '.join(sets)}: {error}") from error
    return key, Arm(name=" ".join(own or sets), sets=tuple(sets), folder=folder)


def _place_of(composed: DictConfig, settings: Settings, own: Sequence[str]) -> tuple[str, Path]:
    """Where an arm goes: by default to a name that ends in a digest of its settings."""
    from sim.build import config_of

    sweep, template = folder_of(composed, _KEY), str(folder_of(composed, "hydra.sweep.subdir"))
    digest = sha256(canonical(config_of(settings)).encode()).hexdigest()[:8]
    place = sweep / _filled(template, _readable(own), digest)
    if template != _BY_SETTINGS:
        return str(place), place
    # another command may have called the same arm otherwise
    known = sorted(sweep.glob(_filled(template, "*", digest)))
    return digest, known[0] if known else place


def _filled(template: str, values: str, digest: str) -> str:
    return template.replace("{values}", values).replace("{digest}", digest)


def _readable(own: Sequence[str]) -> str:
    """The values of an arm as a name that needs no quotes: ``memory-flat_seed-0``."""
    pairs = (one.lstrip("+~").partition("=") for one in own)
    words = (f"{key.rpartition('.')[2]}-{value}" for key, _, value in pairs)
    return re.sub(r"[^A-Za-z0-9._-]+", "-", "_".join(words))[:_NAME_LENGTH].strip("-._") or "arm"


def _can_go_on(folder: Path) -> bool:
    """Whether a run in this folder has begun and says how."""
    with suppress(RecordError):
        return isinstance(read_json(folder / "manifest.json").get("config"), dict)
    return False


def _check_place(folder: Path) -> None:
    if (folder / _MARK).is_file():
        check_writable(folder, _KEY)
    else:
        check_free(folder, _KEY)


def _launch(
    application: Hydra, args: Namespace, cfg: DictConfig, left: Sequence[Arm], job: TaskFunction
) -> None:
    for arm in left:
        _make_room(arm.folder)
    HydraConfig.instance().set_config(cfg)
    folder = folder_of(cfg, _KEY)
    folder.mkdir(parents=True, exist_ok=True)
    OmegaConf.save(cfg, folder / _MARK)
    callbacks = Callbacks(cfg)
    callbacks.on_multirun_start(config=cfg, config_name=args.config_name)
    context = HydraContext(config_loader=application.config_loader, callbacks=callbacks)
    launcher = Plugins.instance().instantiate_launcher(hydra_context=context, task_function=job, config=cfg)
    try:
        launcher.launch([[*arm.sets, *_place(arm, folder)] for arm in left], initial_job_idx=0)
    except Exception as error:
        # a worker was killed, or a cluster refused: what the arms came to stands in their folders
        complain(f"hydra.launcher: {type(error).__name__}: {error}")
    callbacks.on_multirun_end(config=cfg, config_name=args.config_name)


def _place(arm: Arm, sweep: Path) -> list[str]:
    """The folder of an arm, in words that do not depend on where and when they are read."""
    return [f"{_KEY}={_quoted(sweep)}", f"hydra.sweep.subdir={_quoted(arm.folder.relative_to(sweep))}"]


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", r"\'") + "'"


def _make_room(folder: Path) -> None:
    """Sets aside a run that cannot go on, because nothing says how it began."""
    if not has_begun(folder) or _can_go_on(folder):
        return
    if (folder / "manifest.json").exists():
        number = len(list(folder.parent.glob(f"{folder.name}.torn-*"))) + 1
        aside = folder.with_name(f"{folder.name}.torn-{number}")
        complain(f"{folder} cannot go on, its manifest.json cannot be read: set aside as {aside.name}")
        folder.rename(aside)


def _told(every: Sequence[Arm], folder: Path, *, ran: bool) -> bool:
    counts = Counter(arm.state for arm in every)
    print(f"{len(every)} arms: {', '.join(f'{count} {state}' for state, count in counts.items())}")
    bad = [arm for arm in every if arm.state != "completed"]
    for arm in bad:
        print(f"  {arm.ending}")
    if not all(arm.is_done for arm in every):
        print(f"to go on: the same command with {_KEY}={folder}")
    elif not ran:
        print("the sweep is finished: nothing was left to run")
    print(f"to look at it: noodle collect {folder}", flush=True)
    return not bad


@contextmanager
def failure_noted(folder: Path) -> Iterator[None]:
    """Sees to it that an arm's ``status.json`` says why it failed, also where its run never began."""
    try:
        yield
    except LimitReached:
        raise
    except Exception as error:
        # not where another process runs it
        with suppress(ConfigError, OSError), locked(folder, _KEY), suppress(type(error)), Status(folder):
            raise
        raise


def _swept_by_another(application: Hydra, args: Namespace, cfg: DictConfig, job: TaskFunction) -> bool:
    """A sweep whose arms a plugin chooses as it goes: it is not checked before, and has no resume."""
    check_free(folder_of(cfg, _KEY), _KEY)
    by_settings = OmegaConf.select(cfg, "hydra.sweep.subdir") == _BY_SETTINGS
    named = ["hydra.sweep.subdir=${hydra.job.num}"] if by_settings else []
    batches = application.multirun(args.config_name, job, [*args.overrides, *named])
    # such sweepers may return nothing; their arms say how they ended in status.json
    codes = [int(done.return_value) for batch in batches or [] for done in batch]
    print(f"{len(codes)} arms, {sum(map(bool, codes))} failed or degraded", flush=True)
    return not any(codes)
