"""Takes a person out of saved data: their records, what others say of them, and their name.

A person is known by an id. Records about them go; of a record about several people their claims and lines go,
and of everything else their name.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

ERASED = "[erased]"
"""What stands where the name stood."""

_HAN = re.compile("[\u3400-\u9fff]")
_SHORTEST = 3


class _Gone:
    """Marks what is to be left out."""


_GONE = _Gone()


@dataclass(kw_only=True)
class Person:
    """Somebody to be erased.

    Args:
        customer: the id.
        erased: counts what was taken out, by kind.
    """

    customer: str
    erased: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.customer:
            raise ValueError("name the customer to be erased")
        name = re.escape(self.customer)
        # Words of Chinese do not stand apart; elsewhere Ann is no part of Anna, nor c-1 of c-11.
        edges = ("", "") if _HAN.search(self.customer) else (r"(?<![\w-])", r"(?![\w-])")
        self._named = re.compile(f"{edges[0]}{name}{edges[1]}")
        self._own = re.compile(rf"{name}(/[\d-]+(/.*)?)?", re.DOTALL)

    def owns(self, text: Any) -> bool:
        """Whether an id is the person's, or that of a visit, an utterance or a record of theirs."""
        return isinstance(text, str) and self._own.fullmatch(text) is not None

    def named_in(self, text: str) -> bool:
        """Whether a text names the person by their id; an id too short to be told from a word never is."""
        distinct = len(self.customer) >= _SHORTEST or bool(_HAN.search(self.customer))
        return distinct and self._named.search(text) is not None

    def nameless(self, text: str) -> str:
        """The text without the id."""
        return self._named.sub(ERASED, text) if self.named_in(text) else text

    def count(self, kind: str) -> None:
        """Notes that something was taken out."""
        self.erased[kind] = self.erased.get(kind, 0) + 1


def without(data: Any, person: Person) -> Any:
    """JSON data without the person; None where nothing is left."""
    found = _without(data, person)
    return None if found is _GONE else found


def _without(data: Any, person: Person) -> Any:
    if isinstance(data, str):
        text = person.nameless(data)
        if text != data:
            person.count("names")
        return text
    if isinstance(data, Mapping):
        return _mapping(data, person)
    if isinstance(data, Sequence):
        kept = [_without(one, person) for one in data if not person.owns(one)]
        return [one for one in kept if one is not _GONE]
    return data


def _mapping(data: Mapping[str, Any], person: Person) -> Any:
    if any(person.owns(data.get(name)) for name in ("customer", "visit", "id")):
        person.count("records")
        return _GONE
    if "claims" in data and "sources" in data and any(map(person.owns, data["sources"])):
        data = _shared(data, person)
    kept = {name: _without(value, person) for name, value in data.items() if not person.owns(name)}
    if gone := len(data) - len(kept):
        person.erased["entries"] = person.erased.get("entries", 0) + gone
    return {person.nameless(name): value for name, value in kept.items() if value is not _GONE}


def _shared(record: Mapping[str, Any], person: Person) -> Mapping[str, Any]:
    """A record about several people without the claims of this one and the lines that name them."""
    person.count("shared records")
    about = record.get("claimants") or [record.get("customer", "")] * len(record["claims"])
    kept = [place for place, who in enumerate(about) if not person.owns(who)]
    lines = [line for line in str(record.get("text", "")).split("\n") if not person.named_in(line)]
    return dict(record) | {
        "text": "\n".join(lines),
        "claims": [record["claims"][place] for place in kept],
        "claimants": [about[place] for place in kept] if record.get("claimants") else [],
    }
