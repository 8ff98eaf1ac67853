"""Chinese as it is spoken in the shop."""

from scenarios.noodle_shop.chinese.instructions import INSTRUCTIONS
from scenarios.noodle_shop.chinese.people import PEOPLE
from scenarios.noodle_shop.chinese.talk import TALK
from scenarios.noodle_shop.chinese.vocabulary import VOCABULARY
from scenarios.noodle_shop.speech import Speech

CHINESE = Speech(code="zh", people=PEOPLE, talk=TALK, vocabulary=VOCABULARY, instructions=INSTRUCTIONS)
