"""What the heuristics know of a language: phrases of feedback, and how a rule is put into words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sim.memory.experience.rule import Action


@dataclass(frozen=True, kw_only=True, slots=True)
class FeedbackCues:
    """Phrases of one language.

    Args:
        wishes: patterns, in order, each with the action it asks for; ``{it}`` and ``{instead}`` in the action
            stand for these groups of the pattern. What one pattern took, later ones do not see.
        negated: matches at the end of what stands before a wish that is not meant.
        about: a condition, with the group ``it`` for what the query must contain.
        praise: says that the answer was good as it was.
        wordings: how a rule is told to a model, by ``kind:value:polarity`` or ``kind:polarity``.
        heading: stands above the rules in a prompt.
        conditions: how conditions are told, by kind.
    """

    wishes: tuple[tuple[str, Action], ...]
    negated: str
    about: tuple[str, ...]
    praise: str
    heading: str
    wordings: Mapping[str, str]
    conditions: Mapping[str, str]

    def told(self, action: Action) -> str:
        """An action in words; those of a customer are quoted."""
        sign = "+" if action.polarity > 0 else "-"
        kind = f"{action.kind}:instead" if action.instead_of else action.kind
        special = f"{action.kind}:you" if action.instead_of == "you" else f"{action.kind}:{action.value}"
        template = self.wordings.get(f"{special}:{sign}") or self.wordings[f"{kind}:{sign}"]
        return template.format(value=harmless(action.value), instead=harmless(action.instead_of))


_MOST = 60
_SPACES = re.compile(r"[\s\x00-\x1f\x7f]+")
_QUOTES = str.maketrans("", "", "\"'“”«»‘’`<>{}[]")


def harmless(words: str) -> str:
    """A customer's words as they may stand in a prompt: one short line that cannot end its quotation."""
    return _SPACES.sub(" ", words.translate(_QUOTES)).strip()[:_MOST]


@cache
def cues(code: str) -> FeedbackCues:
    """The cues of a language; English ones where there are none."""
    from sim.memory.experience import chinese, english, russian

    known = {"en": english.CUES, "ru": russian.CUES, "zh": chinese.CUES}
    return known.get(code, english.CUES)
