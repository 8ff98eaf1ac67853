"""The canonical line that says in a language what a customer claimed."""

from collections.abc import Sequence

from scenarios.noodle_shop.menu import OTHER_LIKING
from scenarios.noodle_shop.phrases import worded
from scenarios.noodle_shop.speech import speech
from sim.memory.protocol import Claim


def event_text(language: str, claims: Sequence[Claim]) -> str:
    """One short line, such as "orders laksa; leaves out garlic"; `Reader` reads it back.

    With no claims it is a neutral line that claims nothing.
    """
    talk = speech(language).talk
    parts = []
    for claim in dict.fromkeys(map(plain, claims)):
        key = claim.slot + ("+" if claim.polarity == 1 else "-")
        parts.append(worded(talk, talk.events[key], [claim]))
    return "; ".join(parts) or talk.nothing


def plain(claim: Claim) -> Claim:
    """A claim as people put it, and as the ledger has it: a liking taken back is the other of the two."""
    if claim.slot != "liked" or claim.polarity == 1 or claim.value not in OTHER_LIKING:
        return claim
    return Claim(slot="liked", value=OTHER_LIKING[claim.value])
