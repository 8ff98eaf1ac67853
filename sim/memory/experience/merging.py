"""Rules that say the same are one: decided by their structure, never by how alike their words look."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b

from sim.memory.compress.units import keys_of
from sim.memory.experience.rule import Action, Condition, Rule
from sim.records import canonical


def structure(condition: Condition, action: Action, customer: str) -> str:
    """What a rule says and for whom, as one string: equal for near-duplicates.

    Words are compared by their stems and without stop words: "the prices" are "price".
    """
    what = (action.kind, _plain(action.value), action.polarity, _plain(action.instead_of))
    return canonical([customer, condition.kind, _plain(condition.value), *what])


def rule_id(condition: Condition, action: Action, customer: str) -> str:
    """The id of a rule, the same for all its near-duplicates and on every machine."""
    text = structure(condition, action, customer).encode("utf-8", "surrogatepass")
    return f"{action.kind}-{blake2b(text, digest_size=5).hexdigest()}"


def merged(rules: Iterable[Rule]) -> list[Rule]:
    """The rules with near-duplicates made one, in the order of their first; merging again changes nothing."""
    found: dict[str, Rule] = {}
    for rule in rules:
        key = structure(rule.condition, rule.action, rule.customer)
        found[key] = _together(found[key], rule) if key in found else rule
    return list(found.values())


def _together(first: Rule, second: Rule) -> Rule:
    return replace(
        first,
        confidence=max(first.confidence, second.confidence),
        last_used_ms=max(first.last_used_ms, second.last_used_ms),
        learnt_ms=max(first.learnt_ms, second.learnt_ms),
        evidence=tuple(dict.fromkeys((*first.evidence, *second.evidence))),
        against=tuple(dict.fromkeys((*first.against, *second.against))),
        more={**second.more, **first.more},
    )


@lru_cache(1 << 12)
def _plain(words: str) -> str:
    folded = words.casefold()
    cyrillic = any("\u0400" <= letter <= "\u052f" for letter in folded)
    keys = keys_of(folded, "ru" if cyrillic else "en")
    return " ".join(sorted(keys)) or " ".join(folded.split())
