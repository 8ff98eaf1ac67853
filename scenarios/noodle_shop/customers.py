"""Who comes to the shop, what is true of them, and when that changes.

All of it is drawn from streams named by the customer, or given by a population, so it is the same
whatever the agents say or remember.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scenarios.noodle_shop.confusable import Likeness, likenesses, regular_id, stream_of, told_apart
from scenarios.noodle_shop.habits import Habits, drawn_habits
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.population import Guest, Population
from scenarios.noodle_shop.settings import Identity, NoodleSettings, Tastes
from scenarios.noodle_shop.speech import People, speech
from sim.clock import WEEK_MS
from sim.ledger import Fact, Ledger
from sim.memory.protocol import Claim
from sim.streams import Stream

ORDERED = ("dish", "extra", "without", "spice", "portion")
WISHES = (*ORDERED, "allergy", "style")
_TAKEN_BACK = ("extra", "without")
# Shares of visits by mood of the day; the moods are those of `speech.MOODS`.
MOOD_SHARES: Mapping[str, float] = {
    "neutral": 0.35,
    "cheerful": 0.3,
    "tired": 0.15,
    "hurried": 0.12,
    "sad": 0.08,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Customer:
    """One person: an id, a name, and the stream all their chances come from.

    Args:
        first: the first name, which others may share.
        regular: one of the regulars; false for passers-by, even for one who comes back.
        identity: what agents learn of who stands there.
        description: what they look like; empty unless they are ``described``.
        habits: when they come and how long they wait.
        comes_back: whether they come more than once.
        likeness: their place among people they are easily taken for.
        given: what a population says of them; None if they are drawn.
    """

    id: str
    name: str
    first: str
    regular: bool
    language: str
    stream: Stream
    identity: Identity
    description: str
    habits: Habits
    comes_back: bool
    likeness: Likeness | None = None
    given: Guest | None = None

    @property
    def who(self) -> str:
        """What agents are told of who stands there, by ``scenario.identity``."""
        return f"{self.name} ({self.id})" if self.identity == "given" else self.known_as

    @property
    def known_as(self) -> str:
        """What agents can tell this customer from others by; only an id belongs to one person alone."""
        return {"given": self.id, "name": self.first, "described": self.description}[self.identity]

    @property
    def introduced(self) -> str:
        """The name by which they introduce themselves: the full one only where it gives nothing away."""
        return self.name if self.identity == "given" else self.first

    @property
    def patience_s(self) -> float:
        """Their own mean of seconds they wait for a table."""
        return self.habits.patience_s


def regulars(
    settings: NoodleSettings, streams: Stream, population: Population | None = None
) -> list[Customer]:
    """The regulars of a run: those of the population, or as many drawn ones as the settings say."""
    ids = population or [regular_id(n) for n in range(1, settings.regulars + 1)]
    return [person(settings, streams, name, population) for name in ids]


def walk_in(settings: NoodleSettings, streams: Stream, number: int) -> Customer:
    """A passer-by, who may come back."""
    return _drawn(settings, streams, f"w-{number:04d}")


def person(
    settings: NoodleSettings, streams: Stream, name: str, population: Population | None = None
) -> Customer:
    """The person behind an id, drawn anew: all about them hangs on the population or their stream.

    Args:
        settings: numbers of the shop.
        streams: the root of all streams of the run.
        name: the id; ``w-…`` is a passer-by.
        population: what `population.population_of` gives for these settings.
    """
    if settings.population is not None and population is None:
        raise ValueError("these settings name a population; hand it in")
    customer = _drawn(settings, streams, name)
    guest = population.get(name) if population else None
    return _as_given(customer, guest, settings) if guest else customer


def _drawn(settings: NoodleSettings, streams: Stream, name: str) -> Customer:
    stream = stream_of(streams, name)
    regular = not name.startswith("w-")
    likeness = _likeness(settings, streams, name)
    # People who are taken for one another share what is seen of them.
    seen = likeness.leader if likeness else stream
    language = _language(settings, seen)
    people = speech(language).people
    first = seen.of("first name").choice(people.first)
    return Customer(
        id=name,
        name=people.full(first, stream.of("last name").choice(people.last)),
        first=first,
        regular=regular,
        language=language,
        stream=stream,
        identity=settings.identity,
        description=_description(settings, people, seen),
        habits=drawn_habits(settings, stream),
        comes_back=regular or stream.of("comes back").chance(settings.walk_in_returns),
        likeness=likeness,
    )


def _likeness(settings: NoodleSettings, streams: Stream, name: str) -> Likeness | None:
    if settings.population is not None or not name.startswith("c-"):
        return None
    return likenesses(settings.regulars, settings.confusable, streams).get(int(name.removeprefix("c-")))


def _language(settings: NoodleSettings, stream: Stream) -> str:
    shares = settings.languages
    return stream.of("language").weighted(list(shares), list(shares.values()))


def _description(settings: NoodleSettings, people: People, stream: Stream) -> str:
    if settings.identity != "described":
        return ""
    return stream.of("description").choice(people.descriptions)


def _as_given(customer: Customer, guest: Guest, settings: NoodleSettings) -> Customer:
    """A drawn customer with everything replaced that a population says of them."""
    people = speech(guest.language or customer.language).people
    drawn = customer.habits
    habits = replace(
        drawn,
        weekday=guest.weekday,
        hour_ms=guest.hour_ms,
        patience_s=guest.patience_s or drawn.patience_s,
        rhythm_days=guest.rhythm_days or drawn.rhythm_days,
    )
    return replace(
        customer,
        name=guest.name,
        first=guest.name.split()[0],
        language=guest.language or customer.language,
        regular=True,
        description=_description(settings, people, customer.stream),
        habits=habits,
        comes_back=True,
        given=guest,
    )


def make_true(
    customer: Customer, tastes: Tastes, menu: Menu, ledger: Ledger, weeks: int, *, from_ms: int = 0
) -> None:
    """Puts all that is and will be true of a customer's wishes into the ledger.

    Args:
        customer: whose.
        tastes: shares of each wish, and how often wishes change.
        menu: what can be wished for.
        ledger: where it is put.
        weeks: length of the run.
        from_ms: when they first come; nothing changes before.
    """
    held = first_wishes(customer, tastes, menu)
    for slot, value in held.items():
        ledger.make_true(customer=customer.id, slot=slot, value=value, at_ms=0)
    if not customer.comes_back:
        return
    for week in range(weeks):
        drift = customer.stream.of("drift", week)
        at_ms = week * WEEK_MS + drift.of("when").integer(0, WEEK_MS - 1)
        if at_ms >= from_ms and drift.of("happens").chance(tastes.drift_per_week):
            claim = _changed(held, menu, drift)
            if claim is not None:
                ledger.make_true(
                    customer=customer.id,
                    slot=claim.slot,
                    value=claim.value,
                    polarity=claim.polarity,
                    at_ms=at_ms,
                )


def first_wishes(customer: Customer, tastes: Tastes, menu: Menu) -> dict[str, str]:
    """What a customer wishes at the start, by slot."""
    if customer.given is not None:
        return dict(customer.given.wishes)
    if customer.likeness is None:
        return dict(_drawn_wishes(customer.stream, tastes, menu))
    leaders = dict(_drawn_wishes(customer.likeness.leader, tastes, menu))
    return told_apart(leaders, customer.likeness, menu, WISHES)


def _drawn_wishes(stream: Stream, tastes: Tastes, menu: Menu) -> Iterator[tuple[str, str]]:
    stream = stream.of("tastes")
    shares = tastes.model_dump()
    allergy = stream.of("allergy", "value").choice(menu.allergy)
    for slot in WISHES:
        draw = stream.of(slot)
        if slot != "dish" and not draw.of("has").chance(shares[slot]):
            continue
        value = allergy if slot == "allergy" else draw.of("value").choice(menu.values(slot))
        if slot != "extra" or value != allergy:  # nobody wants as an extra what makes them ill
            yield slot, value


def _changed(held: dict[str, str], menu: Menu, stream: Stream) -> Claim | None:
    """The next change of mind; ``held`` (slot to value) is brought up to date. None if there is none."""
    others = {slot: _others(slot, held, menu) for slot in ORDERED if slot in held or slot == "extra"}
    slots = [slot for slot in others if others[slot] or (slot in _TAKEN_BACK and slot in held)]
    if not slots:
        return None
    slot = stream.of("slot").choice(slots)
    if slot in _TAKEN_BACK and slot in held:  # "with corn" does not say "no more egg"
        return Claim(slot=slot, value=held.pop(slot), polarity=-1)
    held[slot] = stream.of("value").choice(others[slot])
    return Claim(slot=slot, value=held[slot])


def _others(slot: str, held: Mapping[str, str], menu: Menu) -> list[str]:
    barred = {held.get(slot), held.get("allergy")}
    return [value for value in menu.values(slot) if value not in barred]


def wishes(customer: Customer, ledger: Ledger, at_ms: int) -> dict[str, Fact]:
    """What is true of each slot at a time."""
    found = ((slot, ledger.current(customer.id, slot, at_ms)) for slot in WISHES)
    return {slot: fact for slot, fact in found if fact is not None}


def wanted(facts: Mapping[str, Fact]) -> dict[str, str]:
    """What the customer wants on the plate: the slots of an order that hold a value."""
    return {slot: facts[slot].value for slot in ORDERED if slot in facts and facts[slot].polarity > 0}


def mood_of(customer: Customer, number: int) -> str:
    """The mood (one of `speech.MOODS`) in which a customer comes to the visit of this number."""
    return customer.stream.of("visit", number, "mood").weighted(list(MOOD_SHARES), list(MOOD_SHARES.values()))
