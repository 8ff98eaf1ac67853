"""Puts single rows of a run into words: events and probes, one moment each.

Payloads are read with tolerance: another scenario logs other fields, and an old run fewer.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.metrics.wording import clock_text, harmless
from sim.records import STAGES

_INDENT = " " * 10
_FACTS_OF_A_PLATE = ("dish", "extra", "without", "spice", "portion")


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """One thing that happened to the customer; ``lines`` are ready to be printed."""

    time_ms: int
    order: int
    visit: str
    lines: tuple[str, ...]


def of_event(row: Mapping[str, Any], texts: Mapping[str, str]) -> Moment:
    """Tells one event; ``texts`` holds the records that may have stood in the prompt, by id."""
    payload = _payload(row["payload"])
    first, *rest = _sentence(row, payload)
    lines = [f"{clock_text(row['time_ms'])}  {first}", *(_INDENT + line for line in rest)]
    if row["kind"] == "replied":
        lines += [_INDENT + line for line in _context(payload.get("context"), texts)]
    return Moment(time_ms=row["time_ms"], order=row["seq"], visit=row["visit"], lines=tuple(lines))


def _payload(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {"text": text}
    return found if isinstance(found, dict) else {"text": found}


def _sentence(row: Mapping[str, Any], payload: Mapping[str, Any]) -> list[str]:
    kind, agent = row["kind"], harmless(row["agent"])
    if kind == "said":
        return [f'{harmless(row["customer"])} [{_field(payload, "move")}]: "{_field(payload, "text")}"']
    if kind == "replied":
        return [f'{agent} ({_field(payload, "action")}): "{_field(payload, "text")}"', *_reply_notes(payload)]
    words = {
        "arrived": f"arrives, {'a regular' if payload.get('regular') else 'a walk-in'}",
        "seated": f"is seated at table {_field(payload, 'table')}",
        "reneged": "gives up waiting",
        "attended": f"{agent} comes to the table",
        "treated_as_new": f"{agent} has nothing about this customer in the prompt, though they have met",
        "offered": f'{agent} (offer): "{_field(payload, "text")}"',
        "accepted": f'takes the offer: "{_field(payload, "text")}"',
        "declined": f'declines the offer: "{_field(payload, "text")}"',
        "cooking": f"{agent} begins to cook",
        "remade": "sends the plate back",
        "lost": "does not come back",
        "served": f"is served {_plate(payload)}, {_judged(payload.get('right'))}",
        "cooked": f"{agent} cooks {_plate(payload)}",
        "left": f"leaves, satisfaction {_field(payload, 'satisfaction')} %",
    }
    return [words.get(kind, f"{harmless(kind)} {agent}: {_details(payload)}")]


def _field(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    return "?" if value is None else harmless(value)


def _judged(right: object) -> str:
    return "not judged" if right is None else "right" if right else "not what was wanted"


def _plate(payload: Mapping[str, Any]) -> str:
    """What is on a plate, as far as the payload says; a scenario may nest it or not."""
    nested = [value for value in payload.values() if isinstance(value, dict) and "dish" in value]
    plate = nested[0] if nested else payload
    return _details({name: plate[name] for name in _FACTS_OF_A_PLATE if plate.get(name)}) or "something"


def _details(values: Mapping[str, Any]) -> str:
    present = {name: value for name, value in values.items() if value not in (None, [], "")}
    return ", ".join(f"{harmless(name)} {_value(value)}" for name, value in present.items())


def _value(value: Any) -> str:
    return " + ".join(map(harmless, value)) if isinstance(value, list) else harmless(value)


def _reply_notes(payload: Mapping[str, Any]) -> list[str]:
    details = payload.get("details")
    notes = [f"understood: {_details(details)}"] if isinstance(details, dict) and _details(details) else []
    fallback = payload.get("fallback")
    return [*notes, f"fallback: {harmless(fallback)}"] if fallback else notes


def _context(ids: Any, texts: Mapping[str, str]) -> list[str]:
    if not isinstance(ids, list):
        return []
    if not ids:
        return ["in the prompt: nothing remembered"]
    records = [f"  {harmless(id_)}  {_text_of(id_, texts)}" for id_ in ids]
    return [f"in the prompt: {len(ids)} record{'s' if len(ids) > 1 else ''}", *records]


def _text_of(id_: object, texts: Mapping[str, str]) -> str:
    return harmless(texts[str(id_)]) if str(id_) in texts else "(text not in the snapshot)"


def of_probe(row: Mapping[str, Any], order: int) -> Moment:
    """Tells one probe: what was wanted, what was answered, and which stages held."""
    sign = "=" if row["polarity"] > 0 else "without"
    wanted = f"{harmless(row['slot'])} {sign} {harmless(row['expected'])}"
    said = _answer(row["answer"])
    verdict = row["outcome"] if row["loss"] is None else f"{row['outcome']}, lost: {row['loss']}"
    name = f"examination of {harmless(row['agent'])}" if row["kind"] == "exam" else "question"
    first = f"{clock_text(row['time_ms'])}  > {name} {harmless(row['question'])}: {wanted}; answered {said}"
    lines = (first, f"{_INDENT}> {verdict} (told {_age(row)})", f"{_INDENT}> {_flags(row)}")
    return Moment(time_ms=row["time_ms"], order=order, visit=row["visit"], lines=lines)


def _answer(answer: str | None) -> str:
    """What was answered; several values come as a JSON list."""
    if answer is None:
        return "nothing"
    try:
        return _value(json.loads(answer))
    except ValueError:
        return harmless(answer)


def _age(row: Mapping[str, Any]) -> str:
    if row["lag_days"] is None:
        return "to a colleague only" if row["told_to_colleague"] else "never"
    return f"{row['lag_days']:.1f} days ago, visits since: {row['visits_since'] or 0}"


def _flags(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{stage} {_flag(row[stage])}" for stage in STAGES)


def _flag(value: bool | None) -> str:
    return "n/a" if value is None else "yes" if value else "NO"
