"""mem0 as an arm; skipped where it is not installed, but for what is said then."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shops import SMALL, shop_plan, sleeping

import sim.memory.mem0
from sim.cli import main
from sim.embed.static import wordllama
from sim.errors import ConfigError, OwnerError
from sim.memory.flat import Flat
from sim.memory.index_kinds import vector_index
from sim.memory.mem0 import Mem0, library
from sim.memory.protocol import Claim, Hit, Owner, Query, Record
from sim.runs import run
from sim.streams import Stream


def installed() -> bool:
    try:
        return bool(version("mem0ai"))
    except PackageNotFoundError:
        return False


real = pytest.mark.skipif(not installed(), reason="pip install -e '.[mem0]'")
OWNER = Owner(store="waiter-1")
SHOP = ("memory=mem0", *SMALL, "scenario.weeks=1", "scenario.rhythm_days=2", "probes.sample=10")
TEXTS = ("laksa", "ramen", "pho", "udon", "laksa again", "", " \n", "без кинзы", "不辣的面")


class Drawn:
    """An embedder whose vectors are drawn from the text; some are equal, opposite or zero."""

    fingerprint = "drawn"
    dimension = 3

    def embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        return np.array([self._row(text) for text in texts], dtype=np.float32).reshape(len(texts), 3)

    def _row(self, text: str) -> list[float]:
        chance = Stream.root(0).of("row", text[:3].strip())
        row = [float(chance.of(n).integer(-1, 1)) for n in range(3)]
        length = sum(number * number for number in row) ** 0.5 or 1.0
        return [number / length for number in row]


@cache
def words() -> Any:
    return wordllama()


def mem0(owner: Owner = OWNER, *, embedder: Any = None, top_k: int = 3) -> Mem0:
    index = partial(vector_index, "exact")
    return Mem0(owner, embedder=embedder or words(), index=index, top_k=top_k)


def event(name: str, at_ms: int = 0, text: str = "anna orders laksa") -> Record:
    return Record(
        id=name,
        at_ms=at_ms,
        visible_at_ms=at_ms,
        agent="waiter-1",
        customer="anna",
        visit="anna/1",
        kind="event",
        text=text,
        claims=(Claim(slot="dish", value="laksa"),),
        sources=(f"said-{name}",),
    )


def query(text: str = "anna: the usual", at_ms: int = 1_000, limit: int | None = None) -> Query:
    return Query(text=text, customer="anna", at_ms=at_ms, limit=limit)


def found(hits: Sequence[Hit]) -> list[tuple[str, float]]:
    return [(hit.record.id, hit.score) for hit in hits]


@pytest.mark.parametrize(
    ("version_of", "words"),
    [
        (None, "the package mem0ai is not installed: run pip install 'noodle-shop[mem0]'"),
        ("1.0.11", "mem0ai 1.0.11 is installed, not 2.2.x: run pip install 'noodle-shop[mem0]'"),
    ],
)
def test_without_it_a_run_ends_before_anything_is_made_and_says_what_to_install(
    version_of: str | None,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def answer(package: str) -> str:
        if version_of is None:
            raise PackageNotFoundError(package)
        return version_of

    library.cache_clear()
    monkeypatch.setattr(sim.memory.mem0, "version", answer)
    monkeypatch.chdir(tmp_path)
    assert main(["run", "memory=mem0"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("noodle: memory=mem0: " + words)
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@real
def test_mem0_imported_with_its_telemetry_on_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = library()
    library.cache_clear()
    monkeypatch.setattr(loaded, "MEM0_TELEMETRY", True)
    with pytest.raises(ConfigError, match="mem0 was imported before with its telemetry on: set MEM0_TELEM"):
        mem0()


@real
@pytest.mark.parametrize("text", [*TEXTS, "half a character: \ud83c", "laksa\x00ramen"])
def test_what_was_written_is_recalled_as_it_was_written(text: str) -> None:
    memory, written = mem0(), event("one", at_ms=5, text=text)
    memory.write(OWNER, written)
    assert [hit.record for hit in memory.recall(OWNER, query(text))] == [written]
    assert memory.snapshot(OWNER)[0]["text"] == text


@real
def test_nobody_but_the_owner_writes_or_asks() -> None:
    memory = mem0()
    memory.write(OWNER, event("one"))
    for stranger in (Owner(store="waiter-2"), Owner(store="waiter-1", customer="anna")):
        with pytest.raises(OwnerError):
            memory.write(stranger, event("two"))
        with pytest.raises(OwnerError):
            memory.recall(stranger, query())


@real
@pytest.mark.parametrize("customer", ["Anna of the corner", "анна", "*", "半\ud83c"])
def test_owners_may_be_called_anything(customer: str) -> None:
    owner = Owner(store="waiter-1", customer=customer)
    memory = mem0(owner)
    memory.write(owner, event("one"))
    assert len(memory.recall(owner, query())) == 1


@real
@settings(max_examples=25, deadline=None)
@given(
    texts=st.lists(st.sampled_from(TEXTS), max_size=40),
    asked=st.lists(
        st.tuples(st.sampled_from(TEXTS), st.integers(0, 41), st.sampled_from([None, 0, 1, 7, 50])),
        min_size=1,
        max_size=4,
    ),
)
def test_it_recalls_what_flat_recalls_of_the_same_lines_whenever_it_is_asked(
    texts: list[str], asked: list[tuple[str, int, int | None]]
) -> None:
    """The law: with no signs but vectors, mem0's search is that of an exact index over what was visible."""
    ours, reference = (
        mem0(embedder=Drawn()),
        Flat(
            OWNER,
            embedder=Drawn(),
            index=partial(vector_index, "exact"),
            top_k=3,
            squeeze_above=50,
            squeeze_count=10,
        ),
    )
    for place, text in enumerate(texts):
        for memory in (ours, reference):
            memory.write(OWNER, event(f"r{place}", at_ms=place, text=text))
    for text, at_ms, limit in asked:
        question = query(text, at_ms=at_ms, limit=limit)
        assert found(ours.recall(OWNER, question)) == found(reference.recall(OWNER, question))
        assert len(ours.recall(OWNER, question)) == min(3 if limit is None else limit, at_ms + 1, len(texts))


@real
def test_a_later_time_is_not_seen_and_an_earlier_one_starves_nobody() -> None:
    memory = mem0(top_k=2)
    for place in range(200):
        text = "anna orders laksa" if place >= 2 else f"something else, number {place}"
        memory.write(OWNER, event(f"r{place}", at_ms=place, text=text))
    assert {hit.record.id for hit in memory.recall(OWNER, query("anna orders laksa", at_ms=1))} == {
        "r0",
        "r1",
    }
    assert [hit.record.id for hit in memory.recall(OWNER, query("anna orders laksa"))] == ["r199", "r198"]


@real
def test_the_shop_runs_with_it_the_same_twice_and_at_every_speed() -> None:
    plan = shop_plan(*SHOP)
    first, again = run(plan), run(plan)
    assert first.digests == again.digests
    runs = [run(sleeping(plan, limit, salt=str(limit), longest_s=0.003)) for limit in (1, 64)]
    assert runs[0].digests == runs[1].digests
    assert [steady(one) for one in runs[0].rows[0].probes] == [steady(one) for one in runs[1].rows[0].probes]
    assert first.summary["recall"]["retrieved"]["rate"] > 0


def steady(probe: Any) -> Any:
    return replace(probe, retrieval_ms=0.0)


ALONE = """
import os, sys
calls = []
watched = {f"socket.{name}" for name in ("connect", "sendto", "sendmsg", "getaddrinfo", "gethostbyname")}
sys.addaudithook(lambda event, args: calls.append(event) if event in watched else None)
from functools import partial
from sim.embed.static import wordllama
from sim.memory.index_kinds import vector_index
from sim.memory.mem0 import Mem0
from sim.memory.protocol import Owner, Query, Record

owner = Owner(store="w", customer="anna")
memory = Mem0(owner, embedder=wordllama(), index=partial(vector_index, "exact"), top_k=3)
for n in range(60):
    memory.write(owner, Record(id=str(n), at_ms=n, visible_at_ms=n, agent="w", customer="anna", visit="v",
                               kind="event", text=f"anna said {n} yesterday"))
hits = memory.recall(owner, Query(text="what did anna say last week?", customer="anna", at_ms=59, limit=55))
print(len(hits), sorted(set(calls)), [name for name in os.environ if name.startswith("MEM0")])
"""


@real
def test_it_opens_no_connection_and_leaves_nothing_at_home(tmp_path: Path) -> None:
    """In a process of its own, as mem0 calls home and makes its folder when it is imported."""
    home = tmp_path / "home"
    home.mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", ALONE],
        cwd=home,
        env={"HOME": str(home), "PYTHONPATH": str(Path(__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stderr == ""
    assert ended.stdout == "55 [] []\n"
    assert list(home.iterdir()) == []
