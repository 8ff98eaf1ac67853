"""``patterns.json``: the rules of one agent as a file that people may read and change.

What was changed by hand while a run held the rules goes before what the run made of them; keys that are
not ours are kept. A file that cannot be read is never written over.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sim.errors import ConfigError
from sim.memory.experience.merging import rule_id
from sim.memory.experience.rule import Action, Condition, Rule
from sim.memory.saved.files import encoded, put

USER, SYSTEM = "user_patterns", "system_patterns"
_OURS = ("id", "condition", "action", "confidence", "last_used_ms", "learnt_ms", "evidence", "against")
Rules = Mapping[str, Rule]


def read(path: Path) -> dict[str, Rule]:
    """The rules of a file by id; none for an absent file.

    Raises:
        ConfigError: the file is not what it claims to be; it is left as it is.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise _unusable(path, str(error)) from None
    try:
        return _rules(data)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        problem = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise _unusable(path, problem) from None


def write(path: Path, rules: Rules, base: Rules) -> dict[str, Rule]:
    """Writes rules to a file, whole or not at all, and returns what it holds now.

    Args:
        path: the file; its folder is made.
        rules: as they are now.
        base: as they were read; where the file differs from that, it was changed by hand and is right.

    Raises:
        ConfigError: the file there cannot be read, or nothing can be written.
    """
    theirs = read(path)
    ids = dict.fromkeys((*theirs, *rules))
    kept = {name: _newest(name, theirs, rules, base) for name in ids}
    result = {name: rule for name, rule in kept.items() if rule is not None}
    try:
        put(path, encoded(_data(result.values()), indent=2) + b"\n")
    except OSError as error:
        raise ConfigError(f"memory.patterns_dir: cannot write {path} ({error.strerror})") from None
    return result


def _newest(name: str, theirs: Rules, ours: Rules, base: Rules) -> Rule | None:
    by_hand = theirs.get(name) != base.get(name)
    return theirs.get(name) if by_hand else ours.get(name)


def _data(rules: Iterable[Rule]) -> dict[str, Any]:
    users: dict[str, list[dict[str, Any]]] = {}
    system: list[dict[str, Any]] = []
    for rule in rules:
        (users.setdefault(rule.customer, []) if rule.customer else system).append(_row(rule))
    return {USER: dict(sorted(users.items())), SYSTEM: system}


def _row(rule: Rule) -> dict[str, Any]:
    condition = {"kind": rule.condition.kind, "value": rule.condition.value}
    action: dict[str, Any] = {"kind": rule.action.kind, "value": rule.action.value}
    if rule.action.polarity < 0:
        action["polarity"] = rule.action.polarity
    if rule.action.instead_of:
        action["instead_of"] = rule.action.instead_of
    return {
        "id": rule.id,
        "condition": condition,
        "action": action,
        "confidence": rule.confidence,
        "last_used_ms": rule.last_used_ms,
        "learnt_ms": rule.learnt_ms,
        "evidence": list(rule.evidence),
        "against": list(rule.against),
        **rule.more,
    }


def _rules(data: Any) -> dict[str, Rule]:
    odd = set(_mapping(data, "the file")) - {USER, SYSTEM}
    if odd:
        raise ValueError(f"unknown key {', '.join(sorted(odd))}; there are {USER} and {SYSTEM}")
    users = _mapping(data.get(USER, {}), USER)
    if "" in users:
        raise ValueError(f"{USER} has an empty name; rules for all belong into {SYSTEM}")
    listed = [(row, name) for name, rows in users.items() for row in _list(rows, f"{USER}.{name}")]
    listed += [(row, "") for row in _list(data.get(SYSTEM, []), SYSTEM)]
    found: dict[str, Rule] = {}
    for row, customer in listed:
        rule = _rule(_mapping(row, "a rule"), customer)
        if rule.id in found:
            raise ValueError(f"two rules have the id {rule.id}")
        found[rule.id] = rule
    return found


def _rule(row: Mapping[str, Any], customer: str) -> Rule:
    """A rule as it stands in the file; what is left out has its default, so that few words make one."""
    condition = Condition(**_texts(row.get("condition", {}), "condition"))
    action = Action(**_texts(row["action"], "action"))
    return Rule(
        id=_text(row.get("id") or rule_id(condition, action, customer), "id"),
        condition=condition,
        action=action,
        confidence=_number(row.get("confidence", 0.7), "confidence"),
        last_used_ms=int(_number(row.get("last_used_ms", 0), "last_used_ms")),
        learnt_ms=int(_number(row.get("learnt_ms", 0), "learnt_ms")),
        evidence=tuple(_text(one, "evidence") for one in _list(row.get("evidence", []), "evidence")),
        against=tuple(_text(one, "against") for one in _list(row.get("against", []), "against")),
        customer=customer,
        more={key: value for key, value in row.items() if key not in _OURS},
    )


def _texts(value: Any, name: str) -> dict[str, Any]:
    fields = _mapping(value, name)
    return {key: one if key == "polarity" else _text(one, f"{name}.{key}") for key, one in fields.items()}


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must be an object, not {type(value).__name__}")
    return value


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list, not {type(value).__name__}")
    return value


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text, not {value!r}")
    return value


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} must be a number, not {value!r}")
    return value


def _unusable(path: Path, problem: str) -> ConfigError:
    short = " ".join(problem.split())[:200]
    return ConfigError(f"memory.patterns_dir: {path} is no file of rules ({short}); mend it or move it away")
