"""Where a run may be put, and whether a run lies there already: what is checked before one begins."""

from pathlib import Path
from tempfile import mkdtemp

from sim.errors import ConfigError


def check_free(folder: Path, key: str) -> None:
    """Sees to it that a run can be written into ``folder``, and leaves nothing behind.

    Raises:
        ConfigError: it holds something already, or cannot be written; the message names ``key``.
    """
    try:
        used = folder.is_dir() and any(folder.iterdir())
    except OSError as error:
        raise ConfigError(f"{key}: cannot read {folder} ({error.strerror})") from None
    if used:
        other = f", or resume={folder}" if (folder / ".hydra").is_dir() else ""
        raise ConfigError(f"{key}: {folder} is already used; name another folder{other}")
    check_writable(folder, key)


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
