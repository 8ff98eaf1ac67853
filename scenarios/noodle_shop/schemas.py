"""JSON schemas of what the agents reply: every field required, ids from the live menu and notes.

The thought comes first where a model decides something, so that it thinks before it does; it costs a
sentence, and nobody reads it. Lists are bounded, since small models run on in them; texts cannot be
bounded on the wire, and are cut by ``max_tokens`` alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.noodle_shop.menu import SLOTS, Menu
from scenarios.noodle_shop.speech import MOODS
from sim.llm.ladder.schema import LIVE, PRIVATE

Schema = Mapping[str, Any]
ACTIONS = ("order", "ask_back", "answer", "acknowledge")
TEXT: Schema = {"type": "string"}
THOUGHT: Schema = {"type": "string", PRIVATE: True}
_SAID, _KNOWN = 12, 24  # claims of one exchange, and of one customer and day; seen were 7 and 9
_KEYWORDS = 12
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_MOOD: Schema = {"type": "string", "enum": list(MOODS)}


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
    return _object(
        thought=THOUGHT, action=_one(ACTIONS), details=_object(**plate), say=TEXT, confidence=_SHARE
    )


def reflect_schema(menu: Menu) -> Schema:
    """One line about one exchange."""
    return _object(thought=THOUGHT, event=TEXT, claims=_said(menu))


def diary_schema(menu: Menu) -> Schema:
    """Diary entry of one exchange."""
    return _object(
        thought=THOUGHT,
        event_summary=TEXT,
        customer_preference=_said(menu),
        action_taken=TEXT,
        keywords=_list(TEXT, _KEYWORDS),
        emotion=_MOOD,
        importance=_SHARE,
    )


def compress_schema(menu: Menu, customers: Sequence[str], days: Sequence[str]) -> Schema:
    """A shorter version of some notes, which may name the customers and days that those name."""
    ids = (value for slot in SLOTS for value in menu.values(slot))
    values = tuple(dict.fromkeys((*ids, *days)))
    claims = _list(_claim(SLOTS, _one(values)), _KNOWN)
    line = _object(customer=_one(customers), day=_one(days), claims=claims)
    return _object(summary_lines=_list(line, len(customers) * len(days)))


def cook_schema(menu: Menu) -> Schema:
    """What the chef puts on the plate."""
    out = tuple(dict.fromkeys((*menu.values("without"), *menu.values("allergy"))))
    return _object(
        thought=THOUGHT,
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
        thought=THOUGHT,
        known={"type": "boolean"},
        values=_some(values) if values else _list(TEXT, 1),
        confidence=_SHARE,
    )


def offer_schema(menu: Menu) -> Schema:
    """The one thing a waiter recommends after the order, or null."""
    return _object(thought=THOUGHT, item=_or_null(menu.values("offer")), say=TEXT)


def mood_schema() -> Schema:
    """How a customer feels, and what to say to it."""
    return _object(thought=THOUGHT, mood=_MOOD, say=TEXT)


def customer_schema() -> Schema:
    """A customer's sentence in other words."""
    return _object(text=TEXT)


def _said(menu: Menu) -> Schema:
    """What can be claimed in one exchange."""
    slots = tuple(slot for slot in SLOTS if slot != "visit")
    values = tuple(dict.fromkeys(value for slot in slots for value in menu.values(slot)))
    return _list(_claim(slots, _one(values)), _SAID)


def _claim(slots: Sequence[str], value: Schema) -> Schema:
    slot = {"type": "string", "enum": list(slots)}
    return _object(slot=slot, value=value, polarity={"type": "integer", "enum": [1, -1]})


def _object(**fields: Schema) -> Schema:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def _list(item: Schema, most: int) -> Schema:
    return {"type": "array", "items": item, "maxItems": most}


def _one(ids: Sequence[str]) -> Schema:
    """One of what there is; anything else names what the world does not have."""
    return {"type": "string", "enum": list(ids), LIVE: True}


def _some(ids: Sequence[str]) -> Schema:
    return _list(_one(ids), len(ids))


def _or_null(ids: Sequence[str]) -> Schema:
    return {"anyOf": [_one(ids), {"type": "null"}]}
