"""A shop at a server with faults: it ends, keeps nothing bad, loses nothing in silence, survives kills."""

import json
from pathlib import Path
from typing import Any

import pytest
from killing import Call, Children, journalled, started, under_way
from served_shop import WEEK, child, served_settings
from shops import SMALL
from stub_server import (
    BAD,
    CANARY,
    CONTENT,
    FINAL,
    TRANSPORT,
    StubServer,
    prompt_digest,
    some_faults,
    surrogate_answers,
)

from sim.build import plan_of
from sim.build.plan import scenario_of
from sim.door import configured
from sim.metrics.load import Run, load
from sim.records import ActId, utterance_of
from sim.runs import RunResult, run
from sim.streams import Stream

FAULTY = some_faults(0.3, FINAL | CONTENT, TRANSPORT)


def stub_of(*overrides: str, **fields: Any) -> StubServer:
    skills = scenario_of(served_settings("http://127.0.0.1:9/v1", *overrides)).skills
    return StubServer(answers=surrogate_answers(skills), **fields)


def not_noted(result: RunResult) -> dict[tuple[str, str], set[str]]:
    """Facts told to an agent that no record of their utterances states, with those utterances."""
    stated = {
        (source, claim["slot"], claim["value"])
        for record in result.remembered(0)
        for source in record["sources"]
        for claim in record["claims"]
    }
    tellings: dict[tuple[str, str], set[str]] = {}
    noted = set()
    for telling in result.tellings[0]:
        fact = telling.fact, telling.said_to
        tellings.setdefault(fact, set()).add(telling.utterance)
        if (telling.utterance, telling.slot, telling.value) in stated:
            noted.add(fact)
    return {fact: utterances for fact, utterances in tellings.items() if fact not in noted}


def not_written(found: Run) -> set[str]:
    """Utterances whose extraction failed, as counted in the log."""
    rows = found.events[found.events["kind"] == "not_written"]
    return {
        utterance_of(
            ActId(agent=row.agent, visit=row.visit, exchange=json.loads(row.payload)["exchange"], purpose="")
        )
        for row in rows.itertuples()
    }


def test_a_shop_at_a_server_with_every_fault_ends_well(tmp_path: Path) -> None:
    language = "scenario.language=ru"
    stub = stub_of(language)
    with stub.in_thread():
        settings = served_settings(stub.url, language)
        clean = run(plan_of(settings, None, resume=False))
        stub.faulty = FAULTY
        result = run(plan_of(settings, tmp_path / "run", resume=False))
    found = load(tmp_path / "run")
    assert found.status["state"] in ("completed", "degraded")
    failures = result.summary["llm"]["failures"]
    assert {"context_overflow", "server_error"} <= failures.keys()
    assert result.summary["llm"]["recovered"] > 0
    kept = json.dumps([*result.remembered(0)], ensure_ascii=False) + found.events["payload"].str.cat()
    assert BAD not in kept
    failed, before = not_written(found), not_noted(clean)
    lost = {fact: utterances for fact, utterances in not_noted(result).items() if fact not in before}
    assert lost
    assert all(utterances & failed for utterances in lost.values())


def test_two_servers_answer_the_roles_that_the_settings_give_them() -> None:
    glm = stub_of(answers_as="glm-1", models=("glm-4.7-flash",))
    qwen = stub_of(answers_as="qwen-1", models=("qwen2.5-32b",))
    with glm.in_thread(), qwen.in_thread():
        served = (f"llm.models.{name}.base_urls={stub.url}" for name, stub in (("glm", glm), ("qwen", qwen)))
        settings = configured("progress=false", *SMALL, *WEEK, "llm=glm_qwen", *served)
        result = run(plan_of(settings, None, resume=False))
    calls = {
        row.role: {one.model for one in result.rows[0].calls if one.role == row.role}
        for row in result.rows[0].calls
    }
    thinker = {"reflect", "mood", "offer"}
    assert calls == {role: {"qwen-1" if role in thinker else "glm-1"} for role in calls}
    assert thinker | {"order", "cook", "exam"} <= calls.keys()
    assert result.summary["llm"]["failures"] == {}
    counted = {name: row["calls"] for name, row in result.summary["llm"]["by_model"].items()}
    assert counted == {"glm-1": asked_of(glm), "qwen-1": asked_of(qwen)}


def asked_of(stub: StubServer) -> int:
    """How many questions of the run it got, probes left out."""
    return sum(prompt_digest(payload) != CANARY for payload in stub.asked)


# Fewer places than there are calls to make: the places are what bounds the loss.
PLACES = 3
OVERRIDES = ("memory=window", "scenario.regulars=4", f"llm.max_in_flight={PLACES}")
IMPORTS = ("served_shop", "sim.llm.served.openai_compatible", "aiohttp", "pandas", "pyarrow.parquet")


@pytest.mark.slow
def test_twenty_kills_at_a_server_leave_the_log_as_it_would_have_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = Children(IMPORTS, monkeypatch)
    whole, folder = tmp_path / "whole.trace", tmp_path / "killed"
    with stub_of(*OVERRIDES, faulty=FAULTY).in_thread() as stub:
        settings = served_settings(stub.url, *OVERRIDES)
        children.run(child, (settings, tmp_path / "whole", whole, False), whole, None)
    calls = len(set(started(whole)))

    kills, safe = 0, set[Call]()
    with stub_of(*OVERRIDES, faulty=FAULTY, delay_s=0.001).in_thread() as stub:
        settings = served_settings(stub.url, *OVERRIDES)
        for number in range(60):
            trace = tmp_path / f"{number}.trace"
            # Some kills come before the first new call: while the journal is replayed or at the start.
            most = Stream.root(7).of("kill", number).integer(0, calls // 14) if kills < 20 else None
            resume = (folder / "manifest.json").exists()
            killed = children.run(child, (settings, folder, trace, resume), trace, most)
            now = set(started(trace))
            assert not now & safe, "an answer that was safe was asked for again"
            if not killed:
                break
            kills, safe = kills + 1, journalled(folder)
            in_flight = under_way(trace) - safe
            assert len(in_flight) <= PLACES, "more calls were lost than can be in flight"
        assert stub.peak == PLACES
    assert kills == 20
    assert (tmp_path / "killed.digest").read_text() == (tmp_path / "whole.digest").read_text()
    assert load(folder).status["state"] in ("completed", "degraded")
