"""English as it is spoken in the shop."""

from scenarios.noodle_shop.english.instructions import INSTRUCTIONS
from scenarios.noodle_shop.english.people import PEOPLE
from scenarios.noodle_shop.english.talk import TALK
from scenarios.noodle_shop.english.vocabulary import VOCABULARY
from scenarios.noodle_shop.speech import Speech

ENGLISH = Speech(code="en", people=PEOPLE, talk=TALK, vocabulary=VOCABULARY, instructions=INSTRUCTIONS)
