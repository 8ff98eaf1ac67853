"""Which cue governs which word: the state a careful reader keeps along a sentence.

A cue before a word ("no", "with", "allergic to") governs it and the list it opens ("no garlic or
ginger"), until another cue, a dish or the end of the sentence. Cues in a row multiply ("don't
leave out"). A cue after a word ("garlic is fine again") governs the words of its part of the
sentence. What somebody merely used to take, or found in the bowl, is passed over.
"""

from collections.abc import Callable

from scenarios.noodle_shop.heard import Heard, Mark
from scenarios.noodle_shop.hindsight import Hindsight
from scenarios.noodle_shop.judging import Judging


class Scope(Hindsight):
    """Takes the marks of a text in order and collects what was heard."""

    def __init__(self) -> None:
        super().__init__()
        self._judging = Judging()
        self._begins = 0
        self._admitted = 1
        self._unmet = self._versus = False
        self._acts = self._table()

    def take(self, mark: Mark) -> None:
        """Goes on by one mark."""
        act = self._acts.get(mark.kind)
        if act is not None:
            act()
        elif mark.kind == "liked":
            self._liked(mark)
        else:
            self._word(mark)

    def _table(self) -> dict[str, Callable[[], object]]:
        return {
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
            "generic": lambda: self._judging.in_general(self._part),
            "elsewhere": self._judging.of_others,
        }

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
        if self._fresh or self._manner == "skip":
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

    def _got(self) -> None:
        if self._judging.came(self._part, joined=self._joined):
            self._complain()
        self._skip()

    def _ordered(self, *, at_fault: bool = False) -> None:
        if self._judging.ordered(self._part, at_fault=at_fault):
            self._complain()
        if self._manner == "skip":
            self._reset()
        self._cue(1)

    def _complain(self) -> None:
        self.heard.append(Heard(kind="liked", value="bad", part=self._part))

    def _instead(self) -> None:
        if self._manner == "skip" and self._judging.exchanged(self._part):
            self._complain()
            self._reset()
        else:
            self._cue(-1)

    def _beside_the_point(self, one: Heard) -> bool:
        new = one.kind == "liked" and one.part >= self._begins
        return new and self._judging.beside_the_point(one, of_allergy=self._of_allergy)

    def _rather(self) -> None:
        self._cue(1)
        self._versus = True

    def _nor(self) -> None:
        # "Ne kladite ni luka": a language that doubles its negations still denies once.
        if self._manner == "allergy" and not self._fresh:
            self._fresh = True
        elif not (self._fresh and self._sign == -1):
            self._cue(-1)

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
        self._joined = False
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
        self._of_allergy = self._unmet = self._versus = False
        self._mistaken = []
        self._judging.end()
