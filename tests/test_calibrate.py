"""``noodle calibrate``: rates that were set are read back, and become a choice of models."""

from pathlib import Path

import pytest

from sim import cli
from sim.calibrate import calibrated, table
from sim.door import configured

RATES = {
    "missed_extraction": 0.2,
    "ignored_context": 0.25,
    "confabulation": 0.15,
    "lost_in_compression": 0.3,
    "malformed_json": 0.1,
}
WORLD = (
    "seed=5",
    "scenario.weeks=2",
    "scenario.regulars=24",
    "scenario.rhythm_days=3",
    "scenario.walk_ins_per_day=0",
    "scenario.phrasings=seen",  # or what the reader misses would add to what was set
    "probes.enabled=false",
    "plots=false",
    "memory=flat",
    "memory.top_k=10",
    "memory.squeeze_above=20",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calibrate") / "run"
    rates = [f"llm.models.scripted.rates.{name}={rate}" for name, rate in RATES.items()]
    own = ["llm=scripted", "llm.models.scripted.delay_s=[0,0]", "max_failure_rate=1"]
    assert cli.main(["run", *WORLD, *own, *rates, f"hydra.run.dir={folder}"]) == 0
    return folder


def test_each_rate_that_was_set_lies_in_the_interval_that_was_measured(folder: Path) -> None:
    found = calibrated(folder)
    for name, rate in found.rates.items():
        assert rate.n > 50, name
        # Twice the interval, so that a phrasing added one day does not tip it; see benchmarks/instrument.py.
        low, high = 2 * rate.low - rate.rate, 2 * rate.high - rate.rate
        assert low <= RATES[name] <= high, (name, rate)
        assert rate.high - rate.low < 0.3, (name, rate)
    assert {"order", "reflect", "cook", "compress"} <= set(found.latencies)
    assert found.models == ["scripted"]
    assert any("missed_extraction" in line and "tellings" in line for line in table(found))


def test_what_was_measured_is_a_choice_of_models_from_then_on(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["calibrate", str(folder), "--into", str(tmp_path), "--name", "like_it"]) == 0
    assert f"noodle run --config-dir {tmp_path} llm=like_it" in capsys.readouterr().out
    llm = configured("--config-dir", str(tmp_path), "llm=like_it").llm
    found = calibrated(folder)
    measured = {name: round(rate.rate, 4) for name, rate in found.rates.items()}
    assert llm.models["surrogate"].rates.model_dump() == measured  # type: ignore[union-attr]
    assert llm.latency_s["order"] == round(found.latencies["order"].mean_s, 3)
    assert cli.main(["calibrate", str(folder), "--into", str(tmp_path), "--name", "like_it"]) == 2
    assert "take another name" in capsys.readouterr().err
    assert cli.main(["calibrate", str(folder), "--into", str(tmp_path), "--name", "../like"]) == 2


def test_a_rate_the_run_says_nothing_of_keeps_its_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    own = ["scenario.weeks=1", "scenario.regulars=3", "memory=none", "llm=scripted"]
    fast = ["llm.models.scripted.delay_s=[0,0]", "plots=false", "probes.enabled=false"]
    assert cli.main(["run", *own, *fast, f"hydra.run.dir={run}"]) == 0
    assert cli.main(["calibrate", str(run), "--into", str(tmp_path)]) == 0
    assert "missed_extraction      no data" in capsys.readouterr().out
    rates = configured("--config-dir", str(tmp_path), "llm=calibrated").llm.models["surrogate"].rates
    assert rates.missed_extraction == 0.03  # type: ignore[union-attr]


def test_no_run_and_a_run_without_a_journal_cannot_be_calibrated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["calibrate", str(tmp_path)]) == 2
    assert "not the folder of a run" in capsys.readouterr().err
    run = tmp_path / "run"
    few = ["scenario.weeks=1", "scenario.regulars=3", "memory=none", "plots=false", "probes.enabled=false"]
    assert cli.main(["run", *few, f"hydra.run.dir={run}"]) == 0
    assert cli.main(["calibrate", str(run)]) == 2
    assert "name a run that asked a real model" in capsys.readouterr().err
