"""What a reader finds in a text: marks, and words as they were meant."""

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
        closed: a cue behind it spoke of it.
    """

    kind: str
    value: str
    part: int
    sign: int | None = None
    manner: str = ""
    joined: bool = False
    carried: bool = False
    closed: bool = False
