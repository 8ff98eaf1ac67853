"""Files that appear whole or not at all, and text that holds any character."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from sim.errors import RecordError


def put(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all, its folder as well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".tmp")
    try:
        with half.open("wb") as file:
            file.write(data)
            file.flush()
            # Renamed before its bytes are on the disk, it could be empty after a power cut.
            os.fsync(file.fileno())
        half.replace(path)
    except BaseException:
        with suppress(OSError):
            half.unlink()
        raise


def encoded(data: Any, *, indent: int | None = None) -> bytes:
    """JSON as bytes; half a character of a pair stands there as its escape and is read back as it was."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)
    return text.encode("utf-8", "backslashreplace")


def paired(text: str) -> str:
    """The text with halves of a character that stand side by side made one, as every file makes them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def decoded(data: bytes, path: Path) -> Any:
    """What `encoded` wrote.

    Raises:
        RecordError: it is no JSON.
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: damaged, it is no JSON ({error})") from None


def lines(data: bytes) -> Iterator[bytes]:
    """The lines of a file, by line feeds alone: texts may hold other ends of lines."""
    return (line for line in data.split(b"\n") if line)


def digest(data: bytes) -> str:
    """The sha256 of some bytes."""
    return sha256(data).hexdigest()


def got(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        RecordError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from None
