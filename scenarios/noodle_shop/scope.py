"""Which cue governs which word: the state a careful reader keeps along a sentence.

A cue before a word ("no", "with", "allergic to") governs it and the list it opens ("no garlic or
ginger"), until another cue, a dish or the end of the sentence. Cues in a row multiply ("don't
leave out"). A cue after a word ("garlic is fine again") governs the words of its part of the
sentence. What somebody merely used to take, or found in the bowl, is passed over.
"""

from scenarios.noodle_shop.heard import Heard, Mark

# What a customer gives up by a word behind it ("the laksa I'm tired of"), besides ingredients.
_GIVEN_UP = ("dish", "spice", "portion")


class Scope:
    """Takes the marks of a text in order and collects what was heard."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self._part = self._turned_at = 0
        self._of_allergy = False
        self._group: list[Heard] = []
        self._before: list[Heard] = []
        self._opened = 1
        self._admitted = 1
        self._got_in: int | None = None
        self._ordered_in: int | None = None
        self._begins = 0
        self._in_general: set[int] = set()
        self._of_others = False
        self._unmet = self._versus = False
        self._mistaken: list[Heard] = []
        self._corrections: list[tuple[Heard, list[Heard]]] = []
        self._reset()

    def take(self, mark: Mark) -> None:
        """Goes on by one mark."""
        act = {
            "stop": self._stop,
            "comma": self._comma,
            "but": self._but,
            "turn": self._turn,
            "and": self._and,
            "open": self._open,
            "skip": self._skip,
            "allergy": self._allergy,
            "allergic": self._allergic,
            "only": self._only,
            "offer": self._offer,
            "liked": lambda: self._liked(mark),
            "not": lambda: self._cue(-1),
            "with": lambda: self._cue(1),
            "after_with": lambda: self._after(1),
            "after_not": lambda: self._after(-1),
            "again": self._again,
            "away": self._away,
            "swap": self._swap,
            "idiom": lambda: None,
            "apart": self._apart,
            "cancel": self._cancel,
            "nor": self._nor,
            "too": self._too,
            "it_not": self._it_not,
            "onto": lambda: self._allergy() if self._unmet else self._turn(),
            "ailing": self._ailing,
            "not_allergic": self._not_allergic,
            "restore": self._restore,
            "got": self._got,
            "ordered": self._ordered,
            "had_ordered": lambda: self._ordered(at_fault=True),
            "may": self._may,
            "not_to": lambda: self._only(-1),
            "turned": self._turned,
            "allergic_to_it": self._allergic_to_it,
            "instead": self._instead,
            "rather": self._rather,
            "correct": self._correct,
            "generic": lambda: self._in_general.add(self._part),
            "elsewhere": self._elsewhere,
        }.get(mark.kind)
        if act is None:
            self._word(mark)
        else:
            act()

    def _reset(self) -> None:
        self._pending = False
        self._sign: int | None = None
        self._manner = ""
        self._fresh = False
        self._joined = False

    def _word(self, mark: Mark) -> None:
        if self._fresh and self._manner == "allergy":
            # "My allergist wants me to avoid eggs": what comes between does not deny it.
            self._sign = self._admitted
        governed = mark.kind == "food" or self._fresh
        sign = self._sign if governed else None
        manner = self._manner if mark.kind == "food" or self._manner in ("skip", "offer") else ""
        heard = Heard(kind=mark.kind, value=mark.value, part=self._part, sign=sign, manner=manner)
        heard.joined, self._joined = self._joined, False
        heard.carried = not self._fresh
        if any(self._same_allergy(one, heard) for one in self.heard):
            # "I'm allergic to sesame, so no sesame."
            heard.manner, heard.sign = "allergy", 1
        self.heard.append(heard)
        if self._mistaken:
            self._corrections.append((heard, self._mistaken))
            self._mistaken = []
        if manner == "offer":
            self._reset()
            return
        if mark.kind != "food":
            # A list of ingredients ends at a dish or a size: "no garlic, large, egg" leaves egg free.
            self._sign, self._fresh, self._pending, self._group = None, False, False, []
            return
        if self._fresh:
            self._group = []
        self._group.append(heard)
        self._fresh = self._pending = False
        if self._unmet and heard.sign != 1:
            # "I have an allergy, so no peanuts": the word comes after a pause.
            heard.manner, heard.sign, self._unmet = "allergy", 1, False
            self._manner, self._sign = "allergy", 1

    def _same_allergy(self, one: Heard, heard: Heard) -> bool:
        told = one.part >= self._begins and one.manner == "allergy" and one.sign == 1
        return told and heard.kind == "food" and (one.value, heard.sign) == (heard.value, -1)

    def _cue(self, sign: int) -> None:
        if self._manner == "skip":
            return
        if self._fresh:
            self._sign = sign * (self._sign or 1)
            return
        self._sign, self._manner, self._fresh = sign, "", True

    def _allergy(self) -> None:
        sign = self._sign if self._fresh else None
        self._sign, self._manner, self._fresh = sign or 1, "allergy", True
        self._of_allergy, self._admitted = True, sign or 1

    def _only(self, sign: int = 1) -> None:
        # "I'm not allergic to soy, just to fish": of allergies the talk was, and is.
        if self._of_allergy:
            self._sign, self._manner, self._fresh = sign, "allergy", True
            self._admitted = sign
        elif sign == -1:
            self._cue(-1)

    def _turned(self) -> None:
        # "I used to be allergic to eggs, but not any more."
        for heard in self._group:
            heard.sign = -(heard.sign or 1)
            heard.manner = "" if heard.manner == "skip" else heard.manner
        self._reset()

    def _offer(self) -> None:
        sign = self._sign if self._fresh else None
        self._sign, self._manner, self._fresh = sign, "offer", True

    def _liked(self, mark: Mark) -> None:
        sign = self._sign if self._fresh and self._manner != "skip" else None
        self.heard.append(Heard(kind=mark.kind, value=mark.value, part=self._part, sign=sign))
        self._reset()

    def _allergic_to_it(self) -> None:
        # "Are there peanuts in it? I'm allergic to them."
        if not self._group and not self._fresh:
            self._group = self._before
        self._allergic()

    def _may(self) -> None:
        self._cue(1)
        self._manner = self._manner or "may"

    def _allergic(self) -> None:
        # "Peanuts, fish and soy make me ill": the "and" shows that the commas only list.
        targets = self._group if self._listed() else self._targets()
        if not targets:
            self._unmet = not (self._fresh and self._sign == -1)
            self._allergy()
            return
        # "No peanuts, fish makes me ill": what is refused before the pause does not deny the allergy.
        here = [heard for heard in targets if heard.part == self._part and heard.sign == -1]
        denial = self._fresh and self._sign == -1
        refused = here if any(not heard.carried for heard in here) else []
        for heard in targets:
            denied = denial or any(heard is one for one in refused)
            heard.manner, heard.sign = "allergy", -1 if denied else 1
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
        for heard in targets:
            # "I don't want garlic on top": what its own word refuses stays refused.
            refused = turned == 1 and heard.sign == -1 and not heard.carried and heard.part == self._part
            heard.sign, heard.closed = -1 if refused and not self._fresh else turned, True
        self._reset()

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

    def _got(self) -> None:
        # "I asked for the soba and got the udon."
        if self._ordered_in is not None and (self._part > self._ordered_in or self._joined):
            self._complain()
        self._skip()
        self._got_in = self._part

    def _ordered(self, *, at_fault: bool = False) -> None:
        # "You gave me the udon, but I ordered the soba": that it was wrong goes without saying.
        if at_fault or (self._got_in is not None and self._part > self._got_in):
            self._complain()
        if self._manner == "skip":
            self._reset()
        self._ordered_in = self._part
        self._cue(1)

    def _complain(self) -> None:
        self.heard.append(Heard(kind="liked", value="bad", part=self._part))
        self._got_in = None

    def _elsewhere(self) -> None:
        self._of_others = True

    def _instead(self) -> None:
        if self._manner == "skip" and self._got_in == self._part:
            self._complain()
            self._reset()
        else:
            self._cue(-1)

    def _rather(self) -> None:
        self._cue(1)
        self._versus = True

    def _correct(self) -> None:
        # "Without peanuts, I mean, without sesame": the last words give way to the next ones.
        if not self.heard:
            return
        last = self.heard[-1]
        self._mistaken = [one for one in self.heard if (one.kind, one.part) == (last.kind, last.part)]
        self._sign, self._manner, self._fresh = last.sign, last.manner, False

    def _corrected(self) -> None:
        for heard, mistaken in self._corrections:
            for one in mistaken:
                if (one.kind, one.sign) == (heard.kind, heard.sign) and one.value != heard.value:
                    one.manner = "skip"
        self._corrections = []

    def _beside_the_point(self, one: Heard) -> bool:
        """Whether something was liked, but not this meal: "you make the best noodles in town"."""
        if one.kind != "liked" or one.part < self._begins:
            return False
        if one.value == "bad" and self._of_allergy and self._ordered_in is None and self._got_in is None:
            return True  # "I'm not allergic, that was a mistake."
        return self._of_others or (one.value == "good" and one.part in self._in_general)

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

    def _nor(self) -> None:
        # "Ne kladite ni luka": a language that doubles its negations still denies once.
        if self._manner == "allergy" and not self._fresh:
            self._fresh = True
        elif not (self._fresh and self._sign == -1):
            self._cue(-1)

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

    def _ailing(self) -> None:
        # "Because of an allergy I eat no fish": what it is against is still to come.
        # "No fish, because of an allergy" names it first.
        named = [heard for heard in self._group if heard.sign != 1]
        for heard in named:
            heard.manner, heard.sign = "allergy", 1
        self._of_allergy, self._unmet = True, not named

    def _not_allergic(self) -> None:
        self._cue(-1)
        self._allergy()

    def _and(self) -> None:
        self._joined = True
        if self._fresh and self._sign and not self._manner:
            self._close()

    def _close(self) -> None:
        # "Eggs put back and leave the tofu out", with both verbs last, as Russian may have it.
        for heard in self._group:
            if heard.part == self._part and heard.sign is None:
                heard.sign, heard.carried, heard.closed, self._fresh = self._sign, False, True, False

    def _open(self) -> None:
        # "Leave the garlic and the ginger out": what follows waits for the word at the end.
        # "Don't leave the garlic out": the word at the end turns what the first one said.
        self._opened = -1 if self._fresh and self._sign == -1 else 1
        if not self._fresh and self._manner != "skip":
            self._sign, self._manner, self._fresh = None, "", True

    def _comma(self) -> None:
        self._settle()
        self._part += 1
        self._opened = 1
        # "Until now, the laksa": what is to be skipped still follows.
        if self._fresh != (self._manner == "skip"):
            self._reset()

    def _but(self) -> None:
        self._settle()
        self._part += 1
        self._turned_at = self._part
        self._opened = 1
        self._reset()

    def _turn(self) -> None:
        if self._versus:
            # "I prefer soba to udon."
            self._versus = False
            self._cue(-1)
            return
        if self._manner == "skip" or not self._fresh:
            self._reset()

    def _skip(self) -> None:
        self._sign, self._manner, self._fresh = None, "skip", True

    def _stop(self) -> None:
        self._but()
        if self._unmet:
            # "No peanuts, please! I'm allergic."
            for heard in self._before:
                if heard.sign == -1:
                    heard.manner, heard.sign = "allergy", 1
        self._corrected()
        self.heard = [one for one in self.heard if not self._beside_the_point(one)]
        self._begins = self._part
        self._before, self._group = self._group, []
        self._of_allergy = self._unmet = self._versus = self._of_others = False
        self._mistaken = []
