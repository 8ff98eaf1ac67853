"""The architecture as a test: imports go one way, and nothing heavy comes along by itself."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SIM = ROOT / "sim"

# A module imports from its own package and from lower levels only, wherever in the file it does so.
LEVELS = (
    ("errors", "clock", "streams", "signals"),
    ("records", "place"),
    ("ledger", "journal", "language", "tables"),
    ("embed", "llm", "memory"),
    # config knows what it configures
    ("metrics", "config"),
    ("bench", "report"),
    ("agents",),
    ("engine",),
    ("folder",),
    ("runs",),
    ("build",),
    ("calibrate", "doctor", "explain", "serve"),
    ("door", "usage", "cli", "__main__", "__init__"),
)
LEVEL = {name: number for number, names in enumerate(LEVELS) for name in names}
# memory stores vectors; it is the one that may look sideways
SIDEWAYS = {("memory", "embed")}
# metrics reads records: of what lies between, it may know the types of a memory
METRICS_MAY = (
    "sim.errors",
    "sim.clock",
    "sim.streams",
    "sim.records",
    "sim.tables",
    "sim.ledger",
    "sim.memory.protocol",
    "sim.metrics",
)


def modules() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in SIM.rglob("*.py"))


def part(path: str) -> str:
    return Path(path).parts[1].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} relative import"
            assert node.module is not None
            if node.module == "sim":
                yield from (f"sim.{alias.name}" for alias in node.names)
            else:
                yield node.module


def parts_imported(path: str) -> set[str]:
    names = [name.split(".") for name in imported(ROOT / path)]
    return {name[1] for name in names if name[0] == "sim" and len(name) > 1 and name[1] in LEVEL}


def allowed(importer: str, target: str) -> bool:
    if importer == target or (importer, target) in SIDEWAYS:
        return True
    return LEVEL[target] < LEVEL[importer] or LEVEL[importer] == len(LEVELS) - 1


def test_every_part_has_a_level() -> None:
    assert {part(path) for path in modules()} <= set(LEVEL)


@pytest.mark.parametrize("path", modules())
def test_imports_go_one_way(path: str) -> None:
    wrong = {target for target in parts_imported(path) if not allowed(part(path), target)}
    assert not wrong, f"{path} imports {sorted(wrong)}, which is not below it"


@pytest.mark.parametrize("path", modules())
def test_sim_never_imports_a_scenario(path: str) -> None:
    assert not [name for name in imported(ROOT / path) if name.split(".")[0] == "scenarios"]


@pytest.mark.parametrize("path", [path for path in modules() if part(path) == "metrics"])
def test_metrics_reads_records_only(path: str) -> None:
    ours = [name for name in imported(ROOT / path) if name.split(".")[0] == "sim"]
    assert not [name for name in ours if not name.startswith(METRICS_MAY)]


def knowing(*libraries: str) -> set[str]:
    return {
        path for path in modules() if {name.split(".")[0] for name in imported(ROOT / path)} & set(libraries)
    }


def test_one_package_knows_hydra() -> None:
    assert {Path(path).parent.as_posix() for path in knowing("hydra", "omegaconf")} == {"sim/door"}


def test_only_the_engine_knows_simpy() -> None:
    assert {part(path) for path in knowing("simpy")} <= {"engine"}


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(ended.stdout.split())


HEAVY = {
    "torch",
    "faiss",
    "sentence_transformers",
    "matplotlib",
    "hydra",
    "wordllama",
    "pandas",
    "transformers",
}


@pytest.mark.parametrize("code", ["import sim", "from sim.cli import main; main(['--help'])"])
def test_importing_sim_loads_nothing_heavy(code: str) -> None:
    loaded = loaded_after(code)
    assert "sim" in loaded
    assert not loaded & HEAVY


def test_importing_every_module_loads_no_model_library() -> None:
    names = [
        path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for path in modules()
        if part(path) not in ("door", "__main__")
    ]
    loaded = loaded_after("\n".join(f"import {name}" for name in names))
    assert not loaded & (HEAVY - {"pandas"})
