"""Vectors by key in one SQLite file: what the embedding cache lies on.

SQLite with a write-ahead log because several processes write at once, a killed writer leaves
nothing half done, and a hundred thousand rows stay one file.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sim.errors import ConfigError, EmbedderError

T = TypeVar("T")
_FORMAT = "1"
_BUSY_S = 60.0
_SWITCH_AGAIN_S = 0.01
_ASK_AT_ONCE = 500  # SQLite builds may allow no more than 999 parameters
_TABLES = (
    "create table if not exists meta (name text primary key, value text not null)",
    "create table if not exists vectors (key blob primary key, vector blob not null, crc integer not null)",
)
_PASSING = (
    "SQLITE_BUSY",
    "SQLITE_LOCKED",
    "SQLITE_FULL",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
    "SQLITE_IOERR",
)
_REMEDY = "delete it (it is only a cache) or set embedder.cache to another folder"


class VectorStore:
    """float32 rows of one embedder under 32-byte keys; safe for several processes at once.

    Args:
        folder: made when absent; holds one file per fingerprint.
        fingerprint: of the embedder whose rows these are.
        dimension: length of a row.

    Raises:
        ConfigError: the folder cannot be made or written.
        EmbedderError: the file is damaged or was written for other vectors.
    """

    def __init__(self, folder: Path, fingerprint: str, dimension: int) -> None:
        self.path = folder / file_name(fingerprint)
        self._dimension = dimension
        self._database = self._open(folder)
        meta = {"format": _FORMAT, "fingerprint": fingerprint, "dimension": str(dimension)}
        try:
            self._guarded(lambda: self._agree(meta))
        except EmbedderError:
            self.close()
            raise

    def read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """The rows that are there, by key."""
        return self._guarded(lambda: self._read(keys))

    def write(self, rows: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Adds rows in one transaction; a key that is there keeps its row."""
        packed = [(key, *_packed(key, row)) for key, row in rows.items()]
        self._guarded(lambda: self._write(packed))

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def _open(self, folder: Path) -> sqlite3.Connection:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(
                f"embedder.cache: {folder} cannot be used ({error}); give a writable folder"
            ) from error

    def _agree(self, meta: dict[str, str]) -> None:
        self._write_ahead()
        self._database.execute("pragma synchronous = normal")
        with _transaction(self._database):
            for statement in _TABLES:
                self._database.execute(statement)
            self._database.executemany("insert or ignore into meta values (?, ?)", meta.items())
        found = dict(self._database.execute("select name, value from meta"))
        for name, value in meta.items():
            if found.get(name) != value:
                raise EmbedderError(
                    f"embedding cache {self.path} has {name} {found.get(name)}, not {value}: {_REMEDY}"
                )

    def _write_ahead(self) -> None:
        # While another process makes the same switch SQLite refuses at once, whatever the timeout.
        deadline = monotonic() + _BUSY_S
        while True:
            try:
                self._database.execute("pragma journal_mode = wal").fetchone()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                    raise
                sleep(_SWITCH_AGAIN_S)
            else:
                return

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        rows: dict[bytes, NDArray[np.float32]] = {}
        for start in range(0, len(keys), _ASK_AT_ONCE):
            part = keys[start : start + _ASK_AT_ONCE]
            marks = ",".join("?" * len(part))
            question = f"select key, vector, crc from vectors where key in ({marks})"  # noqa: S608 only ?s
            for key, vector, crc in self._database.execute(question, part):
                rows[key] = self._unpacked(key, vector, crc)
        return rows

    def _unpacked(self, key: bytes, vector: bytes, crc: int) -> NDArray[np.float32]:
        # SQLite does not notice bits that changed inside a value.
        if len(vector) != 4 * self._dimension or crc32(vector, crc32(key)) != crc:
            raise EmbedderError(f"embedding cache {self.path} is damaged (a row fails its check): {_REMEDY}")
        return np.frombuffer(vector, dtype="<f4").astype(np.float32)

    def _write(self, packed: Sequence[tuple[bytes, bytes, int]]) -> None:
        with _transaction(self._database):
            self._database.executemany("insert or ignore into vectors values (?, ?, ?)", packed)

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.Error as error:
            raise EmbedderError(f"embedding cache {self.path} {_complaint(error)}") from error


def file_name(fingerprint: str) -> str:
    """Name of the database of a fingerprint: readable, and unique through a digest."""
    readable = re.sub(r"[^\w.+@-]+", "_", fingerprint)[:60]
    return f"{readable}-{sha256(fingerprint.encode()).hexdigest()[:12]}.sqlite"


def _complaint(error: sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorname", "").startswith(_PASSING):
        return f"cannot be used now ({error}): free disk or lock, or set embedder.cache to another folder"
    return f"is damaged ({error}): {_REMEDY}"


def _packed(key: bytes, row: NDArray[np.float32]) -> tuple[bytes, int]:
    vector = row.astype("<f4").tobytes()
    return vector, crc32(vector, crc32(key))


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    # Immediate: a transaction that turns from reading to writing may be refused without waiting.
    database.execute("begin immediate")
    try:
        yield
        database.execute("commit")
    except BaseException:
        if database.in_transaction:
            database.execute("rollback")
        raise
