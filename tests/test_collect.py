"""One table over many runs: what can be read is read, what is left out is named, arms are paired."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sample_run import call, missed, probe, visit, write_run

import sim
from sim import cli
from sim.errors import RecordError
from sim.metrics.summary import summary
from sim.records import SCHEMA_VERSION, LlmCall, Probe

Collect = Callable[..., str]


def people(answered: int, of: int = 10) -> list[Probe]:
    """One question to each of some people, the first of whom are answered right."""
    return [
        (probe if n < answered else missed)(customer=f"c-{n:03d}", visit=f"c-{n:03d}/2") for n in range(of)
    ]


def whole_run(
    folder: Path, probes: list[Probe], seed: int, memory: str, *, calls: list[LlmCall] | None = None
) -> Path:
    write_run(folder, probes, seed=seed, memory=memory)
    extra = {"events_digest": f"digest of {folder.name}"}
    changed(folder / "summary.json", **summary([visit()], probes, calls or [call()] * 100, extra))
    started = {"started": f"2026-01-05T00:00:{seed:02d}+00:00", "schema_version": SCHEMA_VERSION}
    changed(folder / "manifest.json", versions={"noodle-shop": "1.0"}, git="abc", **started)
    return folder


def changed(path: Path, **entries: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))


def configured(folder: Path, **settings: Any) -> None:
    config = json.loads((folder / "manifest.json").read_text())["config"]
    changed(folder / "manifest.json", config=config | settings)


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """Two memories with two seeds each: flat answers 2 of 10, full 8 of 10, every time."""
    for seed in (0, 1):
        whole_run(tmp_path / f"flat-{seed}", people(2), seed, "flat")
        whole_run(tmp_path / f"full-{seed}", people(8), seed, "full")
    return tmp_path


@pytest.fixture
def collect(sweep: Path, capsys: pytest.CaptureFixture[str]) -> Collect:
    """``noodle collect`` on that sweep; what it says."""

    def collected(*options: str) -> str:
        assert cli.main(["collect", str(sweep), *options]) == 0
        said = capsys.readouterr()
        assert said.err == ""
        return said.out

    return collected


def test_a_row_per_run_with_settings_and_figures(sweep: Path) -> None:
    table = sim.collect(sweep)
    assert list(table["run"]) == ["flat-0", "flat-1", "full-0", "full-1"]
    assert (
        list(table["memory"]) == list(table["arm"].str.removeprefix("memory=")) == ["flat"] * 2 + ["full"] * 2
    )
    assert list(table["seed"]) == [0, 1, 0, 1]
    assert list(table["recall.answered"]) == [0.2, 0.2, 0.8, 0.8]
    assert list(table["recall.answered.n"]) == [10] * 4
    assert (table["recall.answered.low"] < table["recall.answered"]).all()
    assert list(table["losses.not_retrieved.count"]) == [8, 8, 2, 2]
    assert list(table["llm.calls"]) == [100] * 4
    assert "memory.top_k" not in table
    assert list(sim.collect(sweep, all_settings=True)["memory.top_k"]) == [3] * 4
    assert table.columns.is_unique


def test_a_stage_that_a_memory_has_not_is_missing_and_not_zero(sweep: Path) -> None:
    whole_run(sweep / "none-0", [probe(written=None, kept=None)], 0, "none")
    table = sim.collect(sweep).set_index("run")
    assert pd.isna(table.loc["none-0", ["recall.written", "recall.written.n"]]).all()
    assert table.loc["flat-0", "recall.written"] == 1.0


def test_arms_are_paired_over_common_seeds(sweep: Path, collect: Collect) -> None:
    said = collect()
    assert said.startswith(f"4 runs of 2 arms in {sweep}\n\nanswered right, natural questions")
    [flat] = [line.split() for line in said.splitlines() if line.startswith("  memory=flat")]
    [full] = [line.split() for line in said.splitlines() if line.startswith("  memory=full")]
    assert flat[1:3] == ["2", "20.0"]
    assert full[1:3] == ["2", "80.0"]
    # six of ten people more, in each of two seeds
    assert full[full.index("+60.0") :][-2:] == ["*", "20"]
    assert "WARNING" not in said
    assert f"4 rows in {sweep / 'results.parquet'}\n" in said


def test_the_table_is_written_as_it_is_in_python(sweep: Path, collect: Collect, tmp_path: Path) -> None:
    collect("--csv", "--out", str(tmp_path / "elsewhere"))
    table = sim.collect(sweep)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "elsewhere" / "results.parquet"), table)
    assert list(pd.read_csv(tmp_path / "elsewhere" / "results.csv")["recall.answered"]) == [
        0.2,
        0.2,
        0.8,
        0.8,
    ]
    assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == [
        "results.csv",
        "results.parquet",
    ]


def test_another_arm_may_stand_first(
    collect: Collect, sweep: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "-60.0" in collect("--against", "full")
    assert cli.main(["collect", str(sweep), "--against", "mem0"]) == 2
    assert capsys.readouterr().err == (
        "noodle: --against: no arm is called 'mem0'; there are memory=flat, memory=full\n"
    )


def test_values_of_more_than_one_kind_become_words(sweep: Path, collect: Collect) -> None:
    for name, value in (("flat-0", 0), ("flat-1", "next_morning"), ("full-0", None), ("full-1", [1, "b"])):
        configured(sweep / name, memory={"name": "flat", "visible_after": value})
    collect()
    table = pd.read_parquet(sweep / "results.parquet").set_index("run")
    assert dict(table["memory.visible_after"].dropna()) == {
        "flat-0": "0",
        "flat-1": "next_morning",
        "full-1": '[1, "b"]',
    }


def test_what_is_not_whole_is_named_and_the_rest_is_read(sweep: Path, collect: Collect) -> None:
    (sweep / "flat-0" / "recall.parquet").write_bytes(b"PAR1 half of it")
    (sweep / "begun" / ".hydra").mkdir(parents=True)
    (sweep / "torn").mkdir()
    (sweep / "torn" / "manifest.json").write_text("{")
    whole_run(sweep / "killed", people(1), 2, "full")
    (sweep / "killed" / "summary.json").unlink()
    changed(sweep / "killed" / "status.json", state="running")
    whole_run(sweep / "failed", people(1), 3, "full")
    (sweep / "failed" / "summary.json").unlink()
    changed(sweep / "failed" / "status.json", state="failed", error="boom\n\x1b[31m")
    said = collect().splitlines()
    assert said[0] == f"6 runs of 2 arms in {sweep}"
    assert "left out: begun: has not begun, it has no manifest.json" in said
    assert any(line.startswith("left out: torn: ./manifest.json: cannot be read as JSON") for line in said)
    assert "killed: no figures: running, or killed; resume=… or the same sweep again finishes it" in said
    assert "failed: no figures: failed, boom" in said
    assert any(
        line.startswith("not paired: flat-0: recall.parquet: truncated or no parquet file") for line in said
    )
    assert "WARNING: memory=flat: no figures of seed 2, seed 3" in said
    # the one seed that both arms still have
    [full] = [line.split() for line in said if line.startswith("  memory=full")]
    assert full[-1] == "10"
    assert list(sim.collect(sweep)["recall.answered"].dropna()) == [0.2, 0.2, 0.8, 0.8]


def test_what_makes_a_comparison_doubtful_is_said(sweep: Path, collect: Collect) -> None:
    changed(sweep / "flat-0" / "manifest.json", schema_version=1, git="def")
    changed(sweep / "full-1" / "status.json", state="degraded")
    failing = [call(outcome="timeout")] * 10 + [call()] * 90
    whole_run(sweep / "none-0", people(0), 0, "none", calls=failing)
    whole_run(sweep / "none-0-again", people(0), 0, "none")
    whole_run(sweep / "flat-0-again", people(0), 0, "flat")
    warnings = [line for line in collect().splitlines() if line.startswith("WARNING: ")]
    assert [line.removeprefix("WARNING: ").partition(":")[0].partition(",")[0] for line in warnings] == [
        "schema versions 1 (1 run)",
        "runs of different programs",
        "degraded",
        "memory=none",
        "memory=flat",
        "memory=none",
        "models failed unequally often",
    ]
    assert "0.0 % of calls in memory=flat and 10.0 % in memory=none" in warnings[-1]


def test_arms_of_different_worlds_are_not_paired(sweep: Path, collect: Collect) -> None:
    for seed in (0, 1):
        configured(sweep / f"full-{seed}", scenario={"name": "noodle_shop", "weeks": 2})
    said = collect()
    assert "+60.0" not in said
    assert "customer; scenario.weeks=8\n" in said
    assert "customer; scenario.weeks=2\n" in said


def test_replications_are_runs_of_their_own_seeds(tmp_path: Path) -> None:
    for seed in (0, 1):
        whole_run(tmp_path / "many" / f"seed-{seed}", people(2), seed, "flat")
    for name in ("manifest.json", "status.json"):
        (tmp_path / "many" / name).write_text((tmp_path / "many" / "seed-0" / name).read_text())
    (tmp_path / "many" / "seed-1" / "status.json").unlink()
    table = sim.collect(tmp_path)
    assert list(table["seed"]) == [0, 1]
    assert list(table["state"]) == ["completed"] * 2
    assert len(sim.collect(tmp_path, tmp_path / "many")) == 2


@pytest.mark.parametrize("place", ["absent", "empty"])
def test_no_run_is_one_line(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert cli.main(["collect", str(tmp_path / place)]) == 2
    said, complaint = capsys.readouterr()
    assert (said, complaint.count("\n")) == ("", 1)
    assert str(tmp_path / place) in complaint
    with pytest.raises(RecordError):
        sim.collect(tmp_path / place)


def test_a_table_that_cannot_be_written_is_one_line(sweep: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["collect", str(sweep), "--out", "/dev/null/x"]) == 2
    assert capsys.readouterr().err.startswith("noodle: /dev/null/x: cannot be written (")
