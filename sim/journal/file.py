"""The file of the journal: entries that are committed before anybody uses them.

An entry hangs on who asked (`Place`), never on the order of asking or on the words of the prompt.
The words are kept too: a question that changed since is an error, never a wrong answer.
"""

import asyncio
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Self

from sim.errors import JournalError, JournalMiss, ModelError, SimError
from sim.journal.entry import Answer, Entry, Place, message_of, result_of
from sim.journal.packing import Packed, Packer, first_difference, plain, unpacked
from sim.records import canonical

JOURNAL_VERSION = 2
Mode = Literal["live", "resume", "replay"]

_APPLICATION_ID = 0x4E4F4F44  # "NOOD": tells our files from other SQLite files
_LOCK_WAIT_S = 0.5
_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stable (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS entry (
    namespace TEXT NOT NULL, act TEXT NOT NULL, ask INTEGER NOT NULL, attempt INTEGER NOT NULL,
    digest TEXT NOT NULL, stable INTEGER NOT NULL REFERENCES stable, request BLOB NOT NULL,
    reply BLOB, failure TEXT, message TEXT,
    PRIMARY KEY (namespace, act, ask, attempt));
"""
_FIND = """
SELECT digest, stable, request, reply, failure, message FROM entry
WHERE namespace = ? AND act = ? AND ask = ? AND attempt = ?
"""
_LIST = """
SELECT namespace, act, ask, attempt, stable, request, reply, failure, message FROM entry
WHERE namespace = ?1 OR ?1 IS NULL ORDER BY rowid
"""


class Journal:
    """One SQLite file of entries; made by `Journal.open`, used by one run.

    Entries that `keep` is given in one turn of the event loop share a commit, for which each waits.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, mode: Mode) -> None:
        self._connection = connection
        self._path = path
        self._mode = mode
        self._packer = Packer()
        self._stables: dict[bytes, int] = {}
        self._waiting: list[asyncio.Future[None]] = []

    @classmethod
    def open(cls, path: Path | str, mode: Mode = "live", config: str | None = None) -> Self:
        """Opens the journal of a run.

        Args:
            path: the SQLite file.
            mode: ``live`` starts an empty journal, ``resume`` answers from what is there and
                stores the rest, ``replay`` only answers.
            config: all settings that decide what is asked, as one text, best JSON, so that the
                first setting that differs can be named; None leaves it unchecked.

        Raises:
            JournalError: the file is locked, foreign, damaged or of another config, or, for
                ``live``, already holds entries.
        """
        path = Path(path)
        if mode == "replay" and not path.is_file():
            raise JournalError(f"no journal at {path}: name a run that asked a real model")
        try:
            journal = cls(_connect(path, mode), path, mode)
        except sqlite3.Error as error:
            raise _explained(error, path) from error
        try:
            journal._prepare(config)
        except BaseException:
            journal.close()
            raise
        return journal

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __len__(self) -> int:
        """How many entries it holds, all namespaces together."""
        return int(self._rows("SELECT count(*) FROM entry")[0][0])

    def find(self, place: Place, wire: Mapping[str, Any]) -> dict[str, Any] | None:
        """The stored reply to this question, or None where it was never asked.

        Raises:
            ModelError: of the stored type, when the question failed then.
            JournalError: another question stands at this place, or in ``replay`` none does.
        """
        rows = self._rows(_FIND, place.key())
        if not rows:
            self._check_may_miss(place, wire)
            return None
        digest, stable, request, reply, failure, message = rows[0]
        if digest != self._packer.pack(wire).digest:
            raise self._changed(place, self._asked(stable, request, place), wire)
        if failure is not None:
            raise self._failed(place, failure, message)
        return self._decoded(reply, place)

    def store(self, place: Place, wire: Mapping[str, Any], answer: Answer) -> None:
        """Commits an answer or a failure at once; only afterwards may it be used.

        A failure is stored so that a resume meets the same one.

        Raises:
            JournalError: something stands at this place already, or the file cannot be written.
        """
        self._insert(place, wire, answer)
        if self._connection.in_transaction and (error := self._commit()):
            raise error

    async def keep(self, place: Place, wire: Mapping[str, Any], answer: Answer) -> None:
        """As `store`, in one commit with all that arrives in the same turn of the event loop."""
        loop = asyncio.get_running_loop()
        if not self._connection.in_transaction:
            self._rows("BEGIN")
            loop.call_soon(self._commit)
        self._insert(place, wire, answer)
        committed = loop.create_future()
        self._waiting.append(committed)
        await committed

    def entries(self, namespace: str | None = None) -> Iterator[Entry]:
        """All entries, or those of one namespace, in the order they were stored."""
        for row in self._rows(_LIST, (namespace,)):
            place = Place(namespace=row[0], act=row[1], ask=row[2], attempt=row[3])
            wire = self._asked(row[4], row[5], place)
            reply = None if row[6] is None else self._decoded(row[6], place)
            yield Entry(place=place, wire=wire, reply=reply, failure=row[7], message=message_of(row[8]))

    def close(self) -> None:
        """Closes the file; closing twice is fine."""
        # Whoever waited has gone with the loop, but what was paid for stays.
        with suppress(sqlite3.Error):
            self._connection.commit()
        self._connection.close()

    def _commit(self) -> JournalError | None:
        failure = None
        try:
            if self._connection.in_transaction:
                self._rows("COMMIT")
        except JournalError as error:
            failure = error
            self._connection.rollback()
        self._release(failure)
        return failure

    def _release(self, error: JournalError | None) -> None:
        """Tells all who wait for a commit that it is done, or that what they gave is not in the file."""
        waiting, self._waiting = self._waiting, []
        for committed in (future for future in waiting if not future.done()):
            if error is None:
                committed.set_result(None)
            else:
                committed.set_exception(error)
        if error is not None:
            self._stables.clear()

    def _prepare(self, config: str | None) -> None:
        # Looked at before anything is set, so that a foreign file stays as it was.
        ours = self._rows("PRAGMA application_id")[0][0] == _APPLICATION_ID
        empty = self._rows("SELECT count(*) FROM sqlite_master")[0][0] == 0
        if not ours and (self._mode == "replay" or not empty):
            raise JournalError(f"{self._path} is not a journal of this project: give another path")
        if self._mode != "replay":
            self._create(config)
        self._check_meta(config)
        if self._mode == "live" and len(self):
            raise JournalError(f"journal {self._path} already holds a run: continue it with resume=DIR")

    def _create(self, config: str | None) -> None:
        # Exclusive: two runs on one journal would each answer for the other.
        self._rows("PRAGMA locking_mode = EXCLUSIVE")
        self._rows("PRAGMA journal_mode = WAL")
        self._rows("PRAGMA synchronous = NORMAL")
        self._rows(f"PRAGMA application_id = {_APPLICATION_ID}")
        for statement in _TABLES.strip().split(";\n"):
            self._rows(statement)
        for name, value in (("version", str(JOURNAL_VERSION)), ("config", config)):
            if value is not None:
                self._rows("INSERT OR IGNORE INTO meta VALUES (?, ?)", (name, value))

    def _check_meta(self, config: str | None) -> None:
        meta = dict(self._rows("SELECT name, value FROM meta"))
        if meta.get("version") != str(JOURNAL_VERSION):
            raise JournalError(
                f"journal {self._path} has schema version {meta.get('version')}, this code reads"
                f" {JOURNAL_VERSION}: use the version of the project that wrote it"
            )
        if config is not None and meta.get("config", config) != config:
            what = first_difference(plain(meta["config"]), plain(config), "config")
            raise JournalError(
                f"{self._path} is a journal from another config ({what}): run with the settings of that"
                " run, or start a new one"
            )

    def _check_may_miss(self, place: Place, wire: Mapping[str, Any]) -> None:
        if self._mode == "replay":
            text = (
                f"journal {self._path} has no answer for {place}: replay with the code and settings of"
                " that run, or continue it with resume=DIR; noodle explain-miss says what differs"
            )
            raise _miss(text, place, wire, None)

    def _changed(self, place: Place, old: dict[str, Any], wire: Mapping[str, Any]) -> JournalError:
        change = first_difference(old, json.loads(canonical(wire)))
        text = (
            f"journal {self._path}, {place}: asked differently now, {change};"
            " use the code and settings of that run, or start a new one (noodle explain-miss says more)"
        )
        return _miss(text, place, wire, old)

    def _failed(self, place: Place, failure: str, message: str | bytes) -> SimError:
        for kind in _with_subclasses(ModelError):
            if kind.__name__ == failure:
                return kind(message_of(message) or "")
        return JournalError(f"journal {self._path}, {place}: unknown failure {failure}, import its backend")

    def _insert(self, place: Place, wire: Mapping[str, Any], answer: Answer) -> None:
        if self._mode == "replay":
            raise JournalError(f"journal {self._path} is open for replay: store with resume")
        try:
            self._add(place, self._packer.pack(wire), result_of(answer))
        except sqlite3.IntegrityError as error:
            message = f"journal {self._path}, {place}: asked twice, give every act its own id"
            raise JournalError(message) from error
        except sqlite3.Error as error:
            explained = _explained(error, self._path)
            if not self._connection.in_transaction:
                # A full disk undoes the whole transaction, and with it what others wait for.
                self._release(explained)
            raise explained from error

    def _add(self, place: Place, asked: Packed, result: tuple[Any, ...]) -> None:
        row = (*place.key(), asked.digest, self._stable(asked.stable), asked.rest, *result)
        self._connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _stable(self, body: bytes) -> int:
        """The number under which this part of a question stands, from now on if it did not yet."""
        if not self._stables:
            self._stables = {body: number for number, body in self._rows("SELECT id, body FROM stable")}
        if body not in self._stables:
            added = self._connection.execute("INSERT INTO stable (body) VALUES (?) RETURNING id", (body,))
            self._stables[body] = added.fetchall()[0][0]
        return self._stables[body]

    def _asked(self, stable: int, rest: bytes, place: Place) -> dict[str, Any]:
        rows = self._rows("SELECT body FROM stable WHERE id = ?", (stable,))
        return self._decoded(rows[0][0] if rows else b"", place) | self._decoded(rest, place)

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise _explained(error, self._path) from error

    def _decoded(self, blob: bytes, place: Place) -> dict[str, Any]:
        try:
            return unpacked(blob)
        except (ValueError, TypeError) as error:
            raise JournalError(f"journal {self._path}, {place}: damaged entry, start a new run") from error


def _miss(text: str, place: Place, asked: Mapping[str, Any], stored: Mapping[str, Any] | None) -> JournalMiss:
    miss = JournalMiss(text)
    miss.place, miss.asked, miss.stored = place, asked, stored
    return miss


def _connect(path: Path, mode: Mode) -> sqlite3.Connection:
    access = "ro" if mode == "replay" else "rwc"
    uri = f"{path.absolute().as_uri()}?mode={access}"
    # Autocommit: each entry is its own transaction. The thread may change, the run does not.
    return sqlite3.connect(uri, _LOCK_WAIT_S, isolation_level=None, check_same_thread=False, uri=True)


def _explained(error: sqlite3.Error, path: Path) -> JournalError:
    text = str(error)
    if "locked" in text:
        return JournalError(f"journal {path} is in use by another run: wait for it, or stop it")
    if "not a database" in text or "malformed" in text:
        return JournalError(f"{path} is damaged or not a journal ({text}): give another path")
    return JournalError(f"journal {path} cannot be used ({text}): check the path and the disk")


def _with_subclasses(kind: type[ModelError]) -> Iterator[type[ModelError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _with_subclasses(below)
