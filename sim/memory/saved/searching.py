"""Searches a saved memory from outside, whatever preset wrote it."""

from collections.abc import Sequence
from pathlib import Path

from sim.embed.protocol import Embedder
from sim.memory.protocol import Hit, Owner, Query, Record
from sim.memory.retrieval.retriever import Retriever
from sim.memory.saved.snapshot import Snapshot, memories
from sim.records import canonical


def search(
    snapshot: Snapshot,
    text: str,
    *,
    customer: str = "",
    at_ms: int | None = None,
    count: int = 10,
    embedder: Embedder | None = None,
) -> Sequence[Hit]:
    """The records of one memory that have most to do with a text, best first.

    Args:
        snapshot: the memory.
        text: what to search for.
        customer: only records about this person; empty for all.
        at_ms: only what was visible by then; None for all.
        count: records at most.
        embedder: adds nearness of meaning to words in common.
    """
    found = Retriever(embedder=embedder)
    replaced = {name for kept in snapshot.kept for name in kept.record.replaces}
    for kept in snapshot.kept:
        found.add(kept.record)
    for kept in snapshot.kept:
        if kept.retired_at_ms is not None and kept.record.id not in replaced:
            found.retire(kept.record.id, kept.retired_at_ms)
    newest = max((kept.record.visible_at_ms for kept in snapshot.kept), default=0)
    query = Query(text=text, customer=customer, at_ms=newest if at_ms is None else at_ms)
    if not customer:
        return found.search(query, count)
    hits = found.search(query, len(snapshot.kept))
    return [hit for hit in hits if _about(hit.record, customer)][:count]


def _about(record: Record, customer: str) -> bool:
    return record.customer == customer or customer in record.claimants


def search_text(path: Path, text: str, *, customer: str = "", count: int = 10) -> str:
    """What a search in every memory below a path finds, as text, the words quoted as data.

    Raises:
        RecordError: nothing can be read there.
    """
    lines: list[str] = []
    for owner, snapshot in memories(path).items():
        hits = search(snapshot, text, customer=customer, count=count)
        lines += _lines(owner, hits) if hits else []
    return "\n".join(lines) or "nothing was found"


def _lines(owner: Owner, hits: Sequence[Hit]) -> list[str]:
    rows = [f"  {hit.score:7.3f}  {hit.record.id}  {canonical(hit.record.text)}" for hit in hits]
    return [f"{owner}:", *rows]
