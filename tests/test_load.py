"""Tables on the disk, and opening runs that are whole, killed or damaged."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_run import call, events, missed, probe, visit, write_run

import sim.tables
from sim import cli
from sim.clock import DAY_MS, WEEK_MS
from sim.engine.log import EventWriter, Line
from sim.errors import RecordError
from sim.metrics.load import load
from sim.records import SCHEMA_VERSION, Event, LlmCall, Probe, Telling, Visit
from sim.tables import column_name, part_paths, read_records, read_table, read_tables, write_table

RECORD_TYPES = (Event, Visit, Telling, Probe, LlmCall)


@pytest.mark.parametrize("record_type", RECORD_TYPES)
def test_a_table_of_no_rows_still_has_the_columns(tmp_path: Path, record_type: type) -> None:
    write_table(tmp_path / "t.parquet", [], record_type)
    frame = read_table(tmp_path / "t.parquet", record_type)
    assert list(frame.columns) == [column_name(field) for field in fields(record_type)]
    assert len(frame) == 0


def test_calls_have_the_columns_of_opentelemetry_and_come_back_as_records(tmp_path: Path) -> None:
    asked = call(requested="glm-4.7-flash", provider="vllm", server="10.0.0.1", port=8000)
    failed = call(model="", outcome="timeout", error="timeout")
    write_table(tmp_path / "t.parquet", [asked, failed], LlmCall)
    first = read_table(tmp_path / "t.parquet", LlmCall).iloc[0]
    assert first["gen_ai.operation.name"] == "chat"
    assert first["gen_ai.provider.name"] == "vllm"
    assert first["gen_ai.request.model"] == "glm-4.7-flash"
    assert first["gen_ai.response.model"] == "surrogate"
    assert (first["gen_ai.usage.input_tokens"], first["gen_ai.usage.output_tokens"]) == (100, 20)
    assert (first["server.address"], first["server.port"]) == ("10.0.0.1", 8000)
    assert read_records(tmp_path / "t.parquet", LlmCall) == [asked, failed]


maybe_flag = st.sampled_from([True, False, None])
big = st.integers(-(2**63), 2**63 - 1)


maybe_lag = st.none() | st.floats(allow_nan=False)


@given(flag=maybe_flag, when=big, since=st.none() | big, answer=st.none() | st.text(), lag=maybe_lag)
def test_records_come_back_as_they_were_written(tmp_path_factory, flag, when, since, answer, lag) -> None:
    path = tmp_path_factory.mktemp("t") / "t.parquet"
    rows = [probe(written=flag, time_ms=when, visits_since=since, answer=answer, lag_days=lag), probe()]
    write_table(path, rows, Probe)
    assert read_records(path, Probe) == rows


def test_half_a_character_in_a_payload_survives_as_json(tmp_path: Path) -> None:
    broken = replace(events()[0], payload='{"text":"\ud83d"}')
    write_table(tmp_path / "t.parquet", [broken], Event)
    (back,) = read_records(tmp_path / "t.parquet", Event)
    assert json.loads(back.payload) == json.loads(broken.payload)


def test_frames_keep_whole_numbers_whole_and_gaps_as_gaps(tmp_path: Path) -> None:
    write_table(tmp_path / "t.parquet", [visit(), visit(seated_ms=None, right=None)], Visit)
    frame = read_table(tmp_path / "t.parquet", Visit)
    assert [str(frame[name].dtype) for name in ("number", "seated_ms", "regular", "right")] == [
        "int64",
        "Int64",
        "bool",
        "boolean",
    ]
    assert frame["right"].isna().tolist() == [False, True]


def test_a_record_that_is_not_flat_is_refused(tmp_path: Path) -> None:
    @dataclass
    class Nested:
        words: list[str]

    with pytest.raises(TypeError, match=r"Nested\.words"):
        write_table(tmp_path / "t.parquet", [], Nested)


def test_a_table_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    with pytest.raises(RecordError, match=r"t\.parquet: no such table"):
        read_table(path, Visit)
    write_table(path, [visit()], Visit)
    with pytest.raises(RecordError, match="kind 'Visit', not 'Probe'"):
        read_table(path, Probe)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(RecordError, match="truncated"):
        read_records(path, Visit)


def test_rows_damaged_before_an_intact_end_are_an_error_too(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_table(path, [visit()] * 50, Visit)
    data = bytearray(path.read_bytes())
    data[4:400] = bytes(396)
    path.write_bytes(data)
    with pytest.raises(RecordError, match="damaged"):
        read_table(path, Visit)


def test_a_table_of_another_schema_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sim.tables, "SCHEMA_VERSION", 0)
    write_table(tmp_path / "t.parquet", [visit()], Visit)
    monkeypatch.undo()
    words = rf"t\.parquet: schema version 0, this program reads {SCHEMA_VERSION}"
    with pytest.raises(RecordError, match=words):
        read_table(tmp_path / "t.parquet", Visit)


def test_a_table_without_one_of_its_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_table(path, [visit()], Visit)
    pq.write_table(pq.read_table(path).drop_columns(["waiter"]), path)
    with pytest.raises(RecordError, match="no column 'waiter'"):
        read_table(path, Visit)


def test_no_half_written_file_is_left_behind(tmp_path: Path) -> None:
    write_table(tmp_path / "new" / "t.parquet", [visit()], Visit)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["t.parquet"]
    assert len(read_tables([tmp_path / "new/t.parquet"] * 3, Visit)) == 3


def test_a_table_that_could_not_be_written_leaves_no_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(table: object, path: Path, **options: object) -> None:
        path.write_bytes(b"PAR1")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(OSError, match="No space left"):
        write_table(tmp_path / "t.parquet", [visit()], Visit)
    assert list(tmp_path.iterdir()) == []


# --- parts of the event log


def logged(folder: Path, days: int, kind: str = "k") -> EventWriter:
    """A writer that was given one line a day, and was not closed."""
    writer = EventWriter(folder)
    for day in range(days):
        writer.write(day * DAY_MS, Line(kind=kind, agent="", customer="", visit="", payload="{}"))
    return writer


def seqs(folder: Path) -> list[list[int]]:
    return [[row.seq for row in read_records(path, Event)] for path in part_paths(folder)]


def test_each_week_is_on_the_disk_when_the_next_begins(tmp_path: Path) -> None:
    writer = logged(tmp_path, 15)
    assert seqs(tmp_path) == [list(range(7)), list(range(7, 14))]
    writer.close()
    assert [len(part) for part in seqs(tmp_path)] == [7, 7, 1]
    quiet = EventWriter(tmp_path / "quiet")
    quiet.write(5 * WEEK_MS, Line(kind="k", agent="", customer="", visit="", payload="{}"))
    assert seqs(tmp_path / "quiet") == []


def test_the_same_log_again_takes_nothing_away_until_it_is_done(tmp_path: Path) -> None:
    logged(tmp_path, 30).close()
    logged(tmp_path, 8)
    assert [len(part) for part in seqs(tmp_path)] == [7, 7, 7, 7, 2]
    logged(tmp_path, 15).close()
    assert [len(part) for part in seqs(tmp_path)] == [7, 7, 1]


def test_another_log_takes_the_parts_of_the_first_away_at_once(tmp_path: Path) -> None:
    logged(tmp_path, 30).close()
    logged(tmp_path, 8, kind="other")
    assert seqs(tmp_path) == [list(range(7))]


def test_what_a_failed_run_held_is_rescued_where_nothing_is_lost_by_it(tmp_path: Path) -> None:
    logged(tmp_path, 10).rescue()
    assert [len(part) for part in seqs(tmp_path)] == [7, 3]
    logged(tmp_path, 9).rescue()
    assert [len(part) for part in seqs(tmp_path)] == [7, 3], "an earlier attempt had come further"
    logged(tmp_path, 12).close()
    assert [len(part) for part in seqs(tmp_path)] == [7, 5]


# --- runs


def test_a_whole_run_opens_with_nothing_left_out(tmp_path: Path) -> None:
    run = load(write_run(tmp_path / "r", [probe(), missed()]))
    assert run.left_out == ()
    assert run.events["seq"].tolist() == list(range(12))
    assert (len(run.visits), len(run.recall), len(run.facts), len(run.llm_calls)) == (2, 2, 1, 1)
    assert (run.seed, run.config["memory"]["name"], run.status["state"]) == (1, "diary", "completed")
    assert run.summary == {"visits": 2}


def test_a_folder_that_is_no_run_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(RecordError, match=r"not the folder of a run.*manifest\.json"):
        load(tmp_path)
    write_run(tmp_path / "arm-1", [])
    with pytest.raises(RecordError, match="it holds runs: arm-1"):
        load(tmp_path)


def test_a_killed_run_opens_with_what_it_lacks(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [])
    for name in ("summary.json", "recall.parquet", "visits.parquet"):
        (folder / name).unlink()
    (folder / "status.json").write_text('{"state": "running"}', encoding="utf-8")
    (folder / "events/part-00002.parquet.tmp").write_bytes(b"PAR1")
    run = load(folder)
    assert [line.partition(":")[0] for line in run.left_out] == [
        "summary.json",
        "visits.parquet",
        "recall.parquet",
        "status.json",
    ]
    assert len(run.events) == 12
    with pytest.raises(RecordError, match=r"summary\.json: missing"):
        _ = run.summary
    with pytest.raises(RecordError, match=r"recall\.parquet"):
        _ = run.recall


def test_a_truncated_part_is_left_out_by_name(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [])
    part = folder / "events/part-00001.parquet"
    part.write_bytes(part.read_bytes()[:50])
    run = load(folder)
    assert run.left_out[0].startswith("events/part-00001.parquet: truncated")
    assert len(run.events) == 6


def test_a_part_missing_in_the_middle_is_left_out_by_name(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [])
    (folder / "events/part-00000.parquet").unlink()
    run = load(folder)
    assert run.left_out[0].startswith("events/part-00000.parquet: no such table")
    assert run.events["seq"].tolist() == list(range(6, 12))


def test_broken_json_names_the_file(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [])
    (folder / "summary.json").write_text('{"visits": ', encoding="utf-8")
    with pytest.raises(RecordError, match=r"summary\.json: cannot be read as JSON"):
        _ = load(folder).summary
    (folder / "manifest.json").write_text("[]", encoding="utf-8")
    with pytest.raises(RecordError, match=r"manifest\.json: holds a list"):
        _ = load(folder).config
    (folder / "manifest.json").write_text('{"config": null}', encoding="utf-8")
    with pytest.raises(RecordError, match=r"manifest\.json: its config is a NoneType"):
        _ = load(folder).config


@pytest.mark.parametrize("text", ['{"config": null}', "", '{"config": {"memory": 1}, "seed": []}', "{}"])
@pytest.mark.parametrize("command", ["show {} --customer c-001", "compare {0} {0}"])
def test_a_damaged_manifest_is_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, command: str
) -> None:
    folder = write_run(tmp_path / "r", [probe()])
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    code = cli.main(command.format(folder).split())
    said = capsys.readouterr()
    assert (code, said.err.count("\n")) in {(0, 0), (2, 1)}


# --- what nobody reads


@contextmanager
def unread() -> Iterator[None]:
    """Makes standard output a pipe whose reader has gone, and closes it as Python does at the end."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream, redirect_stdout(stream):
        yield


@pytest.mark.parametrize("command", ["--help", "run --help", "show {} --customer c-001", "compare {0} {0}"])
def test_output_that_nobody_reads_ends_quietly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    folder = write_run(tmp_path / "r", [probe()])
    with unread():
        assert cli.main(command.format(folder).split()) == cli.BROKEN_PIPE
    assert capsys.readouterr().err == ""


def test_a_run_whose_output_nobody_reads_is_done_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = "memory=window scenario.weeks=1 scenario.regulars=1 scenario.walk_ins_per_day=0 plots=false"
    with unread():
        assert cli.main(["run", *small.split(), f"hydra.run.dir={tmp_path / 'r'}"]) == cli.BROKEN_PIPE
    assert capsys.readouterr().err == ""
    assert load(tmp_path / "r").left_out == ()


def test_output_that_a_terminal_cannot_show_is_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.COMMANDS, "say", lambda arguments: print("面 a\ud83db") or 0)
    assert cli.main(["say"]) == 0
    assert "a\\ud83db" in capsys.readouterr().out


def test_replications_open_as_one_with_their_seeds(tmp_path: Path) -> None:
    for seed in (10, 9):
        write_run(tmp_path / f"seed-{seed}", [probe()], seed=seed)
    for name in ("manifest.json", "summary.json"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    run = load(tmp_path)
    assert [single.seed for single in run.runs] == [9, 10]
    assert run.recall["seed"].tolist() == [9, 10]
    assert len(run.events) == 24
    assert run.left_out == ()


def test_the_package_offers_load_and_run_without_importing_them() -> None:
    code = (
        "import sys, sim\n"
        "assert not {'pandas', 'pyarrow', 'matplotlib', 'sim.metrics.load', 'sim.runs'} & set(sys.modules)\n"
        "assert sim.load.__module__ == 'sim.metrics.load' and {'run', 'arun', 'load'} <= set(dir(sim))\n"
        "try:\n    sim.nothing\nexcept AttributeError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "module 'sim' has no attribute 'nothing'"


def test_every_name_the_package_offers_is_there() -> None:
    assert all(
        getattr(sim, name) is not None for name in ("RunPlan", "arun", "configured", "load", "plan_of", "run")
    )
