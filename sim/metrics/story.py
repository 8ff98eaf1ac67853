"""Puts the events of a run into words, one moment each, in lines of 80 columns.

Payloads are read with tolerance: another scenario logs other fields, and an old run fewer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.clock import Calendar
from sim.metrics.evidence import Evidence, Row, read_payload
from sim.metrics.wording import clock_text, counted, folded, harmless

INDENT = " " * 10
AFTER_CLOSING = "after closing"
_FACTS_OF_A_PLATE = ("dish", "extra", "without", "spice", "portion")


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """One thing that happened to the customer.

    Args:
        time_ms: when.
        order: place among what happened at that time.
        section: under which heading of the day it stands: a visit, or what is after closing.
        lines: ready to be printed.
    """

    time_ms: int
    order: float
    section: str
    lines: tuple[str, ...]


def of_events(rows: Iterable[Row], found: Evidence, calendar: Calendar | None) -> list[Moment]:
    """Tells the events of one customer; a prompt or an order that is as before is not told again."""
    before: dict[tuple[str, str], Mapping[str, Any]] = {}
    moments = []
    for row in rows:
        payload = read_payload(row["payload"])
        lines = _lines(row, payload)
        if row["kind"] == "replied":
            last = before.get((row["agent"], row["visit"]), {})
            lines += _understood(payload, last)
            lines += _context(payload, last, found, calendar)
            before[row["agent"], row["visit"]] = payload
        section = f"visit {harmless(row['visit'])}" if row["visit"] else AFTER_CLOSING
        moments.append(Moment(time_ms=row["time_ms"], order=row["seq"], section=section, lines=tuple(lines)))
    return moments


def _lines(row: Row, payload: Mapping[str, Any]) -> list[str]:
    lines = folded(_sentence(row, payload), f"{clock_text(row['time_ms'])}  ", INDENT)
    if fallback := payload.get("fallback"):
        lines += folded(f"fallback: {harmless(fallback)}", INDENT, INDENT)
    return lines


def _sentence(row: Row, payload: Mapping[str, Any]) -> str:
    kind, agent = row["kind"], harmless(row["agent"])
    if kind == "said":
        return f'{harmless(row["customer"])} [{_field(payload, "move")}]: "{_field(payload, "text")}"'
    words = {
        "replied": f'{agent} ({_field(payload, "action")}): "{_field(payload, "text")}"',
        "arrived": f"arrives, {'a regular' if payload.get('regular') else 'a passer-by'}",
        "seated": f"is seated at table {_field(payload, 'table')}",
        "reneged": "gives up waiting and goes",
        "attended": f"{agent} comes to the table",
        "treated_as_new": f"{agent} has nothing about this customer in the prompt, though they have met",
        "offered": f'{agent} (offer): "{_field(payload, "text")}"',
        "no_offer": f"{agent} offers nothing",
        "accepted": f'takes the offer: "{_field(payload, "text")}"',
        "declined": f'declines the offer: "{_field(payload, "text")}"',
        "cooking": f"{agent} begins to cook",
        "remade": "sends the plate back",
        "incident": f"INCIDENT: {_field(payload, 'allergen')} on the plate, to which they are allergic",
        "lost": "does not come back from now on",
        "not_written": f"{agent} writes nothing down: {_field(payload, 'why')}",
        "claim_dropped": f"{agent} notes nonsense: {_field(payload, 'slot')} {_field(payload, 'value')}",
        "cut": f"{agent} is asked again with less in the prompt: {_field(payload, 'why')}",
        "reworded": f"a model rewords what the customer says ({_field(payload, 'move')})",
        "template_kept": f"a model's words would have said something else ({_field(payload, 'move')})",
        "served": f"is served {_plate(payload)}, {_judged(payload.get('right'))}",
        "cooked": f"{agent} cooks {_plate(payload)}",
        "left": f"leaves, satisfaction {_field(payload, 'satisfaction')} %",
    }
    return words.get(kind, f"{harmless(kind)} {agent}: {details(payload)}")


def _field(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    return "?" if value is None else harmless(value)


def _judged(right: object) -> str:
    return "not judged" if right is None else "right" if right else "not what was wanted"


def _plate(payload: Mapping[str, Any]) -> str:
    """What is on a plate, as far as the payload says; a scenario may nest it or not."""
    nested = payload.get("plate")
    plate = nested if isinstance(nested, dict) else payload
    return details({name: plate[name] for name in _FACTS_OF_A_PLATE if plate.get(name)}) or "something"


def details(values: Mapping[str, Any]) -> str:
    """Named values as ``dish laksa, extra egg + corn``; what is empty is left out."""
    present = {name: value for name, value in values.items() if value not in (None, [], "")}
    return ", ".join(f"{harmless(name)} {value_text(value)}" for name, value in present.items())


def value_text(value: Any) -> str:
    """A value, or several joined by a plus."""
    return " + ".join(map(harmless, value)) if isinstance(value, list) else harmless(value)


def _understood(payload: Mapping[str, Any], last: Mapping[str, Any]) -> list[str]:
    order = payload.get("details")
    if not isinstance(order, dict) or not details(order) or order == last.get("details"):
        return []
    return folded(f"understood: {details(order)}", INDENT, INDENT + "  ")


def _context(
    payload: Mapping[str, Any], last: Mapping[str, Any], found: Evidence, calendar: Calendar | None
) -> list[str]:
    ids, cut = payload.get("context"), payload.get("cut")
    if not isinstance(ids, list):
        return []
    if not ids:
        lines = [f"{INDENT}in the prompt: nothing remembered"]
    elif ids == last.get("context"):
        lines = [f"{INDENT}in the prompt: the same {counted(len(ids), 'record')}"]
    else:
        lines = [f"{INDENT}in the prompt: {counted(len(ids), 'record')}", *listed(ids, found, calendar)]
    if isinstance(cut, list) and cut:
        lines.append(f"{INDENT}recalled, but cut by the budget: {counted(len(cut), 'record')}")
    return lines


def listed(
    ids: Iterable[object], found: Evidence, calendar: Calendar | None, indent: str = INDENT
) -> list[str]:
    """Records by id with their text, one below the other."""
    lines = []
    for id_ in ids:
        lines += entry(str(id_), found.text(id_, calendar), indent)
    return lines


def entry(id_: str, text: Sequence[str], indent: str) -> list[str]:
    """One record of a list: its id and the lines of its text."""
    first, *rest = text
    lines = folded(f"{harmless(id_)}  {first}", f"{indent}- ", f"{indent}  ")
    return lines + [line for more in rest for line in folded(more, f"{indent}  ", f"{indent}    ")]
