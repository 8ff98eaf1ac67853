"""How the surrogate waits at table: from a scene and the notes to an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from scenarios.noodle_shop.menu import SINGLE, Menu
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.recollection import Known, Stated, mentions, newest, values
from scenarios.noodle_shop.replies import liked_words, offered_words, plate_words, reply
from scenarios.noodle_shop.scene import Scene, spoken
from scenarios.noodle_shop.speech import speech
from sim.llm.surrogate import Slips
from sim.memory.experience.actions import DETAILED, SHORT
from sim.memory.experience.cues import cues

_PLATE = ("dish", "extra", "without", "spice", "portion")
_QUESTIONS = frozenset({"last_visit", "recommended", "liked"})
_GUESSED_DAYS = 28


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiter:
    """One answer to one customer.

    Args:
        seen: the scene of the prompt.
        slips: the errors of this act.
        menu: what can be ordered.
        reader: reads the language of the scene.
        notes: what memory states about this customer, oldest first.
    """

    seen: Scene
    slips: Slips
    menu: Menu
    reader: Reader
    notes: Sequence[Stated]

    def answer(self) -> dict[str, Any]:
        """The reply to the customer, as data."""
        asked = self.reader.asked(self.seen.utterance)
        claims = self.reader.claims(self.seen.utterance)
        ordered = any(self._orders(text) for text in self._heard())
        # Praise or blame after an order is feedback, whatever dish it names.
        liked = [claim.value for claim in claims if claim.slot == "liked" and ordered]
        if not liked and (self._orders(self.seen.utterance) or (ordered and claims)):
            return self._take_order(asked)
        if asked & _QUESTIONS:
            return self._tell(asked)
        plate = self._plate() if ordered else {}
        situation = {"good": "glad", "bad": "sorry"}[liked[-1]] if liked else self._manners(bool(claims))
        return self._reply(situation, "acknowledge", 0.9, plate)

    def recalled(self, slot: str) -> list[str]:
        """The values of a slot from notes and this visit, as far as the slips let them through."""
        known = self._known()
        if mentions(known, slot):
            return [] if self.slips.ignored(self.seen.customer, slot) else values(known, slot)
        if self.slips.confabulated(self.seen.customer, slot):
            return [self.slips.invented(self.seen.customer, slot, self.menu.values(slot))]
        return []

    def last_visit(self, *, before_today: bool) -> list[str]:
        """The newest day in the notes, or nothing; ``before_today`` leaves out the running visit."""
        days = {line.day for line in self.seen.own()}
        days |= {stated.claim.value for stated in self.notes if stated.claim.slot == "visit"}
        past = sorted(day for day in days if day < self.seen.today or not before_today)
        if past:
            return [] if self.slips.ignored(self.seen.customer, "visit") else past[-1:]
        if self.slips.confabulated(self.seen.customer, "visit"):
            return [self.slips.invented(self.seen.customer, "visit", self._days())]
        return []

    def offerings(self, order: Mapping[str, Any]) -> list[str]:
        """What could be recommended to go with an order or for the next time."""
        known = self._known()
        keep_out = set(values(known, "allergy"))
        refused = {one.claim.value for one in known.values() if one.claim.polarity == -1}
        had = {order.get("dish"), *(order.get("extra") or ()), *values(known, "offer")}
        dishes = [dish.id for dish in self.menu.dishes if not dish.allergens & keep_out]
        extras = [extra for extra in self.menu.extra if extra not in keep_out]
        return [item for item in (*extras, *dishes) if item not in had | refused]

    def wants_it_short(self) -> bool:
        """Whether this customer is known to want short answers: by the rules of the prompt, else by notes."""
        told = cues(self.seen.language).told
        for rule in self.seen.manners:  # the strongest first; a rule with a condition ends in what it asks
            for action in (SHORT, DETAILED):
                if rule.endswith(told(action)):
                    return action is SHORT
        return values(self._known(), "style") == ["short"]

    def _manners(self, claims: bool) -> str:
        """The situation of an utterance that neither orders nor asks."""
        if claims:
            return "acknowledge"
        mood = self.reader.mood(self.seen.utterance)
        if mood != "neutral":
            return f"mood_{mood}"
        return self.reader.tone(self.seen.utterance) or "welcome"

    def _take_order(self, asked: frozenset[str]) -> dict[str, Any]:
        plate = self._plate()
        answers = {key: value for key, value in self._answers(asked).items() if value is not None}
        if plate["dish"] is None:
            return self._reply("ask_back", "ask_back", 0.3, plate | answers)
        words = plate_words(self.seen.language, plate)
        return self._reply("order", "order", 0.9, plate | answers, wishes=words)

    def _tell(self, asked: frozenset[str]) -> dict[str, Any]:
        """Answers questions about earlier visits, each in its own sentence."""
        answers = self._answers(asked)
        said = self._space().join(self._told(key, value) for key, value in answers.items())
        known = any(value is not None for value in answers.values())
        told = self._reply("welcome", "answer", 0.9 if known else 0.7, answers)
        return told | {"thought": "from the notes" if known else "nothing about it", "say": said}

    def _answers(self, asked: frozenset[str]) -> dict[str, str | None]:
        """By detail, what is known of what was asked."""
        found: dict[str, list[str]] = {}
        if "last_visit" in asked:
            found["last_visit"] = self.last_visit(before_today=True)
        if "recommended" in asked:
            found["offer"] = self.recalled("offer")
        if "liked" in asked:
            found["liked"] = self.recalled("liked")
        return {key: values[-1] if values else None for key, values in found.items()}

    def _told(self, key: str, value: str | None) -> str:
        language, short = self.seen.language, self.wants_it_short()
        if value is None:
            return reply(language, f"unknown_{key}", short=short)
        fields = {
            "last_visit": lambda: {"day": value},
            "offer": lambda: {"item": offered_words(language, value)},
            "liked": lambda: {"liked": liked_words(language, value)},
        }[key]()
        return reply(language, f"answer_{key}", short=short, **fields)

    def _space(self) -> str:
        return speech(self.seen.language).talk.space

    def _plate(self) -> dict[str, Any]:
        """The order as it stands: what was said, and under "the usual" what is remembered."""
        said = newest(self._said())
        usual = self._means_usual()
        plate: dict[str, Any] = {}
        for slot in _PLATE:
            wanted = self._usual(slot) if usual else values(said, slot)
            plate[slot] = (wanted[-1] if wanted else None) if slot in SINGLE else wanted
        return plate

    def _usual(self, slot: str) -> list[str]:
        now = newest(self._now())
        spoken_of = {one.claim.value for one in now.values() if one.claim.slot == slot}
        return [value for value in self.recalled(slot) if value not in spoken_of] + values(now, slot)

    def _means_usual(self) -> bool:
        """Whether the last thing that chose a dish in this visit was "the usual"."""
        usual = False
        for text in (*self._heard(), self.seen.utterance):
            if "usual" in self.reader.asked(text):
                usual = True
            elif self._names_dish(text):
                usual = False
        return usual

    def _orders(self, text: str) -> bool:
        return "usual" in self.reader.asked(text) or self._names_dish(text)

    def _names_dish(self, text: str) -> bool:
        return any(claim.slot == "dish" and claim.polarity == 1 for claim in self.reader.claims(text))

    def _heard(self) -> list[str]:
        return [spoken(exchange) for exchange in self.seen.visit]

    def _now(self) -> list[Stated]:
        return [Stated(day=self.seen.today, claim=claim) for claim in self.reader.claims(self.seen.utterance)]

    def _said(self) -> list[Stated]:
        """What was said in this visit, oldest first."""
        earlier = [claim for text in self._heard() for claim in self.reader.claims(text)]
        return [*(Stated(day=self.seen.today, claim=claim) for claim in earlier), *self._now()]

    def _known(self) -> Known:
        return newest([*self.notes, *self._said()])

    def _days(self) -> list[str]:
        today = date.fromisoformat(self.seen.today)
        return [(today - timedelta(days=back)).isoformat() for back in range(1, _GUESSED_DAYS + 1)]

    def _reply(
        self,
        situation: str,
        action: str,
        confidence: float,
        details: dict[str, Any] | None = None,
        **fields: str,
    ) -> dict[str, Any]:
        empty: dict[str, Any] = {
            "dish": None,
            "extra": [],
            "without": [],
            "spice": None,
            "portion": None,
            "last_visit": None,
            "offer": None,
            "liked": None,
        }
        return {
            "thought": situation.replace("_", " "),
            "action": action,
            "details": empty | (details or {}),
            "say": reply(self.seen.language, situation, short=self.wants_it_short(), **fields),
            "confidence": confidence,
        }
