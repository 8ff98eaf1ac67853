"""Where a run may be put, and whether a run lies there already: what is checked before one begins."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import IO
from urllib.parse import quote

from sim.errors import ConfigError

LOCK = ".lock"
# What stands in a folder before its run has begun: a process that dies here leaves nothing that counts.
_BEFORE = {".hydra", LOCK, "manifest.json.tmp"}


def check_free(folder: Path, key: str) -> None:
    """Sees to it that a run can be written into ``folder``, and leaves nothing behind.

    Raises:
        ConfigError: it holds something already, or cannot be written; the message names ``key``.
    """
    try:
        used = folder.is_dir() and any(path.name not in _BEFORE for path in folder.iterdir())
    except OSError as error:
        raise ConfigError(f"{key}: cannot read {folder} ({error.strerror})") from None
    if used:
        other = f", or resume={folder}" if (folder / ".hydra").is_dir() else ""
        raise ConfigError(f"{key}: {folder} is already used; name another folder{other}")
    check_writable(folder, key)


def has_begun(folder: Path) -> bool:
    """Whether a run in this folder came so far that its records must be kept."""
    return (folder / "manifest.json").exists() or (folder / "status.json").exists()


def folder_name(store: str) -> str:
    """The name of a store's folder: a store may be called anything, its folder lies where it is put."""
    return quote(store, safe=" ()", errors="backslashreplace").replace(".", "%2E")


@contextmanager
def locked(folder: Path, key: str) -> Iterator[None]:
    """Holds a folder for one run; the lock goes with the process, however that ends.

    Raises:
        ConfigError: another run holds it, or nothing can be written there; the message names ``key``.
    """
    try:
        file = (folder / LOCK).open("ab")
    except OSError as error:
        raise ConfigError(f"{key}: cannot write to {folder} ({error.strerror})") from None
    with file:
        try:
            _lock(file)
        except (BlockingIOError, PermissionError):
            other = "another run is using it; wait for that, or stop it"
            raise ConfigError(f"{key}: {folder}: {other}") from None
        except OSError:
            # Some file systems know no locks; a run must be possible there too.
            pass
        yield


def _lock(file: IO[bytes]) -> None:
    """Takes the lock of an open file, or raises at once where it is taken."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def check_writable(folder: Path, key: str) -> None:
    """Sees to it that files can be made in ``folder``, or where it would be made.

    Raises:
        ConfigError: they cannot; the message names ``key``.
    """
    nearest = folder.absolute()
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    try:
        # permission bits say nothing to root and on read-only disks, so it is tried
        Path(mkdtemp(prefix=".noodle-", dir=nearest)).rmdir()
    except OSError as error:
        raise ConfigError(f"{key}: cannot write to {folder} ({nearest}: {error.strerror})") from None


def check_run(folder: Path, key: str = "resume") -> None:
    """Sees to it that ``folder`` holds one run.

    Raises:
        ConfigError: it does not; the message names ``key``.
    """
    if not folder.is_dir():
        raise ConfigError(f"{key}: there is no folder {folder}")
    if (folder / "multirun.yaml").is_file():
        raise ConfigError(f"{key}: {folder} holds a sweep; name one of the runs in it")
    if not (folder / ".hydra" / "config.yaml").is_file():
        raise ConfigError(f"{key}: {folder} is not a run's folder, it has no .hydra/config.yaml")
