"""Likes and hates, allergic and not allergic, "no longer": what a memory makes of pairs that look alike.

Embeddings cannot tell these apart (the cosine of "likes" and "hates" is near .9), so nothing here may hang on
nearness. The reader stands for an extraction without error.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from scenarios.noodle_shop.events import event_text, plain
from scenarios.noodle_shop.menu import SINGLE, standard_menu
from scenarios.noodle_shop.phrases import Phrases
from scenarios.noodle_shop.profiles import NOODLE_SLOTS
from scenarios.noodle_shop.reader import Reader
from sim.clock import DAY_MS
from sim.memory.diary import Diary
from sim.memory.diary.presets import PRESETS
from sim.memory.domain import Domain
from sim.memory.protocol import Claim, Owner, Query, Record
from sim.streams import Stream

MENU = standard_menu()
PAIRS = 200
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


def told(language: str, one: Said, reader: Reader, day: int, draw: Stream) -> Record:
    """The statement put in words, read without error, and written down."""
    words = Phrases(language).say(one.move, [one.claim], draw.of(day), {"name": "Mia", "old": "pho"})
    claims = tuple(map(plain, reader.claims(words)))
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


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_two_hundred_pairs_are_neither_merged_nor_turned_round(language: str) -> None:
    reader, preset = Reader(language, MENU), PRESETS["full"]
    for number in range(PAIRS):
        draw = Stream.root(number).of("pair", language)
        said = pair(draw)
        owner = Owner(store="waiter-1")
        # Ranking has no part in who somebody is, so no embedder either.
        memory = Diary(owner, domain=Domain(slots=NOODLE_SLOTS), parts=preset.parts)
        for day, one in enumerate(said, 1):
            memory.write(owner, told(language, one, reader, day, draw))
        for who in PEOPLE:
            query = Query(text="the usual", customer=who, at_ms=9 * DAY_MS)
            hits = [hit.record for hit in memory.recall(owner, query)]
            known = {claim for record in hits if record.kind == "profile" for claim in record.claims}
            assert known == truth(who, said), said
            found = {claim for record in hits for claim in record.claims_of(who)}
            assert found == truth(who, said), said
