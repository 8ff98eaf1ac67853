"""The door: bad input costs one line and leaves nothing behind; good input reaches the run."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from omegaconf import OmegaConf
from pydantic import BaseModel, ConfigDict, Field

from sim import cli
from sim.config import Settings
from sim.door import conf_folder, configured, main
from sim.errors import ConfigError, ModelError

ROOT = Path(__file__).parent.parent


@dataclass
class Result:
    text: str = "done"
    exit_code: int = 0


@dataclass
class Build:
    """Stands where `sim.build` stands and notes what the door asks of it."""

    asked: list[tuple[Settings, Path, bool]] = field(default_factory=list)
    act: Callable[[Settings], Result] = lambda settings: Result()

    def check(self, settings: Settings) -> None:
        if settings.embedder.model == "./absent":
            raise ConfigError("embedder.model: there is no folder ./absent")

    def execute(self, settings: Settings, folder: Path, resume: bool) -> Result:
        self.asked.append((settings, folder, resume))
        # the mark of a run that has begun
        (folder / "manifest.json").touch()
        result = self.act(settings)
        state = "degraded" if result.exit_code else "completed"
        (folder / "status.json").write_text(f'{{"state": "{state}"}}')
        (folder / "summary.json").write_text("{}")
        return result

    def config_of(self, settings: Settings) -> dict[str, Any]:
        return settings.model_dump(mode="json", by_alias=True)


class Plain:
    class Settings(BaseModel):
        model_config = ConfigDict(extra="forbid")
        weeks: int = Field(default=8, ge=1)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """The door with a build that only notes, in an empty folder."""
    made = Build()
    module = ModuleType("sim.build")
    for name in ("check", "config_of", "execute"):
        setattr(module, name, getattr(made, name))
    scenario = ModuleType("plain_scenario")
    scenario.Plain = Plain  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sim.build", module)
    monkeypatch.setattr("sim.build", module, raising=False)
    monkeypatch.setitem(sys.modules, "plain_scenario", scenario)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return made


@pytest.fixture
def noodle(build: Build, tmp_path: Path) -> Callable[..., int]:
    """``noodle run`` in that folder, with a scenario of two keys from a folder of its own."""
    group = tmp_path / "mine" / "scenario"
    group.mkdir(parents=True)
    (group / "plain.yaml").write_text("_target_: plain_scenario.Plain\nname: plain\nweeks: 2\n")
    extra = [f"--config-dir={tmp_path / 'mine'}", "scenario=plain"]
    return lambda *arguments: cli.main(["run", *extra, *arguments])


def left_behind() -> list[str]:
    return sorted(str(path) for path in Path.cwd().rglob("*"))


def test_a_run_gets_its_settings_and_a_folder_with_its_configuration(
    noodle: Callable[..., int], build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    assert noodle("seed=7", "memory=window", "memory.top_k=5") == 0
    [(settings, folder, resume)] = build.asked
    assert (settings.seed, settings.memory.name, settings.memory.top_k) == (7, "window", 5)
    assert settings.scenario.options == Plain.Settings(weeks=2)
    assert not resume
    assert folder.is_absolute()
    assert folder.parent.parent == Path.cwd() / "outputs"
    assert OmegaConf.load(folder / ".hydra" / "config.yaml").seed == 7
    assert capsys.readouterr() == ("done\n", "")


def test_an_experiment_has_the_last_word_over_the_groups(build: Build, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "experiment").mkdir(parents=True)
    (mine / "scenario").mkdir()
    (mine / "scenario" / "plain.yaml").write_text("_target_: plain_scenario.Plain\nname: plain\nweeks: 2\n")
    (mine / "experiment" / "own.yaml").write_text(
        "# @package _global_\ndefaults:\n  - override /scenario: plain\n  - override /memory: window\n"
        "seed: 5\nscenario: {weeks: 3}\n"
    )
    assert main(["--config-dir", str(mine), "experiment=own"]) == 0
    settings = build.asked[0][0]
    assert (settings.seed, settings.memory.name, settings.scenario.options.weeks) == (5, "window", 3)


BAD_INPUT = [
    (["memory=nope"], "memory: there is no 'nope', only diary, flat, full"),
    (["experiment=nope"], "experiment: there is no 'nope'"),
    (["nope=flat"], "nope: there is no such key or group"),
    (["memory.foo=1"], "memory.foo: there is no such key"),
    (["+memory.foo=1"], "memory.foo: there is no such key"),
    (["++memory.foo=1"], "memory.foo: there is no such key"),
    (["+foo=1"], "foo: there is no such key"),
    (["+scenario.foo=1"], "scenario.foo: there is no such key"),
    (["hydra.foo=1"], "hydra.foo: there is no such key"),
    (["~memory"], "memory: is missing"),
    (["scenario.weeks=-1"], "scenario.weeks: "),
    (["scenario.weeks=2.5"], "scenario.weeks: "),
    (["memory.top_k=0"], "memory.top_k: "),
    (["memory.top_k=three"], "memory.top_k: "),
    (["memory.top_k=???"], "memory.top_k"),
    (["memory.top_k=${nope}"], "memory.top_k: "),
    (["seed=1,2"], "seed=1,2"),
    (["seed=[1"], "[1"),
    (["seed"], "seed"),
    (["seed=" + "9" * 5000], "seed=999"),
    ([""], "an empty argument: is not like key=value"),
    (["=1"], "=1: names no key"),
    (["@seed=1"], "@seed=1: names no key"),
    (["~=1"], "~=1: names no key"),
    (["memory=null"], "memory=null: memory is a group; give one of diary, flat"),
    (["memory=диарий"], "put the value in quotes, and all in others: \"memory='диарий'\""),
    (["embedder.model='\udce9'"], "embedder.model: holds a character that cannot be written"),
    (["hydra.run.dir='a\0b'"], "hydra.run.dir: holds a character that cannot be written"),
    (["hydra.output_subdir=null"], "hydra.output_subdir: must stay .hydra"),
    (["hydra.output_subdir=other"], "hydra.output_subdir: must stay .hydra"),
    (["hydra.job.chdir=true"], "hydra.job.chdir: must stay False"),
    (["hydra.sweeper._target_=os.getcwd"], "hydra.sweeper._target_: there is no such plugin"),
    (["--bogus"], "--bogus"),
    (["--experimental-rerun", "/nonexistent"], "--experimental-rerun: is not offered"),
    (["--config-dir", "/nonexistent"], "--config-dir: there is no folder /nonexistent"),
    (["--cfg", "job", "--package", "nope"], "--package: there is no 'nope'"),
    (["embedder.model=./absent"], "embedder.model: there is no folder ./absent"),
    (["hydra.run.dir=/dev/null/x"], "hydra.run.dir: cannot write to /dev/null/x"),
    (["resume=absent"], "resume: there is no folder"),
    (["resume=."], "resume: "),
    (["resume=a,b"], "resume=a,b: takes up one run"),
    (["-m", "memory.top_k=3,0"], "arm scenario=plain memory.top_k=0: memory.top_k: "),
    (["-m", "memory=flat,nope"], "memory: there is no 'nope'"),
    (["-m", "memory.foo=1,2"], "memory.foo: there is no such key"),
    (["-m", "seed=1,2", "hydra.sweep.subdir=x"], "hydra.sweep.subdir: two arms would go to x"),
    (["-m", "seed=1,2", "hydra.sweep.dir=/dev/null/x"], "hydra.sweep.dir: cannot write to /dev/null/x"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_INPUT, ids=lambda part: " ".join(part)[:40])
def test_bad_input_is_one_line_and_leaves_nothing_behind(
    arguments: list[str],
    words: str,
    noodle: Callable[..., int],
    build: Build,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert noodle(*arguments) == 2
    said, complaint = capsys.readouterr()
    assert (said, complaint.count("\n")) == ("", 1)
    assert complaint.startswith("noodle: ")
    assert words in complaint
    assert build.asked == []
    assert left_behind() == []


@pytest.mark.parametrize("value", ["\\ud800", "a\\0b"])
def test_text_that_no_file_can_hold_is_refused_in_a_file_too(
    value: str, noodle: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine" / "scenario"
    (folder / "odd.yaml").write_text(f'_target_: plain_scenario.Plain\nname: ["{value}"]\nweeks: 2\n')
    assert noodle("scenario=odd") == 2
    assert "scenario.name.0: holds a character that cannot be written" in capsys.readouterr().err
    assert left_behind() == []


def test_a_search_path_that_is_not_there_is_named(build: Build, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hydra.searchpath=[file:///nonexistent]"]) == 2
    assert "hydra.searchpath: there is no folder /nonexistent" in capsys.readouterr().err
    assert left_behind() == []


def test_a_folder_of_groups_may_have_any_name(
    noodle: Callable[..., int], build: Build, tmp_path: Path
) -> None:
    (tmp_path / "mine").rename(tmp_path / "it's, [mine]")
    assert main(["--config-dir", str(tmp_path / "it's, [mine]"), "scenario=plain"]) == 0


def test_what_composing_in_python_refuses_is_the_same(build: Build) -> None:
    with pytest.raises(ConfigError, match="=1: names no key"):
        configured("=1")
    with pytest.raises(ConfigError, match="scenario=null: scenario is a group"):
        configured("scenario=null")


def test_arms_may_be_named_by_what_tells_them_apart(noodle: Callable[..., int], build: Build) -> None:
    subdir = "${seed}-${hydra:job.num}-${hydra.job.id}"
    assert noodle("-m", "seed=1,2", f"hydra.sweep.subdir={subdir}") == 0
    assert len({folder for _, folder, _ in build.asked}) == 2


def test_a_used_folder_is_refused_and_left_as_it_was(
    noodle: Callable[..., int], build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    assert noodle("hydra.run.dir=mine") == 0
    before = left_behind()
    assert noodle("hydra.run.dir=mine") == 2
    words = "hydra.run.dir: mine is already used; name another folder, or resume=mine"
    assert words in capsys.readouterr().err
    assert noodle("-m", "seed=1,2", "hydra.sweep.dir=mine") == 2
    assert "hydra.sweep.dir: mine is already used" in capsys.readouterr().err
    assert left_behind() == before
    assert len(build.asked) == 1


def test_an_empty_folder_may_be_used(noodle: Callable[..., int]) -> None:
    Path("empty").mkdir()
    assert noodle("hydra.run.dir=empty") == 0


def test_the_folder_may_be_named_after_the_configuration(noodle: Callable[..., int], build: Build) -> None:
    assert noodle("hydra.run.dir=by/${hydra:runtime.choices.memory}") == 0
    assert build.asked[0][1] == Path.cwd() / "by" / "flat"


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (ConfigError("scenario.identity: no"), 2, "noodle: scenario.identity: no\n"),
        (ModelError("llm: all models are gone"), 1, "noodle: llm: all models are gone\n"),
        (RuntimeError("two\nlines"), 1, "noodle: RuntimeError: two lines; its traceback is in "),
        (KeyboardInterrupt(), 130, "noodle: interrupted; to go on: noodle run resume=/"),
    ],
)
def test_a_run_that_fails_says_so_in_one_line(
    error: BaseException,
    code: int,
    words: str,
    noodle: Callable[..., int],
    build: Build,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(settings: Settings) -> Result:
        raise error

    build.act = fail
    assert noodle() == code
    complaint = capsys.readouterr().err
    assert complaint.startswith(words)
    assert complaint.count("\n") == 1


def test_a_degraded_run_keeps_its_exit_code(noodle: Callable[..., int], build: Build) -> None:
    build.act = lambda settings: Result(exit_code=1)
    assert noodle() == 1


def test_a_failing_arm_leaves_the_others_running(
    noodle: Callable[..., int], build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail_on_one(settings: Settings) -> Result:
        if settings.seed == 1:
            raise RuntimeError("boom")
        return Result(text=f"seed {settings.seed}")

    build.act = fail_on_one
    assert noodle("-m", "seed=0,1,2", "hydra.sweep.dir=sweep") == 1
    assert [settings.seed for settings, _, _ in build.asked] == [0, 1, 2]
    names = [folder.name.rpartition("_")[0] for _, folder, _ in build.asked]
    assert names == ["seed-0", "seed-1", "seed-2"]
    said, complaint = capsys.readouterr()
    assert "3 arms: 2 completed, 1 failed" in said
    assert complaint.startswith("noodle: RuntimeError: boom; its traceback is in ")


def test_a_sweep_without_failure_exits_with_0(noodle: Callable[..., int], build: Build) -> None:
    assert noodle("-m", "memory=none,flat", "seed=range(2)") == 0
    assert [(one.memory.name, one.seed) for one, _, _ in build.asked] == [
        ("none", 0),
        ("none", 1),
        ("flat", 0),
        ("flat", 1),
    ]


def test_an_experiment_may_be_a_sweep(noodle: Callable[..., int], build: Build, tmp_path: Path) -> None:
    group = tmp_path / "mine" / "experiment"
    group.mkdir()
    (group / "ladder.yaml").write_text(
        "# @package _global_\nhydra:\n  mode: MULTIRUN\n  sweeper: {params: {memory: 'none,window'}}\n"
    )
    assert noodle("experiment=ladder") == 0
    assert [one.memory.name for one, _, _ in build.asked] == ["none", "window"]


def test_an_interrupt_ends_a_sweep(noodle: Callable[..., int], build: Build) -> None:
    build.act = lambda settings: Result(exit_code=130)
    assert noodle("-m", "seed=0,1") == 130
    assert len(build.asked) == 1


def test_a_resumed_run_keeps_its_folder_and_its_settings(noodle: Callable[..., int], build: Build) -> None:
    assert noodle("seed=7", "memory=window", "memory.top_k=5", "hydra.run.dir=mine") == 0
    hydra_files = sorted(Path("mine/.hydra").iterdir())
    stamps = [path.stat().st_mtime_ns for path in hydra_files]
    assert main(["resume=mine"]) == 0
    (first, folder, _), (again, same_folder, resume) = build.asked
    assert (again, same_folder, resume) == (first, folder, True)
    assert again.scenario.options == first.scenario.options
    assert stamps == [path.stat().st_mtime_ns for path in hydra_files]


@pytest.mark.parametrize("same", ["seed=7", "memory=flat", "scenario.weeks=2"])
def test_a_resumed_run_may_be_told_what_it_knows(same: str, noodle: Callable[..., int], build: Build) -> None:
    noodle("seed=7", "hydra.run.dir=mine")
    assert main(["resume=mine", same]) == 0
    assert len(build.asked) == 2


@pytest.mark.parametrize(
    "change", ["seed=8", "memory=none", "memory.top_k=4", "+foo=1", "~memory.top_k", "hydra.run.dir=other"]
)
def test_a_resumed_run_takes_no_other_settings(
    change: str, noodle: Callable[..., int], build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    noodle("seed=7", "hydra.run.dir=mine")
    capsys.readouterr()
    assert main(["resume=mine", change]) == 2
    assert f"resume: that run goes on as it began; leave out {change}" in capsys.readouterr().err
    assert len(build.asked) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "holds no configuration"),
        (b"- 1\n", "holds no configuration"),
        (b"a: [", "cannot read"),
        (b"\xff\xfe\x00", "cannot read"),
        (b"seed: 0\n", "scenario: is missing"),
    ],
)
def test_a_torn_configuration_is_not_resumed(
    content: bytes, words: str, build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = Path("torn/.hydra/config.yaml")
    torn.parent.mkdir(parents=True)
    torn.write_bytes(content)
    assert main(["resume=torn"]) == 2
    complaint = capsys.readouterr().err
    assert words in complaint
    assert complaint.count("\n") == 1


def test_a_sweep_is_not_resumed_as_one_run(
    noodle: Callable[..., int], build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    noodle("-m", "seed=0,1", "hydra.sweep.dir=sweep", "hydra.sweep.subdir=${hydra.job.num}")
    assert main(["resume=sweep"]) == 2
    assert "resume: " in capsys.readouterr().err
    assert main(["resume=sweep/1"]) == 0
    assert build.asked[-1][0].seed == 1
    assert main(["resume=sweep/1", "-m"]) == 2


def test_the_configuration_can_be_printed(
    noodle: Callable[..., int], build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    assert noodle("--cfg", "job", "seed=9") == 0
    assert OmegaConf.create(capsys.readouterr().out).seed == 9
    assert noodle("--cfg", "job", "memory.foo=9") == 2
    assert left_behind() == []


def test_options_and_overrides_may_stand_in_any_order(noodle: Callable[..., int], build: Build) -> None:
    assert noodle("seed=1,2", "-m", "memory=none") == 0
    assert len(build.asked) == 2


def test_hydras_own_help_is_still_there(
    build: Build, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["noodle"])
    with pytest.raises(SystemExit) as stop:
        main(["--hydra-help"])
    assert not stop.value.code
    assert "Hydra" in capsys.readouterr().out


def test_the_full_traceback_is_there_for_who_asks(
    build: Build, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
    assert main(["memory.foo=1"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_a_wheel_carries_its_configuration_beside_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert conf_folder() == ROOT / "conf"
    (tmp_path / "conf").mkdir()
    monkeypatch.setattr("sim.door.composing.__file__", str(tmp_path / "door" / "composing.py"))
    assert conf_folder() == tmp_path / "conf"


def test_commands_without_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert capsys.readouterr().err.startswith("usage: noodle")
    assert cli.main(["--help"]) == 0
    assert "compare RUN RUN" in capsys.readouterr().out
    assert cli.main(["sing"]) == 2
    complaint = capsys.readouterr().err
    assert complaint == f"usage: noodle COMMAND ...: there is no 'sing', only {', '.join(cli.COMMANDS)}\n"
    assert cli.main(["run", "--help"]) == 0
    assert "examples:" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["show", "compare"])
def test_looking_has_help_and_checks_its_arguments(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code in (["--help"], 0), ([], 2):
        with pytest.raises(SystemExit) as stop:
            cli.main([command, *arguments])
        assert stop.value.code == code
    assert f"noodle {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["show", "absent", "--customer", "anna"], ["compare", "absent", "absent"]]
)
def test_looking_at_no_run_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    said, complaint = capsys.readouterr()
    assert (said, complaint.count("\n")) == ("", 1)
    assert "absent" in complaint


def test_python_m_sim_is_the_same_application(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sim", "memory.foo=1"]
    ended = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("noodle: memory.foo: there is no such key")
    assert ended.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
