"""The journal: nothing acknowledged is lost, nothing is served that was not asked."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import JournalError, ModelDisconnected, ModelTimeout
from sim.journal import Journal, Mode, Place, first_difference, request_digest
from sim.journal.packing import Packer, unpacked
from sim.llm.protocol import Reply, Request
from sim.llm.scripted import Scripted
from sim.llm.wrappers.journalled import Journalled, Nobody
from sim.records import ActId
from sim.streams import Stream

ROOT = Path(__file__).parents[1]
WIRE = {"role": "order", "system": "You are a waiter.", "user": "Hello", "schema": None, "max_tokens": 8}
PLACE = Place(namespace="run", act="mei|anna|v1|0|reply|0")
CHILD = """
import sys
from sim.journal import Journal, Place
path, first = sys.argv[1], int(sys.argv[2])
journal = Journal.open(path, "resume", "config")
for number in range(first, first + 100_000):
    place = Place(namespace="run", act=f"act {number}")
    journal.store(place, {"user": f"question {number}"}, {"text": "é" * 200})
    print(number, flush=True)
"""


def request(user: str = "Hello", **fields: Any) -> Request:
    """A small request of one act."""
    act = ActId(agent="mei", customer="anna", visit="v1", purpose="reply")
    return Request(role="order", system="You are a waiter.", user=user, act=act, **fields)


def filled(path: Path) -> Path:
    """A journal with one entry, closed."""
    with Journal.open(path, "live", "config") as journal:
        journal.store(PLACE, WIRE, {"text": "Welcome"})
    return path


def test_what_is_stored_is_found(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.sqlite") as journal:
        assert journal.find(PLACE, WIRE) is None
        journal.store(PLACE, WIRE, {"text": "面 \ud800"})
        assert journal.find(PLACE, WIRE) == {"text": "面 \ud800"}
        other = Place(namespace="exam", act=PLACE.act)
        assert journal.find(other, WIRE) is None
        assert len(journal) == 1


@pytest.mark.parametrize("mode", ["resume", "replay"])
def test_what_is_stored_is_found_later(tmp_path: Path, mode: Mode) -> None:
    with Journal.open(filled(tmp_path / "j.sqlite"), mode, "config") as journal:
        assert journal.find(PLACE, WIRE) == {"text": "Welcome"}


def test_a_changed_request_names_the_field_with_old_and_new(tmp_path: Path) -> None:
    with Journal.open(filled(tmp_path / "j.sqlite"), "resume") as journal:
        with pytest.raises(JournalError, match=r"user was .Hello. and is .Hullo.;") as caught:
            journal.find(PLACE, {**WIRE, "user": "Hullo"})
        assert PLACE.act in str(caught.value)
        assert "\n" not in str(caught.value)


@given(st.text(min_size=1), st.text(min_size=1), st.sampled_from(["system", "user"]))
def test_equal_wires_have_equal_digests_and_others_a_named_difference(old: str, new: str, name: str) -> None:
    before, after = {**WIRE, name: old}, {**WIRE, name: new}
    same = request_digest(before) == request_digest(dict(reversed(after.items())))
    assert same == (old == new)
    if not same:
        line = first_difference(before, after)
        assert line.startswith(f"{name} was ")
        assert len(line) < 1000


def test_the_first_difference_goes_into_the_schema() -> None:
    old = {"schema": {"properties": {"dish": {"enum": ["ramen"]}}}}
    new = {"schema": {"properties": {"dish": {"enum": ["udon"]}}}}
    assert first_difference(old, new) == "schema.properties.dish.enum was '[\"ramen\"]' and is '[\"udon\"]'"


def test_a_failure_comes_back_as_the_same_failure(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.sqlite") as journal:
        journal.store(PLACE, WIRE, ModelDisconnected("gone"))
        with pytest.raises(ModelDisconnected, match=r"^gone$"):
            journal.find(PLACE, WIRE)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.fixed_dictionaries({"schema": values, "user": st.text()}), max_size=4))
def test_packing_keeps_the_digest_and_the_content(wires: list[dict[str, Any]]) -> None:
    """One packer for all, so that what it keeps of one question must be right for the next."""
    packer = Packer()
    for wire in [*wires, *({**wire, "schema": 1} for wire in wires), {"schema": True}, {"schema": 1.0}, {}]:
        asked = packer.pack({**wire, "max_tokens": 8})
        assert asked.digest == request_digest({**wire, "max_tokens": 8})
        assert unpacked(asked.stable) | unpacked(asked.rest) == {**wire, "max_tokens": 8}


def test_half_a_character_in_a_failure_comes_back(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.sqlite") as journal:
        journal.store(PLACE, WIRE, ModelDisconnected("said \ud83d"))
        with pytest.raises(ModelDisconnected, match="said \ud83d"):
            journal.find(PLACE, WIRE)
        assert [entry.message for entry in journal.entries()] == ["said \ud83d"]


def test_a_failure_of_a_class_nobody_knows_is_not_served(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE entry SET reply = NULL, failure = 'GoneAway', message = ''")
    database.close()
    with Journal.open(path, "resume") as journal, pytest.raises(JournalError, match="GoneAway"):
        journal.find(PLACE, WIRE)


def test_one_place_takes_one_entry(tmp_path: Path) -> None:
    with Journal.open(filled(tmp_path / "j.sqlite"), "resume") as journal:
        with pytest.raises(JournalError, match="asked twice"):
            journal.store(PLACE, WIRE, {"text": "again"})
        assert journal.find(PLACE, WIRE) == {"text": "Welcome"}


def test_replay_answers_only(tmp_path: Path) -> None:
    with Journal.open(filled(tmp_path / "j.sqlite"), "replay") as journal:
        elsewhere = Place(namespace="run", act="mei|anna|v1|1|reply|0")
        with pytest.raises(JournalError, match="no answer for run mei"):
            journal.find(elsewhere, WIRE)
        with pytest.raises(JournalError, match="replay"):
            journal.store(elsewhere, WIRE, {"text": "new"})


def test_entries_come_in_the_order_of_storing(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.sqlite") as journal:
        for act in ("b", "a", "c"):
            journal.store(Place(namespace="run", act=act), WIRE, {"text": act})
        journal.store(Place(namespace="exam", act="a"), WIRE, ModelTimeout("late"))
        assert [entry.place.act for entry in journal.entries("run")] == ["b", "a", "c"]
        (exam,) = journal.entries("exam")
        assert (exam.failure, exam.message, exam.reply) == ("ModelTimeout", "late", None)
        assert exam.wire == WIRE
        assert len(list(journal.entries())) == 4


def test_a_live_run_wants_an_empty_journal(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    with pytest.raises(JournalError, match="resume="):
        Journal.open(path, "live", "config")
    with Journal.open(path, "resume", "config") as journal:  # the refusal left it unlocked
        assert len(journal) == 1


def test_another_config_is_refused_by_the_setting_that_differs(tmp_path: Path) -> None:
    Journal.open(tmp_path / "j.sqlite", config='{"memory": {"top_k": 3}}').close()
    with pytest.raises(JournalError, match=r"another config \(config\.memory\.top_k was '3' and is '5'\)"):
        Journal.open(tmp_path / "j.sqlite", "resume", '{"memory": {"top_k": 5}}')


@pytest.mark.parametrize("mode", ["resume", "replay"])
def test_another_config_is_refused(tmp_path: Path, mode: Mode) -> None:
    with pytest.raises(JournalError, match="journal from another config"):
        Journal.open(filled(tmp_path / "j.sqlite"), mode, "other")


def test_another_schema_version_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE meta SET value = '99' WHERE name = 'version'")
    database.close()
    with pytest.raises(JournalError, match="schema version 99"):
        Journal.open(path, "resume")


def test_replay_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal at"):
        Journal.open(tmp_path / "j.sqlite", "replay")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", get_args(Mode))
def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path, mode: Mode) -> None:
    text, foreign = tmp_path / "text", tmp_path / "foreign.sqlite"
    text.write_text("not a database " * 100)
    with sqlite3.connect(foreign) as database:
        database.execute("CREATE TABLE precious (x)")
    database.close()
    for path in (text, foreign):
        before = path.read_bytes()
        with pytest.raises(JournalError) as caught:
            Journal.open(path, mode)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert path.read_bytes() == before


def test_damage_in_the_middle_is_one_line(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE entry SET reply = x'00'")
    database.close()
    with Journal.open(path, "resume") as journal, pytest.raises(JournalError, match="damaged entry"):
        journal.find(PLACE, WIRE)


def test_two_runs_cannot_use_one_journal(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    with Journal.open(path, "resume"):
        for mode in get_args(Mode)[1:]:
            with pytest.raises(JournalError, match="in use by another run"):
                Journal.open(path, mode)
    with Journal.open(path, "replay") as one, Journal.open(path, "replay") as two:
        assert len(one) == len(two) == 1


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be used"):
        Journal.open(tmp_path / "nowhere" / "j.sqlite")


def test_many_entries_take_little_room(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    prompt = "You are a waiter in a small noodle shop. " * 100
    with Journal.open(path) as journal:
        for number in range(300):
            wire = {**WIRE, "system": prompt, "user": str(number)}
            journal.store(Place(namespace="run", act=str(number)), wire, {"text": "Welcome back"})
    assert path.stat().st_size < 300 * len(prompt) / 4
    assert list(tmp_path.iterdir()) == [path]


def kill_after(path: Path, first: int, count: int) -> list[int]:
    """Runs a writer, kills it once it has acknowledged ``count`` entries, returns all it did."""
    command = [sys.executable, "-c", CHILD, str(path), str(first)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(count)]
        child.kill()
        lines += child.stdout.read().splitlines()
    return [int(line) for line in lines if line.strip()]


def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    path, stream, known = tmp_path / "j.sqlite", Stream.root(7), []
    for round_ in range(5):
        first = round_ * 1_000_000
        known += kill_after(path, first, stream.of(round_).integer(1, 60))
        copy = tmp_path / f"copy{round_}"
        copy.mkdir()
        for part in tmp_path.glob("j.sqlite*"):
            shutil.copy(part, copy)
        with Journal.open(copy / "j.sqlite", "replay", "config") as journal:
            for number in known:
                found = journal.find(
                    Place(namespace="run", act=f"act {number}"), {"user": f"question {number}"}
                )
                assert found == {"text": "é" * 200}
    assert len(known) >= 5


def commits(journal: Journal) -> list[str]:
    """Fills with the commits of a journal as they happen."""
    seen: list[str] = []
    journal._connection.set_trace_callback(lambda text: seen.append(text) if text == "COMMIT" else None)
    return seen


async def kept(journal: Journal, seen: list[str], number: int) -> int:
    """Keeps an answer, and returns how many commits there were when it could be used."""
    await journal.keep(Place(namespace="run", act=str(number)), WIRE, {"text": "Hi"})
    return len(seen)


def test_answers_of_one_turn_share_a_commit_and_wait_for_it(tmp_path: Path) -> None:
    async def turns(journal: Journal) -> list[list[int]]:
        seen = commits(journal)
        return [
            await asyncio.gather(*(kept(journal, seen, 10 * turn + n) for n in range(5))) for turn in (1, 2)
        ]

    with Journal.open(tmp_path / "j.sqlite") as journal:
        assert asyncio.run(turns(journal)) == [[1] * 5, [2] * 5]
        assert len(journal) == 10


def test_an_act_taken_back_while_it_waits_for_a_commit_disturbs_no_other(tmp_path: Path) -> None:
    async def one_leaves(journal: Journal) -> list[Any]:
        tasks = [asyncio.create_task(kept(journal, [], number)) for number in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    with Journal.open(tmp_path / "j.sqlite") as journal:
        first, second, third = asyncio.run(one_leaves(journal))
        assert (first, third) == (0, 0)
        assert isinstance(second, asyncio.CancelledError)


def test_a_journal_without_room_hands_out_no_answer(tmp_path: Path) -> None:
    async def all_of(journal: Journal) -> list[Any]:
        return await asyncio.gather(*(kept(journal, [], n) for n in range(400)), return_exceptions=True)

    with Journal.open(tmp_path / "j.sqlite") as journal:
        journal._rows("PRAGMA max_page_count = 12")
        results = asyncio.run(all_of(journal))
        assert {type(result) for result in results} <= {int, JournalError}
        assert any("full" in str(result) for result in results)
        assert sum(isinstance(result, int) for result in results) <= len(journal) < 400


def test_a_journalled_model_asks_once(tmp_path: Path) -> None:
    model = Scripted(lambda asked: f"{asked.user} {asked.attempt}", name="glm")
    path = tmp_path / "j.sqlite"
    with Journal.open(path) as journal:
        first = asyncio.run(Journalled(model, journal).complete(request()))
    with Journal.open(path, "resume") as journal:
        resumed = Journalled(model, journal)
        again = asyncio.run(resumed.complete(request()))
        other = asyncio.run(resumed.complete(request(attempt=1)))
    assert (first.text, first.replayed) == ("Hello 0", False)
    assert (again.text, again.model, again.replayed) == ("Hello 0", "glm", True)
    assert again.seconds == first.seconds
    assert (other.text, other.replayed) == ("Hello 1", False)
    assert len(model.calls) == 2


def test_a_journalled_failure_is_not_asked_again(tmp_path: Path) -> None:
    model = Scripted(lambda asked: ModelTimeout("too slow"))
    with Journal.open(tmp_path / "j.sqlite") as journal:
        for _ in range(2):
            with pytest.raises(ModelTimeout, match="too slow"):
                asyncio.run(Journalled(model, journal).complete(request()))
    assert len(model.calls) == 1


def test_a_cancelled_call_leaves_nothing(tmp_path: Path) -> None:
    async def cancel(journal: Journal) -> None:
        task = asyncio.create_task(
            Journalled(Scripted(lambda _: "x", lambda _: 60.0), journal).complete(request())
        )
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with Journal.open(tmp_path / "j.sqlite") as journal:
        asyncio.run(cancel(journal))
        assert len(journal) == 0


def test_a_programming_error_is_not_stored(tmp_path: Path) -> None:
    def broken(asked: Request) -> str:
        raise KeyError(asked.role)

    with Journal.open(tmp_path / "j.sqlite") as journal:
        with pytest.raises(KeyError):
            asyncio.run(Journalled(Scripted(broken), journal).complete(request()))
        assert len(journal) == 0


def test_replay_needs_no_model(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal.open(path) as journal:
        asyncio.run(Journalled(Scripted(lambda _: "Hi"), journal).complete(request()))
    with Journal.open(path, "replay") as journal:
        replayed = Journalled(Nobody(), journal)
        assert asyncio.run(replayed.complete(request())).text == "Hi"
        with pytest.raises(JournalError, match="no answer"):
            asyncio.run(replayed.complete(request(ask=1)))
        with pytest.raises(JournalError, match="no answer"):
            asyncio.run(Journalled(Nobody(), journal, "exam").complete(request()))
        asyncio.run(replayed.close())


@settings(deadline=None, max_examples=40)
@given(st.text(), st.sampled_from(["stop", "length"]), st.integers(0, 10_000), st.floats(1e-6, 1e6))
def test_a_reply_comes_back_whole(text: str, finish: str, tokens: int, seconds: float) -> None:
    reply = Reply(text=text, model="m", finish=finish, prompt_tokens=tokens, seconds=seconds)
    with TemporaryDirectory() as folder, Journal.open(Path(folder) / "j.sqlite") as journal:
        model = Journalled(Scripted(lambda _: reply), journal)
        assert asyncio.run(model.complete(request())) == reply
        assert asyncio.run(model.complete(request())) == replace(reply, replayed=True)


def benchmark(count: int = 4096, together: int = 64) -> None:
    """Prints the cost of an entry: ``python -m tests.test_journal``."""
    schema = {"type": "object", "properties": {f"slot-{n}": {"enum": ["a", "b", None]} for n in range(40)}}
    system = "You are a waiter in a small noodle shop. " * 50
    answer = {"text": '{"dish": "laksa", "say": "Coming up!"}' * 8}
    wires = [{**WIRE, "system": system, "schema": schema, "user": f"{n} " * 80} for n in range(count)]
    asked = [(Place(namespace="run", act=str(n)), wire) for n, wire in enumerate(wires)]

    async def keep(journal: Journal) -> None:
        for first in range(0, count, together):
            some = asked[first : first + together]
            await asyncio.gather(*(journal.keep(place, wire, answer) for place, wire in some))

    def store(journal: Journal) -> None:
        for place, wire in asked:
            journal.store(place, wire, answer)

    def find(journal: Journal) -> None:
        for place, wire in asked:
            journal.find(place, wire)

    for name, fill in (("one by one", store), (f"{together} together", lambda full: asyncio.run(keep(full)))):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "j.sqlite"
            with Journal.open(path) as journal:
                took = [_us_per_entry(use, journal, count) for use in (fill, find)]
            size = path.stat().st_size / count
            print(f"{name}: store {took[0]:.0f} µs, find {took[1]:.0f} µs, {size:.0f} bytes per entry")


def _us_per_entry(use: Callable[[Journal], None], journal: Journal, count: int) -> float:
    start = time.perf_counter()
    use(journal)
    return (time.perf_counter() - start) / count * 1e6


if __name__ == "__main__":
    benchmark()
