"""Which of the turns that answer a question a retriever finds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sim.bench.locomo import Conversation, Question, Turn
from sim.clock import DAY_MS, Calendar, milliseconds
from sim.memory.protocol import Query, Record
from sim.memory.retrieval.retriever import Retriever
from sim.metrics.ranking import Mean, all_at, hit_at, means, ndcg_at, recall_at, reciprocal_rank

DEPTH = 50
# The questions have no date of their own. Asked long after, "last week" means no week of the conversation.
ASKED_AFTER_DAYS = 60
ANSWERABLE = ("multi_hop", "temporal", "open_domain", "single_hop")

MEASURES: Mapping[str, Callable[[Sequence[str], Sequence[str]], float]] = {
    "recall_at_5": lambda ranked, evidence: recall_at(ranked, evidence, 5),
    "recall_at_10": lambda ranked, evidence: recall_at(ranked, evidence, 10),
    "recall_at_25": lambda ranked, evidence: recall_at(ranked, evidence, 25),
    "recall_at_50": lambda ranked, evidence: recall_at(ranked, evidence, 50),
    "hit_at_5": lambda ranked, evidence: hit_at(ranked, evidence, 5),
    "hit_at_10": lambda ranked, evidence: hit_at(ranked, evidence, 10),
    "all_at_5": lambda ranked, evidence: all_at(ranked, evidence, 5),
    "all_at_10": lambda ranked, evidence: all_at(ranked, evidence, 10),
    "mrr": reciprocal_rank,
    "ndcg_at_10": lambda ranked, evidence: ndcg_at(ranked, evidence, 10),
}

Make = Callable[[Calendar], Retriever]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """One question, and the ids of the turns found for it, best first."""

    conversation: str
    number: int
    question: Question
    found: tuple[str, ...]

    @property
    def id(self) -> str:
        """Names the question among all conversations."""
        return f"{self.conversation}/{self.number}"

    def value(self, measure: str) -> float:
        """One of `MEASURES`."""
        return MEASURES[measure](self.found, self.question.evidence)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """A conversation as a memory holds it: the retriever, and the time at which it is asked."""

    conversation: Conversation
    retriever: Retriever
    at_ms: int

    def answer(self, number: int) -> Answered:
        """Asks one question; nothing but its words is shown to the retriever."""
        question = self.conversation.questions[number]
        query = Query(text=question.text, customer="", at_ms=self.at_ms)
        hits = self.retriever.search(query, DEPTH)
        return Answered(
            conversation=self.conversation.id,
            number=number,
            question=question,
            found=tuple(hit.record.id for hit in hits),
        )


def remembered(conversation: Conversation, make: Make) -> Asking:
    """Puts a conversation into a new retriever, turn by turn."""
    start = min(turn.at for turn in conversation.turns).date()
    calendar = Calendar(start=start - timedelta(days=start.weekday()))
    retriever = make(calendar)
    latest_ms = 0
    for record in records(conversation, calendar):
        retriever.add(record)
        latest_ms = max(latest_ms, record.at_ms)
    return Asking(conversation=conversation, retriever=retriever, at_ms=latest_ms + ASKED_AFTER_DAYS * DAY_MS)


def records(conversation: Conversation, calendar: Calendar) -> Iterable[Record]:
    """Each turn as a record of the person who spoke, in the order of the conversation."""
    begin = datetime.combine(calendar.start, datetime.min.time())
    visible_ms = 0
    for number, turn in enumerate(conversation.turns):
        # A second apart, so that turns of a session have an order in time.
        at_ms = milliseconds((turn.at - begin).total_seconds() + number)
        visible_ms = max(visible_ms, at_ms)
        yield Record(
            id=turn.id,
            at_ms=at_ms,
            visible_at_ms=visible_ms,
            agent="locomo",
            customer=turn.speaker,
            visit=f"session {turn.session}",
            kind="exchange",
            text=said(turn),
            sources=(turn.id,),
        )


def said(turn: Turn) -> str:
    """What a record of a turn says."""
    picture = f" [{turn.caption}]" if turn.caption else ""
    return f"{turn.speaker}: {turn.text}{picture}"


def summarised(answers: Sequence[Answered]) -> dict[str, Any]:
    """All measures over all questions, by category and by conversation, with their 95 % intervals."""
    categories = dict.fromkeys(one.question.category for one in answers)
    groups = {name: _of([name], answers) for name in categories} | {"answerable": _of(ANSWERABLE, answers)}
    conversations = dict.fromkeys(one.conversation for one in answers)
    return {
        "overall": table(answers),
        "by_category": {name: table(group) for name, group in groups.items() if group},
        "by_conversation": {
            name: table([one for one in answers if one.conversation == name]) for name in conversations
        },
    }


def table(answers: Sequence[Answered]) -> dict[str, Any]:
    """Every measure, and its 95 % intervals from drawing conversations and from drawing questions anew."""
    columns = {measure: [one.value(measure) for one in answers] for measure in MEASURES}
    by_conversation = means(columns, [one.conversation for one in answers])
    by_question = means(columns, [one.id for one in answers])
    intervals = {
        measure: {
            "conversations": _interval(by_conversation[measure]),
            "questions": _interval(by_question[measure]),
        }
        for measure in MEASURES
    }
    values = {measure: _rounded(by_question[measure].mean) for measure in MEASURES}
    return {"questions": len(answers)} | values | {"intervals_95": intervals}


def _of(categories: Sequence[str], answers: Sequence[Answered]) -> list[Answered]:
    return [one for one in answers if one.question.category in categories]


def _interval(mean: Mean) -> list[float | None]:
    return [_rounded(mean.low), _rounded(mean.high)]


def _rounded(value: float) -> float | None:
    """Four digits; None for NaN, which JSON cannot say."""
    return None if value != value else round(value, 4)  # noqa: PLR0124 - NaN alone differs from itself
