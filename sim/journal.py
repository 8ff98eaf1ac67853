"""The journal: every question to a real model with its answer, on disk before the answer is used.

An entry hangs on who asked (`Place`), never on the order of asking or on the words of the prompt.
The words are kept too: a question that changed since is an error, never a wrong answer.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, Self

from sim.errors import JournalError, ModelError, SimError
from sim.records import canonical

JOURNAL_VERSION = 1
Mode = Literal["live", "resume", "replay"]

_APPLICATION_ID = 0x4E4F4F44  # "NOOD": tells our files from other SQLite files
_LOCK_WAIT_S = 0.5
_EXCERPT = 48
_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entry (
    namespace TEXT NOT NULL, act TEXT NOT NULL, ask INTEGER NOT NULL, attempt INTEGER NOT NULL,
    digest TEXT NOT NULL, request BLOB NOT NULL, reply BLOB, failure TEXT, message TEXT,
    PRIMARY KEY (namespace, act, ask, attempt));
"""
_FIND = """
SELECT digest, request, reply, failure, message FROM entry
WHERE namespace = ? AND act = ? AND ask = ? AND attempt = ?
"""
_LIST = """
SELECT namespace, act, ask, attempt, request, reply, failure, message FROM entry
WHERE namespace = ?1 OR ?1 IS NULL ORDER BY rowid
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where an entry hangs.

    Args:
        namespace: keeps kinds of questions apart, as ``run`` and ``exam``.
        act: text of the act's identity.
        ask: place of the question within the act, from 0.
        attempt: 0, then 1 for the re-ask.
    """

    namespace: str
    act: str
    ask: int = 0
    attempt: int = 0

    def __str__(self) -> str:
        return f"{self.namespace} {self.act}, ask {self.ask}, attempt {self.attempt}"

    def key(self) -> tuple[str, str, int, int]:
        """The primary key of the entry."""
        return (self.namespace, self.act, self.ask, self.attempt)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One question and what came of it: a reply, or the class and message of a failure."""

    place: Place
    wire: dict[str, Any]
    reply: dict[str, Any] | None
    failure: str | None
    message: str | None


class Journal:
    """One SQLite file of entries; made by `Journal.open`, used by one run."""

    def __init__(self, connection: sqlite3.Connection, path: Path, mode: Mode) -> None:
        self._connection = connection
        self._path = path
        self._mode = mode

    @classmethod
    def open(cls, path: Path | str, mode: Mode = "live", config: str | None = None) -> Self:
        """Opens the journal of a run.

        Args:
            path: the SQLite file.
            mode: ``live`` starts an empty journal, ``resume`` answers from what is there and
                stores the rest, ``replay`` only answers.
            config: digest of all settings that decide what is asked; None leaves it unchecked.

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
            self._check_may_miss(place)
            return None
        digest, request, reply, failure, message = rows[0]
        if digest != request_digest(wire):
            raise self._changed(place, self._decoded(request, place), wire)
        if failure is not None:
            raise self._failed(place, failure, message)
        return self._decoded(reply, place)

    def store(self, place: Place, wire: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        """Commits a reply; only afterwards may it be used.

        Raises:
            JournalError: something stands at this place already, or the file cannot be written.
        """
        self._insert(place, wire, (_encoded(reply), None, None))

    def store_failure(self, place: Place, wire: Mapping[str, Any], error: ModelError) -> None:
        """Commits that the question failed, so that a resume meets the same failure."""
        self._insert(place, wire, (None, type(error).__name__, str(error)))

    def entries(self, namespace: str | None = None) -> Iterator[Entry]:
        """All entries, or those of one namespace, in the order they were stored."""
        for row in self._rows(_LIST, (namespace,)):
            place = Place(namespace=row[0], act=row[1], ask=row[2], attempt=row[3])
            wire = self._decoded(row[4], place)
            reply = None if row[5] is None else self._decoded(row[5], place)
            yield Entry(place=place, wire=wire, reply=reply, failure=row[6], message=row[7])

    def close(self) -> None:
        """Closes the file; closing twice is fine."""
        self._connection.close()

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
            raise JournalError(
                f"{self._path} is a journal from another config ({meta['config'][:12]}, now {config[:12]}):"
                " run with the settings of that run, or start a new one"
            )

    def _check_may_miss(self, place: Place) -> None:
        if self._mode == "replay":
            raise JournalError(
                f"journal {self._path} has no answer for {place}: replay with the code and settings of"
                " that run, or continue it with resume=DIR"
            )

    def _changed(self, place: Place, old: dict[str, Any], wire: Mapping[str, Any]) -> JournalError:
        change = first_difference(old, json.loads(canonical(wire)))
        return JournalError(
            f"journal {self._path}, {place}: asked differently now, {change};"
            " use the code and settings of that run, or start a new one"
        )

    def _failed(self, place: Place, failure: str, message: str) -> SimError:
        for kind in _with_subclasses(ModelError):
            if kind.__name__ == failure:
                return kind(message)
        return JournalError(f"journal {self._path}, {place}: unknown failure {failure}, import its backend")

    def _insert(self, place: Place, wire: Mapping[str, Any], result: tuple[Any, Any, Any]) -> None:
        if self._mode == "replay":
            raise JournalError(f"journal {self._path} is open for replay: store with resume")
        row = (*place.key(), request_digest(wire), _encoded(wire), *result)
        try:
            self._connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.IntegrityError as error:
            raise self._twice(place) from error
        except sqlite3.Error as error:
            raise _explained(error, self._path) from error

    def _twice(self, place: Place) -> JournalError:
        return JournalError(f"journal {self._path}, {place}: asked twice, give every act its own id")

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise _explained(error, self._path) from error

    def _decoded(self, blob: bytes, place: Place) -> dict[str, Any]:
        try:
            data: dict[str, Any] = json.loads(zlib.decompress(blob).decode("utf-8", "surrogatepass"))
        except (ValueError, TypeError, zlib.error) as error:
            raise JournalError(f"journal {self._path}, {place}: damaged entry, start a new run") from error
        return data


def request_digest(wire: Mapping[str, Any]) -> str:
    """The sha256 of a request as canonical JSON, in hex."""
    return sha256(_bytes(wire)).hexdigest()


def first_difference(old: Any, new: Any, name: str = "request") -> str:
    """One line that names the first field (in sorted order) that differs, with a little of both."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) != new.get(key):
                below = key if name == "request" else f"{name}.{key}"
                return first_difference(old.get(key), new.get(key), below)
    before, after = (value if isinstance(value, str) else canonical(value) for value in (old, new))
    pairs = enumerate(zip_longest(before, after))
    start = max(0, next((at for at, (one, two) in pairs if one != two), 0) - _EXCERPT // 4)
    end = start + _EXCERPT
    return f"{name} was {before[start:end]!r} and is {after[start:end]!r}"


def _bytes(data: Mapping[str, Any]) -> bytes:
    # A model may send half of a surrogate pair; it must not stop the run from being stored.
    return canonical(data).encode("utf-8", "surrogatepass")


def _encoded(data: Mapping[str, Any]) -> bytes:
    return zlib.compress(_bytes(data), 1)


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
