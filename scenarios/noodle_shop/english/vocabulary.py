"""The words and cues by which English is read (see `scenarios.noodle_shop.reader`)."""

from scenarios.noodle_shop.english.asked import ASKED
from scenarios.noodle_shop.english.cues import CUES, OFFERING
from scenarios.noodle_shop.english.liking import LIKED
from scenarios.noodle_shop.english.manners import MOODS, TONES
from scenarios.noodle_shop.english.words import WORDS
from scenarios.noodle_shop.speech import Vocabulary

VOCABULARY = Vocabulary(
    words={**WORDS, "liked": LIKED},
    cues=CUES,
    offering=OFFERING,
    asked=ASKED,
    tones=TONES,
    moods=MOODS,
    politeness=r"please|if you please|if you would|if possible|kindly|by the way|though|as i said|of course",
)
