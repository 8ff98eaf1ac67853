"""Finds every run below some folders, whole or not, and reads what `collect` needs of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.errors import RecordError
from sim.metrics.load import read_json
from sim.metrics.wording import harmless

_ENDED = ("completed", "degraded")


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One run of one seed.

    Args:
        path: its folder.
        name: the folder as seen from where it was looked for.
        seed: its seed.
        config: its settings.
        state: what its ``status.json`` says, ``unknown`` without one.
        program: version of the program and state of its source.
        schema: version of what was written.
        summary: its figures; empty where there are none.
        trouble: why it has no figures, or only some; empty for a whole run.
    """

    path: Path
    name: str
    seed: int
    config: dict[str, Any]
    state: str
    program: str
    schema: int
    summary: dict[str, Any]
    trouble: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Gathered:
    """The runs below some folders in the order in which they were begun, and a line for each other folder."""

    runs: tuple[Found, ...]
    left_out: tuple[str, ...]


def gather(folders: Sequence[Path]) -> Gathered:
    """Finds the runs in and below these folders; each seed of a replicated run is one.

    Raises:
        RecordError: a folder is not there, or none of them holds a run.
    """
    runs: dict[Path, tuple[tuple[str, int, str], Found]] = {}
    left_out: list[str] = []
    for folder in folders:
        if not folder.is_dir():
            raise RecordError(f"{folder}: no such folder; give the folder of a sweep, or of runs")
        for path in _below(folder):
            name = _name(path, folder, alone=len(folders) == 1)
            try:
                runs.setdefault(path.resolve(), _found(path, name))
            except RecordError as error:
                left_out.append(f"{name}: {harmless(str(error).replace(str(path), '.'))}")
    if not runs and not left_out:
        named = ", ".join(map(str, folders))
        raise RecordError(f"{named}: holds no run; give the folder of a sweep, or of runs")
    ordered = [found for _, found in sorted(runs.values(), key=lambda pair: pair[0])]
    return Gathered(runs=tuple(ordered), left_out=tuple(left_out))


def _name(path: Path, folder: Path, *, alone: bool) -> str:
    inside = path.relative_to(folder)
    return harmless(inside if alone and path != folder else folder.name / inside)


def _below(folder: Path) -> Iterator[Path]:
    """Folders of runs, and those that look as if they were to become one."""
    seeds = [seed for seed in folder.glob("seed-*") if (seed / "manifest.json").is_file()]
    if (folder / "manifest.json").is_file() or (folder / ".hydra").is_dir():
        yield from sorted(seeds) or [folder]
        return
    for child in sorted(folder.iterdir()):
        if child.is_dir() and not child.is_symlink() and not child.name.startswith("."):
            yield from _below(child)


def _found(path: Path, name: str) -> tuple[tuple[str, int, str], Found]:
    """A run, behind what puts it into the order in which runs were begun."""
    if not (path / "manifest.json").is_file():
        raise RecordError("has not begun, it has no manifest.json")
    manifest = read_json(path / "manifest.json")
    config, seed = manifest.get("config"), manifest.get("seed")
    if not isinstance(config, dict) or not isinstance(seed, int):
        raise RecordError("its manifest.json tells no config and seed")
    status = _status(path)
    summary, trouble = _summary(path, status)
    version = (manifest.get("versions") or {}).get("noodle-shop", "")
    found = Found(
        path=path,
        name=name,
        seed=seed,
        config=config,
        state=str(status.get("state", "unknown")),
        program=harmless(f"{version} {manifest.get('git') or ''}".strip()) or "unknown",
        schema=int(manifest.get("schema_version") or 0),
        summary=summary,
        trouble=trouble,
    )
    written = (path / "manifest.json").stat().st_mtime_ns
    return (str(manifest.get("started", "")), written, str(path)), found


def _status(path: Path) -> dict[str, Any]:
    """How a run ended; a replication that was cut short has no word of its own."""
    for folder in (path, path.parent) if path.name.startswith("seed-") else (path,):
        try:
            return read_json(folder / "status.json")
        except RecordError:
            continue
    return {}


def _summary(path: Path, status: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The figures of a run, and what is amiss with them."""
    state = status.get("state", "unknown")
    try:
        summary = read_json(path / "summary.json")
    except RecordError as error:
        if state in _ENDED or (path / "summary.json").exists():
            return {}, f"no figures: {harmless(str(error).replace(str(path), '.'))}"
        return {}, f"no figures: {_why(state, status)}"
    return summary, "" if state in _ENDED else f"not finished: {_why(state, status)}"


def _why(state: object, status: dict[str, Any]) -> str:
    if state == "running":
        return "running, or killed; resume=… or the same sweep again finishes it"
    why = " ".join(harmless(status.get("error", "")).split())
    return harmless(state) + (f", {why[:200]}" if why else "")
