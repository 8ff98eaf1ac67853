"""One lost fact as a card: its way from the telling to the stage where it was lost, with every word on it."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sim.metrics.evidence import Row, read_payload
from sim.metrics.plots import LABELS
from sim.metrics.portraits import line_of
from sim.metrics.questions import WHY
from sim.metrics.story import value_text
from sim.metrics.wording import clock_text, counted, when_text
from sim.records import STAGES
from sim.report.markup import Html, element, folded_up, items, text, together
from sim.report.worst import Loss

_MOST_TELLINGS = 3
_MOST_RECORDS = 6
_MOST_IN_PROMPT = 40


def card(number: int, loss: Loss, several: bool) -> Html:
    """A loss as an article; ``several`` says that there are several runs to tell apart."""
    probe = loss.probe
    wanted = f"{'' if probe.polarity > 0 else 'no longer '}{probe.expected}"
    heading = element(
        "h3",
        f"{number}. {probe.customer}: {probe.slot} {wanted}, ",
        element("strong", words(probe.loss or "")),
    )
    parts = [
        heading,
        element("p", _in_short(loss, several)),
        element("ol", *(element("li", step) for step in _way(loss)), class_="way", role="list"),
        folded_up("What was said", *_told(loss), open=True),
        folded_up("What was written down", *_written(loss)),
        folded_up(_prompt_title(loss), *_prompt(loss)),
    ]
    if loss.visit:
        parts.append(folded_up("The dialogue in which it was asked", dialogue(loss.visit)))
    return element("article", *parts, class_="loss")


def words(name: str) -> str:
    """The name of a stage or a loss as words."""
    return name.replace("_", " ")


def _in_short(loss: Loss, several: bool) -> str:
    probe = loss.probe
    where = f"{loss.member.label}: on" if several else "On"
    when, exam = when_text(probe.time_ms, loss.calendar), probe.kind == "exam"
    asked = "was examined" if exam else f"was asked ({words(probe.question)})"
    said = f"{_answer(probe.answer)} ({words(probe.outcome)})"
    why = WHY.get(probe.loss or "", words(probe.loss or ""))
    return f"{where} {when} {probe.agent} {asked} and answered {said}. Lost because {why}."


def _answer(answer: str | None) -> str:
    """What was answered; several values come as a JSON list."""
    if answer is None:
        return "nothing"
    try:
        return value_text(json.loads(answer)) or "nothing"
    except ValueError:
        return answer


def _way(loss: Loss) -> Iterator[Html]:
    """Each stage with a word, and not with a colour alone."""
    for stage in STAGES:
        flag = getattr(loss.probe, stage)
        word, look = ("not applicable", "none") if flag is None else ("yes", "yes") if flag else ("NO", "no")
        yield together([element("span", LABELS[stage]), " ", element("b", word, class_=look)])


def _told(loss: Loss) -> Iterator[Html]:
    told = loss.found.told(loss.row)
    if not told:
        yield element("p", "The telling is not in this run's tables.")
        return
    times = Counter(row["said_at_ms"] for row in told)
    yield items(_telling(loss, row, times[row["said_at_ms"]]) for row in told[-_MOST_TELLINGS:])
    if len(told) > _MOST_TELLINGS:
        yield element("p", f"and {counted(len(told) - _MOST_TELLINGS, 'earlier time')}")


def _telling(loss: Loss, row: Row, at_once: int) -> Html:
    when = when_text(row["said_at_ms"], loss.calendar)
    said = loss.found.words.get(row["utterance"])
    # What is told in several exchanges at one time stands for a whole visit, in no one's words.
    alone = element("q", said) if said else "(its words are not in the log)"
    quoted = alone if at_once == 1 else "by the visit itself"
    return together([f"{when}, to {row['said_to']}, visit {row['visit']}: ", quoted])


def _written(loss: Loss) -> Iterator[Html]:
    rows = loss.found.written(loss.row)
    saying = [row for row in rows if loss.found.says(row, loss.row)]
    if not rows:
        gone = "Not in the snapshot." if loss.probe.written else "No record rests on what was said."
        yield element("p", gone)
        return
    if not saying:
        yield element("p", "Records rest on what was said, and none of them says it:")
    shown = (saying or rows)[-_MOST_RECORDS:]
    yield items(_record(loss, row) for row in shown)
    if len(saying or rows) > len(shown):
        yield element("p", f"and {counted(len(saying or rows) - len(shown), 'older record')}")


def _record(loss: Loss, row: Row) -> Html:
    lines = loss.found.about(loss.found.text(row["id"], loss.calendar))
    parts = [element("code", row["id"]), " ", " ".join(lines)]
    gone_ms = row.get("retired_at_ms")
    if gone_ms is not None and gone_ms <= loss.probe.time_ms:
        by = loss.found.replaced_by.get(row["id"], "a summary")
        parts.append(element("em", f" (replaced {when_text(gone_ms, loss.calendar)} by {by})"))
    return together(parts)


def _prompt_title(loss: Loss) -> str:
    count = counted(len(_ids(loss)), "record")
    return f"The memory that was sent ({count}, {counted(loss.probe.context_tokens, 'token')})"


def _ids(loss: Loss) -> list[str]:
    return [str(id_) for id_ in json.loads(loss.probe.context or "[]")]


def _prompt(loss: Loss) -> Iterator[Html]:
    ids = _ids(loss)
    if not ids:
        yield element("p", "Nothing remembered stood in the prompt.")
        return
    yield element("ol", *(element("li", _sent(loss, id_)) for id_ in ids[:_MOST_IN_PROMPT]))
    if len(ids) > _MOST_IN_PROMPT:
        yield element("p", f"and {counted(len(ids) - _MOST_IN_PROMPT, 'more record')}")


def _sent(loss: Loss, id_: str) -> Html:
    lines = loss.found.text(id_, loss.calendar, loss.probe.time_ms)
    line = together([element("code", id_), " ", " ".join(lines)])
    return element("mark", line, " (says it)") if _says_it(loss, id_) else line


def _says_it(loss: Loss, id_: str) -> bool:
    """Whether a record that rests on the telling says the fact, or a line of the profile does."""
    if id_ not in loss.found.records:
        line = line_of(loss.found.portraits, id_, loss.probe.time_ms)
        return f"{loss.probe.slot} {loss.probe.expected}" in line.split(", ")
    return any(row["id"] == id_ and loss.found.says(row, loss.row) for row in loss.found.written(loss.row))


def dialogue(rows: Iterable[Mapping[str, Any]]) -> Html:
    """What was said and done on a visit, in order."""
    told = [(row, read_payload(row["payload"])) for row in rows]
    return element("ol", *(element("li", *_turn(row, said)) for row, said in told), class_="turns")


def _turn(row: Mapping[str, Any], said: Mapping[str, Any]) -> Sequence[Html]:
    clock = element("time", clock_text(row["time_ms"]))
    of_customer = row["kind"] in ("said", "accepted", "declined")
    who = row["customer"] if of_customer or not row["agent"] else row["agent"]
    speech = said.get("text")
    spoken = element("q", speech) if isinstance(speech, str) and speech else text(words(row["kind"]))
    return [clock, Html(" "), element("b", who), Html(" "), spoken]
