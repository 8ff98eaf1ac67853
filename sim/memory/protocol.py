"""What a memory is to the simulator: records go in, the most useful ones come out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class Owner:
    """Whose memory it is: a store, and with ``scope=customer`` the one person it is about.

    Every call carries its owner, and a memory refuses any owner but its own: a mistake in
    routing is an error and never a leak.
    """

    store: str
    customer: str | None = None

    def __post_init__(self) -> None:
        if not self.store:
            raise ValueError("a memory needs the name of its store")

    def __str__(self) -> str:
        return self.store if self.customer is None else f"{self.store}/{self.customer}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """A structured statement about a customer; polarity -1 takes the value back ("no more egg")."""

    slot: str
    value: str
    polarity: int = 1

    def __post_init__(self) -> None:
        if self.polarity not in (1, -1):
            raise ValueError(f"polarity is 1 or -1, not {self.polarity}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One thing remembered, with the way back to where it came from.

    Args:
        id: unique within the run and the same at every speed.
        at_ms: simulated time of what happened.
        visible_at_ms: simulated time from which a recall may see it.
        agent: who wrote it.
        customer: whom it is about; empty when it is about several (a summary).
        kind: ``exchange`` (verbatim), ``event`` (extracted), ``diary`` (reflected on), ``summary`` or
            ``telling`` (ledger). Memories that look after themselves also take ``use`` (which records an
            act used), ``dialogue`` (what manners are learnt from) and ``night`` (what is let go of).
        text: what a prompt would show; empty where only the claims still hold.
        claims: structured content; for verbatim kinds it is empty, the words are all there is.
        sources: ids of all utterances it rests on, through every step of compression.
        replaces: ids of the records whose place it takes.
        action: what the agent did, of a reflected record.
        keywords: words to find it by, beside its text.
        emotion: how the customer felt, a word of the scenario; empty for none.
        importance: from 0 to 1, as the agent judged it.
    """

    id: str
    at_ms: int
    visible_at_ms: int
    agent: str
    customer: str
    visit: str
    kind: str
    text: str
    claims: tuple[Claim, ...] = ()
    claimants: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    action: str = ""
    keywords: tuple[str, ...] = ()
    emotion: str = ""
    importance: float = 0.5

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("a record needs an id")
        if not 0 <= self.importance <= 1:
            raise ValueError(f"importance lies within 0 and 1, not {self.importance}")
        if self.claimants and len(self.claimants) != len(self.claims):
            raise ValueError("claimants, when given, name the customer of each claim")

    @property
    def about(self) -> tuple[str, ...]:
        """Whom each claim is about."""
        return self.claimants or (self.customer,) * len(self.claims)

    def claims_of(self, customer: str) -> tuple[Claim, ...]:
        """The claims this record makes about one customer."""
        return tuple(claim for claim, who in zip(self.claims, self.about, strict=True) if who == customer)


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A question to a memory.

    Args:
        text: the words to search by.
        customer: whom the agent believes to be in front of it.
        at_ms: simulated time of asking; only what was visible by then may be returned.
        truth: who it is in the ledger, where the agent does not know the id; only a memory that
            reads the ledger may look.
        limit: how many records at most; None leaves it to the memory's own setting.
        language: code of the language of the conversation.
    """

    text: str
    customer: str
    at_ms: int
    limit: int | None = None
    truth: str = ""
    language: str = "en"


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A recalled record; scores compare only within one recall, higher is better."""

    record: Record
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """A record and the simulated time at which something took its place, or None while it lives."""

    record: Record
    retired_at_ms: int | None = None

    def live(self, at_ms: int) -> bool:
        """Whether a recall at ``at_ms`` could still find the record."""
        seen = self.record.visible_at_ms <= at_ms
        return seen and (self.retired_at_ms is None or at_ms < self.retired_at_ms)


@dataclass(frozen=True, kw_only=True, slots=True)
class Capabilities:
    """What a memory takes in and does; callers ask this and never the class.

    Args:
        ingests: the kinds of record it wants written (empty: it keeps nothing).
        searches: recall depends on the words of the query.
        compresses: ``overflow`` or ``forgettable`` has something to say after closing.
        stages: the stages of recall it has, of those in `sim.records.STAGES`.
        uses: settings of ``conf/memory`` that its constructor takes, besides those of every memory.
    """

    ingests: frozenset[str] = frozenset()
    searches: bool = False
    compresses: bool = False
    stages: frozenset[str] = frozenset({"told", "answered"})
    uses: frozenset[str] = frozenset()


class Memory(Protocol):
    """The memory of one owner.

    Records arrive in the order (visible_at_ms, sequence). A recall may come for an earlier
    simulated time than the newest record, because minds think out of order in real time; so
    what took a record's place retires it from a time on and never erases it.
    """

    owner: Owner
    capabilities: Capabilities

    def write(self, owner: Owner, record: Record) -> None:
        """Takes in one record; kinds the memory does not ingest are refused with ValueError.

        Raises:
            OwnerError: the record is for another owner.
        """
        ...

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        """The records most useful for the query as of ``query.at_ms``, best first; changes nothing.

        Raises:
            OwnerError: the query is for another owner.
        """
        ...

    def snapshot(self, owner: Owner) -> list[dict[str, Any]]:
        """All records as plain data, retired ones marked, in order of arrival."""
        ...

    def lineage(self, owner: Owner, utterance: str) -> Sequence[Kept]:
        """Every record, living or retired, that rests on the utterance, in order of arrival."""
        ...

    def overflow(self, owner: Owner, at_ms: int) -> Sequence[Sequence[Record]]:
        """Batches of records, oldest first, each to be replaced by one summary; may be empty."""
        ...

    def forgettable(self, owner: Owner, at_ms: int) -> Sequence[Record]:
        """Records to be let go of, oldest first; a record of kind ``night`` that replaces them does it."""
        ...

    def living(self, owner: Owner, at_ms: int) -> Sequence[Record]:
        """The records that nothing has taken the place of by a time, in order of arrival."""
        ...
