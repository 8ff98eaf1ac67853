"""What all acts share: what will be asked, what was said, the memory, and how records look."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scenarios.locomo.judging import still_says
from scenarios.locomo.talks import AGENTS, Asked, Talk
from sim.bench.held import said
from sim.bench.locomo import Turn
from sim.clock import Calendar
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Claim, Owner, Record

LANGUAGE = "en"


@dataclass(frozen=True, kw_only=True, slots=True)
class World:
    """All talks of a run.

    Args:
        memory: how agents remember.
        calendar: dates of simulated time.
        notes: a memory that takes both words and notes gets both.
        turns: every turn by the id of its utterance.
        told: the questions that an utterance helps to answer.
    """

    memory: MemoryPlan
    calendar: Calendar
    notes: bool
    turns: Mapping[str, Turn]
    told: Mapping[str, tuple[Asked, ...]]

    @property
    def note_kind(self) -> str:
        """What kind of note a turn is made into; empty for none."""
        wanted = self.memory.capabilities.ingests
        if "event" in wanted:
            return "event"
        return "diary" if self.notes and "diary" in wanted else ""

    def owner(self, talk: Talk) -> Owner:
        """The memory of the agent that hears a talk."""
        return self.memory.owner(talk.agent, AGENTS, talk.id)

    def whose(self, talk: Talk, speaker: str) -> str:
        """Whom a record is of, or a question about.

        A memory that searches words is told who spoke, as in ``noodle bench locomo``, and asked about nobody:
        a name in the question does the rest. One that goes by the person alone is told whose talk it is; so
        are events, which tell in their own words who it was.
        """
        searches = self.memory.capabilities.searches and self.note_kind != "event"
        return speaker if searches else talk.id

    def line(self, record: Record) -> str:
        """How a record stands in a prompt; what the ledger tells, by the words that told it."""
        text = record.text
        if record.kind == "telling":
            text = " / ".join(said(self.turns[utterance]) for utterance in record.sources)
        dated = record.kind == "summary" and text.startswith("[")
        return text if dated else f"[{self.calendar.day(record.at_ms)}] {text}"

    def questions_of(self, utterances: Iterable[str]) -> tuple[Asked, ...]:
        """The questions that some utterances help to answer, each once."""
        found = (one for utterance in utterances for one in self.told.get(utterance, ()))
        return tuple({one.fact.id: one for one in found}.values())

    def speakers(self, records: Iterable[Record]) -> tuple[str, ...]:
        """Whose turns some records rest on."""
        spoken = (self.turns[source].speaker for record in records for source in record.sources)
        return tuple(dict.fromkeys(spoken))

    def judged(self, record: Record, question: Asked) -> Record:
        """A record as scoring is to see it: with what its words say of one question."""
        if record.kind in ("exchange", "telling"):  # word for word, or from the ledger
            return record
        return self.claiming(record, [question])

    def claiming(self, record: Record, questions: Sequence[Asked]) -> Record:
        """The world's side: a record with those answers as claims that its words still say.

        Only a memory of events is given such records, as it has nothing else to be scored by: events are
        found by their words and shown by their words. One that searches claims never gets them.
        """
        said = [one for one in questions if self._says(record.text, record.sources, one)]
        return replace(
            record,
            claims=tuple(one.claim for one in said),
            claimants=tuple(one.fact.customer for one in said),
        )

    def claims(self, words: str, sources: Sequence[str], questions: Iterable[Asked]) -> tuple[Claim, ...]:
        """Which answers some words still say of the utterances they rest on."""
        return tuple(one.claim for one in questions if self._says(words, sources, one))

    def _says(self, words: str, sources: Iterable[str], question: Asked) -> bool:
        told = (self.turns[one] for one in sources if question in self.told.get(one, ()))
        return any(still_says(words, turn.text, question.fact.value) for turn in told)
