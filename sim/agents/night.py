"""After closing: the oldest notes on a person become one through the cascade, and some are let go of.

One act does both, for a memory that keeps a diary; a scenario says how it reads its records (`Reading`).
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sim.agents.effects import Ask, Effect, Forgettable, Note, Overflow, Write
from sim.llm.protocol import Outcome
from sim.llm.tokens import estimate_tokens
from sim.memory.compress.cascade import Source, accept, request
from sim.memory.compress.result import Compressed
from sim.memory.diary.diary import NIGHT
from sim.memory.profile.slots import Slots
from sim.memory.protocol import Capabilities, Claim, Owner, Record
from sim.records import ActId

Batch = Sequence[Record]
Steps = Generator[Effect, Any, None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """How a scenario reads some records of one person that are to become one.

    Args:
        language: code of the language they are in.
        who: how the person is called in them; stands before a summary.
        known: words that a summary need not repeat, since they stand beside it: that name, and the dates.
        day: the date of a record.
        body: what a record says, without date and name, on one line.
        line: a record as a line of a prompt, with date and name.
        claims: what a line claims; a date it begins with is the day of a visit.
        worded: a claim in canonical words.
        slots: what contradicts what.
    """

    language: str
    who: str
    known: tuple[str, ...]
    day: Callable[[Record], str]
    body: Callable[[Record], str]
    line: Callable[[Record], str]
    claims: Callable[[str], Iterable[Claim]]
    worded: Callable[[Claim], str]
    slots: Slots


Reader = Callable[[Batch], Reading]


def consolidate(act: ActId, owner: Owner, memory: Capabilities, read: Reader) -> Steps:
    """The night's work on one memory that keeps a diary.

    Args:
        act: who does it.
        owner: whose memory.
        memory: what it takes in.
        read: says how to read some records of one person.
    """
    batches = yield Overflow(owner=owner)
    parts = [part for batch in batches for part in _by_person(batch)]
    forgotten: Sequence[Record] = (yield Forgettable(owner=owner)) if NIGHT in memory.ingests else ()
    for number, part in enumerate(parts):
        yield from _squeeze(f"{_name(act)}/{number}", owner, part, read(part))
    if NIGHT in memory.ingests:
        replaced = {record.id for part in parts for record in part}
        yield from _forget(act, owner, [one for one in forgotten if one.id not in replaced])


def newest(claims: Iterable[Claim], slots: Slots) -> list[Claim]:
    """Of statements in order, each once, those that no later one contradicts."""
    held: list[Claim] = []
    for claim in map(slots.plain, claims):
        held = [one for one in held if one != claim and not slots.contradict(one, claim)]
        held.append(claim)
    return held


def _squeeze(name: str, owner: Owner, batch: Batch, reading: Reading) -> Steps:
    """Replaces records of one person by a summary that keeps what still holds, as far as it says it."""
    held = newest((claim for record in batch for claim in record.claims), reading.slots)
    source = _source(batch, reading, held)
    asked, reply = request(source), None
    if asked is not None:
        outcome: Outcome = yield Ask(
            role=asked.role,
            system=asked.system,
            user=asked.user,
            schema=asked.schema,
            language=asked.language,
        )
        reply = outcome.value
    short = accept(source, reply)
    summary = _summary(name, batch, reading, short, held)
    yield Write(owner=owner, record=summary)
    lost = [{"slot": one.slot, "value": one.value} for one in held if one not in summary.claims]
    places = {"records": [record.id for record in batch], "summary": summary.id, "claims_lost": lost}
    yield Note(kind="compressed", payload={**short.payload, **places})


def _source(batch: Batch, reading: Reading, held: Sequence[Claim]) -> Source:
    wanted = {claim for claim in held if claim.slot not in reading.slots.episodic}

    def named(text: str) -> Iterator[str]:
        for line in text.split("\n"):
            yield from (reading.worded(claim) for claim in reading.claims(line) if claim in wanted)

    return Source(
        text="\n".join(f"{reading.day(record)}: {reading.body(record)}" for record in batch),
        language=reading.language,
        count=estimate_tokens,
        ids=_sources(batch),
        known=reading.known,
        entities=named,
    )


def _summary(name: str, batch: Batch, reading: Reading, short: Compressed, held: Sequence[Claim]) -> Record:
    """The record that takes the place of a batch; it stands where the newest of them stood."""
    last = batch[-1]
    # What was short enough stays as it was, each line with its own date.
    whole = short.step == "whole"
    lines = dict.fromkeys(map(reading.line, batch))
    text = "\n".join(lines) if whole else f"{reading.who}: {short.line}"
    told = _source(batch, reading, held).text if whole else f"{reading.day(last)}: {short.line}"
    said = {claim for line in told.split("\n") for claim in reading.claims(line)}
    return Record(
        id=name,
        at_ms=last.at_ms,
        visible_at_ms=0,
        agent=last.agent,
        customer=last.customer,
        visit="",
        kind="summary",
        text=text,
        claims=tuple(claim for claim in held if claim in said),
        sources=_sources(batch),
        replaces=tuple(record.id for record in batch),
    )


def _forget(act: ActId, owner: Owner, forgotten: Batch) -> Steps:
    """Lets go of records; the record that does it is written every night, for it ends the day."""
    night = Record(
        id=f"{_name(act)}/{NIGHT}",
        at_ms=max((record.at_ms for record in forgotten), default=0),
        visible_at_ms=0,
        agent=act.agent,
        customer=act.customer,
        visit="",
        kind=NIGHT,
        text="",
        replaces=tuple(record.id for record in forgotten),
    )
    yield Write(owner=owner, record=night)
    if forgotten:
        gone = [{"record": record.id, "utterances": list(record.sources)} for record in forgotten]
        yield Note(kind="forgot", payload={"forgotten": gone})


def _by_person(batch: Batch) -> list[list[Record]]:
    """A batch by the person its records are about, in their order."""
    parts: dict[str, list[Record]] = {}
    for record in batch:
        parts.setdefault(record.customer, []).append(record)
    return list(parts.values())


def _sources(batch: Batch) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source for record in batch for source in record.sources))


def _name(act: ActId) -> str:
    return "/".join(filter(None, (act.agent, act.customer, act.visit)))
