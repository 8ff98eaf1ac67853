"""Whether what a menu brings that a language has no name for is understood when customers spell it out.

An id that cannot be understood would count as forgotten whenever somebody names it, and the loss would
be charged to a memory that never had a chance.
"""

from collections.abc import Iterator
from functools import cache

from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.phrases import Phrases
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.speech import speech
from sim.errors import ConfigError
from sim.memory.protocol import Claim
from sim.streams import Stream

_WORDINGS = 6
# By slot, a move that states it.
_MOVES = {"dish": "order", "extra": "new_wish", "without": "new_wish", "allergy": "allergy"}


@cache
def check_sayable(menu: Menu, language: str) -> None:
    """Refuses a menu with something that customers who speak this language could not be understood to mean.

    Raises:
        ConfigError: naming the key and the id.
    """
    reader, phrases = Reader(language, menu), Phrases(language)
    for slot, value in _new(menu, language):
        claim = Claim(slot=slot, value=value)
        for number in range(_WORDINGS):
            chance = Stream.root(number).of(slot, value)
            said = phrases.say(_MOVES[slot], [claim], chance, {"held_out": "never"})
            if reader.claims(said) != (claim,):
                raise _refusal(slot, value, language)


def _new(menu: Menu, language: str) -> Iterator[tuple[str, str]]:
    """Slot and id of everything that the language has no name for."""
    names = speech(language).talk.names
    for slot in _MOVES:
        for value in menu.values(slot):
            if value not in names[slot]:
                yield slot, value


def _refusal(slot: str, value: str, language: str) -> ConfigError:
    key = "scenario.menu.dishes" if slot == "dish" else f"scenario.menu.{slot}"
    return ConfigError(
        f"{key}: {value!r} would not be understood from customers who speak {language}; "
        "choose another id, or give the language names and words for it"
    )
