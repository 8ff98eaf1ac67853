"""The append-only shelf under every memory: records in order, who retired whom, and lineage."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sim.errors import OwnerError
from sim.memory.protocol import Kept, Owner, Record


class Archive:
    """Records of one owner in order of arrival; nothing is ever erased, only retired."""

    def __init__(self, owner: Owner) -> None:
        self.owner = owner
        self.records: list[Record] = []
        self._visible_ms: list[int] = []
        self._living: dict[int, None] = {}
        self._retired: list[tuple[int, int]] = []
        self._retired_ms: dict[int, int] = {}
        self._places: dict[str, int] = {}
        self._by_utterance: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, name: str) -> Record:
        return self.records[self._places[name]]

    def check(self, owner: Owner) -> None:
        """Refuses every owner but the archive's own.

        Raises:
            OwnerError: it is somebody else's.
        """
        if owner != self.owner:
            raise OwnerError(f"the memory of {self.owner} was asked in the name of {owner}")

    def add(self, owner: Owner, record: Record, ingests: frozenset[str]) -> int:
        """Appends a record and retires those it replaces; returns its place."""
        self._check_new(owner, record, ingests)
        place = len(self.records)
        self.records.append(record)
        self._places[record.id] = place
        for utterance in record.sources:
            self._by_utterance.setdefault(utterance, []).append(place)
        self._visible_ms.append(record.visible_at_ms)
        self._living[place] = None
        for replaced in record.replaces:
            self._retire(self._places[replaced], record.visible_at_ms)
        return place

    def _check_new(self, owner: Owner, record: Record, ingests: frozenset[str]) -> None:
        """All that can be wrong, before anything is changed."""
        self.check(owner)
        if record.kind not in ingests:
            raise ValueError(f"this memory keeps {sorted(ingests)}, not {record.kind!r}")
        if record.id in self._places:
            raise ValueError(f"record {record.id!r} is here already")
        if self._visible_ms and record.visible_at_ms < self._visible_ms[-1]:
            raise ValueError(f"record {record.id!r} comes too late: {self._visible_ms[-1]} ms is in already")
        if unknown := [replaced for replaced in record.replaces if replaced not in self._places]:
            raise ValueError(f"record {record.id!r} replaces {unknown[0]!r}, which never came")

    def _retire(self, place: int, at_ms: int) -> None:
        if self._living.pop(place, place) is None:
            self._retired.append((at_ms, place))
            self._retired_ms[place] = at_ms

    def kept(self, place: int) -> Kept:
        """The record at a place, with the time it was retired."""
        return Kept(record=self.records[place], retired_at_ms=self._retired_ms.get(place))

    def live(self, at_ms: int) -> list[int]:
        """Places of the records a recall at ``at_ms`` may find, in order of arrival.

        Records come and go in order of time, so an earlier time than the newest costs no more than
        what has changed since.
        """
        seen = bisect_right(self._visible_ms, at_ms)
        gone_later = self._retired[bisect_right(self._retired, (at_ms, len(self.records))) :]
        living = [place for place in self._living if place < seen]
        back = [place for _, place in gone_later if place < seen]
        return sorted(living + back) if back else living

    def lineage(self, owner: Owner, utterance: str) -> Sequence[Kept]:
        """Every record that rests on the utterance, living or retired, in order of arrival."""
        self.check(owner)
        return [self.kept(place) for place in self._by_utterance.get(utterance, ())]

    def snapshot(self, owner: Owner) -> list[dict[str, Any]]:
        """All records as plain data, with ``retired_at_ms`` where something took their place."""
        self.check(owner)
        rows = map(self.kept, range(len(self.records)))
        return [asdict(kept.record) | {"retired_at_ms": kept.retired_at_ms} for kept in rows]


class Archived:
    """What memories share that keep their records in an `Archive`."""

    def __init__(self, owner: Owner) -> None:
        self.owner = owner
        self.archive = Archive(owner)

    def snapshot(self, owner: Owner) -> list[dict[str, Any]]:
        """All records as plain data; see `Archive.snapshot`."""
        return self.archive.snapshot(owner)

    def lineage(self, owner: Owner, utterance: str) -> Sequence[Kept]:
        """Records that rest on the utterance; see `Archive.lineage`."""
        return self.archive.lineage(owner, utterance)

    def overflow(self, owner: Owner, at_ms: int) -> Sequence[Sequence[Record]]:
        """Nothing: this memory does not compress."""
        del at_ms
        self.archive.check(owner)
        return ()

    def forgettable(self, owner: Owner, at_ms: int) -> Sequence[Record]:
        """Nothing: this memory forgets nothing by itself."""
        del at_ms
        self.archive.check(owner)
        return ()

    def living(self, owner: Owner, at_ms: int) -> Sequence[Record]:
        """Records that nothing has taken the place of by a time."""
        self.archive.check(owner)
        return [self.archive.records[place] for place in self.archive.live(at_ms)]
