"""Erasing a person: nothing of them is left in what is saved, nobody else loses a thing, the rest is told."""

import json
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from sim.errors import ConfigError, RecordError
from sim.journal import Journal, Place
from sim.memory.saved.erasing import ERASED, Person, without
from sim.memory.saved.forget import forget
from sim.memory.saved.library import Library
from sim.memory.saved.snapshot import memories
from sim.place import locked
from sim.records import ActId, Event, LlmCall, Probe, Telling, Visit
from sim.tables import column_name, columns, read_records, write_table

ANNA, OTHER, NEAR = "c-001", "c-002", "c-0011"


def record(customer: str, number: int, text: str, **changes: Any) -> dict[str, Any]:
    name = f"{customer}/{number}/0@waiter-1"
    given = {
        "id": f"{name}/event",
        "at_ms": number,
        "visible_at_ms": number,
        "agent": "waiter-1",
        "customer": customer,
        "visit": f"{customer}/{number}",
        "kind": "event",
        "text": text,
        "claims": [{"slot": "dish", "value": "laksa", "polarity": 1}],
        "claimants": [],
        "sources": [name],
        "replaces": [],
        "retired_at_ms": None,
    }
    return given | changes


def summary() -> dict[str, Any]:
    whole = [record(ANNA, 0, ""), record(OTHER, 1, "")]
    return record(
        "",
        2,
        f"[2026-01-05] Anna ({ANNA}): orders laksa\n[2026-01-05] Boris ({OTHER}): orders laksa",
        id="waiter-1/night/0",
        visit="",
        kind="summary",
        claims=[one["claims"][0] for one in whole],
        claimants=[ANNA, OTHER],
        sources=[source for one in whole for source in one["sources"]],
        replaces=[one["id"] for one in whole],
    )


def row(kind: type, **given: Any) -> Any:
    """A record with nothing in it but what is given."""
    kinds = columns(kind)
    plain = {one.name: kinds[column_name(one)][0]() for one in fields(kind)}
    return kind(**(plain | given))


def run_folder(folder: Path) -> Path:
    place = folder / "memory" / "waiter-1"
    place.mkdir(parents=True)
    rows = [record(ANNA, 0, f"Anna ({ANNA}): orders laksa"), record(OTHER, 1, f"sits with {ANNA}"), summary()]
    scopes = {"": [*rows, record(NEAR, 3, f"Carl ({NEAR})")], ANNA: [record(ANNA, 4, "hers alone")]}
    (place / "snapshot.json").write_text(json.dumps({"schema_version": 3, "scopes": scopes}))
    rules = {"user_patterns": {ANNA: [{"id": "r1"}], OTHER: [{"id": "r2"}]}}
    rules["system_patterns"] = [{"id": "r3", "evidence": [f"{ANNA}/0", f"{OTHER}/1"]}]  # type: ignore[assignment]
    (place / "patterns.json").write_text(json.dumps(rules))
    (place / "graph.graphml").write_text(f"<node id='customer:{ANNA}'/>")
    tables(folder)
    return folder


def tables(folder: Path) -> None:
    acts = [ActId(agent="waiter-1", customer=who, visit=f"{who}/0", purpose="reply") for who in (ANNA, OTHER)]
    write_table(folder / "visits.parquet", [row(Visit, customer=who) for who in (ANNA, OTHER)], Visit)
    write_table(folder / "facts.parquet", [row(Telling, customer=who) for who in (ANNA, OTHER)], Telling)
    write_table(folder / "llm_calls.parquet", [row(LlmCall, act=str(act)) for act in acts], LlmCall)
    context = json.dumps([record(ANNA, 0, "")["id"], record(OTHER, 1, "")["id"]])
    probes = [row(Probe, customer=who, context=context) for who in (ANNA, OTHER)]
    write_table(folder / "recall.parquet", probes, Probe)
    events = [row(Event, customer=who, payload="{}") for who in (ANNA, ANNA, OTHER)]
    write_table(folder / "events" / "part-00000.parquet", events, Event)
    with Journal.open(folder / "journal.sqlite") as journal:
        for act in acts:
            journal.store(Place(namespace="run", act=str(act)), {"user": "hello"}, {"text": "hi"})


def test_nothing_of_a_person_is_left_in_memory_and_tables_and_what_remains_is_named(tmp_path: Path) -> None:
    run = run_folder(tmp_path)
    said = forget(run, ANNA)
    left = [path for path in (run / "memory").rglob("*") if path.is_file()]
    assert not any(Person(customer=ANNA).named_in(path.read_text()) for path in left)
    assert not (run / "memory" / "waiter-1" / "graph.graphml").exists()
    for name, kind in (("visits", Visit), ("facts", Telling), ("recall", Probe)):
        rows: list[Any] = read_records(run / f"{name}.parquet", kind)
        assert [one.customer for one in rows] == [OTHER]
    assert len(read_records(run / "llm_calls.parquet", LlmCall)) == 1
    (probe,) = read_records(run / "recall.parquet", Probe)
    assert json.loads(probe.context) == [record(OTHER, 1, "")["id"]]
    assert "remain: 2 lines of the log" in said
    assert "remain: 1 questions and answers in journal.sqlite" in said
    assert forget(run, ANNA).startswith('erased of "c-001": nothing of them')


def test_others_keep_everything_of_theirs(tmp_path: Path) -> None:
    run = run_folder(tmp_path)
    forget(run, ANNA)
    (snapshot,) = memories(run).values()
    kept = {kept.record.id: kept.record for kept in snapshot.kept}
    assert set(kept) == {f"{OTHER}/1/0@waiter-1/event", "waiter-1/night/0", f"{NEAR}/3/0@waiter-1/event"}
    assert kept[f"{OTHER}/1/0@waiter-1/event"].text == f"sits with {ERASED}"
    shared = kept["waiter-1/night/0"]
    assert shared.text == f"[2026-01-05] Boris ({OTHER}): orders laksa"
    assert (shared.claimants, shared.sources) == ((OTHER,), (f"{OTHER}/1/0@waiter-1",))
    rules = json.loads((run / "memory" / "waiter-1" / "patterns.json").read_text())
    assert rules == {
        "user_patterns": {OTHER: [{"id": "r2"}]},
        "system_patterns": [{"id": "r3", "evidence": [f"{OTHER}/1"]}],
    }


def test_a_file_that_cannot_be_read_stops_it_before_anything_has_changed(tmp_path: Path) -> None:
    run = run_folder(tmp_path)
    before = (run / "memory" / "waiter-1" / "patterns.json").read_bytes()
    (run / "memory" / "waiter-1" / "snapshot.json").write_text("{ half")
    with pytest.raises(RecordError, match="damaged"):
        forget(run, ANNA)
    assert (run / "memory" / "waiter-1" / "patterns.json").read_bytes() == before
    assert len(read_records(run / "visits.parquet", Visit)) == 2


def test_a_folder_in_use_or_without_a_memory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no folder"):
        forget(tmp_path / "nowhere", ANNA)
    with pytest.raises(RecordError, match="holds no memory"):
        forget(tmp_path, ANNA)
    with locked(tmp_path, "x"), pytest.raises(ConfigError, match="using it"):
        forget(tmp_path, ANNA)


def test_files_of_others_are_left_alone_and_named(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "run")
    notes, table = run / "memory" / "notes.txt", run / "memory" / "mine.json"
    notes.write_text(f"call {ANNA}")
    table.write_text("[1,\n2]")
    assert f"remain: {notes} names them" in forget(run, ANNA)
    assert (notes.read_text(), table.read_text()) == (f"call {ANNA}", "[1,\n2]")
    (tmp_path / "letter.png").write_text(ANNA)
    with pytest.raises(RecordError, match="holds no memory"):
        forget(tmp_path, ANNA)
    assert (tmp_path / "letter.png").exists()


def test_all_replications_of_a_run_forget(tmp_path: Path) -> None:
    for seed in (1, 2):
        run_folder(tmp_path / f"seed-{seed}")
    assert forget(tmp_path, ANNA).count("remain: 1 questions") == 2
    assert all(len(read_records(run / "visits.parquet", Visit)) == 1 for run in tmp_path.glob("seed-*"))


def test_a_library_forgets_in_log_snapshot_and_memory(tmp_path: Path) -> None:
    noon = datetime(2026, 3, 2, 12)
    with Library.open(tmp_path) as library:
        library.remember("no egg", "anna", noon)
        library.remember("an egg, says anna", "boris", noon)
        library.save()
        library.remember("more egg", "anna", noon)
        library.forget("anna")
        assert [hit.record.text for hit in library.recall("egg", "anna")] == [f"an egg, says {ERASED}"]
        library.remember("soup", "chen", noon)
    with Library.open(tmp_path) as library:
        assert len(library) == 2
    assert not any(b"anna" in path.read_bytes() for path in tmp_path.iterdir() if path.is_file())


@pytest.mark.parametrize(
    ("customer", "text", "left"),
    [
        ("Ann", "Ann and Anna", f"{ERASED} and Anna"),
        ("王芳", "王芳说不要香菜", f"{ERASED}说不要香菜"),
        ("1", "1 egg", "1 egg"),
        ("Анна", "Анна и Аннабель", f"{ERASED} и Аннабель"),
    ],
)
def test_a_name_is_taken_out_where_it_is_one(customer: str, text: str, left: str) -> None:
    assert without(text, Person(customer=customer)) == left
