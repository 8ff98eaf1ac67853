"""Around real models: looked at before a run, counted and stopped during it, replayed, explained."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from served_shop import served_settings
from shops import shop_plan, sleeping
from stub_server import FAULTS, StubServer, refuses, surrogate_answers

from sim import cli
from sim.build import plan_of
from sim.build.estimate import announced, estimated
from sim.build.plan import scenario_of
from sim.door import configured
from sim.errors import ConfigError, LimitReached
from sim.journal import Journal
from sim.llm.protocol import Reply, Request
from sim.llm.wrappers.limits import CallLimits, Meter, Metered
from sim.metrics.load import load
from sim.records import ActId
from sim.runs import RunPlan, run

TINY = ("scenario.weeks=1", "scenario.regulars=4", "scenario.rhythm_days=2", "scenario.walk_ins_per_day=1")
FEW = (*TINY, "memory=window", "probes.every_days=3", "probes.sample=10")


def stub_for(*overrides: str, **fields: Any) -> StubServer:
    skills = scenario_of(configured(*overrides)).skills
    return StubServer(answers=surrogate_answers(skills), **fields)


def of_stub(stub: StubServer) -> list[str]:
    return ["llm=vllm", f"llm.models.vllm.base_urls={stub.url}", "llm.models.vllm.model=stub"]


# Looking at models before anything begins.


def test_a_model_that_is_not_there_ends_a_run_before_a_folder_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    with StubServer(models=("other",)).in_thread() as stub:
        assert cli.main(["run", *FEW, *of_stub(stub), f"hydra.run.dir={folder}"]) == 2
        with pytest.raises(ConfigError, match=r"llm\.models\.vllm\.model: .* serve 'stub' but other"):
            run(plan_of(served_settings(stub.url), folder, resume=False))
    assert capsys.readouterr().err.count("\n") == 1
    assert not folder.exists()


def test_what_was_found_stands_in_the_manifest_and_each_call_says_who_answered(tmp_path: Path) -> None:
    with stub_for(*FEW, answers_as="stub-1").in_thread() as stub:
        run(plan_of(served_settings(stub.url, *FEW), tmp_path / "run", resume=False))
        found = load(tmp_path / "run")
        (served,) = found.manifest["served"]["vllm"]
        assert served["endpoint"] == stub.url
        assert served["window_tokens"] == stub.window
        assert served["schema_enforced"] is True
        calls = found.llm_calls
        assert set(calls["gen_ai.provider.name"]) == {"vllm"}
        assert set(calls["gen_ai.request.model"]) == {"stub"}
        assert set(calls["gen_ai.response.model"]) == {"stub-1"}
        assert set(calls["server.address"]) == {"127.0.0.1"}
        assert {f"http://127.0.0.1:{port}/v1" for port in calls["server.port"]} == {stub.url}
        assert calls["error.type"].isna().all()
    assert not (tmp_path / "run" / "llm_failures.jsonl").exists()


def test_every_failure_is_told_in_a_line_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAULTS, "refused", refuses(400, {"error": {"message": "seed must be even"}}))

    def every_fifth(prompt: str, before: int) -> str:
        del before
        return "refused" if prompt != "canary" and int(prompt, 16) % 5 == 0 else ""

    with stub_for(*FEW).in_thread() as stub:
        stub.faulty = every_fifth
        settings = served_settings(stub.url, *FEW)
        result = run(plan_of(settings, tmp_path / "run", resume=False))
    lines = [json.loads(line) for line in (tmp_path / "run/llm_failures.jsonl").read_text().splitlines()]
    assert len(lines) == sum(result.summary["llm"]["failures"].values()) > 0
    assert {line["error.type"] for line in lines} == {"server_error"}
    assert all("seed must be even" in line["message"] and line["model"] == "stub" for line in lines)
    failed = load(tmp_path / "run").llm_calls.query("`error.type`.notna()")
    assert sorted(failed["act"]) == sorted(line["act"] for line in lines)


def test_the_estimate_counts_by_model_and_costs_no_call() -> None:
    loads = estimated(configured("llm=glm_qwen", *FEW))
    assert set(loads) == {"glm", "qwen"}
    roles = {request.role for request in loads["qwen"].asked}
    assert {"mood"} <= roles <= {"reflect", "mood", "offer", "customer"}
    assert loads["glm"].calls == len(loads["glm"].asked) > 20
    longer = estimated(configured("llm=glm_qwen", *FEW, "scenario.weeks=3"))
    assert longer["glm"].calls == 3 * len(longer["glm"].asked)
    really = run(plan_of(configured("progress=false", *FEW), None, resume=False)).summary["llm"]
    # The surrogate of the estimate never errs, and so is not asked back.
    assert sum(load.calls for load in loads.values()) == pytest.approx(really["calls"], rel=0.05)
    assert sum(load.tokens for load in loads.values()) == pytest.approx(really["tokens"], rel=0.1)
    assert "calls (glm " in announced(loads)
    assert announced(estimated(configured(*FEW))) == ""


# Limits.


class Counted:
    """Answers at once with a reply of 5 + 5 tokens."""

    async def complete(self, request: Request) -> Reply:
        return Reply(text="{}", model="counted", prompt_tokens=5, completion_tokens=5)

    async def close(self) -> None: ...


ASKED = Request(role="order", system="", user="", act=ActId(agent="w", purpose="p"))


@pytest.mark.parametrize(
    ("limits", "answered", "key"),
    [
        (CallLimits(max_calls=3), 3, "llm.limits.max_calls=3: 3 calls"),
        (CallLimits(max_tokens=35), 4, "llm.limits.max_tokens=35: 40 tokens"),
        (CallLimits(max_hours=2), 1, "llm.limits.max_hours=2: 2 hours"),
    ],
)
async def test_a_limit_lets_as_many_calls_through_as_it_says(
    limits: CallLimits, answered: int, key: str
) -> None:
    hours = iter(range(100))
    model = Metered(Counted(), Meter(limits, clock=lambda: 3_600.0 * next(hours)))
    for _ in range(answered):
        await model.complete(ASKED)
    with pytest.raises(LimitReached, match=key):
        await model.complete(ASKED)


def limited(plan: RunPlan, **limits: Any) -> RunPlan:
    return replace(plan, thinking=replace(plan.thinking, limits=CallLimits(**limits)))


def test_a_run_stops_at_its_limit_without_losing_an_answer_and_goes_on(tmp_path: Path) -> None:
    whole = run(sleeping(shop_plan(*FEW), 8, salt="whole"))
    calls = sum(call.attempts for call in whole.rows[0].calls)
    folder = tmp_path / "run"
    for attempt, most in enumerate((calls // 3, calls // 3, calls // 2)):
        plan = shop_plan(*FEW, folder=folder, resume=attempt > 0)
        with pytest.raises(LimitReached, match=rf"max_calls={most}"):
            run(limited(sleeping(plan, 8, salt=f"{attempt}"), max_calls=most))
        assert load(folder).status["state"] == "stopped"
        with Journal.open(folder / "journal.sqlite", mode="replay") as journal:
            assert len(journal) == most
    done = run(sleeping(shop_plan(*FEW, folder=folder, resume=True), 8, salt="last"))
    assert done.digests == whole.digests
    assert load(folder).status["state"] == "completed"


def test_a_stopped_run_ends_with_130_and_only_its_limits_may_be_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    own = [*FEW, "llm=scripted", "llm.models.scripted.delay_s=[0,0]", "plots=false"]
    assert cli.main(["run", *own, "llm.limits.max_calls=20", f"hydra.run.dir={folder}"]) == 130
    assert f"noodle run resume={folder} llm.limits.max_calls=MORE" in capsys.readouterr().err
    assert cli.main(["run", f"resume={folder}"]) == 130
    assert cli.main(["run", f"resume={folder}", "llm.limits.max_calls=null", "llm.temperature=1"]) == 2
    capsys.readouterr()
    assert cli.main(["run", f"resume={folder}", "llm.limits.max_calls=null", "llm.max_in_flight=2"]) == 0


# Replay, and what it misses.


@pytest.fixture(scope="module")
def journalled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("journalled") / "run"
    own = ["llm=scripted", "llm.models.scripted.delay_s=[0,0]", "llm.max_tokens=99", "plots=false"]
    assert cli.main(["run", *FEW, *own, f"hydra.run.dir={folder}"]) == 0
    return folder


def test_a_replay_asks_nobody_and_leaves_the_same_log(journalled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    replay = ["llm=replay", f"llm.journal={journalled}", "plots=false"]
    assert cli.main(["run", *FEW, *replay, f"hydra.run.dir={folder}"]) == 0
    first, again = load(journalled), load(folder)
    assert again.summary["events_digest"] == first.summary["events_digest"]
    assert again.llm_calls["replayed"].all()
    assert set(again.llm_calls["gen_ai.provider.name"]) == {"scripted"}
    assert not (folder / "journal.sqlite").exists()


def missed(replay: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """The one line with which a replay that misses ends, and how it is explained.

    Other settings stand for other code, which is what misses; so the look at the settings is left out.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.build.plan.check_same", lambda run, config, seeds: None)
        assert cli.main(["run", *FEW, *replay, f"hydra.run.dir={folder}"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert cli.main(["explain-miss", str(folder)]) == 0
    return said, capsys.readouterr().out


@pytest.mark.parametrize("key", ["memory.window=1", "scenario.weeks=2", "seed=7"])
def test_a_replay_of_another_configuration_is_refused_before_it_begins(
    journalled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    folder = tmp_path / "other"
    replay = ["llm=replay", f"llm.journal={journalled}", "plots=false", key]
    assert cli.main(["run", *FEW, *replay, f"hydra.run.dir={folder}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("noodle: llm.journal: ")
    assert key.partition("=")[0] in said
    assert said.count("\n") == 1
    assert not folder.exists()


def test_a_replay_of_another_world_is_one_line_and_explained(
    journalled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = ["llm=replay", f"llm.journal={journalled}", "plots=false", "memory.window=1"]
    said, told = missed(replay, tmp_path / "other", capsys)
    assert "asked differently now, user was" in said
    assert "differs  user, from character" in told
    assert "the same: role, system, schema, temperature, max_tokens" in told
    assert "settings differ: memory.window was '10' and is '1'" in told


def test_an_act_the_journal_never_saw_is_missing_and_its_neighbours_are_named(
    journalled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = ["llm=replay", f"llm.journal={journalled}", "plots=false", "scenario.weeks=2"]
    said, told = missed(replay, tmp_path / "longer", capsys)
    assert "has no answer for" in said
    assert "noodle explain-miss" in said
    assert "missed   " in told
    assert "settings differ: scenario.weeks was '1' and is '2'" in told


def test_a_journal_answers_for_its_own_run_and_lists_its_acts(
    journalled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["explain-miss", str(journalled)]) == 0
    assert "nothing is missing" in capsys.readouterr().out
    assert cli.main(["explain-miss", str(journalled), "--act", "waiter-1"]) == 0
    assert "run waiter-1|" in capsys.readouterr().out
    assert cli.main(["explain-miss", str(journalled), "--act", "nobody"]) == 2


def test_what_cannot_be_replayed_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    free = tmp_path / "free"
    assert cli.main(["run", *FEW, "plots=false", f"hydra.run.dir={free}"]) == 0
    capsys.readouterr()
    cases = {"": "name the folder of the run", f"{tmp_path}/none": "missing", f"{free}": "but the surrogate"}
    for journal, words in cases.items():
        more = [f"llm.journal={journal}"] if journal else []
        assert cli.main(["run", "llm=replay", *more, f"hydra.run.dir={tmp_path / 'r'}"]) == 2
        said = capsys.readouterr().err
        assert said.startswith("noodle: llm.journal: ")
        assert words in said
        assert said.count("\n") == 1
    assert not (tmp_path / "r").exists()


# Doctor.


def test_the_doctor_measures_a_model_that_works(capsys: pytest.CaptureFixture[str]) -> None:
    with stub_for(*FEW).in_thread() as stub:
        assert cli.main(["doctor", *FEW, *of_stub(stub), "llm.limits.max_calls=5"]) == 0
        assert stub.peak > 1
    told = capsys.readouterr().out
    assert told.startswith(f"vllm: works\n  stub-1 {stub.url}, 0.33.0, window 16384, keeps JSON schemas\n")
    assert "tokens/s alone" in told
    assert "the run: about " in told
    assert "it will stop at llm.limits.max_calls=5 before its end" in told


def test_the_doctor_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    with stub_for(*FEW, models=("other",)).in_thread() as stub:
        assert cli.main(["doctor", *FEW, *of_stub(stub)]) == 2
    assert "vllm: does not work\n  WRONG: llm.models.vllm.model: " in capsys.readouterr().out
    with stub_for(*FEW, window=600).in_thread() as stub:
        assert cli.main(["doctor", *FEW, *of_stub(stub)]) == 2
    told = capsys.readouterr().out
    assert "WRONG: 10 of 10 answers were of no use (context_overflow 10)" in told
    assert "better: the longest prompt of the first week has" in told


def test_the_doctor_has_nothing_to_do_for_the_surrogate(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor"]) == 0
    assert "nothing to check" in capsys.readouterr().out
    assert cli.main(["doctor", "llm=nosuch"]) == 2
