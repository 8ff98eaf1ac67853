"""Russian as it is spoken in the shop."""

from scenarios.noodle_shop.russian.instructions import INSTRUCTIONS
from scenarios.noodle_shop.russian.people import PEOPLE
from scenarios.noodle_shop.russian.talk import TALK
from scenarios.noodle_shop.russian.vocabulary import VOCABULARY
from scenarios.noodle_shop.speech import Speech

RUSSIAN = Speech(code="ru", people=PEOPLE, talk=TALK, vocabulary=VOCABULARY, instructions=INSTRUCTIONS)
