"""The commands that look into saved memories and change them: search, diff, forget."""

import shutil
from pathlib import Path

import pytest
from shops import SMALL, shop_plan

from sim import cli
from sim.runs import run


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("memory") / "run"
    run(shop_plan("memory=window", *SMALL, "scenario.weeks=1", "probes.enabled=false", folder=folder))
    return folder


def test_search_finds_words_and_keeps_to_a_customer(
    remembered: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["search", str(remembered), "ramen please", "--count", "3"]) == 0
    anybody = capsys.readouterr().out
    assert "ramen" in anybody
    assert cli.main(["search", str(remembered), "ramen please", "--customer", "c-001"]) == 0
    found = [line.split()[1] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert found
    assert all(record.startswith("c-001/") for record in found)
    assert cli.main(["search", str(remembered), "ramen", "--customer", "nobody"]) == 0
    assert capsys.readouterr().out == "nothing was found\n"


def test_forget_takes_a_person_out_and_diff_shows_it(
    remembered: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(remembered, tmp_path / "copy")
    assert cli.main(["diff", str(remembered), str(tmp_path / "copy")]) == 0
    assert capsys.readouterr().out == "no difference\n"
    assert cli.main(["forget", str(tmp_path / "copy"), "--customer", "c-001"]) == 0
    assert 'erased of "c-001"' in capsys.readouterr().out
    assert cli.main(["diff", str(remembered), str(tmp_path / "copy")]) == 0
    told = capsys.readouterr().out
    assert "c-001/" in told
    assert "c-002/" not in told


@pytest.mark.parametrize(
    "command", [["search", "x"], ["diff", "x"], ["forget", "--customer", "c-001"]], ids=lambda given: given[0]
)
def test_a_folder_that_is_not_there_is_named(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = str(tmp_path / "absent")
    assert cli.main([command[0], absent, *command[1:]]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert absent in said
