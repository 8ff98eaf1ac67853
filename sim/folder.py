"""What a run leaves on the disk besides its tables: manifest, status, summary, memory snapshots."""

import json
import os
import platform
import subprocess
import traceback
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

from sim.engine.scope import Scope
from sim.errors import ConfigError
from sim.records import SCHEMA_VERSION

_PACKAGES = ("noodle-shop", "simpy", "numpy", "pandas", "pyarrow", "faiss-cpu", "faiss-gpu", "wordllama")
_HEARTBEAT_S = 2.0


def write_json(path: Path, data: Any) -> None:
    """Writes JSON whole or not at all."""
    half = path.with_name(path.name + ".tmp")
    half.write_text(json.dumps(data, indent=2, ensure_ascii=False, sort_keys=False) + "\n", encoding="utf-8")
    half.replace(path)


def prepare(folder: Path, *, resume: bool) -> None:
    """Makes the folder of a run, and refuses one that holds a run already.

    Raises:
        ConfigError: it is in use, is not there to be resumed, or cannot be written.
    """
    if resume:
        if not (folder / "manifest.json").exists():
            raise ConfigError(f"resume: {folder} holds no run; give the folder of one")
        return
    if (folder / "manifest.json").exists() or (folder / "status.json").exists():
        raise ConfigError(f"hydra.run.dir: {folder} holds a run already; choose another, or resume={folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".writable").touch()
        (folder / ".writable").unlink()
    except OSError as error:
        raise ConfigError(f"hydra.run.dir: cannot write to {folder} ({error.strerror})") from None


def manifest(config: Mapping[str, Any], seed: int, models: Iterable[str]) -> dict[str, Any]:
    """How a run came about: what is needed to repeat it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "seed": seed,
        "config": config,
        "models": sorted(models),
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
    """``status.json``: the state of a run, kept true while it runs.

    Args:
        folder: where it lies; None writes nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = folder and folder / "status.json"
        self._before = self._path.read_bytes() if self._path and self._path.exists() else None
        self._beat = monotonic()

    def refused(self, error: BaseException) -> None:
        """Puts back what was said before this process began."""
        del error
        if self._path is not None and self._before is not None:
            self._path.write_bytes(self._before)

    def set(self, state: str, **more: Any) -> None:
        """Writes a state: running, completed, degraded, failed or interrupted."""
        if self._path is not None:
            at = datetime.now(UTC).isoformat(timespec="seconds")
            write_json(self._path, {"state": state, "pid": os.getpid(), "heartbeat": at} | more)

    def beat(self, **more: Any) -> None:
        """Says now and then that the run is alive, and how far it is."""
        if monotonic() - self._beat >= _HEARTBEAT_S:
            self._beat = monotonic()
            self.set("running", **more)

    def failed(self, error: BaseException) -> None:
        """Keeps the traceback of what ended the run."""
        lines = traceback.format_exception(error)
        self.set("failed", error=str(error), traceback="".join(lines))


def write_snapshots(folder: Path, scopes: Iterable[Scope]) -> None:
    """Writes what each agent remembers at the end: ``memory/<store>/snapshot.json``."""
    stores: dict[str, dict[str, Any]] = {}
    for scope in scopes:
        owner = scope.owner
        stores.setdefault(owner.store, {})[owner.customer or ""] = scope.memory.snapshot(owner)
    for store, scoped in stores.items():
        # A store may have any name; its folder must lie here.
        place = folder / "memory" / quote(store, safe=" ()").replace(".", "%2E")
        place.mkdir(parents=True, exist_ok=True)
        write_json(place / "snapshot.json", {"schema_version": SCHEMA_VERSION, "scopes": scoped})
