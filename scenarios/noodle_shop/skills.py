"""The surrogate's skills in the shop: it reads a prompt as a model would, with its known slips.

A skill sees the words of the prompt and nothing else; the scene, the notes and the wishes are read
from them.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.ordering import Waiter
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.recollection import Stated, newest, values
from scenarios.noodle_shop.replies import offered_words, plate_words, reply
from scenarios.noodle_shop.scene import Line, Scene, answered, customer_of, scene, spoken
from scenarios.noodle_shop.speech import LANGUAGES, speech
from sim.llm.protocol import Request
from sim.llm.surrogate import Skill, Slips
from sim.memory.protocol import Claim

Data = dict[str, Any]
Readers = Mapping[str, Reader]


def skills(menu: Menu) -> dict[str, Skill]:
    """The skills by role: order, reflect, compress, cook, exam, offer, mood and customer."""
    readers = {code: Reader(code, menu) for code in LANGUAGES}
    roles: dict[str, Callable[[Scene, Slips, Menu, Readers], Data]] = {
        "order": order,
        "reflect": reflect,
        "compress": compress,
        "cook": cook,
        "exam": exam,
        "offer": offer,
        "mood": mood,
        "customer": customer,
    }

    def skill(role: str) -> Skill:
        def answer(request: Request, slips: Slips) -> Data:
            return roles[role](scene(request.user), slips, menu, readers)

        return answer

    return {role: skill(role) for role in roles}


def order(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Answers a customer: takes the order, asks back, answers or acknowledges."""
    return _waiter(seen, slips, menu, readers).answer()


def reflect(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Writes down what the customer said or confirmed, less what slips by."""
    said = understood(seen.utterance, seen.reply, readers[seen.language])
    noticed = [claim for claim in said if not slips.missed(seen.customer, claim.slot)]
    return {
        "thought": f"{len(noticed)} claims",
        "event": event_text(seen.language, noticed),
        "claims": [_plain(claim) for claim in noticed],
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


def cook(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Cooks what the ticket says and keeps out what this customer must not eat or does not want."""
    known = newest(_notes(seen, readers))
    remembered = {
        slot: [] if slips.ignored(seen.customer, slot) else values(known, slot)
        for slot in ("without", "allergy")
    }
    warned = [
        c.value for c in readers[seen.language].claims(seen.ticket.get("note", "")) if c.slot == "allergy"
    ]
    remembered["allergy"] += warned
    out = [*seen.ticket.get("without", ()), *remembered["without"], *remembered["allergy"]]
    plate = {
        "dish": seen.ticket.get("dish") or menu.dishes[0].id,
        "extra": [value for value in seen.ticket.get("extra", ()) if value not in remembered["allergy"]],
        "without": list(dict.fromkeys(out)),
        "spice": seen.ticket.get("spice"),
        "portion": seen.ticket.get("portion"),
    }
    say = reply(seen.language, "cook", short=False, wishes=plate_words(seen.language, plate))
    return {"thought": "as the ticket says", **plate, "say": say}


def exam(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Answers what is known of one slot."""
    waiter = _waiter(seen, slips, menu, readers)
    found = waiter.last_visit(before_today=False) if seen.slot == "visit" else waiter.recalled(seen.slot)
    return {
        "thought": "from the notes" if found else "nothing about it",
        "known": bool(found),
        "values": found,
        "confidence": 0.9 if found else 0.2,
    }


def offer(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Recommends one thing that is not on the order, not what came last, and does no harm."""
    waiter = _waiter(seen, slips, menu, readers)
    choices = waiter.offerings(seen.ordered)
    hurried = readers[seen.language].mood(seen.utterance) == "hurried"
    # Any draw of the act would do; this one hangs on the customer as prompted.
    item = slips.invented(seen.customer, "offer", choices) if choices and not hurried else None
    short = waiter.wants_it_short()
    if item is None:
        return {
            "thought": "nothing to add",
            "item": None,
            "say": reply(seen.language, "no_offer", short=short),
        }
    say = reply(seen.language, "offer", short=short, item=offered_words(seen.language, item))
    return {"thought": f"{item} might please", "item": item, "say": say}


def mood(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Says how the customer feels by their own words."""
    felt = readers[seen.language].mood(seen.utterance)
    short = _waiter(seen, slips, menu, readers).wants_it_short()
    say = reply(seen.language, f"mood_{felt}", short=short)
    return {"thought": f"sounds {felt}", "mood": felt, "say": say}


def customer(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Says a customer's sentence, at times after a remark of no content."""
    talk = speech(seen.language).talk
    opening = slips.invented(seen.persona, "opening", ("", *talk.openings))
    return {"text": talk.space.join(filter(None, (opening, seen.sentence)))}


def _waiter(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Waiter:
    reader = readers[seen.language]
    return Waiter(seen=seen, slips=slips, menu=menu, reader=reader, notes=_notes(seen, readers))


def _notes(seen: Scene, readers: Readers) -> list[Stated]:
    """What the lines about the prompted customer state, oldest first."""
    return [stated for line in seen.own() for stated in _stated(line, readers, seen.language)]


def _stated(line: Line, readers: Readers, language: str) -> Iterable[Stated]:
    # Notes may stand in another language than the prompt, after a customer who spoke it.
    for code in sorted(readers, key=lambda code: code != language):
        claims = understood(spoken(line.body), answered(line.body), readers[code])
        if claims:
            return [Stated(day=line.day, claim=claim) for claim in claims]
    return []


def _summary(customer: str, lines: list[Line], slips: Slips, readers: Readers, language: str) -> list[Data]:
    """Summary lines of one customer, one per day from which something is kept."""
    stated = [one for line in lines for one in _stated(line, readers, language)]
    days = [line.day for line in lines]
    days += [one.claim.value for one in stated if one.claim.slot == "visit"]
    visit = Stated(day=max(days), claim=Claim(slot="visit", value=max(days)))
    kept = [one for one in newest([*stated, visit]).values() if not _lost(one, customer, slips)]
    by_day: dict[str, list[Data]] = {}
    for one in sorted(kept, key=lambda one: one.day):
        by_day.setdefault(one.day, []).append(_plain(one.claim))
    return [{"customer": lines[-1].who, "day": day, "claims": claims} for day, claims in by_day.items()]


def _lost(one: Stated, customer: str, slips: Slips) -> bool:
    return slips.lost(customer, one.claim.slot, one.claim.value)


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


def _plain(claim: Claim) -> Data:
    return {"slot": claim.slot, "value": claim.value, "polarity": claim.polarity}
