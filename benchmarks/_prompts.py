"""Prompts as the shop's agents get them, in three languages, for tests and benchmarks that count tokens."""

from collections.abc import Iterator
from typing import Any

from scenarios.noodle_shop import prompts
from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import SLOTS, standard_menu
from scenarios.noodle_shop.phrases import Phrases
from scenarios.noodle_shop.replies import reply
from scenarios.noodle_shop.speech import LANGUAGES, speech
from sim.memory.protocol import Claim
from sim.streams import Stream

MENU = standard_menu()
ROLES = ("order", "reflect", "cook", "exam", "compress", "offer", "mood", "customer")
_MOVES = ("order", "usual", "new_wish", "allergy", "last_visit", "recommended", "liked", "mood", "small_talk")
_CLAIMED = tuple(slot for slot in SLOTS if slot != "visit")


Sampled = tuple[str, str, prompts.Prompt]


def sample(count: int) -> Iterator[Sampled]:
    """(language, role, prompt), nearly all different, the same at every call."""
    for number in range(count):
        language = LANGUAGES[number % len(LANGUAGES)]
        role = ROLES[number // len(LANGUAGES) % len(ROLES)]
        yield language, role, _Writer(language, Stream.root(number)).prompt(role)


class _Writer:
    def __init__(self, language: str, chance: Stream) -> None:
        self._language = language
        self._chance = chance
        self._phrases = Phrases(language)
        people = speech(language).people
        name = people.full(chance.of("first").choice(people.first), chance.of("last").choice(people.last))
        self._who = f"{name} (c-{chance.of('id').integer(1, 400):03d})"
        self._today = self._day("today")

    def prompt(self, role: str) -> prompts.Prompt:
        memory = tuple(self._line(place) for place in range(self._chance.of("lines").integer(0, 24)))
        said, language, agent = self._says("now"), self._language, "waiter-1"
        visit = tuple(self._exchange(f"visit {n}") for n in range(self._chance.of("visit").integer(0, 4)))
        turn = prompts.Turn(
            agent=agent, today=self._today, who=self._who, memory=memory, visit=visit, utterance=said,
            language=language,
        )  # fmt: skip
        ticket = {"dish": self._value("dish", "t"), "extra": [self._value("extra", "t")], "without": [],
                  "spice": None, "portion": self._value("portion", "t"), "note": said}  # fmt: skip
        slot = self._chance.of("slot").choice(SLOTS)
        made: dict[str, Any] = {
            "order": lambda: prompts.order_prompt(turn),
            "reflect": lambda: prompts.reflect_prompt(
                agent, self._today, self._who, said, self._answer("now"), language
            ),
            "cook": lambda: prompts.cook_prompt("chef-1", self._today, self._who, ticket, memory, language),
            "exam": lambda: prompts.exam_prompt(agent, self._today, self._who, slot, memory, language),
            "compress": lambda: prompts.compress_prompt(agent, memory, language),
            "offer": lambda: prompts.offer_prompt(turn, ticket),
            "mood": lambda: prompts.mood_prompt(turn),
            "customer": lambda: prompts.customer_prompt(said, language, self._who),
        }
        return made[role]()  # type: ignore[no-any-return]

    def _value(self, slot: str, *names: str | int) -> str:
        return self._chance.of(slot, *names).choice(MENU.values(slot))

    def _day(self, *names: str | int) -> str:
        draw = self._chance.of("day", *names)
        return f"2026-{draw.of('m').integer(1, 12):02d}-{draw.of('d').integer(1, 28):02d}"

    def _says(self, *names: str | int) -> str:
        draw = self._chance.of("says", *names)
        move = draw.of("move").choice(_MOVES)
        slots = {"order": ("dish", "extra", "spice"), "new_wish": ("without",), "allergy": ("allergy",)}
        claims = [Claim(slot=slot, value=self._value(slot, *names)) for slot in slots.get(move, ())]
        return self._phrases.say(move, claims, draw)

    def _answer(self, *names: str | int) -> str:
        known = ("ask_back", "acknowledge", "glad", "sorry", "welcome", "small_talk", "thanks")
        return reply(self._language, self._chance.of("answer", *names).choice(known), short=False)

    def _exchange(self, *names: str | int) -> str:
        return prompts.exchange_text(self._says(*names), "waiter-2", self._answer(*names))

    def _line(self, place: int) -> str:
        draw = self._chance.of("line", place)
        if draw.of("kind").chance(0.5):
            return prompts.memory_line(self._day(place), self._who, self._exchange(place))
        slots = draw.of("slots").sample(_CLAIMED, draw.of("count").integer(1, 4))
        claims = [
            Claim(slot=slot, value=self._value(slot, place), polarity=draw.of(slot).choice((1, 1, -1)))
            for slot in slots
        ]
        return prompts.memory_line(self._day(place), self._who, event_text(self._language, claims))
