"""Visibility: which writes a recall waits for, sees, and does not see."""

import heapq
from collections.abc import Callable, Collection, Iterator

from sim.engine.act import Act, State
from sim.errors import ActFailed
from sim.memory.protocol import Kept, Memory, Owner, Record

MemoryFactory = Callable[[Owner], Memory]


class Scope:
    """One memory and the writes on their way into it.

    Writes enter the memory in the order (visible_at_ms, sequence of the act), and only when a
    recall, a score or the end asks for a time by which every declared write has settled. So the
    memory sees one order whatever the real speed of the acts was.
    """

    def __init__(self, owner: Owner, memory: Memory) -> None:
        self.owner = owner
        self.memory = memory
        self._declared: dict[int, Act] = {}
        self._waiting: list[tuple[int, int, int, Record]] = []
        self._written_ms: dict[str, int] = {}

    def declare(self, act: Act) -> None:
        """Notes that the act may write here, from its submission on."""
        self._declared[act.seq] = act

    def settle(self, act: Act) -> None:
        """Takes over what the act wrote; a failed act stays declared, as a mark for later recalls."""
        if act.state is State.FAILED:
            return
        del self._declared[act.seq]
        for place, (owner, record) in enumerate(act.records):
            if owner == self.owner:
                heapq.heappush(self._waiting, (act.visible_at_ms, act.seq, place, record))
                self._written_ms[record.id] = act.due_ms

    def withdraw(self, act: Act) -> None:
        """Forgets an act that was taken back after it had settled."""
        self._declared.pop(act.seq, None)
        self._waiting = [entry for entry in self._waiting if entry[1] != act.seq]
        heapq.heapify(self._waiting)

    async def seen_at(self, time_ms: int, seq: int) -> Memory:
        """The memory as soon as it holds every write visible at ``time_ms``.

        Raises:
            ActFailed: an act that should have written before died of a programming error.
        """
        # Newest first: it waits for the older ones itself, so that one wait mostly does for all.
        for act in reversed(list(self._declared.values())):
            if act.visible_at_ms > time_ms or act.seq >= seq:
                continue
            if act.state is State.OPEN:
                await act.finished.wait()
            if act.state is State.FAILED:
                raise ActFailed(f"needs what {act.id} should have written")
        return self.applied(time_ms)

    def applied(self, time_ms: int) -> Memory:
        """The memory after all settled writes visible by ``time_ms`` went in."""
        while self._waiting and self._waiting[0][0] <= time_ms:
            self.memory.write(self.owner, heapq.heappop(self._waiting)[3])
        return self.memory

    def written(self, utterances: Collection[str], time_ms: int) -> Iterator[Kept]:
        """What rests on the utterances and was visible at ``time_ms``, or written before and on its way.

        An act writes when it is due. All acts due before a line of the log have settled when it is
        emitted, so this does not depend on real speed.
        """
        memory = self.applied(time_ms)
        for utterance in utterances:
            for kept in memory.lineage(self.owner, utterance):
                if kept.record.visible_at_ms <= time_ms or self._on_its_way(kept.record, time_ms):
                    yield kept
        for *_, record in self._waiting:
            if self._on_its_way(record, time_ms) and not set(record.sources).isdisjoint(utterances):
                yield Kept(record=record)

    def _on_its_way(self, record: Record, time_ms: int) -> bool:
        return self._written_ms.get(record.id, time_ms) < time_ms


class Scopes:
    """All scopes of a run, made when first named."""

    def __init__(self, memory: MemoryFactory) -> None:
        self._memory = memory
        self._scopes: dict[Owner, Scope] = {}
        self._touched: dict[Owner, None] = {}

    def __getitem__(self, owner: Owner) -> Scope:
        if owner not in self._scopes:
            self._scopes[owner] = Scope(owner, self._memory(owner))
        return self._scopes[owner]

    def __iter__(self) -> Iterator[Scope]:
        return iter(self._scopes.values())

    def declare(self, act: Act) -> None:
        """Notes the act in every scope it may write to."""
        for owner in sorted(act.writes, key=_name):
            self[owner].declare(act)
            self._touched[owner] = None

    def settle(self, act: Act) -> None:
        """Hands the act's writes to their scopes."""
        for owner in act.writes:
            self[owner].settle(act)

    def withdraw(self, act: Act) -> None:
        """Takes the act's writes back; none can have been seen, for the act was not due yet."""
        for owner in act.writes:
            self[owner].withdraw(act)

    def touched(self) -> list[Owner]:
        """Scopes some act may have written to since the last call, in order of first declaration."""
        owners = list(self._touched)
        self._touched.clear()
        return owners


def _name(owner: Owner) -> tuple[str, bool, str]:
    return owner.store, owner.customer is not None, owner.customer or ""
