"""What lies in a folder: one run, the replications of one, or the arms of a sweep."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sim.errors import RecordError
from sim.metrics.arms import arms, settings
from sim.metrics.gather import gather
from sim.metrics.load import Run, load, read_json
from sim.records import Probe, Visit
from sim.tables import check_table, read_records

ALONE = "run"


@dataclass(frozen=True, kw_only=True)
class Member:
    """One seed of one arm.

    Args:
        arm: the settings that tell it from the other arms; ``run`` where there are no others.
        run: its folder, opened.
        settings: all its settings by the key of the command line, where there are several arms.
    """

    arm: str
    run: Run
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The arm and the seed."""
        seed = f"seed {self.run.seed}"
        return seed if self.arm == ALONE else f"{self.arm}, {seed}"

    @cached_property
    def probes(self) -> list[Probe]:
        """Every question of this member."""
        return read_records(self.run.path / "recall.parquet", Probe)

    @property
    def asked(self) -> bool:
        """Whether its questions can be read."""
        return _readable(self.run.path / "recall.parquet", Probe)

    @property
    def opened(self) -> bool:
        """Whether its visits can be read."""
        return _readable(self.run.path / "visits.parquet", Visit)

    @cached_property
    def visits(self) -> list[Visit]:
        """Every visit of this member."""
        return read_records(self.run.path / "visits.parquet", Visit)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a report shows.

    Args:
        path: the folder.
        run: the run or the replications; None for a sweep.
        members: what can be read, arm by arm and by seed.
        left_out: what cannot, one line each.
    """

    path: Path
    run: Run | None
    members: Sequence[Member]
    left_out: Sequence[str] = ()

    @property
    def arms(self) -> dict[str, list[Member]]:
        """The members by arm, in order."""
        arms: dict[str, list[Member]] = {}
        for member in self.members:
            arms.setdefault(member.arm, []).append(member)
        return arms


def found(folder: Path) -> Shown:
    """Looks into a folder.

    Raises:
        RecordError: nothing that can be read is there; the line says what was looked for.
    """
    if not folder.is_dir():
        raise RecordError(f"{folder}: no such folder; give the folder of a run or of a sweep")
    if (folder / "manifest.json").is_file() or any(folder.glob("seed-*/manifest.json")):
        run = load(folder)
        members = [Member(arm=ALONE, run=one) for one in run.runs or (run,)]
        damaged = [line for member in members for line in _damaged(member.run, folder)]
        return Shown(path=folder, run=run, members=members, left_out=(*run.left_out, *damaged))
    return _sweep(folder)


def _damaged(run: Run, folder: Path) -> Iterator[str]:
    """A line for each saved memory that cannot be read: what it held is shown without its text."""
    for path in sorted(run.path.glob("memory/*/*.json")):
        try:
            read_json(path)
        except RecordError as error:
            yield str(error).replace(f"{folder}/", "")


def _sweep(folder: Path) -> Shown:
    gathered = gather([folder])
    left_out = [*gathered.left_out, *(f"{one.name}: {one.trouble}" for one in gathered.runs if one.trouble)]
    members: list[Member] = []
    for arm in arms(gathered.runs):
        for one in arm.runs:
            run = load(one.path)
            left_out += [f"{one.name}: {line}" for line in run.left_out]
            members.append(Member(arm=arm.name, run=run, settings=settings(one)))
    members = [member for member in members if member.asked]
    if not members:
        raise RecordError(f"{folder}: of its runs none has questions that can be read; {left_out[0]}")
    return Shown(path=folder, run=None, members=members, left_out=tuple(left_out))


def _readable(path: Path, record_type: type) -> bool:
    """Whether a table is there and whole; why not is among what was left out."""
    try:
        check_table(path, record_type)
    except RecordError:
        return False
    return True
