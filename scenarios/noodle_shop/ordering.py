"""How the surrogate waits at table: from a scene and the notes to an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from scenarios.noodle_shop.menu import SINGLE, Menu
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.recollection import Known, Stated, mentions, newest, values
from scenarios.noodle_shop.replies import plate_words, reply
from scenarios.noodle_shop.scene import Scene, spoken
from sim.llm.surrogate import Slips

_PLATE = ("dish", "extra", "without", "spice", "portion")
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
        if self._orders(self.seen.utterance) or (ordered and claims):
            return self._take_order("last_visit" in asked)
        if "last_visit" in asked:
            return self._tell_day()
        return self._reply("acknowledge" if claims else "welcome", "acknowledge", 0.9)

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

    def _take_order(self, asked_day: bool) -> dict[str, Any]:
        plate = self._plate()
        day = self.last_visit(before_today=True) if asked_day else []
        plate["last_visit"] = day[0] if day else None
        if plate["dish"] is None:
            return self._reply("ask_back", "ask_back", 0.3, plate)
        return self._reply("order", "order", 0.9, plate, wishes=plate_words(self.seen.language, plate))

    def _tell_day(self) -> dict[str, Any]:
        day = self.last_visit(before_today=True)
        if not day:
            return self._reply("unknown", "answer", 0.7)
        return self._reply("answer", "answer", 0.9, {"last_visit": day[0]}, day=day[0])

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

    def _short(self) -> bool:
        return values(self._known(), "style") == ["short"]

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
        }
        return {
            "thought": situation.replace("_", " "),
            "action": action,
            "details": empty | (details or {}),
            "say": reply(self.seen.language, situation, short=self._short(), **fields),
            "confidence": confidence,
        }
