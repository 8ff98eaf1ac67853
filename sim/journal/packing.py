"""How questions and answers are written down: canonical bytes, their digest, and the bytes on the disk.

What is long and comes again and again (a role's instructions and its schema) is encoded, compressed and
stored once; a question points to it.
"""

import json
import marshal
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from typing import Any

from sim.records import canonical

_STABLE = ("schema", "system")
_KEPT = 256
# Below this compressing costs more time than it saves room.
_SHORT = 1024
_EXCERPT = 48
# As `canonical`, which makes an encoder for each call; a test holds the two together.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


@dataclass(frozen=True, kw_only=True, slots=True)
class Packed:
    """A question as it is stored: the sha256 of its canonical JSON, what comes again in it, and the rest."""

    digest: str
    stable: bytes
    rest: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class _Stable:
    """Fields that come again: each as a piece of canonical JSON, and all of them compressed."""

    pieces: Mapping[str, str]
    body: bytes


class Packer:
    """Packs questions, and keeps the encoded form of the parts that come again."""

    def __init__(self) -> None:
        self._known: dict[bytes, _Stable] = {}

    def pack(self, wire: Mapping[str, Any]) -> Packed:
        """The digest and the stored form of a question."""
        stable = self._stable({name: wire[name] for name in _STABLE if name in wire})
        rest = {name: _piece(name, wire[name]) for name in wire if name not in _STABLE}
        whole = _object({**rest, **stable.pieces})
        return Packed(digest=sha256(whole).hexdigest(), stable=stable.body, rest=_shrunk(_object(rest)))

    def _stable(self, fields: dict[str, Any]) -> _Stable:
        try:
            # Exact for JSON's types (1, 1.0 and True differ), and far quicker than JSON itself.
            key = marshal.dumps(fields, 2)
        except ValueError:
            return _encoded(fields)
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = _encoded(fields)
        return self._known[key]


def request_digest(wire: Mapping[str, Any]) -> str:
    """The sha256 of a request as canonical JSON, in hex."""
    return sha256(_bytes(canonical(wire))).hexdigest()


def packed(data: Mapping[str, Any]) -> bytes:
    """The stored form of an answer."""
    return _shrunk(_bytes(_encode(data)))


def unpacked(body: bytes) -> dict[str, Any]:
    """What was packed.

    Raises:
        ValueError: the bytes are damaged.
    """
    # Plain JSON opens with a brace, which no zlib stream does.
    try:
        text = body if body[:1] == b"{" else zlib.decompress(body)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    data: dict[str, Any] = json.loads(text.decode("utf-8", "surrogatepass"))
    return data


def plain(text: str) -> Any:
    """The data in a JSON text, or the text itself where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def first_difference(old: Any, new: Any, name: str = "") -> str:
    """One line that names the first field (in sorted order) that differs, with a little of both."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) != new.get(key):
                return first_difference(old.get(key), new.get(key), f"{name}.{key}" if name else key)
    before, after = (value if isinstance(value, str) else canonical(value) for value in (old, new))
    pairs = enumerate(zip_longest(before, after))
    start = max(0, next((at for at, (one, two) in pairs if one != two), 0) - _EXCERPT // 4)
    end = start + _EXCERPT
    return f"{name or 'request'} was {before[start:end]!r} and is {after[start:end]!r}"


def _encoded(fields: Mapping[str, Any]) -> _Stable:
    pieces = {name: _piece(name, value) for name, value in fields.items()}
    return _Stable(pieces=pieces, body=zlib.compress(_object(pieces)))


def _piece(name: str, value: Any) -> str:
    return f"{_encode(name)}:{_encode(value)}"


def _object(pieces: Mapping[str, str]) -> bytes:
    """The canonical JSON of an object whose fields are encoded already."""
    return _bytes("{" + ",".join([pieces[name] for name in sorted(pieces)]) + "}")


def _bytes(text: str) -> bytes:
    # A model may send half of a surrogate pair; it must not stop the run from being stored.
    return text.encode("utf-8", "surrogatepass")


def _shrunk(text: bytes) -> bytes:
    return text if len(text) < _SHORT else zlib.compress(text, 1)
