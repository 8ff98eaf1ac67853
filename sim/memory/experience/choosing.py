"""Which rules enter a prompt, and in what words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sim.clock import DAY_MS
from sim.memory.compress.units import keys_of
from sim.memory.experience.cues import cues, harmless
from sim.memory.experience.rule import GENERAL, Rule


@dataclass(frozen=True, kw_only=True, slots=True)
class Occasion:
    """What is being answered.

    Args:
        query: the words.
        customer: whom; empty for somebody unknown, for whom only the rules for all hold.
        at_ms: simulated time.
        language: code of the language of the prompt.
        topics: topics of the query, as the caller sees them; ``general`` is always one.
        feedback: kind of what the customer said last about an answer; empty for nothing.
    """

    query: str
    customer: str
    at_ms: int
    language: str = "en"
    topics: frozenset[str] = frozenset()
    feedback: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """How rules are chosen.

    Args:
        confidence_threshold: rules trusted less are not used.
        most: rules in a prompt.
        half_life_days: simulated days without use after which a confidence counts half.
    """

    confidence_threshold: float = 0.5
    most: int = 3
    half_life_days: float = 180.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence_threshold <= 1.0:
            raise ValueError(f"confidence_threshold must lie within 0 and 1, not {self.confidence_threshold}")
        if self.most < 0 or self.half_life_days <= 0:
            raise ValueError("most must not be negative, and half_life_days must be positive")

    @property
    def half_life_ms(self) -> int:
        """The half-life in simulated milliseconds, at least one."""
        return max(1, round(self.half_life_days * DAY_MS))


def chosen(rules: Iterable[Rule], occasion: Occasion, limits: Limits) -> list[Rule]:
    """The rules that apply, strongest first; of two that oppose each other the one asked for last.

    A customer's own rule goes before one for all that opposes it. A rule of another customer never applies.
    """
    usable = [
        rule
        for rule in rules
        if applies(rule, occasion) and _trust(rule, occasion, limits) >= limits.confidence_threshold
    ]
    held = [rule for rule in usable if not any(_outdoes(other, rule) for other in usable)]
    ranked = sorted(
        held,
        key=lambda rule: (-_trust(rule, occasion, limits), -rule.learnt_ms, not rule.customer, rule.id),
    )
    return ranked[: limits.most]


def applies(rule: Rule, occasion: Occasion) -> bool:
    """Whether a rule is for this customer, and its condition matches."""
    if rule.customer and rule.customer != occasion.customer:
        return False
    kind, value = rule.condition.kind, rule.condition.value
    if kind == "feedback":
        return value == occasion.feedback
    if kind == "query_topic":
        return value == GENERAL or value in occasion.topics
    return _contains(occasion.query, value, occasion.language)


def worded(rules: Sequence[Rule], language: str) -> tuple[str, ...]:
    """The rules as lines of a prompt, below a heading; nothing for no rule."""
    return headed([line_of(rule, language) for rule in rules], language)


def headed(lines: Sequence[str], language: str) -> tuple[str, ...]:
    """Lines of rules below their heading; nothing for none."""
    return (cues(language).heading, *(f"- {line}" for line in lines)) if lines else ()


def line_of(rule: Rule, language: str) -> str:
    """A rule as a line of a prompt, without its dash."""
    known = cues(language)
    told = known.told(rule.action)
    if rule.condition.kind == "query_topic" and rule.condition.value == GENERAL:
        return told
    return known.conditions[rule.condition.kind].format(value=harmless(rule.condition.value), action=told)


def _contains(query: str, value: str, language: str) -> bool:
    wanted = keys_of(value, language)
    if not wanted:
        return value.casefold() in query.casefold()
    return wanted <= keys_of(query, language)


def _trust(rule: Rule, occasion: Occasion, limits: Limits) -> float:
    # Rounded, so that the last bits of a power never decide.
    return round(rule.trust(occasion.at_ms, limits.half_life_ms), 6)


def _outdoes(other: Rule, rule: Rule) -> bool:
    if other is rule or not other.action.opposes(rule.action):
        return False
    return _standing(other) > _standing(rule)


def _standing(rule: Rule) -> tuple[bool, int, str]:
    return bool(rule.customer), rule.learnt_ms, rule.id
