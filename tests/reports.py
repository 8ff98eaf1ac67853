"""Runs whose reports the tests read: a small real one, and one in which everything said is hostile."""

import json
from dataclasses import replace
from pathlib import Path

from sample_run import config, events, missed, probe, telling, visit, write_run
from shops import shop_plan

from sim.records import Event, Probe, Telling, Visit, canonical
from sim.runs import run
from sim.tables import part_path, write_table

EVIL = "<img src=x onerror=\"document.title='owned'\"> & 'so'"
EVIL_WORDS = "</script><script>document.title='owned'</script> <b>ramen</b> \u2028 -->"


def real_run(folder: Path, memory: str = "full", seed: int = 0) -> Path:
    """A week of a very small shop."""
    few = ("scenario.regulars=3", "scenario.rhythm_days=2", "scenario.walk_ins_per_day=0")
    run(shop_plan(f"memory={memory}", f"seed={seed}", "scenario.weeks=1", *few, folder=folder))
    return folder


def hostile_run(folder: Path) -> Path:
    """A run whose customer, words, records and settings are all markup."""
    mine = {"customer": EVIL, "visit": f"{EVIL}/2"}
    write_run(folder, [])
    rows = [replace(row, customer=EVIL, visit=f"{EVIL}/{row.visit[-1]}") for row in events()]
    said = canonical({"exchange": 0, "move": EVIL, "text": EVIL_WORDS, "name": EVIL})
    rows = [replace(row, payload=said) if row.kind == "said" else row for row in rows]
    for number in (0, 1):
        write_table(part_path(folder / "events", number), rows[number * 6 : number * 6 + 6], Event)
    probes = [missed(**mine, slot=EVIL, expected=EVIL, answer=EVIL, agent=EVIL, context='["r-1"]')]
    probes.append(probe(**mine))
    write_table(folder / "recall.parquet", probes, Probe)
    spoken = replace(telling(), customer=EVIL, slot=EVIL, value=EVIL, said_to=EVIL, utterance="u-1")
    write_table(folder / "facts.parquet", [spoken], Telling)
    write_table(folder / "visits.parquet", [visit(customer=EVIL, visit=f"{EVIL}/2", waiter=EVIL)], Visit)
    record = {
        "id": "r-1",
        "text": EVIL_WORDS,
        "customer": EVIL,
        "sources": ["u-1"],
        "agent": EVIL,
        "at_ms": 0,
    }
    (folder / "memory/waiter-1/snapshot.json").write_text(json.dumps([record]), encoding="utf-8")
    settings = config(EVIL) | {"seed": 1}
    (folder / "manifest.json").write_text(json.dumps({"config": settings, "seed": 1}), encoding="utf-8")
    return folder


def sweep(folder: Path) -> Path:
    """Two memories and two seeds, and a third memory whose questions are gone."""
    for memory in ("flat", "full"):
        for seed in (1, 2):
            probes = [probe(lag_days=float(day)) for day in range(1, 6)]
            write_run(folder / f"{memory}-{seed}", [*probes, missed(slot="extra")], seed=seed, memory=memory)
    write_run(folder / "lost", [], seed=1, memory="none")
    (folder / "lost/recall.parquet").unlink()
    return folder
