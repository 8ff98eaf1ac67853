"""The canonical log: lines come out in the order (time, sequence), whatever order they were filled in."""

import heapq
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from sim.clock import WEEK_MS
from sim.engine.act import Act, State
from sim.errors import ActFailed, OrderError
from sim.records import Event, canonical
from sim.tables import part_path, part_paths, replace_table, write_table

Marker = Callable[[int], None]
_LAST = float("inf")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line a process logs itself; it is filled from the start."""

    kind: str
    agent: str
    customer: str
    visit: str
    payload: str


class EventLog:
    """Keeps open lines in order and hands the head on when it is filled and its time has come.

    ``emit`` receives each entry (an act that is done, a line, or a marker) exactly once.
    """

    def __init__(self, emit: Callable[[int, Act | Line], None]) -> None:
        self._emit = emit
        self._open: list[tuple[int, int, Act | Line | Marker]] = []
        self._closed = False

    def __len__(self) -> int:
        return len(self._open)

    def put(self, time_ms: int, seq: int, entry: Act | Line | Marker) -> None:
        """Takes a place in the log.

        Raises:
            OrderError: the run is over (a dying process must not write into the next run).
        """
        self.check_open()
        heapq.heappush(self._open, (time_ms, seq, entry))

    def check_open(self) -> None:
        """Refuses whatever comes after the end.

        Raises:
            OrderError: the run is over.
        """
        if self._closed:
            raise OrderError("the run is over: nothing can be logged or submitted any more")

    def acts(self) -> list[Act]:
        """The acts that have not been handed on, in the order of the log."""
        entries = sorted(self._open, key=lambda entry: entry[:2])
        return [entry for *_, entry in entries if isinstance(entry, Act)]

    def head(self, now_ms: int) -> Act | None:
        """The unfinished act that holds up the log at ``now_ms``, after all that was ready is out."""
        return self._advance((now_ms, _LAST))

    def head_until(self, act: Act) -> Act | None:
        """As `head`, but no further than the given act, which is out when this returns None."""
        return self._advance((act.due_ms, act.seq))

    def _advance(self, limit: tuple[int, float]) -> Act | None:
        while self._open and self._open[0][:2] <= limit:
            time_ms, _, entry = self._open[0]
            if isinstance(entry, Act):
                if entry.state is State.OPEN:
                    return entry
                if entry.state is State.FAILED:
                    raise ActFailed(f"act {entry.id} died: {entry.failure!r}") from entry.failure
            heapq.heappop(self._open)
            self._hand_on(time_ms, entry)
        return None

    def _hand_on(self, time_ms: int, entry: Act | Line | Marker) -> None:
        if isinstance(entry, Act | Line):
            if not (isinstance(entry, Act) and entry.state is State.CANCELLED):
                self._emit(time_ms, entry)
        else:
            entry(time_ms)

    def close(self) -> None:
        """Refuses further lines and forgets those whose time did not come."""
        self._closed = True
        self._open.clear()


class EventWriter:
    """Numbers the lines, feeds the digest and flushes parquet parts atomically.

    A part ends when it is full and when a simulated week ends: places that hang on the log alone, so
    that a resumed run writes the same parts again. Parts of an earlier attempt stay as long as they are
    the same to the byte; from the first that differs on they are taken away.

    Args:
        folder: where ``part-00000.parquet`` and so on go; None keeps the digest only.
        rows_per_part: rows held in memory before a part is written.
    """

    def __init__(self, folder: Path | None, rows_per_part: int = 50_000) -> None:
        self._folder = folder
        self._rows_per_part = rows_per_part
        self._rows: list[Event] = []
        self._digest = sha256()
        self.count = 0
        self._parts = 0
        self._week = 0

    def write(self, time_ms: int, line: Line) -> None:
        """Appends one line to the log."""
        if time_ms // WEEK_MS != self._week:
            self._end_week(time_ms)
        event = Event(
            time_ms=time_ms,
            seq=self.count,
            kind=line.kind,
            agent=line.agent,
            customer=line.customer,
            visit=line.visit,
            payload=line.payload,
        )
        row = [time_ms, event.seq, line.kind, line.agent, line.customer, line.visit, line.payload]
        self._digest.update(canonical(row).encode("utf-8", "surrogatepass") + b"\n")
        self.count += 1
        if self._folder is not None:
            self._rows.append(event)
            if len(self._rows) >= self._rows_per_part:
                self.flush()

    def _end_week(self, time_ms: int) -> None:
        self._week = time_ms // WEEK_MS
        if self._rows:
            self.flush()

    def flush(self) -> None:
        """Writes the rows held as the next part."""
        if self._folder is None or (not self._rows and self._parts):
            return
        if replace_table(part_path(self._folder, self._parts), self._rows, Event):
            self._drop(self._parts + 1)
        self._parts += 1
        self._rows.clear()

    def close(self) -> None:
        """Writes what is left; nothing of an earlier attempt stays behind it."""
        self.flush()
        self._drop(self._parts)

    def rescue(self) -> None:
        """Writes what is left of a run that failed, unless an earlier attempt came further."""
        if self._folder is None or not self._rows or part_path(self._folder, self._parts).exists():
            return
        # What made the run fail may stop this too, and is what must be told.
        with suppress(OSError):
            write_table(part_path(self._folder, self._parts), self._rows, Event)

    def _drop(self, first: int) -> None:
        if self._folder is not None:
            for path in part_paths(self._folder):
                if path.name >= part_path(self._folder, first).name:
                    path.unlink()

    @property
    def digest(self) -> str:
        """sha256 of the rows so far, each as a canonical JSON array and a newline."""
        return self._digest.hexdigest()
