"""What a run says of itself is so: its state, its plates, its settings, and an output nobody can take."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from shops import SMALL, shop_plan

from sim.metrics.compare import differing
from sim.metrics.load import load
from sim.runs import run

FULL = Path("/dev/full")
BROKEN = "llm.models.surrogate.rates.malformed_json=1"


def test_each_seed_of_a_degraded_run_says_whether_it_is(tmp_path: Path) -> None:
    keys = (*SMALL, "scenario.weeks=1", "probes.enabled=false", "replications=2")
    run(shop_plan(*keys, BROKEN, folder=tmp_path / "bad"))
    run(shop_plan(*keys, folder=tmp_path / "good"))
    for name, state in (("bad", "degraded"), ("good", "completed")):
        assert {load(tmp_path / name / f"seed-{seed}").status["state"] for seed in (0, 1)} == {state}


def test_a_plate_is_what_was_on_it_and_not_what_the_cook_thought(tmp_path: Path) -> None:
    result = run(shop_plan(*SMALL, "scenario.weeks=1", "probes.enabled=false"))
    plates = [json.loads(visit.served) for visit in result.rows[0].visits if visit.served]
    assert plates
    assert {frozenset(plate) for plate in plates} == {
        frozenset({"dish", "extra", "without", "spice", "portion"})
    }


def test_words_refused_to_a_model_are_counted() -> None:
    result = run(shop_plan(*SMALL, "scenario.weeks=1", "probes.enabled=false", "scenario.wording=model"))
    assert result.summary["customers_reworded"] > 0
    assert result.summary["templates_kept"] == 0


def test_another_class_under_the_same_name_is_a_setting_that_differs() -> None:
    flat = {"memory": {"name": "flat", "_target_": "sim.memory.flat.Flat"}}
    window = {"memory": {"name": "window", "_target_": "sim.memory.window.Window"}}
    odd = {"memory": {"name": "flat", "_target_": "sim.memory.window.Window"}}
    assert set(differing(flat, window)) == {"memory.name"}
    assert set(differing(flat, odd)) == {"memory._target_"}


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full is there on Linux only")
def test_an_output_that_takes_nothing_costs_one_line() -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sim.cli", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=Path(__file__).parent.parent,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["noodle: the output cannot be written: No space left on device"]
