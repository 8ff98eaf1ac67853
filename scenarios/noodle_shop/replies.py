"""What the surrogate lets an agent say."""

from collections.abc import Mapping
from typing import Any

from scenarios.noodle_shop.phrases import attached, grouped, named, worded, wordings
from scenarios.noodle_shop.speech import speech
from sim.memory.protocol import Claim

_PLATE = ("extra", "without", "spice", "portion")


def reply(language: str, situation: str, *, short: bool, **fields: str) -> str:
    """A sentence for a situation, the short form for a customer who wants it short."""
    replies = speech(language).talk.replies
    brief = f"{situation}_short"
    text = replies[brief] if short and brief in replies else replies[situation]
    return text.format(**fields)


def plate_words(language: str, plate: Mapping[str, Any]) -> str:
    """A plate in words: "tonkotsu ramen with extra egg, without garlic"."""
    talk = speech(language).talk
    wanted = [
        Claim(slot=slot, value=value)
        for slot in _PLATE
        for value in ([plate[slot]] if isinstance(plate[slot], str) else plate[slot] or ())
    ]
    groups = grouped(wanted)
    parts = [worded(talk, wordings(talk.fragments, key, claims)[0], claims) for key, claims in groups.items()]
    dish = named(talk, [Claim(slot="dish", value=plate["dish"])], "nom")
    return dish + attached(talk, parts)


def offered_words(language: str, item: str) -> str:
    """The name of a recommended dish or extra, as the object of a sentence."""
    return speech(language).talk.name("offer", item, "acc")


def liked_words(language: str, liking: str) -> str:
    """How a meal was liked, in the words of the event lines."""
    return speech(language).talk.name("liked", liking)
