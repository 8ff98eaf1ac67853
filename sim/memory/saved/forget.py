"""``noodle forget RUN --customer X``: erases a person in all saved memories of a run, and in its tables.

First everything is read and made anew, then written: a file that cannot be read stops it before anything has
changed. What cannot be taken out without breaking the run is named in the answer.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim.errors import ConfigError, JournalError, RecordError
from sim.journal import Journal
from sim.memory.protocol import Kept
from sim.memory.saved.erasing import Person, without
from sim.memory.saved.files import decoded, encoded, got, lines, put
from sim.memory.saved.log import LOG, read_log
from sim.memory.saved.plain import data_of, kept_of, line_of
from sim.memory.saved.snapshot import MANIFEST, OF_RUN, Snapshot, inside, load, no_memory, save
from sim.place import LOCK, locked
from sim.records import Event, LlmCall, Probe, Telling, Visit, canonical
from sim.tables import part_paths, read_records, write_table

_TABLES: dict[str, tuple[type, Callable[[Any], str]]] = {
    "visits": (Visit, lambda row: row.customer),
    "recall": (Probe, lambda row: row.customer),
    "facts": (Telling, lambda row: row.customer),
    "llm_calls": (LlmCall, lambda row: row.act.split("|")[1] if "|" in row.act else ""),
}
Change = Callable[[], None]
REPORT = "report.html"
_DERIVED = {".graphml", ".png", ".faiss", ".index", ".npy", ".npz"}


def forget(folder: Path, customer: str) -> str:
    """As `erase`, in a folder that nobody is using.

    Raises:
        ConfigError: the folder is not there, or a run or a program is using it.
        RecordError: as with `erase`.
    """
    if not folder.is_dir():
        raise ConfigError(f"RUN: there is no folder {folder}")
    with locked(folder, "RUN"):
        return erase(folder, customer)


def erase(folder: Path, customer: str) -> str:
    """Erases a customer below a folder: a run's, its ``memory``, that of one agent, or a saved memory.

    Indexes, graphs and pictures are made of records; they are deleted, for they can be made again. A file of
    an unknown kind is left alone, and named where the customer's id stands in it.

    Returns:
        What was erased and what remains, as text.

    Raises:
        RecordError: there is no memory, or a file cannot be read; nothing has been changed then.
    """
    person = Person(customer=customer)
    runs = [run for run in sorted(folder.glob("seed-*")) if (run / "memory").is_dir()] or [folder]
    changes = [change for run in runs for change in (*_memory(run, person), *_tables(run, person))]
    changes += [path.unlink for run in dict.fromkeys((folder, *runs)) for path in run.glob(REPORT)]
    for change in changes:
        change()
    counts = ", ".join(f"{count} {what}" for what, count in person.erased.items() if count)
    said = f"erased of {canonical(customer)}: {counts or 'nothing of them was there'}"
    return "\n".join([said, *(line for run in runs for line in _remains(run, person))])


def _files(run: Path) -> list[Path]:
    """The files of a run's memories, or of one memory.

    Raises:
        RecordError: there is none: whatever else may lie below that folder is not ours to change.
    """
    folder = inside(run)
    places = [place for name in (MANIFEST, OF_RUN) for place in (name, f"*/{name}")]
    ours = [folder / LOG, *(path for place in places for path in folder.glob(place))]
    if not any(path.is_file() for path in ours):
        raise no_memory(run)
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != LOCK)


def _memory(run: Path, person: Person) -> Iterator[Change]:
    files = _files(run)
    saved = {path.parent for path in files if path.name == MANIFEST}
    for path in files:
        if path.parent in saved and (path.name == MANIFEST or path.match("records-*.jsonl")):
            # The records of a manifest are read and written with it.
            if path.name == MANIFEST:
                yield _saved(path.parent, person)
        elif path.suffix in _DERIVED:
            person.count("derived files")
            yield path.unlink
        elif body := _body(path, person):
            yield _rewritten(path, body)


def _body(path: Path, person: Person) -> bytes | None:
    """What a file of records or of JSON is to hold; None where nothing changes."""
    if path.name == LOG:
        return b"".join(map(line_of, _kept(read_log(path), person, path))) or b"\n"
    if path.suffix == ".json":
        data = decoded(got(path), path)
        left = without(data, person)
        return None if left == data else encoded(left, indent=2) + b"\n"
    if path.suffix == ".jsonl":
        rows = [decoded(line, path) for line in lines(got(path))]
        kept = [without(row, person) for row in rows]
        left = b"".join(encoded(row) + b"\n" for row in kept if row is not None)
        return None if kept == rows else left or b"\n"
    return None


def _saved(folder: Path, person: Person) -> Change:
    old = load(folder)
    new: Snapshot = replace(old, kept=tuple(_kept(old.kept, person, folder)))
    return lambda: save(folder, new)


def _kept(whole: Iterable[Kept], person: Person, path: Path) -> Iterator[Kept]:
    for kept in whole:
        data = without(data_of(kept), person)
        if data is not None:
            yield kept_of(data, str(path))


def _rewritten(path: Path, body: bytes) -> Change:
    return lambda: put(path, body)


def _tables(folder: Path, person: Person) -> Iterator[Change]:
    for name, (kind, customer_of) in _TABLES.items():
        path = folder / f"{name}.parquet"
        if not path.is_file():
            continue
        rows: list[Any] = read_records(path, kind)
        kept = [row for row in rows if customer_of(row) != person.customer]
        if kind is Probe:
            kept = [_without_context(row, person) for row in kept]
        person.erased[f"rows of {name}"] = len(rows) - len(kept)
        yield lambda path=path, kept=kept, kind=kind: write_table(path, kept, kind)  # type: ignore[misc]


def _without_context(row: Probe, person: Person) -> Probe:
    """A probe of somebody else in whose prompt records of the person stood."""
    context = without(json.loads(row.context), Person(customer=person.customer)) if row.context else None
    return row if context is None else replace(row, context=canonical(context))


def _remains(run: Path, person: Person) -> Iterator[str]:
    yield from (
        f"remain: {path} names them; it is of a kind this program does not know"
        for path in _files(run)
        if path.suffix not in (".json", ".jsonl")
        and person.customer.encode("utf-8", "surrogatepass") in path.read_bytes()
    )
    for name in sorted(_names(run, person)):
        yield (
            f"remain: memories know them as {canonical(name)}, as they may know others;"
            f" noodle forget RUN --customer {canonical(name)} erases all of that name"
        )
    events = _events(run, person)
    if events:
        yield f"remain: {events} lines of the log in events/, which its digest seals"
    for path in sorted(run.glob("journal.sqlite")):
        yield _journal(path, person)
    if (run / "summary.json").is_file():
        yield "remain: counts in summary.json and days.parquet, which name nobody"
    if events:
        yield "a resume makes all of it again; to be rid of them for good, delete events/ and the journal"


def _names(run: Path, person: Person) -> set[str]:
    """By what else agents know the person, where the log tells."""
    found: set[str] = set()
    for path in part_paths(run / "events"):
        with suppress(RecordError):
            arrived = (row for row in read_records(path, Event) if row.kind == "arrived")
            found |= {
                str(json.loads(row.payload).get("known_as", ""))
                for row in arrived
                if row.customer == person.customer
            }
    return found - {"", person.customer}


def _events(run: Path, person: Person) -> int:
    """How many lines of the log are about the person; those that can be read."""
    count = 0
    for path in part_paths(run / "events"):
        with suppress(RecordError):
            count += sum(_of(row, person) for row in read_records(path, Event))
    return count


def _of(row: Event, person: Person) -> bool:
    return row.customer == person.customer or person.named_in(row.payload)


def _journal(path: Path, person: Person) -> str:
    try:
        with Journal.open(path, "replay") as journal:
            count = sum(
                person.owns(entry.place.act.split("|")[1]) or person.named_in(canonical(entry.wire))
                for entry in journal.entries()
            )
    except JournalError as error:
        return f"remain: what the journal {path.name} holds; it cannot be read ({error})"
    return f"remain: {count} questions and answers in {path.name}, without which no resume finds the rest"
