"""The surrogate as it keeps notes: it writes down what was said, and makes old notes shorter."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import DAY, Menu
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.recollection import Stated, newest
from scenarios.noodle_shop.scene import Line, Scene, answered, customer_of, spoken
from scenarios.noodle_shop.speech import LANGUAGES, speech
from sim.llm.surrogate import Slips
from sim.memory.protocol import Claim

Data = dict[str, Any]
Readers = Mapping[str, Reader]
_QUOTED = re.compile(r"^> (.*)$", re.MULTILINE)


def reflect(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Writes down what the customer said or confirmed, less what slips by."""
    noticed = _noticed(seen, slips, readers)
    return {
        "thought": f"{len(noticed)} claims",
        "event": event_text(seen.language, noticed),
        "claims": [_plain(claim) for claim in noticed],
    }


def diary(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """As `reflect`, as a whole entry of the diary."""
    noticed = _noticed(seen, slips, readers)
    talk = speech(seen.language).talk
    words = [talk.name(claim.slot, claim.value) for claim in noticed]
    return {
        "thought": f"{len(noticed)} claims",
        "event_summary": event_text(seen.language, noticed),
        "customer_preference": [_plain(claim) for claim in noticed],
        "action_taken": seen.reply,
        "keywords": list(dict.fromkeys(words)),
        "emotion": readers[seen.language].mood(seen.utterance),
        "importance": _importance(noticed),
    }


def compress(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Keeps the newest statement per customer and slot, and the day of the last visit."""
    lines = sorted(seen.memory, key=lambda line: line.day)
    by_customer: dict[str, list[Line]] = {}
    for line in lines:
        by_customer.setdefault(customer_of(line.who), []).append(line)
    summary = [
        entry
        for customer, own in by_customer.items()
        for entry in _summary(customer, own, slips, readers, seen.language)
    ]
    return {"summary_lines": summary}


def abstract(user: str, language: str, slips: Slips, readers: Readers) -> Data:
    """Tells a quoted note in few words: of each slot what holds now, less what slips by.

    Args:
        user: the prompt as `sim.memory.compress.asking` makes it.
        language: code of the note's language.
        slips: the errors of this act.
        readers: by language.
    """
    language = language if language in LANGUAGES else LANGUAGES[0]
    reader = readers[language]
    note, last = _QUOTED.findall(user), user.rpartition("\n")[2]
    said = [one for line in note for one in _dated(line, reader)]
    held = [one.claim for one in newest(said).values() if one.claim.slot != "visit"]
    # Whom the note is about does not stand in it.
    gone = {claim for claim in held if slips.lost("", claim.slot, claim.value)}
    summary = event_text(language, [claim for claim in held if claim not in gone])
    must_keep = [] if last.startswith("> ") else _after_colon(last).split("; ")
    listed = [one for one in must_keep if one not in summary and gone.isdisjoint(reader.claims(one))]
    since = min((one.day for one in said), default="")
    return {"summary": f"{summary}.", "entities": [*filter(None, (*listed, since))]}


def stated(line: Line, readers: Readers, language: str) -> Iterable[Stated]:
    """What a line of memory states, on its day."""
    # Notes may stand in another language than the prompt, after a customer who spoke it.
    for code in sorted(readers, key=lambda code: code != language):
        claims = understood(spoken(line.body), answered(line.body), readers[code])
        if claims:
            return [Stated(day=line.day, claim=claim) for claim in claims]
    return []


def understood(said: str, replied: str, reader: Reader) -> tuple[Claim, ...]:
    """What an exchange states: what the customer said, and what the agent recommended.

    To "the usual", the agent's own answer says what that was.
    """
    own = reader.of_waiter(replied)
    if "usual" not in reader.asked(said):
        own = tuple(claim for claim in own if claim.slot == "offer")
    said_now = reader.claims(said)
    slots = {claim.slot for claim in said_now}
    return (*(claim for claim in own if claim.slot not in slots), *said_now)


def _noticed(seen: Scene, slips: Slips, readers: Readers) -> list[Claim]:
    said = understood(seen.utterance, seen.reply, readers[seen.language])
    return [claim for claim in said if not slips.missed(seen.customer, claim.slot)]


def _importance(noticed: Iterable[Claim]) -> float:
    slots = {claim.slot for claim in noticed}
    if "allergy" in slots:
        return 0.9
    return 0.6 if slots else 0.3


def _summary(customer: str, lines: list[Line], slips: Slips, readers: Readers, language: str) -> list[Data]:
    """Summary lines of one customer, one per day from which something is kept."""
    said = [one for line in lines for one in stated(line, readers, language)]
    days = [line.day for line in lines]
    days += [one.claim.value for one in said if one.claim.slot == "visit"]
    visit = Stated(day=max(days), claim=Claim(slot="visit", value=max(days)))
    kept = [one for one in newest([*said, visit]).values() if not _lost(one, customer, slips)]
    by_day: dict[str, list[Data]] = {}
    for one in sorted(kept, key=lambda one: one.day):
        by_day.setdefault(one.day, []).append(_plain(one.claim))
    return [{"customer": lines[-1].who, "day": day, "claims": claims} for day, claims in by_day.items()]


def _lost(one: Stated, customer: str, slips: Slips) -> bool:
    return slips.lost(customer, one.claim.slot, one.claim.value)


def _dated(line: str, reader: Reader) -> list[Stated]:
    """What a line like ``2026-01-05: orders laksa.`` states."""
    day = DAY.match(line)
    return [Stated(day=day[0] if day else "", claim=claim) for claim in reader.claims(line)]


def _after_colon(line: str) -> str:
    return re.split(r"[:：]\s*", line, maxsplit=1)[-1]


def _plain(claim: Claim) -> Data:
    return {"slot": claim.slot, "value": claim.value, "polarity": claim.polarity}
