"""What the documents name is there, and what they tell a reader to paste works."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, fields
from io import StringIO
from pathlib import Path

import pytest
from test_imports import LEVELS

from sim import cli
from sim.door import configured
from sim.errors import ConfigError
from sim.records import Probe

ROOT = Path(__file__).parent.parent
DOCS = ("README.md", "DESIGN.md", "CONTRIBUTING.md", "CHANGELOG.md")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RECIPE = re.compile(r"<!-- recipe: ([\w ]+) -->\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OVERRIDE = re.compile(r'(?<![\w.\[(/])([a-z_]+(?:\.[a-z_]+)*)=([^\s"`]+)')
PLACE = re.compile(r"(?:sim|tests|scenarios|conf|benchmarks)/[\w./-]+")
NOT_YET = "## What is not here yet"
# A word that stands for any key, and a word that only the command line knows.
ELSEWHERE = ("key", "resume", "scenario.data")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return [body for kind, body in FENCE.findall(text) if kind == language]


def inline(text: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", FENCE.sub("", text))


def present(text: str) -> str:
    return text.partition(NOT_YET)[0]


def absent(text: str) -> str:
    return text.partition(NOT_YET)[2].partition("\n\n[")[0]


def section(text: str, title: str) -> str:
    return text.partition(f"## {title}\n")[2].partition("\n## ")[0]


def first_cells(text: str) -> list[str]:
    """The code in the first column of the tables of a text."""
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return [code for cell in rows for code in re.findall(r"`([^`]+)`", cell)]


def named_overrides(text: str) -> Iterator[tuple[str, str]]:
    for code in "\n".join([*blocks(text, "sh"), *inline(text)]).splitlines():
        # what a user keeps in a folder of their own is not there to be composed
        for key, values in OVERRIDE.findall("" if "--config-dir" in code else code):
            if key not in ELSEWHERE:
                yield from ((key, value) for value in values.split(","))


OVERRIDES = sorted(set(named_overrides(present(text_of("README.md")))))
RECIPES = dict(RECIPE.findall(text_of("CONTRIBUTING.md")))
QUICK = "memory"


def test_the_readers_of_these_documents_find_something() -> None:
    assert len(OVERRIDES) > 30
    assert {"scenario", "memory", "embedder", "language", "model", "metric", "digest"} <= set(RECIPES)


@pytest.mark.parametrize(("key", "value"), OVERRIDES)
def test_every_key_the_readme_names_composes(key: str, value: str) -> None:
    configured(f"{key}={value}")


def test_the_defaults_in_the_table_of_keys_are_the_defaults() -> None:
    table = section(text_of("README.md"), "Changing things").partition("### ")[0]
    rows = [code for code in first_cells(table) if "=" in code]
    assert len(rows) > 15
    plain = configured()
    assert [row for row in rows if configured(row) != plain] == []


def test_the_rates_in_the_table_of_the_surrogate_are_the_defaults() -> None:
    table = text_of("README.md").partition("### The surrogate\n")[2].partition("\n### ")[0]
    rows = dict(re.findall(r"\| `(\w+)` \| ([\d.]+) \|", table))
    rates = configured().llm.models["surrogate"].rates.model_dump()
    assert {name: float(rate) for name, rate in rows.items()} == rates


def test_what_is_called_missing_is_missing() -> None:
    text = absent(text_of("README.md"))
    for preset in re.findall(r"`(\w+)`", text.partition("real model")[0]):
        with pytest.raises(ConfigError):
            configured(f"memory={preset}")
    for key, value in named_overrides(text):
        with pytest.raises(ConfigError):
            configured(f"{key}={value}")
    commands = re.split(r",\s+|\s+and\s+", text.partition("the commands ")[2].partition(".")[0])
    assert commands
    assert not set(commands) & set(cli.COMMANDS)


def test_every_command_exists() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        code = [*blocks(text_of(name), "sh"), *inline(text_of(name))]
        commands = {found for one in code for found in re.findall(r"\bnoodle ([a-z][\w-]*)", one)}
        assert commands
        assert commands <= set(cli.COMMANDS)


def test_every_make_target_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*##", text_of("Makefile"), re.MULTILINE))
    for name in DOCS:
        code = [*blocks(text_of(name), "sh"), *inline(text_of(name))]
        named = {found for one in code for found in re.findall(r"\bmake ([a-z-]+)", one)}
        assert named <= targets, name


@pytest.mark.parametrize("name", DOCS)
def test_links_and_paths_resolve(name: str) -> None:
    text = RECIPE.sub("", text_of(name))
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    places = [place for code in inline(text) for place in PLACE.findall(code) if "<" not in code]
    missing = [one for one in (*links, *places) if not (ROOT / one.partition("#")[0]).exists()]
    assert missing == []


def test_every_test_file_named_exists() -> None:
    names = first_cells(section(text_of("CONTRIBUTING.md"), "Tests"))
    assert names
    assert [name for name in names if not list((ROOT / "tests").glob(name))] == []


def test_the_import_order_is_the_one_that_is_tested() -> None:
    order = section(text_of("DESIGN.md"), "The flow").partition("**1.")[2]
    lines = blocks(order, "text")[0].splitlines()
    assert tuple(tuple(line.split()) for line in lines) == LEVELS


def test_decisions_are_numbered_without_gaps() -> None:
    text = text_of("DESIGN.md")
    numbers = [int(number) for number in re.findall(r"^\*\*(\d+)\. ", text, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    references = re.findall(r"\((\d+)\)", text)
    assert references
    assert all(int(number) in numbers for number in references)


def test_the_columns_of_the_recall_table_are_all_explained() -> None:
    table = section(text_of("README.md"), "What a run folder holds").partition("The columns of")[2]
    names = first_cells(table)
    assert sorted(names) == sorted(field.name for field in fields(Probe))


def test_the_changelog_keeps_its_form() -> None:
    text = text_of("CHANGELOG.md")
    assert "## [Unreleased]" in text
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= {
        "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security",
    }  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Small:
    """A small run where the README has its default run: the folder around it, and what it said."""

    place: Path
    said: str

    @property
    def run(self) -> Path:
        return self.place / "outputs" / "flat"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    place = tmp_path_factory.mktemp("docs")
    with redirect_stdout(StringIO()) as said:
        code = cli.main(["run", "experiment=smoke", f"hydra.run.dir={place / 'outputs' / 'flat'}"])
    assert code == 0
    return Small(place=place, said=said.getvalue())


def head_of(line: str) -> str:
    """What a line of the summary is called."""
    return re.split(r" {2,}", line.strip())[0]


def heads(block: str) -> list[str]:
    """The names of all lines but the first, without those that only go on from the line before."""
    lines = [line for line in block.splitlines()[1:] if line and not line.startswith(" " * 15)]
    return [head_of(line) for line in lines]


def test_the_summary_in_the_readme_has_the_lines_of_a_run_and_explains_each(small: Small) -> None:
    told = section(text_of("README.md"), "What a run says")
    assert len(heads(small.said)) > 12
    assert heads(blocks(told, "text")[0]) == heads(small.said)
    explained = set(first_cells(told))
    assert [head for head in heads(small.said) if head not in explained] == []


def test_every_file_of_a_run_is_explained(small: Small) -> None:
    table = section(text_of("README.md"), "What a run folder holds").partition("The columns of")[0]
    explained = {name.partition("/")[0] for name in first_cells(table)}
    there = {path.name for path in small.run.iterdir()}
    assert there <= explained
    # Only a model whose answers must be kept makes a journal.
    assert explained - there == {"journal.sqlite", "llm_failures.jsonl"}


@pytest.mark.parametrize("block", blocks(text_of("README.md"), "python"))
def test_the_python_in_the_readme_runs(block: str, small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(small.place)
    exec(compile(block, "README.md", "exec"), {})


def gnu_sed() -> bool:
    said = subprocess.run(["sed", "--version"], capture_output=True, text=True, check=False)
    return "GNU" in said.stdout


def checkout(folder: Path) -> Path:
    """A copy of what a recipe may touch, and a ``noodle`` that runs it."""
    leave = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in ("sim", "scenarios", "conf", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=leave)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "outputs").mkdir()
    command = folder / "bin" / "noodle"
    command.parent.mkdir()
    program = "import sys; from sim.cli import main; sys.exit(main())"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{program}" "$@"\n')
    command.chmod(0o755)
    return folder


def pasted(block: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(folder)}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(not gnu_sed(), reason="the recipes are written for GNU sed")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == QUICK else pytest.mark.slow) for name in RECIPES]
)
def test_a_recipe_works_when_it_is_pasted(name: str, tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    before = pasted(RECIPES[name.partition(" ")[0]], folder) if " " in name else None
    assert before is None or before.returncode == 0, before.stderr
    ended = pasted(RECIPES[name], folder)
    assert ended.returncode == 0, ended.stderr
    assert "the run is in" in ended.stdout or "passed" in ended.stdout


@pytest.mark.skipif(not gnu_sed(), reason="the recipes are written for GNU sed")
def test_a_recipe_that_does_not_work_is_noticed(tmp_path: Path) -> None:
    broken = RECIPES["memory"].replace("sim.memory.newest.Newest", "sim.memory.newest.Oldest")
    assert pasted(broken, checkout(tmp_path)).returncode == cli.BAD_INPUT
