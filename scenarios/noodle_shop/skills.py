"""The surrogate's skills in the shop: it reads a prompt as a model would, with its known slips.

A skill sees the words of the prompt and nothing else; the scene, the notes and the wishes are read
from them.
"""

from collections.abc import Callable
from typing import Any

from scenarios.noodle_shop import keeping
from scenarios.noodle_shop.keeping import Data, Readers, stated
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.ordering import Waiter
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.recollection import Stated, newest, values
from scenarios.noodle_shop.replies import offered_words, plate_words, reply
from scenarios.noodle_shop.scene import Scene, scene
from scenarios.noodle_shop.speech import LANGUAGES, speech
from sim.llm.protocol import Request
from sim.llm.surrogate import Skill, Slips


def skills(menu: Menu) -> dict[str, Skill]:
    """The skills by role: order, reflect, compress, cook, exam, offer, mood and customer."""
    readers = {code: Reader(code, menu) for code in LANGUAGES}
    roles: dict[str, Callable[[Scene, Slips, Menu, Readers], Data]] = {
        "order": order,
        "reflect": keeping.reflect,
        "compress": keeping.compress,
        "cook": cook,
        "exam": exam,
        "offer": offer,
        "mood": mood,
        "customer": customer,
    }

    def skill(role: str) -> Skill:
        def answer(request: Request, slips: Slips) -> Data:
            if role == "compress" and "summary" in _fields(request):
                return keeping.abstract(request.user, request.language, slips, readers)
            chosen = keeping.diary if "event_summary" in _fields(request) else roles[role]
            return chosen(scene(request.user, request.system), slips, menu, readers)

        return answer

    return {role: skill(role) for role in roles}


def order(seen: Scene, slips: Slips, menu: Menu, readers: Readers) -> Data:
    """Answers a customer: takes the order, asks back, answers or acknowledges."""
    return _waiter(seen, slips, menu, readers).answer()


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
    return [one for line in seen.own() for one in stated(line, readers, seen.language)]


def _fields(request: Request) -> Any:
    """What the reply is to hold; a role may be asked for one of several forms."""
    return (request.schema or {}).get("properties", ())
