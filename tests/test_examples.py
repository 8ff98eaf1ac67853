"""The second scenario: the framework seen apart from the shop, through the door and from Python."""

import json
from functools import partial
from pathlib import Path

import pytest

import sim
from scenarios.examples.cafe import DRINKS, SCHEMA, Cafe, CafeSettings, read
from sim import cli
from sim.build import plan_of
from sim.door import configured
from sim.engine.scenario import Scenario
from sim.llm.ladder.schema import conform
from sim.llm.protocol import Request
from sim.llm.surrogate import Rates, Slips
from sim.llm.thinking import Thinking
from sim.memory.none import NoMemory
from sim.memory.oracle import Oracle
from sim.memory.plan import MemoryPlan
from sim.memory.window import Window
from sim.records import ActId
from sim.runs import RunPlan, RunResult
from sim.streams import Stream

ACT = ActId(agent="barista", purpose="serve")
PLANS = {
    "none": MemoryPlan(make=NoMemory, capabilities=NoMemory.capabilities),
    "window": MemoryPlan(make=partial(Window, window=10), capabilities=Window.capabilities),
    "oracle": MemoryPlan(make=Oracle, capabilities=Oracle.capabilities),
}


def cafe(memory: str, seed: int = 0, rates: Rates | None = None, scenario: Cafe | None = None) -> RunResult:
    world: Scenario = scenario or Cafe(CafeSettings(weeks=2))
    thinking = Thinking.of_surrogate(world.skills, rates)
    result: RunResult = sim.run(RunPlan(scenario=world, memory=PLANS[memory], thinking=thinking, seed=seed))
    return result


def answered(result: RunResult) -> float:
    return float(result.summary["recall"]["answered"]["rate"])


def asked(*lines: str) -> Request:
    return Request(role="serve", system="", user="\n".join(lines), act=ACT)


def slips(**rates: float) -> Slips:
    return Slips(Rates(**rates), Stream.root(0), ACT)


def test_the_same_seed_gives_the_same_log_and_another_seed_another() -> None:
    scenario = Cafe(CafeSettings(weeks=1))
    first, again = cafe("window", 3, scenario=scenario), cafe("window", 3, scenario=scenario)
    assert first.digests == again.digests
    assert first.digests[3] != cafe("window", 4, scenario=scenario).digests[4]


def test_a_memory_beats_none_and_an_errorless_reader_forgets_nothing() -> None:
    assert answered(cafe("none")) == 0.0
    assert answered(cafe("window")) == answered(cafe("oracle")) == 1.0


def test_every_visit_but_the_first_of_each_guest_asks_one_question() -> None:
    result = cafe("window")
    rows = result.rows[0]
    assert [(visit.customer, visit.number) for visit in rows.visits if visit.number == 1] == [
        (told.customer, 1) for told in result.tellings[0]
    ]
    assert len(rows.visits) == 3 * 14
    assert len(rows.probes) == 3 * 13
    assert all(visit.right for visit in rows.visits)


def test_what_goes_unnoticed_at_the_first_visit_is_never_written() -> None:
    result = cafe("oracle", rates=Rates(ignored_context=1.0))
    assert result.summary["losses"]["ignored"]["count"] == 3 * 13
    assert cafe("none", rates=Rates(missed_extraction=1.0)).rows[0].visits[0].served == "null"


def test_the_reader_sees_the_prompt_and_nothing_else() -> None:
    notes = ("Anna: One cocoa, please. - Here: cocoa", "Boris: drinks espresso", "Anna: drinks mint tea")
    assert read(asked(*notes, "Anna: The same again, please."), slips()) == {"drink": "mint tea"}
    assert read(asked(*notes, "Chen: The same again, please."), slips()) == {"drink": None}
    assert read(asked(*notes, "Anna: One espresso, please."), slips()) == {"drink": "espresso"}


def test_the_reader_errs_as_it_was_told_to() -> None:
    words = ("Anna: drinks cocoa", "Anna: The same again, please.")
    assert read(asked(*words), slips(ignored_context=1.0)) == {"drink": None}
    assert read(asked("Anna: One cocoa, please."), slips(missed_extraction=1.0)) == {"drink": None}
    made_up = read(asked("Anna: The same again, please."), slips(confabulation=1.0))
    assert made_up["drink"] in DRINKS
    assert conform(made_up, SCHEMA, "reply") == made_up


@pytest.mark.parametrize("memory", ["none", "window", "flat", "oracle"])
@pytest.mark.parametrize("scope", ["agent", "customer"])
def test_it_runs_with_every_preset_and_scope(memory: str, scope: str) -> None:
    keys = ("scenario=cafe", "scenario.weeks=1", f"memory={memory}", f"memory.scope={scope}")
    result = sim.run(plan_of(configured(*keys, "progress=false"), None, resume=False))
    assert result.summary["visits"] == 21
    assert answered(result) == 0.0 if memory == "none" else answered(result) > 0.5


@pytest.mark.parametrize("memory", ["window", "flat"])
def test_calls_in_flight_change_nothing(memory: str) -> None:
    keys = ("scenario=cafe", "scenario.weeks=1", f"memory={memory}", "progress=false", "llm=scripted")
    digests = {
        sim.run(plan_of(configured(*keys, f"llm.max_in_flight={limit}"), None, resume=False)).digests[0]
        for limit in (1, 64)
    }
    assert len(digests) == 1


def test_through_the_door_it_leaves_a_run_that_can_be_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    keys = ["scenario=cafe", "scenario.weeks=1", "memory=window", "plots=false", f"hydra.run.dir={folder}"]
    assert cli.main(["run", *keys]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[0] == "cafe, memory window, seed 0, 1 week"
    assert shown.splitlines()[-1] == f"the run is in  {folder}"
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert summary["visits"] == 21
    assert summary["recall"]["written"]["rate"] == 1.0
    assert cli.main(["show", str(folder), "--customer", "Anna"]) == 0
    assert "Anna" in capsys.readouterr().out


def test_a_wrong_key_of_the_cafe_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert cli.main(["run", "scenario=cafe", "scenario.weeks=0", f"hydra.run.dir={folder}"]) == 2
    assert "scenario.weeks" in capsys.readouterr().err
    assert not folder.exists()
