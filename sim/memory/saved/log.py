"""The log of a memory: one checked line for each thing remembered, on the disk before it counts."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from sim.errors import RecordError
from sim.memory.protocol import Kept
from sim.memory.saved.files import lines
from sim.memory.saved.plain import kept_in

LOG = "log.jsonl"


def append(path: Path, line: bytes) -> None:
    """Adds a line and waits until it is on the disk; one that was cut short there before is taken away."""
    with path.open("ab") as file:
        if file.tell() and not _ends_whole(path):
            file.truncate(path.read_bytes().rfind(b"\n") + 1)
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def read_log(path: Path) -> Sequence[Kept]:
    """What a log holds, in order.

    A last line that was cut short is left out: whoever wrote it died before it counted.

    Raises:
        RecordError: any other line is damaged.
    """
    return [kept_in(line, path, number) for number, line in _numbered(path)]


def rebuilt(folder: Path) -> tuple[tuple[Kept, ...], int]:
    """Every record that is whole in the log or in any file of records, and how many are lost at least."""
    found: dict[str, Kept] = {}
    most = 0
    for path in (folder / LOG, *sorted(folder.glob("records-*.jsonl"))):
        numbered = list(_numbered(path))
        most = max(most, len(numbered))
        for number, line in numbered:
            with suppress(RecordError):
                kept = kept_in(line, path, number)
                found.setdefault(kept.record.id, kept)
    order = sorted(found.values(), key=lambda kept: kept.record.visible_at_ms)
    return tuple(order), most - len(order) if most > len(order) else 0


def _numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that end as they should, counted from 1."""
    body = path.read_bytes() if path.exists() else b""
    return enumerate(lines(body[: body.rfind(b"\n") + 1]), 1)


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
