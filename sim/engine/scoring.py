"""Scores what was observed inside an act against the ledger, in the order of the log.

At that moment the ledger holds all that was said before, and nothing later; the memory is read
as of the act's submission. So scoring needs no wait and changes nothing.

A record that was written before the question and could not be seen yet (latency, or
``memory.visible_after``) is written and kept; that the recall did not return it is its loss.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sim.agents.effects import Given, Observed
from sim.clock import DAY_MS
from sim.engine.scope import Scopes
from sim.ledger import Fact, Ledger
from sim.memory.protocol import Capabilities, Claim, Kept, Record
from sim.metrics.matching import Verdict, score
from sim.records import ActId, Probe, canonical, utterance_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """An observation with where and when it was made."""

    kind: str
    act: ActId
    at_ms: int
    time_ms: int
    seen: Observed


@dataclass(frozen=True, kw_only=True, slots=True)
class Stages:
    """Where a fact was seen; None is not applicable.

    Args:
        written: a record that says it was there by the time of the question, to be seen or not yet.
        kept: nothing had taken the place of such a record.
        retrieved: the recall returned one.
        in_context: one stood in the prompt.
    """

    written: bool | None
    kept: bool | None
    retrieved: bool | None
    in_context: bool | None


class Scorer:
    """Turns observations into probes.

    Args:
        ledger: ground truth as of the line being emitted.
        scopes: the memories, for the lineage of what was told.
        capabilities: which stages the preset has.
    """

    def __init__(self, ledger: Ledger, scopes: Scopes, capabilities: Capabilities) -> None:
        self._ledger = ledger
        self._scopes = scopes
        self._has = capabilities.stages

    def probes(self, asked: Asked) -> Iterable[Probe]:
        """One probe per slot that has a fact somebody was told."""
        for slot in asked.seen.slots:
            fact = self._ledger.current(asked.seen.customer, slot, asked.seen.truth_at_ms)
            if fact is not None and self._worth_asking(fact, asked):
                yield self._probe(asked, fact)

    def _worth_asking(self, fact: Fact, asked: Asked) -> bool:
        if not self._ledger.told_to_anyone(fact.id, asked.time_ms):
            return False
        # Absence is no knowledge, unless the value was known once.
        return fact.polarity > 0 or any(True for _ in self._earlier_told(fact, asked))

    def _earlier_told(self, fact: Fact, asked: Asked) -> Iterable[Fact]:
        for old in self._ledger.earlier(fact):
            if self._ledger.told(old.id, asked.act.agent, asked.time_ms):
                yield old

    def _probe(self, asked: Asked, fact: Fact) -> Probe:
        seen, agent = asked.seen, asked.act.agent
        told = self._ledger.told(fact.id, agent, asked.time_ms)
        answer = next((a for a in seen.answers if a.slot == fact.slot), Given(slot=fact.slot))
        stages = self._stages(asked, fact)
        verdict = self._verdict(asked, fact, answer, stages)
        if verdict.answered and answer.restated:
            self._ledger.echo(fact.id, agent=agent, at_ms=asked.time_ms, utterance=utterance_of(asked.act))
        return Probe(
            kind=asked.kind,
            time_ms=asked.time_ms,
            agent=agent,
            customer=fact.customer,
            visit=asked.act.visit,
            slot=fact.slot,
            question=seen.question,
            language=seen.language,
            fact=fact.id,
            expected=fact.value,
            polarity=fact.polarity,
            answer=canonical(list(answer.values)) if answer.values else None,
            outcome=verdict.outcome,
            loss=verdict.loss,
            told=bool(told),
            told_to_colleague=not told,
            written=stages.written,
            kept=stages.kept,
            retrieved=stages.retrieved,
            in_context=stages.in_context,
            answered=verdict.answered,
            stale_in_context=self._stale_in_context(asked, fact),
            lag_days=(asked.at_ms - told[-1].at_ms) / DAY_MS if told else None,
            visits_since=self._visits_since(told[-1].at_ms, asked) if told else None,
            context_tokens=seen.context_tokens,
            retrieval_ms=seen.milliseconds,
            context=canonical([record.id for record in seen.in_context]),
            context_records=len(seen.in_context),
            of_others=sum(self._of_somebody_else(record, asked, fact) for record in seen.in_context),
            of_other_agents=sum(record.agent not in (agent, seen.owner.store) for record in seen.in_context),
        )

    def _verdict(self, asked: Asked, fact: Fact, answer: Given, stages: Stages) -> Verdict:
        told = bool(self._ledger.told(fact.id, asked.act.agent, asked.time_ms))
        earlier = frozenset(old.value for old in self._earlier_told(fact, asked))
        return score(
            expected=fact.value,
            polarity=fact.polarity,
            earlier=earlier if fact.polarity < 0 else earlier - {fact.value},
            others=self._others(asked, fact),
            values=answer.values,
            abstained=answer.abstained,
            told=told,
            told_to_colleague=not told,
            written=stages.written,
            kept=stages.kept,
            retrieved=stages.retrieved,
            in_context=stages.in_context,
            single=answer.single,
        )

    def _stages(self, asked: Asked, fact: Fact) -> Stages:
        seen = asked.seen
        utterances = self._ledger.utterances(fact.id, asked.act.agent, asked.time_ms)
        who = seen.known_as or fact.customer
        lineage = [k for k in self._lineage(asked, utterances) if carries(k.record, fact, utterances, who)]
        now = any(utterance in seen.this_visit for utterance in utterances)
        found = any(carries(record, fact, utterances, who) for record in seen.retrieved)
        shown = any(carries(record, fact, utterances, who) for record in seen.in_context)
        return Stages(
            written=self._if("written", bool(lineage) or now),
            kept=self._if("kept", any(_unreplaced(kept, asked.at_ms) for kept in lineage) or now),
            retrieved=self._if("retrieved", found or now),
            # Every preset has the running visit in its prompt, even one that keeps nothing.
            in_context=self._if("in_context", shown or now),
        )

    def _if(self, stage: str, flag: bool) -> bool | None:
        return flag if stage in self._has else None

    def _lineage(self, asked: Asked, utterances: list[str]) -> Iterable[Kept]:
        return self._scopes[asked.seen.owner].written(dict.fromkeys(utterances), asked.at_ms)

    def _stale_in_context(self, asked: Asked, fact: Fact) -> bool:
        agent, until, who = asked.act.agent, asked.time_ms, asked.seen.known_as or fact.customer
        return any(
            carries(record, old, self._ledger.utterances(old.id, agent, until), who)
            for old in self._ledger.earlier(fact)
            if old.value != fact.value or fact.polarity < 0
            for record in asked.seen.in_context
        )

    def _of_somebody_else(self, record: Record, asked: Asked, fact: Fact) -> bool:
        """Whether a record is about another customer, or about another one as well."""
        if visitor := self._ledger.visitor(record.visit):
            return visitor != fact.customer
        known_as = asked.seen.known_as or fact.customer
        return any(who != known_as for who in (*record.claimants, record.customer) if who)

    def _others(self, asked: Asked, fact: Fact) -> frozenset[str]:
        """Values of the slot that records of other people in the prompt gave."""
        values: set[str] = set()
        for record in asked.seen.in_context:
            values.update(self._of_others(record, fact))
        return frozenset(values - {fact.value})

    def _of_others(self, record: Record, fact: Fact) -> Iterable[str]:
        if (self._ledger.visitor(record.visit) or record.customer) == fact.customer:
            return ()
        if record.visit and record.claims:
            return (claim.value for claim in record.claims if claim.slot == fact.slot)
        # Verbatim, or several people in one: what was said in it, by whom, is in the ledger.
        said = (one for utterance in record.sources for one in self._ledger.said_in(utterance))
        return (one.value for one in said if one.customer != fact.customer and one.slot == fact.slot)

    def _visits_since(self, time_ms: int, asked: Asked) -> int:
        return self._ledger.visits_between(asked.seen.customer, time_ms, asked.at_ms)


def _unreplaced(kept: Kept, at_ms: int) -> bool:
    return kept.retired_at_ms is None or at_ms < kept.retired_at_ms


def carries(record: Record, fact: Fact, utterances: Iterable[str], known_as: str) -> bool:
    """Whether the record rests on one of the utterances and still says the fact of whom it calls so.

    A verbatim record says whatever was said; any other says what its claims say.
    """
    if not any(utterance in record.sources for utterance in utterances):
        return False
    if record.kind == "exchange":
        return True
    return Claim(slot=fact.slot, value=fact.value, polarity=fact.polarity) in record.claims_of(known_as)
