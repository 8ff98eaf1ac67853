"""Bad input to the whole program: one line that names the key or path, exit code 2, nothing left behind."""

from pathlib import Path

import pytest

from sim.door import main

BAD = {
    "memory=nosuch": "memory",
    "nosuch=1": "nosuch",
    "+memory.foo=1": "memory.foo",
    "memory.foo=1": "memory.foo",
    "scenario.weeks=-1": "scenario.weeks",
    "memory.top_k=0": "memory.top_k",
    "memory.top_k=many": "memory.top_k",
    "seed=first": "seed",
    "memory._target_=os.system": "memory._target_",
    "scenario.opening.mon=21-9": "scenario.opening",
    "scenario.opening.mon='23:00-23:30'": "opening.mon",
    "scenario.start=2026-01-06": "scenario.start",
    "scenario.language=xx": "scenario.language",
    "+llm.roles.order=nobody": "roles.order",
    "llm.models.surrogate.rates.confabulation=2": "confabulation",
    "+scenario.menu={dishes:{soup:{price:1}},extra:[],without:[],allergy:[]}": "scenario.menu",
}


@pytest.mark.parametrize(("override", "names"), BAD.items())
def test_one_line_and_exit_code_2(
    override: str,
    names: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([override.replace("+scenario.menu", "scenario.menu")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert names in said.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("memory", ["flat", "window"])
def test_a_missing_model_folder_is_named_whether_the_memory_searches_or_not(
    memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([f"memory={memory}", "embedder=sentence_transformers", "embedder.model=/nowhere/model"]) == 2
    assert "/nowhere/model" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_smoke_run_through_the_door_leaves_what_the_readme_lists(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    assert main(["experiment=smoke", f"hydra.run.dir={folder}"]) == 0
    assert capsys.readouterr().out.rstrip().endswith(str(folder))
    left = {path.name for path in folder.iterdir()}
    assert {
        ".hydra",
        "manifest.json",
        "status.json",
        "summary.json",
        "events",
        "visits.parquet",
        "recall.parquet",
        "llm_calls.parquet",
        "facts.parquet",
        "memory",
        "funnel.png",
    } <= left
    assert main(["experiment=smoke", f"hydra.run.dir={folder}"]) == 2
    assert f"resume={folder}" in capsys.readouterr().err
