"""What a later cue does to words already heard: "garlic is fine again", "the egg, leave it out"."""

from scenarios.noodle_shop.heard import Heard

# What a customer gives up by a word behind it ("the laksa I'm tired of"), besides ingredients.
_GIVEN_UP = ("dish", "spice", "portion")


class Hindsight:
    """The words of a sentence so far, and the cues that look back at them."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self._part = self._turned_at = 0
        self._group: list[Heard] = []
        self._before: list[Heard] = []
        self._opened = 1
        self._of_allergy = False
        self._mistaken: list[Heard] = []
        self._corrections: list[tuple[Heard, list[Heard]]] = []
        self._reset()

    def _reset(self) -> None:
        self._pending = False
        self._sign: int | None = None
        self._manner = ""
        self._fresh = False
        self._joined = False

    def _turned(self) -> None:
        # "I used to be allergic to eggs, but not any more."
        for heard in self._group:
            heard.sign = -(heard.sign or 1)
            heard.manner = "" if heard.manner == "skip" else heard.manner
        self._reset()

    def _after(self, sign: int) -> None:
        turned = sign * (self._sign or 1) if self._fresh else sign * self._opened
        targets = self._targets()
        if (sign, turned) == (1, -1) and targets and all(heard.manner == "allergy" for heard in targets):
            # "I'm allergic to prawns, so don't put them in."
            self._reset()
            return
        if not any(heard.part == self._part for heard in targets):
            # "Once again fine with me: ginger" comes before what it is about; "garlic, out with it" after.
            if targets or sign == 1:
                self._sign, self._manner, self._fresh, self._pending = turned, "", True, bool(targets)
            return
        refused = sign == turned == 1 and not self._fresh and self._refused(targets)
        for heard in targets:
            heard.sign, heard.closed = heard.sign if refused else turned, True
            if self._of_allergy and not heard.manner:
                # "I'm allergic to fish, but soy is fine."
                heard.manner = "may"
        self._reset()

    def _refused(self, targets: list[Heard]) -> bool:
        # "I don't want garlic on top", "all but ginger and sesame is fine": they stay refused.
        return any(one.sign == -1 and not one.carried and one.part == self._part for one in targets)

    def _restore(self) -> None:
        # "I used to hate sesame, but now it's fine."
        sign = (self._sign or 1) if self._fresh else 1
        for heard in self._group or self._before:
            heard.sign = -sign if heard.manner == "allergy" else sign
            heard.manner = "" if heard.manner == "skip" else heard.manner
        self._reset()

    def _away(self) -> None:
        # "Egg gives me a rash, so leave it out": what was named goes, but the allergy stays.
        targets = [heard for heard in self._targets() or self._before if heard.manner != "allergy"]
        last = self.heard[-1] if self.heard else None
        if last and last.kind in _GIVEN_UP and last.part == self._part:
            targets = [*(heard for heard in targets if heard.part == self._part), last]
        sign = -(self._sign or 1) if self._fresh else -self._opened
        for heard in targets:
            heard.sign, heard.manner, heard.carried = sign, "", False
        self._reset()

    def _cancel(self) -> None:
        # "The wish to leave out onions is withdrawn": what was said of them is turned round.
        for heard in self._targets():
            heard.sign = -(heard.sign or 1)
        self._reset()

    def _apart(self) -> None:
        # "Ginger, just a little": neither asked for nor refused, and no later word speaks of it.
        for heard in self._group:
            if heard.part == self._part and heard.carried:
                heard.sign = None
        self._group = [heard for heard in self._group if heard.part != self._part]

    def _swap(self) -> None:
        # "The egg exchanged for tofu": what this part has named goes, what follows comes.
        for heard in self._group:
            if heard.part == self._part and self._manner != "skip":
                heard.sign = -1
        self._sign, self._manner, self._fresh = 1, "", True

    def _correct(self) -> None:
        # "Without peanuts, I mean, without sesame": the last words give way to the next ones.
        if not self.heard:
            return
        last = self.heard[-1]
        self._mistaken = [one for one in self.heard if (one.kind, one.part) == (last.kind, last.part)]
        self._sign, self._manner, self._fresh = last.sign, last.manner.replace("skip", ""), False

    def _corrected(self) -> None:
        for heard, mistaken in self._corrections:
            for one in mistaken:
                if (one.kind, one.sign) == (heard.kind, heard.sign) and one.value != heard.value:
                    one.manner = "skip"
        self._corrections = []

    def _again(self) -> None:
        for heard in self._targets():
            heard.sign = heard.sign or 1

    def _targets(self) -> list[Heard]:
        """The words a later cue speaks of: those of this part of the sentence, else the last list."""
        here = [heard for heard in self._group if heard.part == self._part]
        if here and here[-1].manner == "allergy" and self._listed():
            return self._group
        if here and self._listed():
            return self._last_list()
        loose = [heard for heard in self._group if heard.sign is None and heard.part != self._part]
        return loose + here if here else self._group

    def _last_list(self) -> list[Heard]:
        # "No more egg, the coriander, ginger and garlic may go back in": the list begins behind the egg.
        found: list[Heard] = []
        for heard in reversed(self._group):
            earlier = heard.part != self._part
            if earlier and (heard.joined or (heard.sign is not None and not heard.carried)):
                break
            if heard.part < self._turned_at or (earlier and heard.closed):
                break
            found.insert(0, heard)
        return found

    def _listed(self) -> bool:
        """Whether an "and" shows that the commas only list."""
        return any(heard.joined and heard.part == self._part for heard in self._group)

    def _settle(self) -> None:
        # "Garlic I don't want": the cue found no word after it, so it meant the one before.
        if self._fresh and self._pending:
            for heard in self._targets():
                heard.sign = self._sign
                heard.manner = "" if heard.manner == "skip" else heard.manner
        elif self._fresh and self._sign == -1:
            for heard in self._targets():
                if heard.sign is None or (heard.carried and heard.part == self._part):
                    heard.sign, heard.closed = -1, True
                    heard.manner = "" if heard.manner == "skip" else heard.manner
        elif self._fresh and self._manner == "allergy":
            # "Fish I can't eat."
            for heard in self._group:
                if heard.part == self._part:
                    heard.manner, heard.sign = "allergy", self._sign
        elif self._fresh and self._sign == 1 and not self._manner:
            # "Coriander, as Russian may have it, I love."
            for heard in self._group:
                if heard.part == self._part:
                    heard.sign = heard.sign or 1
        if self._fresh and self._sign == -1:
            self._give_up()

    def _give_up(self) -> None:
        # "The laksa I don't want any more."
        last = self.heard[-1] if self.heard else None
        if last and last.kind in _GIVEN_UP and last.part == self._part and last.sign is None:
            last.sign = -1

    def _too(self) -> None:
        # "The garlic out, the ginger too."
        signed = [heard for heard in self._group or self._before if heard.sign]
        for heard in self._group:
            if heard.sign is None:
                heard.sign = signed[-1].sign if signed else 1

    def _it_not(self) -> None:
        # "There is coriander in it, and I asked for one without it."
        for heard in self._group or self._before:
            if heard.manner != "allergy":
                heard.sign, heard.manner = -1, ""
        self._reset()

    def _close(self) -> None:
        # "Eggs put back and leave the tofu out", with both verbs last, as Russian may have it.
        for heard in self._group:
            if heard.part == self._part and heard.sign is None:
                heard.sign, heard.carried, heard.closed, self._fresh = self._sign, False, True, False
