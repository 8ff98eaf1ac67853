"""What was forgotten, and whether anybody asked for it afterwards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sim.memory.forgetting.policies import Forgetting, Holding
from sim.memory.protocol import Claim, Record
from sim.records import Probe, Telling


@dataclass(frozen=True, kw_only=True, slots=True)
class Forgotten:
    """One record that a policy let go of.

    Args:
        record: its id.
        store: whose memory it was.
        at_ms: simulated time from which no recall finds it.
        policy: the name of the policy.
        utterances: ids of the utterances it rested on.
        claims: what it said.
    """

    record: str
    store: str
    customer: str
    at_ms: int
    policy: str
    utterances: tuple[str, ...]
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedLater:
    """Of the facts that were forgotten, how many somebody asked for later; ``share`` is None of none."""

    forgotten: int
    asked: int

    @property
    def share(self) -> float | None:
        """The share from 0 to 1."""
        return self.asked / self.forgotten if self.forgotten else None


def forgotten(policy: Forgetting, store: str, holdings: Iterable[Holding], at_ms: int) -> list[Forgotten]:
    """What a policy lets go of now; who calls retires these records from ``at_ms`` on."""
    return [_of(one.record, store, at_ms, policy.name) for one in policy.retiring(list(holdings), at_ms)]


def _of(record: Record, store: str, at_ms: int, policy: str) -> Forgotten:
    return Forgotten(
        record=record.id,
        store=store,
        customer=record.customer,
        at_ms=at_ms,
        policy=policy,
        utterances=record.sources,
        claims=record.claims,
    )


def asked_later(
    gone: Iterable[Forgotten],
    kept: Iterable[Record],
    tellings: Iterable[Telling],
    probes: Iterable[Probe],
) -> AskedLater:
    """The share of forgotten facts that were asked for after they were forgotten.

    A fact is forgotten when the last record that rests on an utterance of it has gone. All arguments are
    of one memory: its records, and the tellings to and probes of the agents that use it.

    Args:
        gone: what was forgotten.
        kept: the records that live at the end.
        tellings: which facts were said in which utterances.
        probes: the questions asked.
    """
    facts = _facts_by_utterance(tellings)
    alive = {fact for record in kept for source in record.sources for fact in facts.get(source, ())}
    since: dict[str, int] = {}
    for one in gone:
        for fact in {fact for source in one.utterances for fact in facts.get(source, ())} - alive:
            since[fact] = max(one.at_ms, since.get(fact, one.at_ms))
    asked = {probe.fact for probe in probes if probe.time_ms >= since.get(probe.fact, probe.time_ms + 1)}
    return AskedLater(forgotten=len(since), asked=len(asked))


def _facts_by_utterance(tellings: Iterable[Telling]) -> Mapping[str, set[str]]:
    facts: dict[str, set[str]] = {}
    for telling in tellings:
        facts.setdefault(telling.utterance, set()).add(telling.fact)
    return facts
