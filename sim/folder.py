"""What a run leaves on the disk besides its event log: manifest, status, tables, memory snapshots."""

import asyncio
import json
import os
import platform
import subprocess
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self

from sim.engine.scope import Scope
from sim.engine.session import Session
from sim.engine.simulation import Simulation
from sim.errors import ConfigError, LimitReached, RecordError
from sim.journal import first_difference
from sim.metrics.business import Day, daily
from sim.metrics.load import read_json
from sim.metrics.summary import Rows, summary
from sim.place import folder_name, has_begun, locked
from sim.records import SCHEMA_VERSION, LlmCall, Probe, Telling, Visit
from sim.tables import write_table

_PACKAGES = ("noodle-shop", "simpy", "numpy", "pandas", "pyarrow", "faiss-cpu", "faiss-gpu", "wordllama")
_HEARTBEAT_S = 2.0


def write_json(path: Path, data: Any) -> None:
    """Writes JSON whole or not at all; half a character of a pair is written as its escape."""
    half = path.with_name(path.name + ".tmp")
    text = json.dumps(data, indent=2, ensure_ascii=False, sort_keys=False) + "\n"
    try:
        half.write_bytes(text.encode("utf-8", "backslashreplace"))
        half.replace(path)
    except OSError:
        with suppress(OSError):
            half.unlink()
        raise


@contextmanager
def claimed(folder: Path, *, resume: bool) -> Iterator[None]:
    """Makes the folder of a run and holds it, so that no other process runs in it.

    Raises:
        ConfigError: it holds a run already or none to be resumed, is in use, or cannot be written.
    """
    key = "resume" if resume else "hydra.run.dir"
    _check_begun(folder, resume)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{key}: cannot write to {folder} ({error.strerror})") from None
    with locked(folder, key):
        # Again, now that nobody else can begin one.
        _check_begun(folder, resume)
        yield


def _check_begun(folder: Path, resume: bool) -> None:
    if resume:
        # A process that died before it wrote a manifest has not begun; its settings are enough to begin.
        if not (folder / "manifest.json").exists() and not (folder / ".hydra" / "config.yaml").is_file():
            raise ConfigError(f"resume: {folder} holds no run; give the folder of one")
    elif has_begun(folder):
        raise ConfigError(f"hydra.run.dir: {folder} holds a run already; choose another, or resume={folder}")


def introduce(
    folders: Mapping[Path, int],
    config: Mapping[str, Any],
    models: Iterable[str],
    served: Mapping[str, Any] | None = None,
) -> None:
    """Writes the manifest of each folder with its seed, or sees that the run there is the same one.

    Args:
        folders: the folders by seed, the run's own last: its manifest says that the run has begun.
        config: all settings that decide what comes out.
        models: names of the models that answer.
        served: what was found of each before the run began.

    Raises:
        ConfigError: the run there began with other settings.
    """
    own = list(folders)[-1]
    if (own / "manifest.json").exists():
        check_same(own, config, folders[own])
        return
    for folder, seed in folders.items():
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "manifest.json", manifest(config, seed, models, served))


def check_same(folder: Path, config: Mapping[str, Any], seed: int) -> None:
    """Sees to it that a run goes on as it began.

    Raises:
        ConfigError: one line that names the first setting that differs, or what is wrong with the manifest.
    """
    try:
        old = read_json(folder / "manifest.json")
    except RecordError as error:
        raise ConfigError(f"resume: {error}; start a new run") from None
    if not isinstance(old.get("config"), dict):
        raise ConfigError(f"resume: {folder / 'manifest.json'} holds no config; start a new run")
    was = old["config"] | {name: old.get(name) for name in ("schema_version", "seed")}
    now = json.loads(json.dumps({**config, "schema_version": SCHEMA_VERSION, "seed": seed}))
    if was != now:
        what = first_difference(was, now)
        raise ConfigError(f"resume: {folder} began otherwise: {what}; undo that, or start a new run")


def manifest(
    config: Mapping[str, Any], seed: int, models: Iterable[str], served: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """How a run came about: what is needed to repeat it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "seed": seed,
        "config": config,
        "models": sorted(models),
        "served": dict(served or {}),
        "versions": {"python": platform.python_version()} | _versions(),
        "git": _git_state(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _git_state() -> str | None:
    command = ["git", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command, no shell
            command, cwd=Path(__file__).parent, capture_output=True, text=True, timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


class Status:
    """``status.json``: the state of a run, kept true while it runs and whatever ends it.

    As a context it tells how the block ended, except that a good end is told by `set`.

    Args:
        folder: where it lies; None writes nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = folder and folder / "status.json"
        self._beat = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if isinstance(error, KeyboardInterrupt | asyncio.CancelledError):
            self._end("interrupted")
        elif isinstance(error, LimitReached):
            self._end("stopped", error=str(error))
        elif error is not None:
            self._end("failed", error=str(error), traceback="".join(traceback.format_exception(error)))

    def set(self, state: str, **more: Any) -> None:
        """Writes a state: running, completed, degraded, failed, interrupted or stopped by a limit."""
        if self._path is not None:
            at = datetime.now(UTC).isoformat(timespec="seconds")
            write_json(self._path, {"state": state, "pid": os.getpid(), "heartbeat": at} | more)

    def beat(self, **more: Any) -> None:
        """Says now and then that the run is alive, and how far it is."""
        if monotonic() - self._beat >= _HEARTBEAT_S:
            self._beat = monotonic()
            # A full disk is told by what cannot do without it.
            with suppress(OSError):
                self.set("running", **more)

    def _end(self, state: str, **more: Any) -> None:
        """Writes how a run ended badly, on a full disk too; what ended it must be told, not this."""
        try:
            self.set(state, **more)
        except OSError:
            with suppress(OSError):
                self._overwrite(json.dumps({"state": state}) + "\n")

    def _overwrite(self, text: str) -> None:
        # In its place and shorter than what was there, so that it needs no room.
        assert self._path is not None
        with self._path.open("r+", encoding="utf-8") as file:
            file.write(text)
            file.truncate()


def write_tables(folder: Path, session: Session, rows: Rows) -> None:
    """Writes the records of a finished session, what its agents remember, and last its summary."""
    write_table(folder / "visits.parquet", rows.visits, Visit)
    write_table(folder / "days.parquet", daily(rows.visits), Day)
    write_table(folder / "recall.parquet", rows.probes, Probe)
    write_table(folder / "llm_calls.parquet", rows.calls, LlmCall)
    write_table(folder / "facts.parquet", session.ledger.rows(), Telling)
    write_memories(folder, session.simulation)
    write_json(folder / "summary.json", summary(rows.visits, rows.probes, rows.calls, rows.extra))


def write_memories(folder: Path, simulation: Simulation) -> None:
    """Writes what each agent remembers at the end, and what is made of it, below ``memory/<store>``."""
    stores: dict[str, list[Scope]] = {}
    for scope in simulation.scopes:
        stores.setdefault(scope.owner.store, []).append(scope)
    export = simulation.memory.export
    for store, scopes in stores.items():
        place = folder / "memory" / folder_name(store)
        place.mkdir(parents=True, exist_ok=True)
        scoped = {scope.owner.customer or "": scope.memory.snapshot(scope.owner) for scope in scopes}
        write_json(place / "snapshot.json", {"schema_version": SCHEMA_VERSION, "scopes": scoped})
        if export is not None:
            export(place, [scope.memory for scope in scopes], simulation.now)
