"""A small run folder made of real records, for tests that read runs."""

import json
from pathlib import Path
from typing import Any

from sim.records import Event, LlmCall, Probe, Telling, Visit, canonical
from sim.tables import part_path, write_table

NOON_MS = 12 * 3_600_000
DAY_MS = 86_400_000


def probe(**changes: Any) -> Probe:
    fields: dict[str, Any] = {
        "kind": "natural",
        "time_ms": NOON_MS,
        "agent": "waiter-1",
        "customer": "c-001",
        "visit": "c-001/2",
        "slot": "dish",
        "question": "usual",
        "language": "en",
        "fact": "f-1",
        "expected": "tonkotsu",
        "polarity": 1,
        "answer": "tonkotsu",
        "outcome": "correct",
        "loss": None,
        "told_to_colleague": False,
        "told": True,
        "written": True,
        "kept": True,
        "retrieved": True,
        "in_context": True,
        "answered": True,
        "stale_in_context": False,
        "lag_days": 7.0,
        "visits_since": 1,
        "context_tokens": 50,
        "retrieval_ms": 0.5,
        "context": "[]",
    }
    return Probe(**(fields | changes))


def missed(**changes: Any) -> Probe:
    """A probe whose fact was written but not retrieved, and so not answered."""
    lost = {"answer": None, "outcome": "missing", "loss": "not_retrieved", "retrieved": False}
    return probe(**(lost | {"in_context": False, "answered": False} | changes))


def visit(**changes: Any) -> Visit:
    fields: dict[str, Any] = {
        "visit": "c-001/1",
        "customer": "c-001",
        "number": 1,
        "regular": True,
        "language": "en",
        "waiter": "waiter-1",
        "outcome": "served",
        "arrived_ms": NOON_MS,
        "seated_ms": NOON_MS + 60_000,
        "ordered_ms": NOON_MS + 120_000,
        "served_ms": NOON_MS + 600_000,
        "left_ms": NOON_MS + 1_800_000,
        "moves": "order",
        "wanted": "{}",
        "served": "{}",
        "right": True,
        "satisfaction": 0.8,
    }
    return Visit(**(fields | changes))


def call(**changes: Any) -> LlmCall:
    fields: dict[str, Any] = {
        "act": "a",
        "ask": 0,
        "time_ms": NOON_MS,
        "role": "order",
        "model": "surrogate",
        "outcome": "ok",
        "step": "",
        "attempts": 1,
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "seconds": 0.25,
        "replayed": False,
    }
    return LlmCall(**(fields | changes))


def telling() -> Telling:
    return Telling(
        fact="f-1", customer="c-001", slot="dish", value="tonkotsu", polarity=1, said_at_ms=NOON_MS,
        said_to="waiter-1", visit="c-001/1", utterance="c-001/1/0", first=True, valid_from_ms=0,
        valid_to_ms=None, superseded_by=None,
    )  # fmt: skip


def events() -> list[Event]:
    """Two visits: an order in the first, `the usual` in the second."""
    lines: list[tuple[int, str, str, dict[str, Any]]] = []
    for number, text in ((1, "Tonkotsu ramen, please."), (2, "The usual, please.")):
        at = NOON_MS + (number - 1) * DAY_MS
        said = {"exchange": 0, "move": "order" if number == 1 else "usual", "utterance": "u", "text": text}
        reply = {"exchange": 0, "action": "order", "text": "Of course.", "details": {"dish": "tonkotsu"}}
        context = ["r-1"] if number == 2 else []
        served = {"dish": "tonkotsu", "extra": ["egg"], "right": True}
        lines += [
            (at, "arrived", f"c-001/{number}", {"regular": True, "number": number}),
            (at + 1_000, "seated", f"c-001/{number}", {"table": 3}),
            (at + 2_000, "said", f"c-001/{number}", said),
            (at + 3_000, "replied", f"c-001/{number}", reply | {"context": context}),
            (at + 600_000, "served", f"c-001/{number}", served),
            (at + 900_000, "left", f"c-001/{number}", {"satisfaction": 0.8}),
        ]
    return [
        Event(
            time_ms=time_ms, seq=seq, kind=kind, agent="waiter-1" if kind == "replied" else "",
            customer="c-001", visit=where, payload=canonical(payload),
        )
        for seq, (time_ms, kind, where, payload) in enumerate(lines)
    ]  # fmt: skip


def config(memory: str = "diary") -> dict[str, Any]:
    scenario = {"name": "noodle_shop", "weeks": 8, "start": "2026-01-05"}
    return {"seed": 1, "scenario": scenario, "memory": {"name": memory, "top_k": 3}}


def write_run(folder: Path, probes: list[Probe], *, seed: int = 1, memory: str = "diary") -> Path:
    """Writes the folder of a completed run with two event parts and returns it."""
    folder.mkdir(parents=True)
    rows = events()
    for number in (0, 1):
        write_table(part_path(folder / "events", number), rows[number * 6 : number * 6 + 6], Event)
    write_table(folder / "visits.parquet", [visit(), visit(visit="c-001/2", number=2)], Visit)
    write_table(folder / "recall.parquet", probes, Probe)
    write_table(folder / "facts.parquet", [telling()], Telling)
    write_table(folder / "llm_calls.parquet", [call()], LlmCall)
    _write_json(folder / "manifest.json", {"config": config(memory) | {"seed": seed}, "seed": seed})
    _write_json(folder / "status.json", {"state": "completed"})
    _write_json(folder / "summary.json", {"visits": 2})
    record = {"id": "r-1", "text": "[2026-01-05] c-001: orders tonkotsu", "retired_at_ms": None}
    _write_json(folder / "memory/waiter-1/snapshot.json", {"owners": {"waiter-1": [{"record": record}]}})
    return folder


def _write_json(path: Path, data: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")
