"""Tells what became of each question: the answer, or the way of the fact to the stage that lost it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sim.clock import Calendar
from sim.metrics.evidence import Evidence, Row
from sim.metrics.story import INDENT, Moment, details, entry, listed, value_text
from sim.metrics.wording import clock_text, counted, folded, harmless, when_text
from sim.records import STAGES

EXAMINATIONS = "examinations after closing"
WHY = {
    "told_to_colleague": "only agents with another memory were told",
    "never_written": "no record said it",
    "compressed_away": "a summary that does not say it took its place",
    "not_retrieved": "no record that says it was recalled",
    "cut_by_budget": "memory.budget_tokens left no room for it",
    "ignored": "it stood in the prompt and was not used",
    "stale": "the answer is what used to be true",
    "confused": "the answer is true of somebody else",
}
_SHOWN = 2
_UNDER = " " * 20


@dataclass(frozen=True, kw_only=True)
class Teller:
    """Tells the questions about one customer.

    Args:
        found: tellings, words and records.
        calendar: dates of simulated time.
        events: the customer's events, to put a question behind the reply that answered it.
    """

    found: Evidence
    calendar: Calendar | None
    events: Sequence[Row] = ()

    def moments(self, probes: Iterable[Row]) -> Iterator[Moment]:
        """One moment for all slots of a question that had one fate."""
        for _, group in groupby(probes, key=self._fate):
            rows = list(group)
            exam = rows[0]["kind"] == "exam"
            yield Moment(
                time_ms=rows[0]["time_ms"],
                order=self._order(rows[0]),
                section=EXAMINATIONS if exam else f"visit {harmless(rows[0]['visit'])}",
                lines=tuple(self._lines(rows)),
            )

    def _fate(self, row: Row) -> tuple[Any, ...]:
        flags = [row[stage] for stage in STAGES]
        asked = (row["kind"], row["time_ms"], row["agent"], row["visit"], row["question"])
        records = [record["id"] for record in self._saying(row)]
        return (*asked, row["outcome"], row["loss"], row["lag_days"], *flags, *records)

    def _saying(self, row: Row) -> list[Row]:
        return [record for record in self.found.written(row) if self.found.says(record, row)]

    def _order(self, row: Row) -> float:
        """Behind what answered it; at the end of its time where nothing in the log did."""
        answer = self._answer(row)
        return answer["seq"] + 0.5 if answer else float("inf")

    def _answer(self, row: Row) -> Row | None:
        """The reply, or the plate, that answered a question."""
        where = (row["time_ms"], row["visit"], row["agent"])
        here = (one for one in self.events if (one["time_ms"], one["visit"], one["agent"]) == where)
        return next((one for one in here if one["kind"] in ("replied", "cooked")), None)

    def _lines(self, rows: Sequence[Row]) -> list[str]:
        row = rows[0]
        asked = ", ".join(f"{harmless(one['slot'])} {_wanted(one)}" for one in rows)
        by = f"examination of {harmless(row['agent'])}" if row["kind"] == "exam" else "question"
        name = f" {harmless(row['question'])}" if row["kind"] != "exam" else ""
        head = f"{clock_text(row['time_ms'])}  ? {by}{name}: {asked}"
        if row["loss"] is None:
            return folded(f"{head} -> {_verdict(rows)} (told {_age(row)})", "", INDENT + "  ")
        return [*folded(head, "", INDENT + "  "), *self._way(rows)]

    def _way(self, rows: Sequence[Row]) -> Iterator[str]:
        """The way of a lost fact, stage by stage."""
        row = rows[0]
        yield from self._told(row)
        if row["told"]:
            yield from self._written(row)
            yield from _stage("kept", row["kept"], "")
            yield from _stage("recalled", row["retrieved"], "" if row["retrieved"] else self._unseen(row))
            yield from self._in_prompt(row)
        yield from _part("answered", _answers(rows))
        yield from _part("LOST AT", f"{harmless(row['loss'])}: {WHY.get(row['loss'], '')}")

    def _told(self, row: Row) -> Iterator[str]:
        told = self.found.told(row) if row["told"] else self.found.told_to_anyone(row)
        if not told:
            yield from _part("told", _age(row))
            return
        last = told[-1]
        heard = " and ".join(dict.fromkeys(harmless(one["said_to"]) for one in told))
        whom = "" if row["told"] else f"only to {heard}, {'last ' if len(told) > 1 else ''}"
        age = f" ({_age(row)})" if row["told"] else ""
        where = f"in visit {harmless(last['visit'])}"
        yield from _part("told", f"{whom}{when_text(last['said_at_ms'], self.calendar)} {where}{age}")
        yield from self._in_words(told)

    def _in_words(self, told: Sequence[Row]) -> Iterator[str]:
        last = told[-1]
        at_once = [one for one in told if one["said_at_ms"] == last["said_at_ms"]]
        words = self.found.words.get(last["utterance"])
        if words and len(at_once) == 1:  # what stands for a whole visit is in no one's words
            yield from _part("", f'"{words}"')
        visits = len({one["visit"] for one in told})
        if visits > 1:
            yield from _part("", f"and before, in {counted(visits - 1, 'more visit')}")

    def _written(self, row: Row) -> Iterator[str]:
        saying = self._saying(row)
        yield from _stage("written", row["written"], "")
        shown = saying[-_SHOWN:] or self.found.written(row)[-_SHOWN:]
        if not saying and shown:
            yield from _part("", "what was written of it does not say so:")
        for record in shown:
            yield from self._record(record, row["time_ms"])
        if len(saying) > _SHOWN:
            yield from _part("", f"and {counted(len(saying) - _SHOWN, 'older record')}")

    def _record(self, record: Row, time_ms: int) -> Iterator[str]:
        """What a record says of the customer, and what had taken its place by then."""
        lines = self.found.about(self.found.text(record["id"], self.calendar))
        yield from entry(record["id"], lines, _UNDER)
        gone_ms = record.get("retired_at_ms")
        if gone_ms is not None and gone_ms <= time_ms:
            summary = harmless(self.found.replaced_by.get(record["id"], "a summary"))
            replaced = f"(replaced {when_text(gone_ms, self.calendar)} by {summary})"
            yield from folded(replaced, f"{_UNDER}  ", f"{_UNDER}  ")

    def _unseen(self, row: Row) -> str:
        """Why a recall could not find what was written, if it could not."""
        saying = self._saying(row)
        seen_ms = min((one.get("visible_at_ms", 0) for one in saying), default=0)
        if seen_ms <= row["time_ms"]:
            return ""
        return f"it could be seen from {when_text(seen_ms, self.calendar)} on only (memory.visible_after)"

    def _in_prompt(self, row: Row) -> Iterator[str]:
        ids = json.loads(row["context"] or "[]")
        others = f"{counted(len(ids), 'record')}{'' if row['in_context'] else ', none says it'}"
        yield from _stage("in prompt", row["in_context"], others if ids else "nothing remembered")
        answer = self._answer(row)
        if answer is None or answer["kind"] != "replied":  # with a reply its prompt was told already
            yield from listed(ids, self.found, self.calendar, _UNDER)


def _stage(name: str, flag: bool | None, more: str) -> Iterator[str]:
    word = "not applicable" if flag is None else "yes" if flag else "NO"
    yield from _part(name, f"{word}: {more}" if more and flag is not None else word)


def _part(name: str, text: str) -> Iterator[str]:
    yield from folded(text, f"{INDENT}{name:<10}", _UNDER)


def _age(row: Row) -> str:
    if row["lag_days"] is None:
        return "to a colleague only" if row["told_to_colleague"] else "never"
    since = int(row["visits_since"] or 0)
    visits = f" and {counted(since, 'visit')}" if since else ""
    return f"{row['lag_days']:.1f} days{visits} ago"


def _wanted(row: Row) -> str:
    return harmless(row["expected"]) if row["polarity"] > 0 else f"no longer {harmless(row['expected'])}"


def _verdict(rows: Sequence[Row]) -> str:
    """The outcome, with the answer where that is not just what was asked for."""
    plain = all(row["polarity"] > 0 and _answer(row["answer"]) == harmless(row["expected"]) for row in rows)
    return harmless(rows[0]["outcome"]) if plain else _answers(rows)


def _answers(rows: Sequence[Row]) -> str:
    said = {harmless(row["slot"]): _answer(row["answer"]) for row in rows}
    return f"{details(said) or 'nothing'} ({rows[0]['outcome']})"


def _answer(answer: str | None) -> str:
    """What was answered; several values come as a JSON list."""
    if answer is None:
        return ""
    try:
        return value_text(json.loads(answer))
    except ValueError:
        return harmless(answer)
