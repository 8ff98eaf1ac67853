"""A run killed at any moment is taken up again: same log, and only what was in flight is asked again."""

import asyncio
import errno
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from child_run import IMPORTS, child
from killing import Call, Children, journalled, started
from shops import SMALL, shop_plan, sleeping

import sim.engine.log
import sim.folder
import sim.runs
from sim.build import plan_of
from sim.door import configured, main
from sim.errors import ConfigError
from sim.llm.protocol import LanguageModel, Reply, Request
from sim.metrics.load import load, read_json
from sim.place import locked
from sim.runs import RunPlan, run
from sim.streams import Stream


@pytest.mark.slow
def test_twenty_kills_leave_the_log_as_it_would_have_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = Children(IMPORTS, monkeypatch)
    whole = tmp_path / "whole.trace"
    children.run(child, (tmp_path / "whole", whole, "whole", False), whole, None)
    digest = (tmp_path / "whole.digest").read_text()
    calls = len(started(whole))

    folder, kills = tmp_path / "killed", 0
    asked_before: set[Call] = set()
    safe: set[Call] = set()
    for attempt in range(60):
        trace = tmp_path / f"{attempt}.trace"
        draw = Stream.root(7).of("kill", attempt)
        resume = (folder / "manifest.json").exists()
        # Some kills come before the first new call: while the journal is replayed or at the start.
        most = draw.integer(0, calls // 14) if kills < 20 else None
        killed = children.run(child, (folder, trace, str(attempt), resume), trace, most)
        again = [call for call in started(trace) if call in asked_before]
        assert not set(again) & safe, "an answer that was safe was asked for again"
        assert len(again) == len(set(again))
        kills += killed
        if not killed:
            break
        asked_before |= set(started(trace))
        safe = journalled(folder)
        in_flight = set(started(trace)) - safe
        assert len(in_flight) <= 8, "more calls were lost than were in flight"
    assert kills == 20
    assert (tmp_path / "killed.digest").read_text() == digest
    assert load(folder).summary["events_digest"] == digest
    assert load(folder).status["state"] == "completed"


def test_a_finished_run_resumes_to_itself_without_a_call(tmp_path: Path) -> None:
    plan = shop_plan(*SMALL, "scenario.weeks=1", "probes.every_days=3", folder=tmp_path / "run")
    first = run(sleeping(plan, 16, salt="a", longest_s=0.001))
    again = shop_plan(*SMALL, "scenario.weeks=1", "probes.every_days=3", folder=tmp_path / "run", resume=True)
    trace = tmp_path / "trace"
    second = run(sleeping(again, 16, salt="b", longest_s=0.001, trace=trace))
    assert second.digests == first.digests
    assert started(trace) == []
    assert all(call.replayed for call in second.rows[0].calls)


def files(folder: Path) -> dict[Path, bytes]:
    """All that lies in a folder; the lock is no record, and it stays."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != ".lock"}


TINY = (
    "memory=window",
    "scenario.weeks=1",
    "scenario.regulars=3",
    "scenario.rhythm_days=2",
    "scenario.walk_ins_per_day=0",
    "probes.enabled=false",
    "plots=false",
    "progress=false",
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the surrogate through the door, finished; tests work on copies."""
    folder = tmp_path_factory.mktemp("door") / "run"
    assert main([*TINY, f"hydra.run.dir={folder}"]) == 0
    return folder


def copied(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder, to / "run"))


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_another_configuration_is_refused_by_the_key_that_differs(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(sleeping(shop_plan(*TINY, folder=folder), 16, salt="a", longest_s=0.0))
    other = shop_plan(*TINY, "memory.top_k=5", folder=folder, resume=True)
    before = files(folder)
    with pytest.raises(ConfigError, match=r"memory\.top_k was '3' and is '5'"):
        run(sleeping(other, 16, salt="a", longest_s=0.0))
    # Nor does it help to make the manifest agree: the journal knows better.
    edited(folder / "manifest.json", '"top_k": 3', '"top_k": 5')
    with pytest.raises(ConfigError, match=r"journal from another config .*memory\.top_k was '3' and is '5'"):
        run(sleeping(other, 16, salt="a", longest_s=0.0))
    assert before.keys() == files(folder).keys()


def test_an_edited_configuration_is_refused_without_a_journal_too(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(finished, tmp_path)
    edited(folder / ".hydra" / "config.yaml", "regulars: 3", "regulars: 5")
    before = files(folder)
    assert main([f"resume={folder}"]) == 2
    said = capsys.readouterr().err
    assert "scenario.regulars was '3' and is '5'" in said
    assert said.count("\n") == 1
    assert files(folder) == before


@pytest.mark.parametrize("text", ["", "[]", "{", '{"config": null}', '{"config": {}}'])
def test_a_damaged_manifest_is_one_line(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    folder = copied(finished, tmp_path)
    (folder / "manifest.json").write_text(text)
    assert main([f"resume={folder}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("noodle: resume: ")
    assert said.count("\n") == 1


def test_a_file_that_a_key_names_belongs_to_the_configuration(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("id,name,dish\nann,Ann,laksa\n")
    settings = configured(*TINY, f"scenario.population={path}")
    run(plan_of(settings, tmp_path / "run", resume=False))
    path.write_text("id,name,dish\nann,Ann,miso_ramen\n")
    with pytest.raises(ConfigError, match=r"inputs\.scenario\.population was"):
        run(plan_of(settings, tmp_path / "run", resume=True))


@pytest.mark.parametrize("again", ["resume={}", "hydra.run.dir={}"])
def test_a_folder_whose_run_did_not_begin_is_no_dead_end(finished: Path, tmp_path: Path, again: str) -> None:
    """As a kill leaves it between Hydra's files and the manifest."""
    folder = tmp_path / "run"
    shutil.copytree(finished / ".hydra", folder / ".hydra")
    (folder / ".lock").touch()
    (folder / "manifest.json.tmp").write_text("{")
    given = [] if again.startswith("resume") else list(TINY)
    assert main([*given, again.format(folder)]) == 0
    assert load(folder).summary["events_digest"] == load(finished).summary["events_digest"]


def test_a_resumed_run_leaves_no_part_of_an_earlier_attempt(finished: Path, tmp_path: Path) -> None:
    folder = copied(finished, tmp_path)
    stale = folder / "events" / "part-00007.parquet"
    shutil.copy(folder / "events" / "part-00000.parquet", stale)
    assert main([f"resume={folder}"]) == 0
    assert not stale.exists()
    assert load(folder).left_out == ()
    assert len(load(folder).events) == len(load(finished).events)


def test_one_folder_takes_one_run_at_a_time(finished: Path, tmp_path: Path) -> None:
    folder = copied(finished, tmp_path)
    before = files(folder)
    with (
        locked(folder, "resume"),
        pytest.raises(ConfigError, match=r"resume: .*another run is using it"),
    ):
        run(plan_of(configured(*TINY), folder, resume=True))
    assert files(folder) == before


def test_the_lock_goes_with_its_process(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom sim.place import locked\n"
        "with locked(Path(sys.argv[1]), 'resume'):\n    print('held', flush=True)\n    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=Path(__file__).parent.parent, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(ConfigError, match="another run is using it"), locked(tmp_path, "resume"):
            pass
        holder.kill()
    with locked(tmp_path, "resume"):
        pass


def test_a_used_folder_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    plan = shop_plan(*TINY, folder=tmp_path / "run")
    run(plan)
    before = files(tmp_path / "run")
    with pytest.raises(ConfigError, match="holds a run already"):
        run(plan)
    assert files(tmp_path / "run") == before


class Watched:
    """A surrogate that does something at one of its calls."""

    def __init__(self, plan: RunPlan, at: int, act: Callable[[], Any]) -> None:
        self._surrogate = plan.thinking.models(0)["surrogate"]
        self._calls = 0
        self._at = at
        self._act = act

    async def complete(self, request: Request) -> Reply:
        self._calls += 1
        if self._calls == self._at:
            result = self._act()
            await (result if asyncio.iscoroutine(result) else asyncio.sleep(0))
        return await self._surrogate.complete(request)

    async def close(self) -> None:
        pass


def watched(plan: RunPlan, at: int, act: Callable[[], Any]) -> RunPlan:
    def models(seed: int) -> dict[str, LanguageModel]:
        return {"watched": Watched(plan, at, act)}

    roles = {"default": "watched"}
    return replace(plan, thinking=replace(plan.thinking, models=models, roles=roles, recomputed=frozenset()))


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_run_told_to_stop_is_interrupted_and_goes_on(finished: Path, tmp_path: Path, name: str) -> None:
    folder, number = tmp_path / "run", signal.Signals[name]
    # where the tests run under nohup it is ignored
    signal.signal(number, signal.SIG_DFL)
    plan = shop_plan(*TINY, folder=folder)
    with pytest.raises(KeyboardInterrupt):
        run(watched(plan, 20, lambda: signal.raise_signal(number)))
    assert signal.getsignal(number) is signal.SIG_DFL
    assert load(folder).status["state"] == "interrupted"
    assert len(load(folder).events) > 0, "what had happened by then is on the disk"
    again = run(watched(replace(plan, resume=True), -1, lambda: None))
    assert again.digests[0] == load(finished).summary["events_digest"]
    assert load(folder).left_out == ()


def test_a_run_that_only_waits_still_shows_that_it_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sim.runs, "LOOK_S", 0.01)
    monkeypatch.setattr(sim.folder, "_HEARTBEAT_S", 0.0)
    status = tmp_path / "run" / "status.json"

    async def told() -> None:
        for _ in range(6000):
            if read_json(status).get("in_flight"):
                return
            await asyncio.sleep(0.01)
        raise AssertionError("no heartbeat came while a call was awaited")

    plan = shop_plan(*TINY, folder=tmp_path / "run")
    run(watched(plan, 1, told))
    assert read_json(status)["state"] == "completed"


def full(*given: Any, **named: Any) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_told_and_not_what_it_broke_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill() -> None:
        monkeypatch.setattr(sim.engine.log, "replace_table", full)
        monkeypatch.setattr(sim.engine.log, "write_table", full)
        monkeypatch.setattr(sim.folder, "write_json", full)

    plan = shop_plan(*TINY, folder=tmp_path / "run")
    with pytest.raises(OSError, match="No space left") as caught:
        run(watched(plan, 20, fill))
    assert caught.traceback[-2].name == "flush"
    assert read_json(tmp_path / "run" / "status.json") == {"state": "failed"}
    monkeypatch.undo()
    assert run(watched(replace(plan, resume=True), -1, lambda: None)).exit_code == 0


def test_half_a_character_stops_no_manifest(tmp_path: Path) -> None:
    sim.folder.write_json(tmp_path / "m.json", {"name": "a\ud83db"})
    assert json.loads((tmp_path / "m.json").read_text(encoding="utf-8")) == {"name": "a\ud83db"}
