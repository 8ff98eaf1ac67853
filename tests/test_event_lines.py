"""The lines in which memories say what a customer claimed are read as they were meant."""

import pytest

from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import LIKINGS
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.speech import LANGUAGES
from sim.memory.protocol import Claim


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("liking", LIKINGS)
def test_a_liking_taken_back_is_the_other_one(language: str, liking: str) -> None:
    (other,) = set(LIKINGS) - {liking}
    line = event_text(language, [Claim(slot="liked", value=liking, polarity=-1)])
    assert line == event_text(language, [Claim(slot="liked", value=other)])
    assert Reader(language).claims(line) == (Claim(slot="liked", value=other),)
