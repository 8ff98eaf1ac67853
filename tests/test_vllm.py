"""A real vLLM server on the CPU, and a small shop at it; run by `make test-vllm`, which installs it.

The server is started by ``noodle serve --start`` and stopped as a user stops it. Its model is so small that
nothing is asserted of what it says; how its replies are asked for, read, counted and kept is.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pandas as pd
import pytest

from sim.errors import ConfigError, ContextOverflow
from sim.llm.ladder.schema import wire_schema
from sim.llm.outcomes import FINE, OF_THE_ANSWER
from sim.llm.protocol import Request
from sim.llm.served.openai_compatible import OpenAICompatible
from sim.llm.served.profiles import PROFILES
from sim.records import ActId

ROOT = Path(__file__).parent.parent
VENV = ROOT / ".venv-vllm"
MODEL = VENV / "model"
NAME, WINDOW = "smollm2", 4096
pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(3_600),
    pytest.mark.skipif(
        not (MODEL / "config.json").exists(), reason="needs .venv-vllm: make test-vllm installs it"
    ),
]
# Arithmetic in bfloat16 is slow on CPUs that have no instructions for it.
SERVE = (
    f"llm.models.vllm.serve.weights={MODEL}",
    # The command `vllm` of the build for CPUs looks for itself under another name and fails; this one
    # does not take the weights by their place.
    f"llm.models.vllm.serve.program=[{VENV}/bin/python,-m,vllm.entrypoints.openai.api_server]",
    f"+llm.models.vllm.serve.options.model={MODEL}",
    f"llm.models.vllm.serve.options.max-model-len={WINDOW}",
    "+llm.models.vllm.serve.options.enforce-eager=true",
    "+llm.models.vllm.serve.options.dtype=float32",
)
ENVIRONMENT = {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"}
# Two regulars, of whom one comes back. So small a model may fail as often as it likes.
SHOP = (
    "experiment=smoke",
    "scenario.regulars=2",
    "scenario.rhythm_days=3",
    "scenario.walk_ins_per_day=0",
    "probes.sample=4",
    "max_failure_rate=1",
    "progress=false",
    "plots=false",
)
PATIENT = (
    "llm.deadline_s=600",
    "llm.max_tokens=160",
    "llm.max_in_flight=4",
    "llm.models.vllm.sampling.repetition_penalty=1.1",
)
LOOKS = 2  # of `noodle run`: before it makes its folder, and when the run begins


@dataclass(frozen=True, kw_only=True)
class Served:
    """The server, as the settings name it and as it counts itself."""

    root: str

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    @property
    def keys(self) -> tuple[str, ...]:
        return ("llm=vllm", f"llm.models.vllm.base_urls={self.url}", f"llm.models.vllm.model={NAME}")

    def counted(self) -> Counter[str]:
        """What the server's own page says: finished requests, tokens of prompts and of answers."""
        with urlopen(f"{self.root}/metrics") as page:
            lines = [line for line in page.read().decode().splitlines() if line.startswith("vllm:")]
        counts: Counter[str] = Counter()
        for line in lines:
            counts[line.partition("{")[0].removeprefix("vllm:")] += round(float(line.rpartition(" ")[2]))
        return counts

    def model(self, **fields: Any) -> OpenAICompatible:
        return OpenAICompatible(**{"name": "vllm", "model": NAME, "base_urls": [self.url], **fields})


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "sim.cli", *arguments]


def noodle(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command carried out; what it said is shown with the test's own output."""
    done = subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True, check=False)
    print(f"$ noodle {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def is_up(server: Served) -> bool:
    try:
        with urlopen(f"{server.root}/health") as page:
            return bool(page.status == 200)
    except (URLError, ConnectionError):
        return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of its own, started by us and stopped by a signal, after which nothing of it is left."""
    served = Served(root=f"http://127.0.0.1:{free_port()}")
    log = tmp_path_factory.mktemp("vllm") / "server.log"
    start = command("serve", "--start", *served.keys, *SERVE)
    with log.open("w") as file:
        process = subprocess.Popen(start, cwd=ROOT, stdout=file, stderr=file, env=os.environ | ENVIRONMENT)
    try:
        until_up(process, log)
        yield served
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        told = log.read_text().splitlines()
        print("\n".join(line for line in told if "GET /" not in line and "Route:" not in line))
    assert process.returncode == 130
    assert told[-1] == "all servers are stopped"
    assert not is_up(served)


def until_up(process: subprocess.Popen[bytes], log: Path) -> None:
    while "\nall servers are up" not in (told := log.read_text()):
        if process.poll() is not None:
            pytest.fail("the server did not start; its last lines:\n" + "\n".join(told.splitlines()[-40:]))
        time.sleep(1)


def request(user: str = "Tell a long story about noodles.", **fields: Any) -> Request:
    act = ActId(agent="mei", customer="anna", visit="v1", purpose="reply")
    wanted = {"role": "order", "system": "Be brief.", "user": user, "act": act, "time_ms": 1_000}
    return Request(**{**wanted, "temperature": 0.0, "max_tokens": 16, **fields})


def asked(model: OpenAICompatible, wanted: Awaitable[Any]) -> Any:
    async def run() -> Any:
        try:
            return await wanted
        finally:
            await model.close()

    return asyncio.run(run())


def test_the_doctor_finds_the_model_its_window_and_that_schemas_are_kept(server: Served) -> None:
    done = noodle("doctor", *server.keys, *PATIENT, *SHOP, "llm.max_in_flight=2")
    assert done.returncode == 0
    assert "vllm: works\n" in done.stdout
    assert f"  {NAME} {server.url}, " in done.stdout
    assert f", window {WINDOW}, keeps JSON schemas\n" in done.stdout
    assert "priorities" not in done.stdout


def test_a_name_that_is_not_served_is_one_line(server: Served) -> None:
    done = noodle("doctor", *server.keys, *SHOP, "llm.models.vllm.model=glm")
    assert done.returncode == 2
    assert f"WRONG: llm.models.vllm.model: {server.url} does not serve 'glm' but {NAME}" in done.stdout


def test_schemas_asked_for_in_the_old_way_are_ignored_and_the_look_notices(server: Served) -> None:
    old = replace(PROFILES["vllm"], fields=lambda asked, *_: {"guided_json": wire_schema(asked.schema or {})})
    model = server.model(profile=old)
    with pytest.raises(ConfigError, match="ignores JSON schemas"):
        asked(model, model.probe())


def test_what_does_not_fit_is_an_overflow_whichever_part_is_too_long(server: Served) -> None:
    for too_long in (request("noodles " * WINDOW), request(max_tokens=WINDOW + 1)):
        model = server.model()
        with pytest.raises(ContextOverflow, match=str(WINDOW)):
            asked(model, model.complete(too_long))


def test_the_server_counts_a_prompt_before_it_is_sent_as_it_does_after(server: Served) -> None:
    async def both(model: OpenAICompatible) -> tuple[int, int]:
        return await model.tokens(request()), (await model.complete(request())).prompt_tokens

    model = server.model()
    before, after = asked(model, both(model))
    assert before == after


def test_a_call_that_nobody_waits_for_ends_at_the_server(server: Served) -> None:
    async def given_up(model: OpenAICompatible) -> None:
        call = asyncio.create_task(model.complete(request(max_tokens=WINDOW // 2)))
        while not server.counted()["num_requests_running"]:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.05)
        call.cancel()
        await asyncio.wait({call})

    before = server.counted()
    model = server.model()
    asked(model, given_up(model))
    while server.counted()["num_requests_running"]:
        time.sleep(0.05)
    said = server.counted() - before
    assert said["generation_tokens_total"] < WINDOW // 2
    assert said["request_success_total"] == 0


@dataclass(frozen=True, kw_only=True)
class Ran:
    """One run of the shop, and what its server counted meanwhile."""

    folder: Path
    code: int
    summary: dict[str, Any]
    counted: Counter[str]
    one_look: Counter[str]


@pytest.fixture(scope="module")
def ran(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder, began = tmp_path_factory.mktemp("shop") / "run", server.counted()
    model = server.model()
    asked(model, model.probe())
    before = server.counted()
    done = noodle("run", *server.keys, *PATIENT, *SHOP, f"hydra.run.dir={folder}")
    summary = json.loads((folder / "summary.json").read_text())
    print(json.dumps(summary["llm"], indent=1))
    return Ran(
        folder=folder,
        code=done.returncode,
        summary=summary,
        counted=server.counted() - before,
        one_look=before - began,
    )


def test_a_shop_runs_end_to_end_and_every_call_is_accounted_for(ran: Ran) -> None:
    assert ran.code == 0
    llm, calls = ran.summary["llm"], pd.read_parquet(ran.folder / "llm_calls.parquet")
    assert llm["calls"] == len(calls) > 0
    assert set(llm["by_model"]) == {NAME}
    assert {"order", "cook", "reflect"} <= set(llm["by_role"])
    # The server failed at nothing; what its model wrote may have been of no use, and is counted.
    assert set(llm["failures"]) <= set(OF_THE_ANSWER)
    fine = int(calls["outcome"].isin(FINE).sum())
    assert fine + sum(llm["failures"].values()) == llm["calls"]
    assert fine > 0


def test_the_server_finished_as_many_requests_as_the_run_counted(ran: Ran) -> None:
    llm, looks = ran.summary["llm"], ran.one_look
    assert looks["request_success_total"] == 1
    assert ran.counted["request_success_total"] == llm["attempts"] + LOOKS
    assert ran.counted["prompt_tokens_total"] == llm["prompt_tokens"] + LOOKS * looks["prompt_tokens_total"]


def test_a_replay_gives_the_same_run_and_asks_nobody(server: Served, ran: Ran, tmp_path: Path) -> None:
    before = server.counted()
    done = noodle("run", "llm=replay", f"llm.journal={ran.folder}", *SHOP, f"hydra.run.dir={tmp_path}/again")
    assert done.returncode == 0
    told = json.loads((tmp_path / "again" / "summary.json").read_text())
    assert told["events_digest"] == ran.summary["events_digest"]
    assert told["llm"]["replayed"] == told["llm"]["calls"] == ran.summary["llm"]["calls"]
    assert server.counted()["request_success_total"] == before["request_success_total"]
