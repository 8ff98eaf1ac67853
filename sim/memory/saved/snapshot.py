"""A memory as files: saved whole or not at all, checked when loaded, and readable without any simulation.

A folder holds ``manifest.json`` and the file of records that it names, one checked line each. The records
come first, under a name of their own; the manifest, which makes them count, comes last.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sim.errors import RecordError
from sim.memory.protocol import Kept, Owner
from sim.memory.saved.files import decoded, digest, encoded, got, lines, put
from sim.memory.saved.plain import kept_in, kept_of, line_of

FORMAT = 1
MANIFEST = "manifest.json"
OF_RUN = "snapshot.json"
"""What a run writes of each of its stores."""

_KIND = "noodle memory"
_SHOWN = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """What one owner's memory holds.

    Args:
        kept: records in order of arrival, retired ones too.
        embedder: fingerprint of the embedder it was used with; empty for none. Vectors are no part of a
            snapshot, they are made again of the texts, so another embedder may open it.
        preset: name of the preset it was used with; empty where that is not known.
    """

    owner: Owner
    kept: tuple[Kept, ...]
    embedder: str = ""
    preset: str = ""


def save(folder: Path, snapshot: Snapshot) -> None:
    """Writes a snapshot into a folder, in place of the one there."""
    body = b"".join(map(line_of, snapshot.kept))
    name = f"records-{digest(body)[:_SHOWN]}.jsonl"
    manifest = {
        "kind": _KIND,
        "format": FORMAT,
        "store": snapshot.owner.store,
        "customer": snapshot.owner.customer,
        "preset": snapshot.preset,
        "embedder": snapshot.embedder,
        "records": len(snapshot.kept),
        "file": name,
        "sha256": digest(body),
    }
    put(folder / name, body)
    put(folder / MANIFEST, encoded(manifest, indent=2) + b"\n")
    for old in folder.glob("records-*.jsonl"):
        if old.name != name:
            with suppress(OSError):
                old.unlink()


def load(folder: Path) -> Snapshot:
    """The snapshot in a folder.

    Raises:
        RecordError: there is none, it is damaged, or another version of the program wrote it.
    """
    manifest = manifest_of(folder)
    path = folder / manifest["file"]
    body = got(path)
    if digest(body) != manifest["sha256"]:
        raise RecordError(f"{path}: damaged, it does not fit the checksum in {MANIFEST}")
    kept = tuple(kept_in(line, path, number) for number, line in enumerate(lines(body), 1))
    return Snapshot(
        owner=Owner(store=manifest["store"], customer=manifest["customer"]),
        kept=kept,
        embedder=manifest["embedder"],
        preset=manifest["preset"],
    )


def manifest_of(folder: Path) -> Mapping[str, Any]:
    """The checked manifest of a snapshot.

    Raises:
        RecordError: as with `load`.
    """
    path = folder / MANIFEST
    manifest = decoded(got(path), path)
    if not isinstance(manifest, Mapping) or manifest.get("kind") != _KIND:
        raise RecordError(f"{path}: not the manifest of a memory; name the folder of one")
    if manifest.get("format") != FORMAT:
        raise RecordError(f"{path}: format {manifest.get('format')}, this program reads {FORMAT}")
    texts = [manifest.get(name) for name in ("store", "preset", "embedder", "file", "sha256")]
    customer = manifest.get("customer")
    plain = all(isinstance(text, str) for text in texts) and (customer is None or isinstance(customer, str))
    # The file of records lies in this folder, whatever somebody wrote into the manifest.
    if not plain or not manifest["store"] or Path(manifest["file"]).name != manifest["file"]:
        raise RecordError(f"{path}: damaged, its keys are not what they were")
    return manifest


def memories(path: Path) -> dict[Owner, Snapshot]:
    """All memories in a run's folder, its ``memory`` folder, that of one agent, or a saved memory.

    Raises:
        RecordError: there is none, or one is damaged.
    """
    found: dict[Owner, Snapshot] = {}
    for snapshot in _below(path):
        if snapshot.owner in found:
            raise RecordError(
                f"{path}: holds several memories of {snapshot.owner}; name the folder of one run"
            )
        found[snapshot.owner] = snapshot
    if not found:
        raise no_memory(path)
    return found


def inside(path: Path) -> Path:
    """Where the memories lie: below ``memory`` in the folder of a run, else in the folder itself."""
    return path / "memory" if (path / "memory").is_dir() else path


def no_memory(path: Path) -> RecordError:
    """The error for a folder without any memory."""
    return RecordError(f"{path}: holds no memory; name the folder of a run or of a saved memory")


def _below(path: Path) -> Iterator[Snapshot]:
    folder = inside(path)
    for place in sorted(folder.glob(f"**/{OF_RUN}")):
        yield from _of_run(place)
    for place in sorted(folder.glob(f"**/{MANIFEST}")):
        if any(place.parent.glob("records-*.jsonl")):
            yield load(place.parent)


def _of_run(path: Path) -> Iterator[Snapshot]:
    """What a run wrote of one store: a list of records for each owner in it."""
    try:
        scopes = _scopes(decoded(got(path), path), path)
        for customer, rows in scopes.items():
            kept = tuple(kept_of(row, f"{path}, record {number}") for number, row in enumerate(rows, 1))
            yield Snapshot(owner=Owner(store=unquote(path.parent.name), customer=customer or None), kept=kept)
    except RecordError as error:
        raise RecordError(f"{error}; `noodle run resume=RUN` writes it anew") from None


def _scopes(data: Any, path: Path) -> Mapping[str, list[Any]]:
    scopes = data.get("scopes") if isinstance(data, Mapping) else None
    if not isinstance(scopes, Mapping) or not all(isinstance(rows, list) for rows in scopes.values()):
        raise RecordError(f"{path}: damaged, it holds no lists of records")
    return scopes
