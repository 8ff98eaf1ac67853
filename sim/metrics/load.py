"""Opens the folder of a run, whole or killed half-way, for notebooks and reports."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import RecordError
from sim.records import Event, LlmCall, Probe, Telling, Visit
from sim.tables import check_table, part_path, part_paths, read_table, read_tables

if TYPE_CHECKING:
    import pandas as pd

TABLES = {"visits": Visit, "recall": Probe, "facts": Telling, "llm_calls": LlmCall}


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run, or the replications of one; tables are read when first asked for.

    Args:
        path: the folder.
        parts: the readable parts of the event log, in order.
        left_out: what could not be read or is not there, one line each; empty for a whole run.
        runs: the replications, by seed; empty for a single run.

    With replications every frame holds the rows of all, with the column ``seed`` in front.
    """

    path: Path
    parts: tuple[Path, ...] = ()
    left_out: tuple[str, ...] = ()
    runs: tuple["Run", ...] = ()

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """How the run was made: schema version, config, seed, versions."""
        return read_json(self.path / "manifest.json")

    @cached_property
    def status(self) -> dict[str, Any]:
        """How far it came: ``state`` and, after a failure, the traceback."""
        return read_json(self.path / "status.json")

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The counts of the run; a RecordError when it ended before writing them."""
        return read_json(self.path / "summary.json")

    @cached_property
    def config(self) -> dict[str, Any]:
        """The settings of the run, from the manifest; a RecordError when that holds none."""
        config = self.manifest.get("config", {})
        if not isinstance(config, dict):
            raise RecordError(f"{self.path / 'manifest.json'}: its config is a {type(config).__name__}")
        return config

    @property
    def seed(self) -> int | None:
        """The seed of the run, or of its first replication."""
        seed: int | None = self.manifest.get("seed", self.config.get("seed"))
        return seed

    @cached_property
    def events(self) -> "pd.DataFrame":
        """The canonical log in order, without the parts named in ``left_out``."""
        if self.runs:
            return self._of_all("events")
        return read_tables(self.parts, Event)

    @cached_property
    def visits(self) -> "pd.DataFrame":
        """One row per visit."""
        return self._table("visits")

    @cached_property
    def recall(self) -> "pd.DataFrame":
        """One row per probe: natural questions and examinations."""
        return self._table("recall")

    @cached_property
    def facts(self) -> "pd.DataFrame":
        """One row per telling of a fact."""
        return self._table("facts")

    @cached_property
    def llm_calls(self) -> "pd.DataFrame":
        """One row per decision asked of a model."""
        return self._table("llm_calls")

    def _table(self, name: str) -> "pd.DataFrame":
        if self.runs:
            return self._of_all(name)
        return read_table(self.path / f"{name}.parquet", TABLES[name])

    def _of_all(self, name: str) -> "pd.DataFrame":
        import pandas as pd

        frames = []
        for run in self.runs:
            frame: pd.DataFrame = getattr(run, name)
            frames.append(frame.assign(seed=run.seed)[["seed", *frame.columns]])
        return pd.concat(frames, ignore_index=True)


def load(folder: Path | str) -> Run:
    """Opens the folder of a run.

    A run that was killed opens too: what is missing or damaged is named in ``left_out``.

    Raises:
        RecordError: there is no such folder, or it is not the folder of a run.
    """
    path = Path(folder)
    if not path.is_dir():
        raise RecordError(f"{path}: no such folder; give the folder of a run, outputs/<date>/<time>")
    seeds = sorted(path.glob("seed-*/"), key=_seed_number)
    if not seeds:
        return _single(path)
    runs = tuple(_single(seed) for seed in seeds)
    lines = [f"{run.path.name}/{line}" for run in runs for line in run.left_out]
    lines += _missing(path, ("manifest.json", "summary.json"))
    return Run(path=path, runs=runs, left_out=tuple(lines))


def _seed_number(folder: Path) -> tuple[int, str]:
    digits = folder.name.removeprefix("seed-")
    return (int(digits) if digits.isdecimal() else 0, digits)


def _single(path: Path) -> Run:
    if not (path / "manifest.json").is_file():
        raise RecordError(f"{path}: not the folder of a run (it has no manifest.json){_hint(path)}")
    whole, broken = _parts(path / "events")
    gone = _missing(path, ("status.json", "summary.json"))
    lines = (*broken, *gone, *_broken_tables(path), *_unfinished(path))
    return Run(path=path, parts=tuple(whole), left_out=lines)


def _hint(path: Path) -> str:
    inside = sorted(child.parent.name for child in path.glob("*/manifest.json"))
    return f"; it holds runs: {', '.join(inside[:5])}" if inside else ""


def _parts(folder: Path) -> tuple[list[Path], list[str]]:
    """The readable parts of the log, and a line for each that is damaged or missing before the last."""
    whole: list[Path] = []
    lines: list[str] = []
    there = part_paths(folder)
    expected = {part_path(folder, number) for number in range(_count(there))}
    for path in sorted(expected | set(there)):
        try:
            check_table(path, Event)
            whole.append(path)
        except RecordError as error:
            lines.append(_inside(path, error))
    return whole, lines or ([] if there else ["events: no part was written"])


def _count(parts: list[Path]) -> int:
    """How many parts there must have been, going by the number of the last."""
    number = parts[-1].stem.removeprefix("part-") if parts else ""
    return int(number) + 1 if number.isdecimal() else 0


def _inside(path: Path, error: RecordError) -> str:
    """The error in words that name the file as seen from the folder of the run."""
    short = f"events/{path.name}" if path.parent.name == "events" else path.name
    return str(error).replace(str(path), short, 1)


def _missing(path: Path, names: tuple[str, ...]) -> list[str]:
    return [f"{name}: missing" for name in names if not (path / name).is_file()]


def _broken_tables(path: Path) -> list[str]:
    lines = []
    for name, record_type in TABLES.items():
        table = path / f"{name}.parquet"
        try:
            check_table(table, record_type)
        except RecordError as error:
            lines.append(_inside(table, error))
    return lines


def _unfinished(path: Path) -> list[str]:
    status = path / "status.json"
    state = read_json(status).get("state") if status.is_file() else None
    if state in (None, "completed", "degraded"):
        return []
    return [f"status.json: the run is {state!r}, what it did after its last part is not here"]


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        RecordError: the file is missing or holds no JSON object.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecordError(f"{path}: missing; the run may have ended before writing it") from None
    except (ValueError, OSError) as error:
        raise RecordError(f"{path}: cannot be read as JSON ({error})") from None
    if not isinstance(found, dict):
        raise RecordError(f"{path}: holds a {type(found).__name__}, not an object")
    return found
