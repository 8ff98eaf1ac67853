"""An agent's memory of one person at one moment: the few steps that nearly every act takes.

Each method is a part of an act, used as ``context = yield from notebook.recall(...)``. Acts that need
more than this yield the effects of `sim.agents.effects` themselves.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sim.agents.asking import Clip, ask_noting
from sim.agents.context import Context, fit
from sim.agents.effects import Ask, Effect, Given, Observed, Recall, Recalled, Report, Tell, Write
from sim.ledger import Fact
from sim.llm.protocol import Outcome
from sim.memory.diary.manners import RULE
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Claim, Owner, Query, Record
from sim.records import ActId, Visit, canonical, utterance_of

R = TypeVar("R")
Part = Generator[Effect, Any, R]


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """What a recall brought, and what of it fits the prompt."""

    recalled: Recalled
    context: Context

    @property
    def lines(self) -> tuple[str, ...]:
        """The memory layer of the prompt, oldest first."""
        return self.context.lines


@dataclass(frozen=True, kw_only=True, slots=True)
class Notebook:
    """One agent's memory as one act uses it.

    Args:
        plan: how the agents of the run remember.
        act: whose act it is, and whom it is about.
        at_ms: simulated time of its submission.
        group: the agent's group, which shares a store with ``memory.sharing=shared``.
    """

    plan: MemoryPlan
    act: ActId
    at_ms: int
    group: str = ""

    @property
    def owner(self) -> Owner:
        """The memory the act reads, and must declare if it writes."""
        return self.plan.owner(self.act.agent, self.group, self.act.customer)

    @property
    def utterance(self) -> str:
        """The id under which the ledger and every record know this exchange."""
        return utterance_of(self.act)

    def recall(self, text: str) -> Part[Page]:
        """Recalls by words and fits what came into the budget; rules of manners are left aside."""
        query = Query(text=text, customer=self.act.customer, at_ms=self.at_ms)
        recalled: Recalled = yield Recall(owner=self.owner, query=query)
        facts = tuple(hit for hit in recalled.hits if hit.record.kind != RULE)
        recalled = replace(recalled, hits=facts)
        context = fit(facts, line=shown, budget_tokens=self.plan.budget_tokens)
        return Page(recalled=recalled, context=context)

    def ask(
        self, role: str, system: str, page: Page, said: str, schema: Mapping[str, Any]
    ) -> Part[tuple[Outcome, Page]]:
        """Asks a model what to make of words, given a page of memories.

        A prompt too long for the model is asked once more with less of both; the page that comes back
        has what stood in the prompt.
        """

        def question(context: Context, clip: Clip) -> Ask:
            user = "\n".join([*context.lines, clip(said)])
            return Ask(role=role, system=system, user=user, schema=schema)

        asked = yield from ask_noting(question, page.context)
        return asked.outcome, replace(page, context=asked.context)

    def keep(self, words: str, understood: Sequence[Claim] = ()) -> Part[None]:
        """Writes the exchange down as the memory takes it in.

        Args:
            words: the exchange word for word, for a memory of exchanges.
            understood: what the agent made of it, for a memory of events or a diary; nothing makes none.
        """
        kinds = self.plan.capabilities.ingests
        if "exchange" in kinds:
            yield Write(owner=self.owner, record=self._record("exchange", words, ()))
        kind = next((kind for kind in ("diary", "event") if kind in kinds), None)
        if kind and understood:
            record = self._record(kind, f"{self.act.customer}: {stated(understood)}", understood)
            named = tuple(dict.fromkeys(claim.value for claim in understood)) if kind == "diary" else ()
            yield Write(owner=self.owner, record=replace(record, keywords=named))

    def _record(self, kind: str, text: str, claims: Sequence[Claim]) -> Record:
        return Record(
            id=f"{self.utterance}/{kind}",
            at_ms=self.at_ms,
            visible_at_ms=0,
            agent=self.act.agent,
            customer=self.act.customer,
            visit=self.act.visit,
            kind=kind,
            text=text,
            claims=tuple(claims),
            sources=(self.utterance,),
        )

    def tell(self, *facts: Fact) -> Part[None]:
        """The world's side: these facts were said in this exchange."""
        yield Tell(utterance=self.utterance, facts=tuple(fact.id for fact in facts))

    def observe(self, question: str, page: Page, *answers: Given) -> Part[None]:
        """A question was asked and answered from a page: it is scored, one probe per answer given."""
        yield Observed(
            owner=self.owner,
            customer=self.act.customer,
            question=question,
            truth_at_ms=self.at_ms,
            slots=tuple(answer.slot for answer in answers),
            answers=answers,
            retrieved=tuple(hit.record for hit in page.recalled.hits),
            in_context=page.context.records,
            context_tokens=page.context.tokens,
            milliseconds=page.recalled.milliseconds,
        )

    def close(self, *, number: int, left_ms: int, wanted: str, served: str | None) -> Part[None]:
        """Reports a visit without table or kitchen: come, be served within this act, go."""
        yield Report(
            visit=Visit(
                visit=self.act.visit,
                customer=self.act.customer,
                number=number,
                regular=True,
                language="en",
                waiter=self.act.agent,
                outcome="served",
                arrived_ms=self.at_ms,
                seated_ms=self.at_ms,
                ordered_ms=self.at_ms,
                served_ms=left_ms,
                left_ms=left_ms,
                moves=self.act.purpose,
                wanted=canonical(wanted),
                served=canonical(served),
                right=wanted == served,
                satisfaction=None,
            )
        )


def shown(record: Record) -> str:
    """A record as a line of a prompt: its words, or what it claims where it has none."""
    return record.text or f"{record.customer}: {stated(record.claims)}"


def stated(claims: Sequence[Claim]) -> str:
    """Claims in words: ``drink: cocoa; milk: no oat``."""
    return "; ".join(f"{claim.slot}: {'' if claim.polarity > 0 else 'no '}{claim.value}" for claim in claims)
