"""After closing: the oldest notes are squeezed into summaries, and how notes of a diary are read for it."""

import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any

from scenarios.noodle_shop.desk import Desk
from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import DAY, Menu
from scenarios.noodle_shop.profiles import STATED_SLOTS
from scenarios.noodle_shop.prompts import compress_prompt, memory_line, one_line
from scenarios.noodle_shop.reader import reader_of
from scenarios.noodle_shop.reflecting import extracted, not_on
from scenarios.noodle_shop.scene import customer_of, scene
from scenarios.noodle_shop.schemas import compress_schema
from sim.agents.effects import Ask, Effect, Note, Overflow, Write
from sim.agents.night import Reading
from sim.engine.act import Steps
from sim.language.scripts import native_scripts, script
from sim.llm.outcomes import TOO_LONG
from sim.llm.protocol import Outcome
from sim.memory.protocol import Claim, Owner, Record
from sim.records import ActId

Batch = Sequence[Record]
_WORD = re.compile(r"[\w-]+")
_ENDS = tuple(".!?。！？…")


def squeeze(desk: Desk, language: str, act: ActId, owner: Owner) -> Steps:
    """Replaces each batch of old records by one summary with its key facts and a pointer to its sources.

    A batch whose summary fails stays as it is and is tried again after the next day that
    adds something.
    """
    batches = yield Overflow(owner=owner)
    for number, whole in enumerate(batches):
        batch, outcome = yield from _shorter(desk, language, act, whole)
        if outcome.value is None:
            yield Note(kind="not_compressed", payload={"records": len(batch), "why": outcome.kind})
            continue
        kept = outcome.value["summary_lines"][: desk.memory.squeeze_lines]
        summary = _summary(desk.menu, language, f"{act.agent}/{act.visit}/{number}", batch, kept)
        for claim in (claim for line in kept for claim in not_on(desk.menu, line["claims"])):
            yield Note(kind="claim_dropped", payload={"summary": summary.id, **claim})
        yield Write(owner=owner, record=summary)
        yield Note(kind="compressed", payload={"records": [one.id for one in batch], "summary": summary.id})


def reading(desk: Desk, languages: Sequence[str], batch: Batch) -> Reading:
    """How some notes on one customer are read: in what language, as whom, and what they claim."""
    language = _language(languages, batch)
    who = next((_parts(one)[0] for one in batch if one.text), batch[0].customer)

    def body(record: Record) -> str:
        said = [claim for claim in record.claims if claim.slot != "visit"]
        text = one_line(_parts(record)[1]) if record.text else event_text(language, said)
        return text if text.endswith(_ENDS) else f"{text}{'。' if language == 'zh' else '.'}"

    def day(record: Record) -> str:
        return desk.calendar.day(record.at_ms)

    return Reading(
        language=language,
        who=who,
        known=(*_WORD.findall(who), *dict.fromkeys(map(day, batch))),
        day=day,
        body=body,
        line=lambda record: memory_line(day(record), who, body(record)),
        claims=partial(_claims, language, desk.menu),
        worded=lambda claim: event_text(language, [claim]),
        slots=STATED_SLOTS,
    )


def _parts(record: Record) -> tuple[str, str]:
    """Of whom a note speaks, and what it says."""
    who, _, body = record.text.partition(": ")
    return who, body


def _language(languages: Sequence[str], batch: Batch) -> str:
    """The one of some languages in whose letters most of the notes are; the first one where none is."""
    scripts = Counter(script(letter) for one in batch for letter in _parts(one)[1])
    return max(languages, key=lambda code: sum(scripts[name] for name in native_scripts(code)))


def _claims(language: str, menu: Menu, line: str) -> Iterator[Claim]:
    yield from reader_of(language, menu).claims(line)
    if day := DAY.match(line):
        yield Claim(slot="visit", value=day[0])


def _shorter(
    desk: Desk, language: str, act: ActId, batch: Batch
) -> Generator[Effect, Any, tuple[Batch, Outcome]]:
    """Asks for a shorter version; of a batch too long for the model, once more for its older half alone."""
    outcome: Outcome = yield _question(desk, language, act, batch)
    if outcome.kind not in TOO_LONG or len(batch) < 2:
        return batch, outcome
    half = batch[: len(batch) // 2]
    left = [one.id for one in batch[len(half) :]]
    yield Note(kind="cut", payload={"why": outcome.kind, "records": left, "texts": 0})
    outcome = yield _question(desk, language, act, half)
    return half, outcome


def _question(desk: Desk, language: str, act: ActId, batch: Batch) -> Ask:
    lines = [line for one in batch for line in desk.line(one).split("\n")]
    system, user = compress_prompt(act.agent, lines, language, desk.menu)
    customers = dict.fromkeys(line.who for line in scene(user).memory)
    days = dict.fromkeys(DAY.findall(user))
    schema = compress_schema(desk.menu, tuple(customers), tuple(days))
    return Ask(role="compress", system=system, user=user, schema=schema, language=language)


def _summary(menu: Menu, language: str, name: str, batch: Sequence[Record], kept: Sequence[Any]) -> Record:
    claims: list[Claim] = []
    claimants: list[str] = []
    lines = []
    for line in kept:
        found = extracted(line["claims"], menu)
        claims += found
        claimants += [customer_of(line["customer"])] * len(found)
        lines.append(memory_line(line["day"], line["customer"], event_text(language, found)))
    newest = batch[-1]
    return Record(
        # It stands where the newest of what it replaces stood, so that time order holds.
        id=name,
        at_ms=newest.at_ms,
        visible_at_ms=0,
        agent=newest.agent,
        customer="",
        visit="",
        kind="summary",
        text="\n".join(lines),
        claims=tuple(claims),
        claimants=tuple(claimants),
        sources=tuple(dict.fromkeys(source for one in batch for source in one.sources)),
        replaces=tuple(one.id for one in batch),
    )
