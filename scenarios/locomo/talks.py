"""A conversation in simulated time: its sessions at their dates, and when it is asked about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from sim.bench.locomo import Conversation, Question, Turn
from sim.clock import DAY_MS, MINUTE_MS, SECOND_MS, Calendar, milliseconds
from sim.ledger import Fact
from sim.memory.protocol import Claim
from sim.records import ActId, utterance_of

AGENTS = "assistants"
"""The group of all agents; with ``memory.sharing=shared`` they have one store."""

TURN_MS = 20 * SECOND_MS
"""From one turn to the next; the data tells only when a session began."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One session: who hears it, and when it begins."""

    agent: str
    customer: str
    number: int
    begin_ms: int
    turns: tuple[Turn, ...]

    @property
    def visit(self) -> str:
        """Its identity, as that of a visit."""
        return f"{self.customer}/session-{self.number}"

    @property
    def end_ms(self) -> int:
        """When the last turn has been said."""
        return self.at_ms(len(self.turns))

    def at_ms(self, place: int) -> int:
        """When the turn at a place is said."""
        return self.begin_ms + place * TURN_MS

    def act(self, place: int) -> ActId:
        """Who hears the turn at a place."""
        return ActId(
            agent=self.agent, customer=self.customer, visit=self.visit, exchange=place, purpose="reflect"
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One question, and its right answer as a fact, which no agent is shown."""

    number: int
    question: Question
    fact: Fact

    @property
    def claim(self) -> Claim:
        """The answer as a record would claim it."""
        return Claim(slot=self.fact.slot, value=self.fact.value)

    @property
    def act(self) -> ActId:
        """Who answers it; each question is a visit of its own."""
        talk = self.fact.customer
        visit = f"{talk}/question-{self.number}"
        return ActId(agent=agent_of(talk), customer=talk, visit=visit, purpose="answer")


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """A conversation and the agent that hears it."""

    conversation: Conversation
    sessions: tuple[Session, ...]

    @property
    def id(self) -> str:
        """The two people together are the customer."""
        return self.conversation.id

    @property
    def agent(self) -> str:
        """Each conversation has an agent of its own, so that none can mistake one for another."""
        return agent_of(self.id)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Who talks."""
        return tuple(dict.fromkeys(turn.speaker for turn in self.conversation.turns))

    @property
    def end_ms(self) -> int:
        """When the last session is over."""
        return max(session.end_ms for session in self.sessions)

    def asked_ms(self, place: int, after_days: int) -> int:
        """When the question at a place is asked."""
        return self.end_ms + after_days * DAY_MS + (place + 1) * MINUTE_MS

    def utterances(self) -> Iterator[tuple[str, Turn]]:
        """Every turn, with the id by which the ledger and all records know it."""
        for session in self.sessions:
            for place, turn in enumerate(session.turns):
                yield utterance_of(session.act(place)), turn


def agent_of(conversation: str) -> str:
    """The agent that hears a conversation."""
    return f"assistant-{conversation}"


def talk_of(conversation: Conversation, calendar: Calendar) -> Talk:
    """Puts a conversation into simulated time; its sessions need not be in the order of their dates."""
    midnight = datetime.combine(calendar.start, datetime.min.time())
    sessions = [
        Session(
            agent=agent_of(conversation.id),
            customer=conversation.id,
            number=number,
            begin_ms=milliseconds((turns[0].at - midnight).total_seconds()),
            turns=tuple(turns),
        )
        for number, turns in _by_session(conversation.turns)
    ]
    ordered = sorted(sessions, key=lambda session: (session.begin_ms, session.number))
    return Talk(conversation=conversation, sessions=tuple(ordered))


def _by_session(turns: Sequence[Turn]) -> Iterator[tuple[int, list[Turn]]]:
    for number, group in groupby(turns, key=lambda turn: turn.session):
        yield number, list(group)
