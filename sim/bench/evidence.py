"""Which of the turns that answer a question a retriever finds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sim.bench.locomo import Conversation, Question, first_monday
from sim.clock import DAY_MS, Calendar
from sim.memory.protocol import Query, Record
from sim.memory.retrieval.retriever import Retriever
from sim.metrics.ranking import Mean, all_at, hit_at, means, ndcg_at, recall_at, reciprocal_rank

DEPTH = 50
# The questions have no date of their own. Asked long after, "last week" means no week of the conversation.
ASKED_AFTER_DAYS = 60
ANSWERABLE = ("multi_hop", "temporal", "open_domain", "single_hop")

Sources = tuple[str, ...]


def _upto(measure: Callable[..., float], k: int, found: Sequence[Sources], evidence: Sequence[str]) -> float:
    """A measure of the turns that the first ``k`` records rest on."""
    return measure([turn for sources in found[:k] for turn in sources], evidence, None)


def _in_turn(found: Sequence[Sources], evidence: Sequence[str]) -> list[str]:
    """Each record by one turn it rests on: where it can be, evidence that no record above it holds."""
    ranked: list[str] = []
    for sources in found:
        new = [turn for turn in evidence if turn in sources and turn not in ranked]
        ranked.append((new or [turn for turn in sources if turn not in evidence] or [""])[0])
    return ranked


MEASURES: Mapping[str, Callable[[Sequence[Sources], Sequence[str]], float]] = {
    **{
        f"{name}_at_{k}": partial(_upto, measure, k)
        for name, measure, depths in (
            ("recall", recall_at, (5, 10, 25, 50)),
            ("hit", hit_at, (5, 10)),
            ("all", all_at, (5, 10)),
        )
        for k in depths
    },
    "mrr": lambda found, evidence: reciprocal_rank(_in_turn(found, evidence), evidence),
    "ndcg_at_10": lambda found, evidence: ndcg_at(_in_turn(found, evidence), evidence, 10),
}

Make = Callable[[Calendar], Retriever]
Records = Callable[[Conversation, Calendar], Iterable[Record]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """One question, and the records found for it, best first, each by the turns it rests on."""

    conversation: str
    number: int
    question: Question
    found: tuple[Sources, ...]

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
            found=tuple(hit.record.sources for hit in hits),
        )


def remembered(conversation: Conversation, make: Make, records: Records) -> Asking:
    """Puts a conversation into a new retriever, record by record."""
    calendar = Calendar(start=first_monday([conversation]))
    retriever = make(calendar)
    latest_ms = 0
    for record in records(conversation, calendar):
        retriever.add(record)
        latest_ms = max(latest_ms, record.visible_at_ms)
    at_ms = latest_ms + ASKED_AFTER_DAYS * DAY_MS
    return Asking(conversation=conversation, retriever=retriever, at_ms=at_ms)


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
