"""A run killed at any moment is taken up again: same log, and only what was in flight is asked again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from shops import SMALL, shop_plan, sleeping

from sim.errors import ConfigError, JournalError
from sim.journal import Journal
from sim.metrics.load import load
from sim.runs import run
from sim.streams import Stream

CHILD = Path(__file__).with_name("child_run.py")
Call = tuple[str, ...]


def start(folder: Path, trace: Path, salt: str, *, resume: bool) -> subprocess.Popen[str]:
    command = [sys.executable, str(CHILD), str(folder), str(trace), salt, *(["resume"] if resume else [])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(CHILD.parent.parent), str(CHILD.parent)])}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def started(trace: Path) -> list[Call]:
    lines = trace.read_text().splitlines() if trace.exists() else []
    return [tuple(line.split("\t")[1:]) for line in lines if line.startswith("start\t")]


def journalled(folder: Path) -> set[Call]:
    """Calls whose answer is safe; read from a copy, as the journal of a dead process needs recovery."""
    path = folder / "journal.sqlite"
    if not path.exists():
        return set()
    with Journal.open(path, mode="resume") as journal:
        return {(e.place.act, str(e.place.ask), str(e.place.attempt)) for e in journal.entries()}


def kill_after(child: subprocess.Popen[str], trace: Path, calls: int) -> bool:
    """Kills the child when it has started so many more calls; False if it ended before."""
    before = len(started(trace))
    while child.poll() is None:
        if len(started(trace)) - before >= calls:
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
            return True
        time.sleep(0.002)
    return False


@pytest.mark.slow
def test_twenty_kills_leave_the_log_as_it_would_have_been(tmp_path: Path) -> None:
    undisturbed = start(tmp_path / "whole", tmp_path / "whole.trace", "whole", resume=False)
    digest, errors = undisturbed.communicate()
    assert undisturbed.returncode == 0, errors
    calls = len(started(tmp_path / "whole.trace"))

    folder, kills = tmp_path / "killed", 0
    asked_before: set[Call] = set()
    safe: set[Call] = set()
    for attempt in range(60):
        trace = tmp_path / f"{attempt}.trace"
        draw = Stream.root(7).of("kill", attempt)
        resume = (folder / "manifest.json").exists()
        child = start(folder, trace, str(attempt), resume=resume)
        # Some kills come before the first new call: while the journal is replayed or at the start.
        limit = draw.integer(0, calls // 14) if kills < 20 else 10**9
        killed = kill_after(child, trace, limit)
        again = [call for call in started(trace) if call in asked_before]
        assert not set(again) & safe, "an answer that was safe was asked for again"
        assert len(again) == len(set(again))
        kills += killed
        if not killed:
            found, errors = child.communicate()
            assert child.returncode == 0, errors
            break
        asked_before |= set(started(trace))
        safe = journalled(folder)
        in_flight = asked_before - safe
        assert len(in_flight) <= 8, "more calls were lost than were in flight"
    assert kills == 20
    assert found == digest
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


def test_a_journal_of_another_configuration_is_refused(tmp_path: Path) -> None:
    run(sleeping(shop_plan(*SMALL, "scenario.weeks=1", folder=tmp_path / "run"), 16, salt="a", longest_s=0.0))
    other = shop_plan(*SMALL, "scenario.weeks=1", "memory.top_k=5", folder=tmp_path / "run", resume=True)
    with pytest.raises(JournalError, match="config"):
        run(sleeping(other, 16, salt="a", longest_s=0.0))


def test_a_used_folder_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    plan = shop_plan(*SMALL, "scenario.weeks=1", folder=tmp_path / "run")
    run(plan)
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    with pytest.raises(ConfigError, match="holds a run already"):
        run(plan)
    assert before == {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
