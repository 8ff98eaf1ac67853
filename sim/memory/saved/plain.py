"""Records as plain data and back, and as checked lines of a file."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from sim.errors import RecordError
from sim.memory.protocol import Claim, Kept, Record
from sim.memory.saved.files import decoded, digest, encoded

_TUPLES = ("claimants", "sources", "replaces", "keywords")
# A line is cut by places and not parsed, so that its checksum is of the bytes that were written.
_HEAD, _NECK, _DIGITS = b'{"sha256": "', b'", "kept": ', 64
_NAMES = {one.name for one in fields(Record)}


def data_of(kept: Kept) -> dict[str, Any]:
    """A record and when it was retired, as plain data: what `Memory.snapshot` gives."""
    return asdict(kept.record) | {"retired_at_ms": kept.retired_at_ms}


def kept_of(data: Any, where: str) -> Kept:
    """The record in plain data; keys that are not ours are left out.

    Raises:
        RecordError: it holds none.
    """
    try:
        given = {name: data[name] for name in _NAMES & set(data)}
        given |= {name: tuple(given[name]) for name in _TUPLES if name in given}
        claims = tuple(Claim(**claim) for claim in given.pop("claims", ()))
        _check(given, data.get("retired_at_ms"))
        return Kept(record=Record(**given, claims=claims), retired_at_ms=data.get("retired_at_ms"))
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise RecordError(f"{where}: damaged, it is no record ({error})") from None


def line_of(kept: Kept) -> bytes:
    """A record as one line of JSON that says itself whether it is whole."""
    body = encoded(data_of(kept))
    return _HEAD + digest(body).encode() + _NECK + body + b"}\n"


def kept_in(line: bytes, path: Path, number: int) -> Kept:
    """The record in a line that `line_of` wrote, with or without its end.

    Raises:
        RecordError: the line is damaged; the message names it.
    """
    where = f"{path}, line {number}"
    start, line = len(_HEAD) + _DIGITS, line.rstrip(b"\n")
    body = line[start + len(_NECK) : -1]
    if line != _HEAD + digest(body).encode() + _NECK + body + b"}":
        raise RecordError(f"{where}: damaged, it does not fit its checksum")
    return kept_of(decoded(body, Path(where)), where)


def _check(given: Mapping[str, Any], retired_at_ms: Any) -> None:
    whole = [given.get("at_ms"), given.get("visible_at_ms"), 0 if retired_at_ms is None else retired_at_ms]
    if not all(type(value) is int for value in whole):
        raise ValueError("its times are whole milliseconds")
    names = ("id", "agent", "customer", "visit", "kind", "text")
    if not all(isinstance(given.get(name), str) for name in names):
        raise ValueError(f"{', '.join(names)} are text")
    if not all(isinstance(given.get(name, ""), str) for name in ("action", "emotion")):
        raise ValueError("action and emotion are text")
    if not all(isinstance(one, str) for name in _TUPLES for one in given.get(name, ())):
        raise ValueError(f"{', '.join(_TUPLES)} hold text")
