"""Pairs of statements that look alike and mean the opposite, or the same of somebody else."""

from collections.abc import Sequence
from dataclasses import dataclass

from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import SINGLE, standard_menu
from scenarios.noodle_shop.phrases import Phrases
from sim.clock import DAY_MS
from sim.memory.protocol import Claim, Record
from sim.streams import Stream

MENU = standard_menu()
PEOPLE = ("c-1", "c-2")


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What one of two people says of one thing."""

    who: str
    move: str
    claim: Claim


def pair(draw: Stream) -> tuple[Said, Said]:
    """Two statements about one thing, of one person or of two, that differ in as little as can be."""
    slot = draw.of("slot").choice(("extra", "without", "allergy", "dish"))
    value = draw.of("value").choice(MENU.values(slot))
    first = Claim(slot=slot, value=value, polarity=1 if slot == "dish" or draw.of("sign").chance(0.7) else -1)
    return (
        Said(who=PEOPLE[0], move=_move(first, "new_wish"), claim=first),
        _second(first, draw),
    )


def _second(first: Claim, draw: Stream) -> Said:
    """The opposite of the first (for a dish another one), or the same of somebody else."""
    kind = draw.of("kind").choice(("opposite", "of the other", "opposite of the other"))
    who = PEOPLE[0] if kind == "opposite" else PEOPLE[1]
    claim = first
    if kind != "of the other":
        others = [dish for dish in MENU.values("dish") if dish != first.value]
        claim = (
            Claim(slot="dish", value=draw.of("dish").choice(others))
            if first.slot == "dish"
            else Claim(slot=first.slot, value=first.value, polarity=-first.polarity)
        )
    return Said(who=who, move=_move(claim, "reversal"), claim=claim)


def _move(claim: Claim, otherwise: str) -> str:
    return {"allergy": "allergy", "dish": "order"}.get(claim.slot, otherwise)


def words_of(language: str, one: Said, day: int, draw: Stream) -> str:
    """The statement in a customer's words."""
    return Phrases(language).say(one.move, [one.claim], draw.of(day), {"name": "Mia", "old": "pho"})


def entry(language: str, one: Said, claims: Sequence[Claim], day: int) -> Record:
    """What was understood of a statement, as it is written down."""
    return Record(
        id=f"{one.who}/{day}",
        at_ms=day * DAY_MS,
        visible_at_ms=day * DAY_MS,
        agent="waiter-1",
        customer=one.who,
        visit=f"{one.who}/{day}",
        kind="diary",
        text=f"{one.who}: {event_text(language, claims)}",
        claims=claims,
        sources=(f"{one.who}/{day}/0",),
    )


def truth(who: str, said: Sequence[Said]) -> set[Claim]:
    """What holds of somebody by the plain reading of what they said: the last word on each thing."""
    holds: dict[tuple[str, str], Claim] = {}
    for one in said:
        if one.who == who:
            key = (one.claim.slot, "" if one.claim.slot in SINGLE else one.claim.value)
            holds[key] = one.claim
    return set(holds.values())
