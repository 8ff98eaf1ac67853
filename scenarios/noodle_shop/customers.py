"""Who comes to the shop, what is true of them, and when that changes.

All of it is drawn from streams named by the customer, so it is the same whatever the agents
say or remember.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.settings import NoodleSettings, Tastes
from scenarios.noodle_shop.speech import speech
from sim.clock import WEEK_MS
from sim.ledger import Fact, Ledger
from sim.memory.protocol import Claim
from sim.streams import Stream

ORDERED = ("dish", "extra", "without", "spice", "portion")
WISHES = (*ORDERED, "allergy", "style")


@dataclass(frozen=True, kw_only=True, slots=True)
class Customer:
    """One person: an id, a name, and the stream all their chances come from."""

    id: str
    name: str
    regular: bool
    language: str
    stream: Stream

    @property
    def who(self) -> str:
        """How agents know them under ``identity=given``."""
        return f"{self.name} ({self.id})"


def regulars(settings: NoodleSettings, streams: Stream) -> list[Customer]:
    """The regulars of a run."""
    return [person(settings, streams, f"c-{n:03d}") for n in range(1, settings.regulars + 1)]


def walk_in(settings: NoodleSettings, streams: Stream, number: int) -> Customer:
    """A passer-by who comes once."""
    return person(settings, streams, f"w-{number:04d}")


def person(settings: NoodleSettings, streams: Stream, name: str) -> Customer:
    """The person behind an id (``c-…`` regular, ``w-…`` passer-by): all about them hangs on their stream."""
    stream = streams.of("customer", name)
    people = speech(settings.language).people
    full = people.full(
        stream.of("first name").choice(people.first), stream.of("last name").choice(people.last)
    )
    return Customer(
        id=name, name=full, regular=name.startswith("c-"), language=settings.language, stream=stream
    )


def make_true(customer: Customer, tastes: Tastes, menu: Menu, ledger: Ledger, weeks: int) -> None:
    """Puts all that is and will be true of a customer's wishes into the ledger."""
    held = dict(_first_wishes(customer, tastes, menu))
    for slot, value in held.items():
        ledger.make_true(customer=customer.id, slot=slot, value=value, at_ms=0)
    if not customer.regular:
        return
    for week in range(weeks):
        drift = customer.stream.of("drift", week)
        if drift.of("happens").chance(tastes.drift_per_week):
            at_ms = week * WEEK_MS + drift.of("when").integer(0, WEEK_MS - 1)
            claim = _changed(held, menu, drift)
            ledger.make_true(
                customer=customer.id, slot=claim.slot, value=claim.value, polarity=claim.polarity, at_ms=at_ms
            )


def _first_wishes(customer: Customer, tastes: Tastes, menu: Menu) -> Iterator[tuple[str, str]]:
    stream = customer.stream.of("tastes")
    shares = tastes.model_dump()
    allergy = stream.of("allergy", "value").choice(menu.allergy)
    for slot in WISHES:
        draw = stream.of(slot)
        if slot != "dish" and not draw.of("has").chance(shares[slot]):
            continue
        value = allergy if slot == "allergy" else draw.of("value").choice(menu.values(slot))
        if slot != "extra" or value != allergy:  # nobody wants as an extra what makes them ill
            yield slot, value


def _changed(held: dict[str, str], menu: Menu, stream: Stream) -> Claim:
    """The next change of mind; ``held`` (slot to value) is brought up to date."""
    slot = stream.of("slot").choice([slot for slot in ORDERED if slot in held or slot == "extra"])
    if slot in ("extra", "without") and slot in held:  # "with corn" does not say "no more egg"
        return Claim(slot=slot, value=held.pop(slot), polarity=-1)
    barred = {held.get(slot), held.get("allergy")}
    value = stream.of("value").choice([value for value in menu.values(slot) if value not in barred])
    held[slot] = value
    return Claim(slot=slot, value=value)


def wishes(customer: Customer, ledger: Ledger, at_ms: int) -> dict[str, Fact]:
    """What is true of each slot at a time."""
    found = ((slot, ledger.current(customer.id, slot, at_ms)) for slot in WISHES)
    return {slot: fact for slot, fact in found if fact is not None}


def wanted(facts: Mapping[str, Fact]) -> dict[str, str]:
    """What the customer wants on the plate: the slots of an order that hold a value."""
    return {slot: facts[slot].value for slot in ORDERED if slot in facts and facts[slot].polarity > 0}
