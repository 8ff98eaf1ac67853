"""A rule of manners: when it applies, what to do, and how far to trust it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, get_args

ConditionKind = Literal["query_contains", "query_topic", "feedback"]
ActionKind = Literal["response_format", "style", "must_include", "terminology"]
CONDITIONS: tuple[str, ...] = get_args(ConditionKind)
ACTIONS: tuple[str, ...] = get_args(ActionKind)
GENERAL = "general"
"""The topic that every query has."""

CONFIRMED = 0.1
"""What a confirmation adds to a confidence."""

CONTRADICTED = 0.4
"""What a contradiction multiplies a confidence with: even a certain rule then stays out of the prompt."""

# What cannot both be done. A value stands here once, so that its opposite is one value.
_OPPOSITES = {"short": "detailed", "formal": "informal", "list": "prose"}
OPPOSITE: Mapping[str, str] = MappingProxyType({**_OPPOSITES, **{b: a for a, b in _OPPOSITES.items()}})


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """When a rule applies.

    Args:
        kind: ``query_contains`` (words of the query), ``query_topic`` (a topic of it, or ``general``), or
            ``feedback`` (the kind of what was said last: correction, praise, edited).
        value: the words, the topic, or the kind.
    """

    kind: ConditionKind = "query_topic"
    value: str = GENERAL

    def __post_init__(self) -> None:
        _check("condition", self.kind, CONDITIONS, self.value)


@dataclass(frozen=True, kw_only=True, slots=True)
class Action:
    """What to do.

    Args:
        kind: ``response_format`` (short, detailed, list, prose), ``style`` (formal, informal, emoji, …),
            ``must_include`` or ``terminology``.
        value: a word of the kind, or words to include, to avoid or to use.
        polarity: -1 for what is to be avoided.
        instead_of: with ``terminology``, the words that the value replaces; ``you`` stands for the name by
            which the customer is spoken to.
    """

    kind: ActionKind
    value: str
    polarity: int = 1
    instead_of: str = ""

    def __post_init__(self) -> None:
        _check("action", self.kind, ACTIONS, self.value)
        if self.polarity not in (1, -1):
            raise ValueError(f"polarity is 1 or -1, not {self.polarity}")

    def opposes(self, other: "Action") -> bool:
        """Whether both cannot be done."""
        if self.kind != other.kind:
            return False
        if self.value.casefold() == other.value.casefold():
            return self.polarity != other.polarity
        if self.kind == "terminology" and self.instead_of == other.instead_of != "":
            return self.polarity == other.polarity == 1
        return OPPOSITE.get(self.value) == other.value and self.polarity == other.polarity == 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """What was learnt, whose it is, and from what.

    Args:
        id: unique within one agent's experience.
        confidence: from 0 to 1, as of ``last_used_ms``; see `trust`.
        last_used_ms: simulated time at which it was learnt, confirmed or used last.
        learnt_ms: simulated time of the last feedback that asked for it.
        evidence: ids of the dialogues it was learnt from or confirmed in.
        against: ids of the dialogues that contradicted it.
        customer: whose it is; empty for a rule that holds for all.
        more: keys of a hand-edited file that are not ours; kept as they are.
    """

    id: str
    condition: Condition
    action: Action
    confidence: float = 0.7
    last_used_ms: int = 0
    learnt_ms: int = 0
    evidence: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    customer: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("a rule needs an id")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence of rule {self.id} must lie within 0 and 1, not {self.confidence}")

    def trust(self, at_ms: int, half_life_ms: int) -> float:
        """The confidence at a simulated time: halved for every half-life since it was last used."""
        idle_ms = max(0, at_ms - self.last_used_ms)
        return float(self.confidence * 0.5 ** (idle_ms / half_life_ms))

    def confirmed(self, dialogue: str, at_ms: int) -> "Rule":
        """Trusted more, unless this dialogue has confirmed it already."""
        if dialogue in self.evidence:
            return self
        return replace(
            self,
            # Rounded, so that ten confirmations are 1 and not a little less.
            confidence=round(min(1.0, self.confidence + CONFIRMED), 6),
            last_used_ms=max(self.last_used_ms, at_ms),
            evidence=(*self.evidence, dialogue),
        )

    def contradicted(self, dialogue: str) -> "Rule":
        """Trusted less, unless this dialogue has contradicted it already."""
        if dialogue in self.against:
            return self
        lower = round(self.confidence * CONTRADICTED, 6)
        return replace(self, confidence=lower, against=(*self.against, dialogue))


def _check(name: str, kind: str, kinds: tuple[str, ...], value: str) -> None:
    if kind not in kinds:
        raise ValueError(f"{name} must be one of {', '.join(kinds)}, not {kind!r}")
    if not value.strip():
        raise ValueError(f"{name} {kind} needs a value")
