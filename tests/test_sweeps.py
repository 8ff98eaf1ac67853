"""A sweep runs what is missing and nothing else, and what was killed or failed ends as if it had not been."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.plugins import Plugins
from hydra.types import RunMode

import sim.build
from sim.config import Settings
from sim.door import configured, main
from sim.door.checking import settings_of
from sim.door.composing import combinations, compose, compose_arm, conf_folder, opened, read_arguments
from sim.metrics.load import read_json
from sim.runs import RunResult

ROOT = Path(__file__).parent.parent
TINY = ("scenario=cafe", "scenario.weeks=1", "memory=window", "plots=false", "progress=false")
BASIC = "hydra._internal.core_plugins.basic_sweeper.BasicSweeper"
EXPERIMENTS = (
    "memory_ladder",
    "top_k",
    "compression",
    "ablation",
    "forgetting",
    "model_errors",
    "context_size",
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of a sweep over three seeds that nothing happened to."""
    folder = str(tmp_path_factory.mktemp("undisturbed") / "sweep")
    assert sweep("seed=0,1,2", folder=folder) == 0
    return digests(folder)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds that were run, in order."""
    seeds: list[int] = []
    real = sim.build.execute

    def execute(settings: Settings, folder: Path, resume: bool) -> RunResult:
        seeds.append(settings.seed)
        return real(settings, folder, resume)

    monkeypatch.setattr(sim.build, "execute", execute)
    return seeds


def sweep(*arguments: str, folder: str = "sweep") -> int:
    return main(["-m", *TINY, f"hydra.sweep.dir={folder}", *arguments])


def digests(folder: str = "sweep") -> dict[str, str]:
    return {
        path.parent.name: read_json(path)["events_digest"] for path in Path(folder).glob("*/summary.json")
    }


def test_the_same_command_runs_only_what_is_missing(
    undisturbed: dict[str, str], ran: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep("seed=0,1") == 0
    assert sweep("seed=0,1") == 0
    assert ran == [0, 1]
    assert "the sweep is finished: nothing was left to run" in capsys.readouterr().out
    next(Path("sweep").glob("seed-1_*/summary.json")).unlink()
    assert sweep("seed=0,1,2") == 0
    assert ran == [0, 1, 1, 2]
    assert digests() == undisturbed
    assert "sweep of 3 arms, 1 of them done before" in capsys.readouterr().out


def test_a_failed_arm_says_why_and_leaves_the_others_alone(
    undisturbed: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = sim.build.execute

    def execute(settings: Settings, folder: Path, resume: bool) -> RunResult:
        if settings.seed == 1:
            raise RuntimeError("boom\nand more")
        return real(settings, folder, resume)

    with monkeypatch.context() as broken:
        broken.setattr(sim.build, "execute", execute)
        assert sweep("seed=0,1,2") == 1
    [failed] = Path("sweep").glob("seed-1_*")
    assert "RuntimeError: boom" in read_json(failed / "status.json")["traceback"]
    out = capsys.readouterr().out
    assert "3 arms: 2 completed, 1 failed" in out
    assert f"  failed     seed=1: boom and more; its traceback is in {failed / 'status.json'}\n" in out
    assert "to go on: the same command with hydra.sweep.dir=sweep" in out
    assert sweep("seed=0,1,2") == 0
    assert "2 of them done before" in capsys.readouterr().out
    assert digests() == undisturbed


def test_an_arm_at_its_limit_goes_on_with_a_higher_one(
    ran: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep("seed=0", "llm=scripted", "llm.limits.max_calls=3") == 1
    said = capsys.readouterr()
    assert "1 arms: 1 stopped" in said.out
    assert "to go on: the same command with hydra.sweep.dir=sweep and llm.limits.max_calls=MORE" in said.err
    assert sweep("seed=0", "llm=scripted") == 0
    assert ran == [0, 0]


@pytest.mark.slow
def test_a_killed_sweep_ends_like_an_undisturbed_one(undisturbed: dict[str, str]) -> None:
    command = [sys.executable, "-m", "sim", "-m", *TINY, "seed=0,1,2", "hydra.sweep.dir=sweep"]
    child = subprocess.Popen(command, env={"PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL)
    while child.poll() is None and not list(Path("sweep").glob("seed-1_*/manifest.json")):
        time.sleep(0.005)
    child.kill()
    assert child.wait() == -signal.SIGKILL
    [first] = Path("sweep").glob("seed-0_*/status.json")
    stamp = first.stat().st_mtime_ns
    assert sweep("seed=0,1,2") == 0
    assert first.stat().st_mtime_ns == stamp
    assert digests() == undisturbed


def test_an_interrupt_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(settings: Settings, folder: Path, resume: bool) -> RunResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(sim.build, "execute", interrupted)
    assert sweep("seed=0,1") == 130
    words = "noodle: interrupted; to go on: the same command with hydra.sweep.dir=sweep\n"
    assert capsys.readouterr().err == words


def test_a_folder_of_other_settings_is_refused(ran: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    numbered = "hydra.sweep.subdir=${hydra.job.num}"
    assert sweep("seed=0", numbered) == 0
    assert sweep("seed=2,3", numbered) == 2
    assert "began otherwise" in capsys.readouterr().err
    assert sweep("seed=0,1", numbered) == 0
    assert sorted(digests()) == ["0", "1"]
    assert ran == [0, 1]


def test_arms_with_the_same_settings_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep("progress=true,false") == 2
    complaint = capsys.readouterr().err
    assert "two arms would go to " in complaint
    assert ": progress=True; progress=False\n" in complaint
    assert not Path("sweep").exists()


def test_an_arm_that_cannot_go_on_begins_anew(capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep("seed=0") == 0
    [manifest] = Path("sweep").glob("*/manifest.json")
    manifest.write_text("{")
    (manifest.parent / "summary.json").unlink()
    assert sweep("seed=0") == 0
    assert f"set aside as {manifest.parent.name}.torn-1" in capsys.readouterr().err
    assert len(digests()) == 1


def test_an_experiment_carries_its_sweep_and_the_command_line_has_the_last_word(ran: list[int]) -> None:
    small = [one for one in TINY if not one.startswith("memory")]
    assert main(["experiment=memory_ladder", *small, "memory=none,window", "seed=3"]) == 0
    assert ran == [3, 3]
    folders = [path.name.rpartition("_")[0] for path in Path("outputs/sweeps/memory_ladder").glob("*_*")]
    assert sorted(folders) == ["memory-none_seed-3", "memory-window_seed-3"]


def arms_of(experiment: str) -> Iterator[Settings]:
    # of a product one side is enough
    fixed = ["memory=full"] if experiment in ("top_k", "compression", "model_errors") else []
    args = read_arguments([f"experiment={experiment}", "seed=0", "hydra.mode=MULTIRUN", *fixed])
    with opened(args) as application:
        cfg = compose(application, args, RunMode.MULTIRUN)
        assert cfg.hydra.sweep.dir == f"outputs/sweeps/{experiment}"
        for number, sets in enumerate(combinations(application, cfg)):
            yield settings_of(compose_arm(application, cfg, number, sets))


@pytest.mark.slow
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_the_arms_of_an_experiment_are_all_different(experiment: str) -> None:
    arms = [settings.model_dump_json() for settings in arms_of(experiment)]
    assert len(arms) > 2
    assert len(set(arms)) == len(arms)


@pytest.mark.parametrize("group", ["ablation", "errors", "context"])
def test_every_file_of_a_group_is_an_arm(group: str) -> None:
    experiment = {"errors": "model_errors", "context": "context_size"}.get(group, group)
    text = (conf_folder() / "experiment" / f"{experiment}.yaml").read_text(encoding="utf-8")
    [line] = [line for line in text.splitlines() if line.strip().startswith(f"{group}: ")]
    files = {path.stem for path in (conf_folder() / group).glob("*.yaml")}
    assert set(line.partition(": ")[2].split(",")) == files


def test_ten_thousand_searched_tokens_stand_against_a_hundred_thousand_raw_ones() -> None:
    searched, raw = (
        configured("experiment=context_size"),
        configured("experiment=context_size", "context=raw_100k"),
    )
    assert (searched.memory.name, searched.memory.budget_tokens) == ("full", 10_000)
    assert (raw.memory.name, raw.memory.budget_tokens) == ("transcript", 100_000)


@pytest.mark.parametrize(
    ("launcher", "extra"),
    [("cores", "joblib"), ("slurm", "submitit"), ("slurm_local", "submitit"), ("ray_tasks", "ray")],
)
def test_a_launcher_that_is_not_installed_names_its_extra(
    launcher: str, extra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Plugins.instance(), "class_name_to_class", {BASIC: BasicSweeper})
    assert sweep("seed=0,1", f"hydra/launcher={launcher}") == 2
    assert f"install it: pip install 'noodle-shop[{extra}]'" in capsys.readouterr().err


@pytest.mark.slow
def test_arms_run_on_all_cores(undisturbed: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher", reason="needs the extra joblib")
    cores = ("hydra/launcher=cores", "hydra.launcher.n_jobs=2")
    assert sweep("seed=0,1", *cores) == 0
    assert sweep("seed=0,1", *cores) == 0
    assert "the sweep is finished" in capfd.readouterr().out
    assert digests().items() < undisturbed.items()
