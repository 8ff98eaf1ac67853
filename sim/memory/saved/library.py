"""Memory for an agent of one's own, without any simulation: remember, recall, and it is on the disk.

    with Library.open(Path("notes"), preset="simple") as memory:
        memory.remember("I'm allergic to peanuts.", customer="anna", at=datetime(2026, 3, 2, 12, 30))
        for hit in memory.recall("what must I keep out?", customer="anna"):
            print(quoted(hit.record))

What was remembered stands in a log before `remember` returns, each line with its checksum. `save` writes a
snapshot that can be sent, compared and searched. Where either is damaged `rebuild` makes both anew from what
is whole in any of them.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from sim.errors import ConfigError, RecordError
from sim.memory.domain import Domain
from sim.memory.protocol import Claim, Hit, Kept, Memory, Owner, Query, Record
from sim.memory.saved.era import ERA, milliseconds_of
from sim.memory.saved.files import paired, put
from sim.memory.saved.forget import erase
from sim.memory.saved.log import LOG, append, read_log, rebuilt
from sim.memory.saved.plain import line_of
from sim.memory.saved.presets import made
from sim.memory.saved.snapshot import MANIFEST, Snapshot, load, save
from sim.place import locked
from sim.records import canonical

_KINDS = ("exchange", "event", "telling")


def quoted(record: Record) -> str:
    """A record as one line of a prompt: its day, whom it is about, and its words as a JSON string.

    Whatever the words are, they stay within their quotation marks on that line: data, no instruction.
    """
    return f"{ERA.day(record.at_ms)} {canonical(record.customer)}: {canonical(record.text)}"


class Library:
    """One agent's memory in a folder; made by `Library.open`."""

    def __init__(self, folder: Path, make: Callable[[], Memory], *, preset: str) -> None:
        self.folder = folder
        self.memory = make()
        self._make = make
        self._preset = preset
        self._held = ExitStack()
        self._kept: list[Kept] = []

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        preset: str = "simple",
        agent: str = "agent",
        make: Callable[[Owner], Memory] | None = None,
        domain: Domain | None = None,
    ) -> Self:
        """Opens the memory in a folder, or begins one there; it is this process's until it is closed.

        Args:
            folder: where it lies.
            preset: one of `sim.memory.saved.presets.PRESETS`; it may change from one opening to the next.
            agent: whose memory it is.
            make: makes the empty memory of an owner, in place of a preset: one's own class.
            domain: what can be claimed, for the presets diary, graph and full: without it every slot holds
                several values, so that a claim is taken back and never superseded by another value.

        Raises:
            ConfigError: no such preset, or another process has it open.
            RecordError: a file in it is damaged; `rebuild` repairs it.
        """
        owner = Owner(store=agent)
        library = cls(
            folder,
            partial(make, owner) if make else partial(made, preset, owner, domain),
            preset="" if make else preset,
        )
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            held.enter_context(locked(folder, "folder"))
            library._read()
            library._held = held.pop_all()
        return library

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._kept)

    def remember(
        self, text: str, customer: str, at: datetime, *, claims: Sequence[Claim] = (), visit: str = ""
    ) -> str:
        """Keeps something, in whatever kind the memory takes in; returns its id.

        Args:
            text: any text, an empty one too; it is kept as it is.
            customer: whom it is about.
            at: when it happened. What happened before the newest thing here can be recalled from then on.
            claims: what was understood of it.
            visit: what it belongs to; the day of ``at`` when empty.
        """
        at_ms, customer = milliseconds_of(at), paired(customer)
        number = int(self._kept[-1].record.id.rpartition("/")[2]) + 1 if self._kept else 0
        name = f"{customer}/{number}"
        record = Record(
            id=name,
            at_ms=at_ms,
            visible_at_ms=max(at_ms, self._newest_ms),
            agent=self.memory.owner.store,
            customer=customer,
            visit=paired(visit) or f"{customer}/{ERA.day(at_ms)}",
            kind="exchange",
            text=paired(text),
            claims=tuple(claims),
            sources=(name,),
        )
        append(self.folder / LOG, line_of(Kept(record=record)))
        self._take(Kept(record=record))
        return name

    def recall(
        self, text: str, customer: str, at: datetime | None = None, *, limit: int | None = None
    ) -> Sequence[Hit]:
        """The most useful things as of a time, best first; None is the newest. Changes nothing."""
        at_ms = self._newest_ms if at is None else milliseconds_of(at)
        query = Query(text=text, customer=customer, at_ms=at_ms, limit=limit)
        return self.memory.recall(self.memory.owner, query)

    def save(self) -> Snapshot:
        """Writes a snapshot of all that was remembered, and returns it."""
        snapshot = Snapshot(owner=self.memory.owner, kept=tuple(self._kept), preset=self._preset)
        save(self.folder, snapshot)
        return snapshot

    def forget(self, customer: str) -> str:
        """Erases a person in the log, in the snapshot and here; says what was erased."""
        said = (
            erase(self.folder, paired(customer))
            if self._kept
            else f"nothing of {canonical(customer)} is here"
        )
        self._read()
        return said

    def close(self) -> None:
        """Lets another process open the folder; nothing is written that was not there."""
        self._held.close()

    @property
    def _newest_ms(self) -> int:
        return self._kept[-1].record.visible_at_ms if self._kept else 0

    def _read(self) -> None:
        self.memory, self._kept = self._make(), []
        for kept in _there(self.folder):
            self._take(kept)

    def _take(self, kept: Kept) -> None:
        for kind in _kinds(kept.record, self.memory.capabilities.ingests):
            self.memory.write(self.memory.owner, _as(kind, kept.record))
        self._kept.append(kept)


def rebuild(folder: Path, *, agent: str = "agent") -> str:
    """Makes log and snapshot anew from every line that is whole in either; says what it found.

    Raises:
        ConfigError: the folder is not there, or another process has it open.
    """
    if not folder.is_dir():
        raise ConfigError(f"folder: there is no {folder}")
    with locked(folder, "folder"):
        kept, lost = rebuilt(folder)
        # The log first: it alone is enough, should this be interrupted.
        put(folder / LOG, b"".join(map(line_of, kept)))
        save(folder, Snapshot(owner=Owner(store=agent), kept=kept))
    return f"{len(kept)} records are whole; " + (f"{lost} or more are lost" if lost else "nothing is lost")


def _there(folder: Path) -> Sequence[Kept]:
    """What the snapshot and the log hold together, in order of arrival."""
    try:
        saved = load(folder).kept if (folder / MANIFEST).exists() else ()
        logged = read_log(folder / LOG)
    except RecordError as error:
        raise RecordError(f"{error}; sim.memory.saved.library.rebuild repairs it") from None
    known = {kept.record.id for kept in saved}
    return [*saved, *(kept for kept in logged if kept.record.id not in known)]


def _kinds(record: Record, ingests: Collection[str]) -> Sequence[str]:
    """As which kinds a memory takes something in."""
    if "diary" in ingests:  # what was understood stands for the words; without it the words are all there is
        return ("diary",) if record.claims else ("exchange",)
    return [kind for kind in _KINDS if kind in ingests]


def _as(kind: str, record: Record) -> Record:
    claims = () if kind == "exchange" else record.claims
    return replace(record, id=f"{record.id}/{kind}", kind=kind, claims=claims)
