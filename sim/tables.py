"""Tables of flat records on the disk: parquet files whose columns are the fields of a record.

A file is written under a temporary name and then renamed, so a reader never meets half a table.
"""

import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sim.errors import RecordError
from sim.records import SCHEMA_VERSION

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

R = TypeVar("R")
_VERSION_KEY = b"noodle.schema_version"
_RECORD_KEY = b"noodle.record"
_ARROW_NAMES = {int: "int64", float: "float64", str: "string", bool: "bool"}
_NULLABLE = {int: "Int64", bool: "boolean"}


def column_name(field: Field[Any]) -> str:
    """What a field is called as a column: its own name, or the ``column`` of its metadata."""
    name: str = field.metadata.get("column", field.name)
    return name


def columns(record_type: type) -> dict[str, tuple[type, bool]]:
    """The plain type of each column of a record, and whether it may be None.

    Raises:
        TypeError: a field is not a plain int, float, str or bool, so the record is not flat.
    """
    hints = typing.get_type_hints(record_type)
    return {
        column_name(field): _column(record_type, field.name, hints[field.name])
        for field in fields(record_type)
    }


def _column(record_type: type, name: str, hint: Any) -> tuple[type, bool]:
    union = isinstance(hint, types.UnionType)
    options = typing.get_args(hint) if union else (hint,)
    plain = [option for option in options if option is not type(None)]
    if len(plain) != 1 or plain[0] not in _ARROW_NAMES:
        allowed = "a record holds int, float, str, bool or None"
        raise TypeError(f"{record_type.__name__}.{name} is {hint}: {allowed}")
    return plain[0], len(options) > 1


def _schema(record_type: type) -> "pa.Schema":
    import pyarrow as pa

    columns_here = [
        pa.field(name, pa.type_for_alias(_ARROW_NAMES[plain]), nullable=optional)
        for name, (plain, optional) in columns(record_type).items()
    ]
    marks = {_VERSION_KEY: str(SCHEMA_VERSION).encode(), _RECORD_KEY: record_type.__name__.encode()}
    return pa.schema(columns_here, metadata=marks)


def write_table(path: Path, rows: Sequence[Any], record_type: type) -> None:
    """Writes records to one parquet file (zstd); with no rows it still has the columns.

    The file appears whole or not at all: it is written beside its place and then renamed.
    """
    with _beside(path) as half:
        _write(half, rows, record_type)
        half.replace(path)


def replace_table(path: Path, rows: Sequence[Any], record_type: type) -> bool:
    """As `write_table`, but a file of the same bytes is left alone; True where there was another."""
    with _beside(path) as half:
        _write(half, rows, record_type)
        before = path.read_bytes() if path.exists() else None
        if before == half.read_bytes():
            half.unlink()
            return False
        half.replace(path)
        return before is not None


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A temporary name beside a file, which is free again when the work fails: the disk may be full."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".tmp")
    try:
        yield half
    except BaseException:
        with suppress(OSError):
            half.unlink()
        raise


def _write(path: Path, rows: Sequence[Any], record_type: type) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema(record_type)
    names = {column_name(field): field.name for field in fields(record_type)}
    arrays = [_array([getattr(row, names[column.name]) for row in rows], column) for column in schema]
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), path, compression="zstd")


def _array(values: list[Any], column: "pa.Field") -> "pa.Array":
    import pyarrow as pa

    try:
        return pa.array(values, column.type)
    except UnicodeEncodeError:
        # A model can hand back half a character; written as \\uXXXX, canonical JSON still reads the same.
        return pa.array([_encodable(value) for value in values], column.type)


def _encodable(value: str | None) -> str | None:
    return None if value is None else value.encode("utf-8", "backslashreplace").decode("utf-8")


def part_path(folder: Path, number: int) -> Path:
    """Where part ``number`` of a table in several files lies: ``part-00000.parquet`` and so on."""
    return folder / f"part-{number:05d}.parquet"


def part_paths(folder: Path) -> list[Path]:
    """The parts in a folder in order, whole or not; files under a temporary name are no parts."""
    return sorted(folder.glob("part-*.parquet"))


def check_table(path: Path, record_type: type) -> None:
    """Looks at the end of a file, where parquet keeps its schema, without reading the rows.

    Raises:
        RecordError: the file is missing, truncated, of another kind or of another schema version.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(path)
    except FileNotFoundError:
        raise RecordError(f"{path}: no such table; the run may have ended before writing it") from None
    except (pa.ArrowException, OSError) as error:
        raise RecordError(f"{path}: truncated or no parquet file ({_first_line(error)})") from None
    _check_marks(path, schema.metadata or {}, record_type)
    missing = [name for name in columns(record_type) if name not in schema.names]
    if missing:
        raise RecordError(f"{path}: no column {missing[0]!r}; another version of the program wrote it")


def _check_marks(path: Path, marks: Mapping[bytes, bytes], record_type: type) -> None:
    kind = marks.get(_RECORD_KEY, b"?").decode()
    if kind != record_type.__name__:
        raise RecordError(f"{path}: holds records of kind {kind!r}, not {record_type.__name__!r}")
    version = marks.get(_VERSION_KEY, b"?").decode()
    if version != str(SCHEMA_VERSION):
        advice = "read it with the version of the program that wrote it, or run again"
        raise RecordError(f"{path}: schema version {version}, this program reads {SCHEMA_VERSION}; {advice}")


def _read(path: Path, record_type: type) -> "pa.Table":
    import pyarrow as pa
    import pyarrow.parquet as pq

    check_table(path, record_type)
    try:
        return pq.read_table(path, columns=list(columns(record_type)))
    except (pa.ArrowException, OSError) as error:
        raise RecordError(f"{path}: its rows are damaged ({_first_line(error)})") from None


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]


def read_records(path: Path, record_type: type[R]) -> list[R]:
    """The rows of a table as the records that were written.

    Raises:
        RecordError: the file cannot be read as such records.
    """
    table = _read(path, record_type)
    names = [field.name for field in fields(record_type)]  # type: ignore[arg-type]
    values = zip(*(table.column(name).to_pylist() for name in columns(record_type)), strict=True)
    return [record_type(**dict(zip(names, row, strict=True))) for row in values]


def read_table(path: Path, record_type: type) -> "pd.DataFrame":
    """The rows of a table as a frame; a field that may be None becomes a nullable column.

    Raises:
        RecordError: the file cannot be read as such records.
    """
    return read_tables([path], record_type)


def read_tables(paths: Iterable[Path], record_type: type) -> "pd.DataFrame":
    """The rows of several tables of one kind, one after the other, as one frame.

    Raises:
        RecordError: one of the files cannot be read as such records.
    """
    import pyarrow as pa

    schema = _schema(record_type)
    tables = [_read(path, record_type).cast(schema) for path in paths]
    return _frame(pa.concat_tables([schema.empty_table(), *tables]), record_type)


def _frame(table: "pa.Table", record_type: type) -> "pd.DataFrame":
    import pandas as pd
    import pyarrow as pa

    # Through nullable types, because a column of whole numbers with gaps would pass through floats.
    exact = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    frame: pd.DataFrame = table.to_pandas(types_mapper=exact.get)
    plain = {name: kind for name, (kind, optional) in columns(record_type).items() if not optional}
    return frame.astype({name: kind.__name__ for name, kind in plain.items() if kind in _NULLABLE})
