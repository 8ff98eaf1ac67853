"""The words and cues by which Chinese is read (see `scenarios.noodle_shop.reader`); it has no spaces."""

from scenarios.noodle_shop.chinese.asked import ASKED
from scenarios.noodle_shop.chinese.cues import CUES, OFFERING
from scenarios.noodle_shop.chinese.liking import LIKED
from scenarios.noodle_shop.chinese.manners import MOODS, TONES
from scenarios.noodle_shop.chinese.words import WORDS
from scenarios.noodle_shop.speech import Vocabulary

VOCABULARY = Vocabulary(
    words={**WORDS, "liked": LIKED},
    cues=CUES,
    offering=OFFERING,
    asked=ASKED,
    tones=TONES,
    moods=MOODS,
    politeness=r"请|麻烦|谢谢",
    spaced=False,
)
