"""Which cue governs which word: the state a careful reader keeps along a sentence.

A cue before a word ("no", "with", "allergic to") governs it and the list it opens ("no garlic or
ginger"), until another cue, a dish or the end of the sentence. Cues in a row multiply ("don't
leave out"). A cue after a word ("garlic is fine again") governs the words of its part of the
sentence. What somebody merely used to take, or found in the bowl, is passed over.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """A word or cue found in a text; ``kind`` is one of the kinds of `Vocabulary`, or a stop."""

    start: int
    end: int
    kind: str
    value: str = ""


@dataclass(kw_only=True, slots=True)
class Heard:
    """A word as it was meant.

    Args:
        part: the part of the text, between commas, that holds it.
        sign: -1 under a negation, None without a cue.
        manner: empty, ``allergy``, ``offer`` or ``skip``.
        joined: it follows an "and".
        carried: its sign came over from an earlier word of the list.
    """

    kind: str
    value: str
    part: int
    sign: int | None = None
    manner: str = ""
    joined: bool = False
    carried: bool = False


class Scope:
    """Takes the marks of a text in order and collects what was heard."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self._part = 0
        self._of_allergy = False
        self._group: list[Heard] = []
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
        governed = mark.kind == "food" or self._fresh
        sign = self._sign if governed else None
        manner = self._manner if mark.kind == "food" or self._manner in ("skip", "offer") else ""
        heard = Heard(kind=mark.kind, value=mark.value, part=self._part, sign=sign, manner=manner)
        heard.joined, self._joined = self._joined, False
        heard.carried = not self._fresh
        self.heard.append(heard)
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
        self._of_allergy = True

    def _only(self) -> None:
        # "I'm not allergic to soy, just to fish": of allergies the talk was, and is.
        if self._of_allergy:
            self._sign, self._manner, self._fresh = 1, "allergy", True

    def _offer(self) -> None:
        sign = self._sign if self._fresh else None
        self._sign, self._manner, self._fresh = sign, "offer", True

    def _liked(self, mark: Mark) -> None:
        sign = self._sign if self._fresh and self._manner != "skip" else None
        self.heard.append(Heard(kind=mark.kind, value=mark.value, part=self._part, sign=sign))
        self._reset()

    def _allergic(self) -> None:
        # "Peanuts, fish and soy make me ill": the "and" shows that the commas only list.
        targets = self._group if self._listed() else self._targets()
        if not targets:
            self._allergy()
            return
        for heard in targets:
            denied = (heard.sign == -1 and heard.part == self._part) or (self._fresh and self._sign == -1)
            heard.manner, heard.sign = "allergy", -1 if denied else 1
        self._reset()

    def _after(self, sign: int) -> None:
        turned = sign * (self._sign or 1) if self._fresh else sign
        targets = self._targets()
        if not any(heard.part == self._part for heard in targets):
            # "Once again fine with me: ginger" comes before what it is about; "garlic, out with it" after.
            if targets or sign == 1:
                self._sign, self._manner, self._fresh, self._pending = turned, "", True, bool(targets)
            return
        for heard in targets:
            heard.sign = turned
        self._reset()

    def _again(self) -> None:
        for heard in self._targets():
            heard.sign = heard.sign or 1

    def _targets(self) -> list[Heard]:
        """The words a later cue speaks of: those of this part of the sentence, else the last list."""
        here = [heard for heard in self._group if heard.part == self._part]
        if here and here[-1].manner == "allergy" and self._listed():
            return self._group
        loose = [heard for heard in self._group if heard.sign is None and heard.part != self._part]
        return loose + here if here else self._group

    def _listed(self) -> bool:
        """Whether an "and" shows that the commas only list."""
        return any(heard.joined and heard.part == self._part for heard in self._group)

    def _settle(self) -> None:
        # "Garlic I don't want": the cue found no word after it, so it meant the one before.
        if self._fresh and self._pending:
            for heard in self._targets():
                heard.sign = self._sign
        elif self._fresh and self._sign == -1:
            for heard in self._targets():
                if heard.sign is None or (heard.carried and heard.part == self._part):
                    heard.sign = -1

    def _and(self) -> None:
        self._joined = True

    def _open(self) -> None:
        # "Leave the garlic and the ginger out": what follows waits for the word at the end.
        if not self._fresh and self._manner != "skip":
            self._sign, self._manner, self._fresh = None, "", True

    def _comma(self) -> None:
        self._settle()
        self._part += 1
        # "Until now, the laksa": what is to be skipped still follows.
        if self._fresh != (self._manner == "skip"):
            self._reset()

    def _but(self) -> None:
        self._settle()
        self._part += 1
        self._reset()

    def _turn(self) -> None:
        if self._manner == "skip" or not self._fresh:
            self._reset()

    def _skip(self) -> None:
        self._sign, self._manner, self._fresh = None, "skip", True

    def _stop(self) -> None:
        self._but()
        self._group = []
        self._of_allergy = False
