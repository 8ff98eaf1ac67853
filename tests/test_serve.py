"""``noodle serve``: the exact commands, and a supervisor that leaves nothing behind."""

import asyncio
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim import cli
from sim.door import configured
from sim.errors import ConfigError
from sim.serve import Server, servers, supervise
from sim.serve.supervise import ServerEnded

ROOT = Path(__file__).parent.parent
GLM = (
    "CUDA_VISIBLE_DEVICES=0 vllm serve zai-org/GLM-4.7-Flash --served-model-name glm-4.7-flash"
    " --host 127.0.0.1 --port 8000 --max-model-len 16384 --max-num-seqs 64 --reasoning-parser glm45"
    " --default-chat-template-kwargs '{\"enable_thinking\":false}'"
    ' --structured-outputs-config \'{"backend":"xgrammar","disable_any_whitespace":true}\''
    " --generation-config vllm --scheduling-policy priority --max-num-queued-reqs 512"
    " --enable-prompt-tokens-details --seed 0"
)
# Stands in for vLLM: as wordy, with a worker of its own, and with the one page that is looked at.
FAKE = f"""#!{sys.executable}
import http.server, os, subprocess, sys, time
port = int(sys.argv[sys.argv.index("--port") + 1])
place = os.environ["FAKE_PLACE"]
worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(place, "a") as file:
    file.write(f"{{port}} {{os.environ['CUDA_VISIBLE_DEVICES']}} {{worker.pid}} {{time.time_ns()}}\\n")
print("loading", sys.argv[2], flush=True)
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/health" else 404)
        self.end_headers()
    def log_message(self, *args):
        pass
if "--die" in sys.argv:
    print("no room on the GPU", flush=True)
    sys.exit(3)
http.server.HTTPServer(("127.0.0.1", port), Page).serve_forever()
"""


def test_the_commands_for_two_gpus_are_exact(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "llm=glm_qwen"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:2] == ["# glm, http://127.0.0.1:8000/v1", GLM]
    assert told[3].startswith("CUDA_VISIBLE_DEVICES=1 vllm serve Qwen/Qwen2.5-32B-Instruct-AWQ ")
    assert "reasoning" not in told[3]


def test_several_servers_of_one_model_and_one_over_two_gpus() -> None:
    more = [
        "llm.models.vllm.base_urls=[http://127.0.0.1:8000/v1,http://node7:9000/v1]",
        "llm.models.vllm.serve.gpus=['0,1','0']",
        "+llm.models.vllm.serve.options.seed=null",
        "+llm.models.vllm.serve.options.enforce-eager=true",
    ]
    here, there = servers(configured("llm=vllm", *more).llm)
    assert (here.name, there.name) == ("vllm-1", "vllm-2")
    assert here.is_local
    assert not there.is_local
    assert "--tensor-parallel-size 2" in here.text()
    assert "--enforce-eager" in here.text()
    assert "--seed" not in here.text()
    # It must be reached from another machine, and listens to the network.
    assert "--host" not in there.text()
    with pytest.raises(ConfigError, match="another machine"):
        asyncio.run(supervise([here, there], print))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_a_server_of_this_machine_listens_where_its_address_says(host: str) -> None:
    address = f"http://[{host}]:8005/v1" if ":" in host else f"http://{host}:8005/v1"
    (one,) = servers(configured("llm=vllm", f"llm.models.vllm.base_urls='{address}'").llm)
    assert one.is_local
    assert f"--host {host} --port 8005" in one.text()


@pytest.mark.parametrize(
    "program", ["'\"/opt/a b/python\" -m vllm.server'", "[/opt/a b/python,-m,vllm.server]"]
)
def test_a_server_is_started_with_the_program_that_is_named(program: str) -> None:
    (one,) = servers(configured("llm=vllm", f"llm.models.vllm.serve.program={program}").llm)
    assert one.arguments[:4] == ("/opt/a b/python", "-m", "vllm.server", "Qwen/Qwen2.5-7B-Instruct")


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (["llm=surrogate"], "llm=surrogate: none of its models says how it is served"),
        (["llm=vllm", "llm.models.vllm.serve.gpus=['0','1']"], "serve.gpus: has GPUs for 2 servers"),
        (["llm=vllm", "llm.models.vllm.serve.gpus=all"], "serve.gpus"),
        (["--start", "llm=vllm"], "--start: there is no 'vllm' on the PATH"),
        (["--start", "llm=vllm", "llm.models.vllm.serve.program=my-vllm"], "there is no 'my-vllm' on"),
        (["llm=vllm", "llm.models.vllm.serve.program=' '"], "serve.program"),
    ],
)
def test_what_cannot_be_served_is_one_line(
    overrides: list[str], words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert cli.main(["serve", *overrides]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program called ``vllm``; returns the file in which it says that it was started."""
    program = tmp_path / "bin" / "vllm"
    program.parent.mkdir()
    program.write_text(FAKE)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_PLACE", str(tmp_path / "started"))
    return tmp_path / "started"


def server(name: str, gpus: str, *more: str) -> Server:
    port = free_port()
    return Server(
        name=name,
        url=f"http://127.0.0.1:{port}/v1",
        gpus=gpus,
        arguments=("vllm", "serve", f"weights-{name}", "--port", str(port), *more),
    )


def started(place: Path) -> list[list[str]]:
    return [line.split() for line in place.read_text().splitlines()]


def alive(pid: str) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def all_gone(rows: list[list[str]]) -> bool:
    """Whether the workers of these servers end, for which they get a little time."""
    for _ in range(200):
        if not any(alive(row[2]) for row in rows):
            return True
        await asyncio.sleep(0.02)
    return False


async def test_servers_that_share_a_gpu_start_one_after_the_other_and_all_end_together(fake: Path) -> None:
    told: list[str] = []
    up = asyncio.Event()

    def say(line: str) -> None:
        told.append(line)
        if line.startswith("all servers are up"):
            up.set()

    wanted = [server("glm", "0"), server("qwen", "0,1")]
    task = asyncio.create_task(supervise(wanted, say, look_s=0.02))
    await asyncio.wait({task, asyncio.create_task(up.wait())}, return_when=asyncio.FIRST_COMPLETED)
    assert not task.done(), task.exception()
    assert told.index("[glm] is up at " + wanted[0].url) < told.index("[qwen] loading weights-qwen")
    assert "[glm] loading weights-glm" in told
    rows = started(fake)
    assert [row[1] for row in rows] == ["0", "0,1"]
    assert all(alive(row[2]) for row in rows)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await all_gone(rows)


async def test_a_server_that_ends_takes_the_others_with_it(fake: Path) -> None:
    told: list[str] = []
    wanted = [server("glm", "0"), server("qwen", "1", "--die")]
    with pytest.raises(ServerEnded, match=r"the server of qwen ended \(exit code 3\)"):
        await supervise(wanted, told.append, look_s=0.02)
    assert "[qwen] no room on the GPU" in told
    assert await all_gone([row for row in started(fake) if row[1] == "0"])


@pytest.fixture
def heeded() -> Iterator[None]:
    """Lets a child heed Ctrl-C even where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_all_servers(number: int, fake: Path, heeded: None) -> None:
    where = f"llm.models.vllm.base_urls=http://127.0.0.1:{free_port()}/v1"
    command = [sys.executable, "-m", "sim.cli", "serve", "--start", "llm=vllm", where]
    told: list[str] = []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            told.append(line)
            if line.startswith("all servers are up"):
                process.send_signal(number)
    assert process.returncode == 130
    assert told[-1] == "all servers are stopped\n"
    assert not any(alive(row[2]) for row in started(fake))
