"""Which judgements are of this meal, and which go without saying."""

from scenarios.noodle_shop.heard import Heard


class Judging:
    """Follows what came and what was ordered along a text; parts are numbered as in `Heard`.

    "You gave me the udon, but I ordered the soba" blames the meal in no word of blame; "you make the
    best noodles in town" praises no meal.
    """

    def __init__(self) -> None:
        self._got_in: int | None = None
        self._ordered_in: int | None = None
        self._general: set[int] = set()
        self._of_others = False

    def came(self, part: int, *, joined: bool) -> bool:
        """Takes note of what came; whether that blames: "I asked for the soba and got the udon"."""
        blames = self._ordered_in is not None and (part > self._ordered_in or joined)
        self._got_in = part
        return blames

    def ordered(self, part: int, *, at_fault: bool) -> bool:
        """Takes note of what was ordered; whether that blames: "you gave me udon, I ordered soba"."""
        blames = at_fault or (self._got_in is not None and part > self._got_in)
        self._ordered_in = part
        if blames:
            self._got_in = None
        return blames

    def exchanged(self, part: int) -> bool:
        """Whether "instead of" in this part names what had been ordered: "I got udon instead of soba"."""
        blames = self._got_in == part
        if blames:
            self._got_in = None
        return blames

    def in_general(self, part: int) -> None:
        """This part praises the shop and not the meal."""
        self._general.add(part)

    def of_others(self) -> None:
        """The sentence is about something else: a film, the weather, a brother."""
        self._of_others = True

    def beside_the_point(self, one: Heard, *, of_allergy: bool) -> bool:
        """Whether something was liked or not, but not this meal."""
        if one.value == "bad" and of_allergy and self._ordered_in is None and self._got_in is None:
            return True  # "I'm not allergic, that was a mistake."
        return self._of_others or (one.value == "good" and one.part in self._general)

    def end(self) -> None:
        """A sentence is over."""
        self._of_others = False
