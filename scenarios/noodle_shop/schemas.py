"""JSON schemas of what the agents reply; every field required, ids from the menu, the thought first."""

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.noodle_shop.menu import SLOTS, Menu
from scenarios.noodle_shop.speech import MOODS

Schema = Mapping[str, Any]
ACTIONS = ("order", "ask_back", "answer", "acknowledge")
TEXT: Schema = {"type": "string"}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}


def order_schema(menu: Menu) -> Schema:
    """Reply of a waiter to a customer."""
    plate = {
        "dish": _or_null(menu.values("dish")),
        "extra": _some(menu.values("extra")),
        "without": _some(menu.values("without")),
        "spice": _or_null(menu.values("spice")),
        "portion": _or_null(menu.values("portion")),
        "last_visit": {"anyOf": [TEXT, {"type": "null"}]},
        "offer": _or_null(menu.values("offer")),
        "liked": _or_null(menu.values("liked")),
    }
    return _object(thought=TEXT, action=_one(ACTIONS), details=_object(**plate), say=TEXT, confidence=_SHARE)


def reflect_schema(menu: Menu) -> Schema:
    """Diary entry of one exchange."""
    said = tuple(slot for slot in SLOTS if slot != "visit")
    values = tuple(dict.fromkeys(value for slot in said for value in menu.values(slot)))
    return _object(thought=TEXT, event=TEXT, claims=_list(_claim(said, _one(values))))


def compress_schema(customers: Sequence[str] = ()) -> Schema:
    """A shorter version of some notes; ``customers``, when known, are the names it may use."""
    # Values may be dates here, so that no list of ids can bound them.
    who = _one(tuple(customers)) if customers else TEXT
    line = _object(customer=who, day=TEXT, claims=_list(_claim(SLOTS, TEXT)))
    return _object(summary_lines=_list(line))


def cook_schema(menu: Menu) -> Schema:
    """What the chef puts on the plate."""
    out = tuple(dict.fromkeys((*menu.values("without"), *menu.values("allergy"))))
    return _object(
        thought=TEXT,
        dish=_one(menu.values("dish")),
        extra=_some(menu.values("extra")),
        without=_some(out),
        spice=_or_null(menu.values("spice")),
        portion=_or_null(menu.values("portion")),
        say=TEXT,
    )


def exam_schema(menu: Menu, slot: str) -> Schema:
    """Answer to an examination about one slot."""
    values = menu.values(slot)
    return _object(
        thought=TEXT,
        known={"type": "boolean"},
        values=_some(values) if values else _list(TEXT),
        confidence=_SHARE,
    )


def offer_schema(menu: Menu) -> Schema:
    """The one thing a waiter recommends after the order, or null."""
    return _object(thought=TEXT, item=_or_null(menu.values("offer")), say=TEXT)


def mood_schema() -> Schema:
    """How a customer feels, and what to say to it."""
    return _object(thought=TEXT, mood=_one(MOODS), say=TEXT)


def customer_schema() -> Schema:
    """A customer's sentence in other words."""
    return _object(text=TEXT)


def _claim(slots: Sequence[str], value: Schema) -> Schema:
    return _object(slot=_one(slots), value=value, polarity={"type": "integer", "enum": [1, -1]})


def _object(**fields: Schema) -> Schema:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def _list(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def _one(ids: Sequence[str]) -> Schema:
    return {"type": "string", "enum": list(ids)}


def _some(ids: Sequence[str]) -> Schema:
    return _list(_one(ids))


def _or_null(ids: Sequence[str]) -> Schema:
    return {"anyOf": [_one(ids), {"type": "null"}]}
