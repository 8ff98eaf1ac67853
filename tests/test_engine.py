"""The engine's rules: order, hearing, cancelling, the end, equal times, the log's parts, nights and exams."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import simpy
from fuzzed_world import Everything, request_of

import sim
from scenarios.examples.cafe import Cafe, CafeSettings
from sim.agents.effects import After, Ask, Given, Note, Observed, Overflow, Recall, Recalled, Tell, Write
from sim.clock import DAY_MS, HOUR_MS, Calendar
from sim.engine.act import Act, State, Steps
from sim.engine.log import EventLog, EventWriter, Line
from sim.engine.mind import Mind
from sim.engine.nights import nights
from sim.engine.scenario import Cast
from sim.engine.session import ProbePlan
from sim.engine.simulation import Simulation, ledger_records
from sim.errors import ActFailed, OrderError
from sim.ledger import Fact, Ledger
from sim.llm.protocol import Outcome, Request
from sim.llm.thinking import Thinking
from sim.memory.oracle import Oracle
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Capabilities, Owner, Query, Record
from sim.memory.window import Window
from sim.records import ActId, Event, canonical
from sim.runs import RunPlan
from sim.streams import Stream
from sim.tables import part_paths, read_records

A, B = Owner(store="a"), Owner(store="b")
UNTIL_MS = 100
Start = Callable[["World"], None]


@dataclass(kw_only=True)
class World:
    """A simulation with a model that answers after so many turns of the loop, and what came of it."""

    simulation: Simulation
    slow: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    lines: list[tuple[int, str]] = field(default_factory=list)
    most_open: int = 0

    async def ask(self, request: Request) -> Outcome:
        self.asked.append(str(request.act.agent))
        for _ in range(self.slow.get(request.act.agent, 0)):
            await asyncio.sleep(0)
        return Outcome(value={"text": request.act.agent}, kind="ok")

    def emit(self, time_ms: int, entry: Act | Line) -> None:
        notes = [entry] if isinstance(entry, Line) else [n for n in entry.lines if isinstance(n, Note)]
        self.lines += [(time_ms, note.kind) for note in notes]

    def submit(self, name: str, steps: Steps, due_ms: int, **more: Any) -> Act:
        return self.simulation.submit(ActId(agent=name, purpose="think"), steps, due_ms=due_ms, **more)

    def recalled(self, owner: Owner, at_ms: int = UNTIL_MS) -> list[str]:
        """Ids of what a memory holds at a time."""
        memory = self.simulation.scopes[owner].applied(at_ms)
        return [hit.record.id for hit in memory.recall(owner, Query(text="", customer="", at_ms=at_ms))]


def world(max_open_acts: int = 4096, memory: MemoryPlan | None = None) -> World:
    plan = memory or MemoryPlan(make=Everything, capabilities=Everything.capabilities)
    return World(
        simulation=Simulation(
            streams=Stream.root(0),
            calendar=Calendar(start=date(2026, 1, 5)),
            memory=plan,
            ledger=Ledger(),
            max_open_acts=max_open_acts,
        )
    )


def play(
    start: Start, into: World | None = None, slow: dict[str, int] | None = None, until_ms: int = UNTIL_MS
) -> World:
    """Runs a world whose processes ``start`` starts; afterwards no task is left on the loop."""
    here = into or world()
    here.slow |= slow or {}
    asyncio.run(_play(start, here, until_ms))
    return here


async def _play(start: Start, here: World, until_ms: int = UNTIL_MS) -> None:
    simulation = here.simulation
    mind = Mind(simulation.scopes, here.ask, request_of, ledger_records(simulation.memory, simulation.ledger))
    simulation.attach(mind, EventLog(here.emit))
    start(here)
    try:
        await simulation.run(until_ms)
    finally:
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}, "a task outlived the run"


def record(name: str) -> Record:
    return Record(
        id=name, at_ms=0, visible_at_ms=0, agent="w", customer="", visit="", kind="exchange", text=name
    )


def thinks(answer: Any = None, note: str = "", asks: int = 1) -> Steps:
    for _ in range(asks):
        yield Ask(role="any", system="", user="")
    if note:
        yield Note(kind=note, payload={})
    return answer


def writes(name: str, owner: Owner = A, asks: int = 1) -> Steps:
    yield from thinks(asks=asks)
    yield Write(owner=owner, record=record(name))


def recalls(seen: list[str], owner: Owner, at_ms: int) -> Steps:
    found: Recalled = yield Recall(owner=owner, query=Query(text="", customer="", at_ms=at_ms))
    seen += [hit.record.id for hit in found.hits]


def at(here: World, time_ms: int, action: Callable[[], object]) -> None:
    """Does something at a simulated time."""

    def process() -> Any:
        yield here.simulation.until(time_ms)
        action()

    here.simulation.process(process())


def process(here: World, steps: Any) -> simpy.Process:
    return here.simulation.process(steps)


# Order.


def refused(time_ms: int, match: str, **submission: Any) -> World:
    def attempt(here: World) -> None:
        with pytest.raises(OrderError, match=match):
            here.submit("late", writes("x", asks=0), **submission)

    return play(lambda here: at(here, time_ms, partial(attempt, here)))


def test_an_act_is_not_due_before_now() -> None:
    assert refused(10, r"late.*: due at 9 ms, before now \(10 ms\)", due_ms=9).lines == []


@pytest.mark.parametrize("visible_at_ms", [5, 10, 14])
def test_writes_are_not_visible_before_they_are_due_nor_at_once(visible_at_ms: int) -> None:
    refused(10, "writes must become visible after 10 ms", due_ms=15, writes=[A], visible_at_ms=visible_at_ms)


def test_an_act_that_was_refused_leaves_nothing() -> None:
    here = refused(10, "visible", due_ms=10, writes=[A], visible_at_ms=10)
    assert here.simulation.mind.open == 0
    assert here.simulation.scopes.touched() == []
    assert here.recalled(A) == []


def test_an_act_does_not_wait_for_one_that_is_due_later() -> None:
    def start(here: World) -> None:
        later = here.submit("later", thinks(), 20)
        with pytest.raises(OrderError, match=r"first.*cannot wait for later.*due later"):
            here.submit("first", thinks(), 19, after=[later])

    play(start)


def test_writes_that_were_not_declared_kill_the_act() -> None:
    def start(here: World) -> None:
        here.submit("w", writes("x", B), 5, writes=[A], visible_at_ms=6)

    with pytest.raises(ActFailed, match=r"act w\|.* died: .*writes to b without having declared it"):
        play(start)


def test_waiting_that_was_not_declared_kills_the_act() -> None:
    def waits(act: Act) -> Steps:
        yield After(act=act.id)

    def start(here: World) -> None:
        here.submit("w", waits(here.submit("first", thinks(), 1)), 5)

    with pytest.raises(ActFailed, match=r"waits for first.* without having declared it"):
        play(start)


def test_a_recall_of_another_time_than_the_submission_kills_the_act() -> None:
    with pytest.raises(ActFailed, match="a recall sees the time of submission, not 3 ms"):
        play(lambda here: here.submit("w", recalls([], A, 3), 5) and None)


def test_what_is_no_effect_kills_the_act() -> None:
    def strange() -> Any:
        yield "hello"

    with pytest.raises(ActFailed, match="yielded 'hello', which is no effect"):
        play(lambda here: here.submit("w", strange(), 5) and None)


# Hearing.


def test_an_answer_is_read_only_after_its_event_was_heard() -> None:
    values: list[Any] = []

    def listens(here: World) -> Any:
        act = here.submit("w", thinks(7, asks=0), 5)
        yield here.simulation.timeout(4)
        with pytest.raises(OrderError, match="yield its event before you read its value"):
            _ = act.value
        values.append((yield act.event()))
        values.append(act.value)

    here = play(lambda here: process(here, listens(here)) and None)
    assert values == [7, 7]
    assert here.simulation.now >= 5


def test_every_event_of_an_act_brings_the_answer() -> None:
    heard: list[tuple[int, Any]] = []

    def listens(here: World, act: Act, from_ms: int) -> Any:
        yield here.simulation.until(from_ms)
        value = yield act.event()
        heard.append((here.simulation.now, value))

    def start(here: World) -> None:
        act = here.submit("w", thinks("yes"), 5)
        for from_ms in (0, 0, 3, 5, 8):
            process(here, listens(here, act, from_ms))

    play(start, slow={"w": 50})
    assert heard == [(5, "yes"), (5, "yes"), (5, "yes"), (5, "yes"), (8, "yes")]


def test_the_event_of_a_cancelled_act_fails_in_who_waits_for_it() -> None:
    said: list[str] = []

    def listens(act: Act) -> Any:
        with pytest.raises(OrderError, match="was cancelled: nobody will answer"):
            yield act.event()
        said.append("heard of it")

    def start(here: World) -> None:
        act = here.submit("w", thinks(), 5)
        process(here, listens(act))
        at(here, 2, lambda: said.append(str(here.simulation.cancel(act))))

    play(start)
    assert said == ["True", "heard of it"]


def first_of(here: World, act: Act, patience_ms: int, cancels: bool, said: list[Any]) -> Any:
    answer, patience = act.event(), here.simulation.timeout(patience_ms)
    fired = yield answer | patience
    said.append((here.simulation.now, answer in fired))
    if cancels:
        here.simulation.cancel(act)
    yield here.simulation.timeout(20)


@pytest.mark.parametrize("cancels", [False, True])
def test_patience_may_end_before_the_answer_comes(cancels: bool) -> None:
    said: list[Any] = []

    def start(here: World) -> None:
        act = here.submit("w", thinks("late", "thought"), 9)
        process(here, first_of(here, act, 4, cancels, said))

    here = play(start)
    assert said == [(4, False)]
    assert here.lines == ([] if cancels else [(9, "thought")])


def test_the_answer_may_come_before_patience_ends() -> None:
    said: list[Any] = []

    def start(here: World) -> None:
        process(here, first_of(here, here.submit("w", thinks("soon"), 3), 4, False, said))

    play(start, slow={"w": 50})
    assert said == [(3, True)]


@pytest.mark.parametrize("cancels", [False, True])
def test_a_process_may_be_interrupted_while_it_waits_for_an_act(cancels: bool) -> None:
    said: list[Any] = []

    def listens(here: World, act: Act) -> Any:
        try:
            yield act.event()
        except simpy.Interrupt as interrupt:
            said.append((here.simulation.now, interrupt.cause))
        if cancels:
            here.simulation.cancel(act)
            return
        said.append((yield act.event()))

    def start(here: World) -> None:
        waiting = process(here, listens(here, here.submit("w", thinks("answer"), 9)))
        at(here, 4, lambda: waiting.interrupt("fire"))

    play(start, slow={"w": 50})
    assert said == [(4, "fire")] + ["answer"] * (not cancels)


# Cancelling.


def test_an_act_that_is_due_cannot_be_taken_back() -> None:
    said: list[bool] = []

    def start(here: World) -> None:
        act = here.submit("w", thinks(note="thought"), 5)
        at(here, 5, lambda: said.append(here.simulation.cancel(act)))

    here = play(start)
    assert said == [False]
    assert here.lines == [(5, "thought")]


@pytest.mark.parametrize("turns", [0, 100])
def test_a_cancelled_act_takes_its_followers_and_leaves_nothing(turns: int) -> None:
    """Whether it had been answered already or not."""

    def follows(act: Act) -> Steps:
        yield After(act=act.id)
        yield Write(owner=B, record=record("y"))
        yield Note(kind="followed", payload={})

    states: list[State] = []

    def cancels(here: World, first: Act) -> Any:
        yield here.submit("beside", thinks(), 8).event()
        states.append(first.state)
        here.simulation.cancel(first)

    def start(here: World) -> None:
        first = here.submit("w", writes("x"), 10, writes=[A], visible_at_ms=11)
        here.submit("v", follows(first), 12, after=[first], writes=[B], visible_at_ms=13)
        process(here, cancels(here, first))

    here = play(start, slow={"w": turns, "beside": 50})
    assert states == [State.OPEN if turns else State.DONE]
    assert here.recalled(A) == here.recalled(B) == []
    assert here.lines == []
    taken_back = [(call.act, call.outcome) for call in here.simulation.mind.taken_back]
    assert taken_back == [("w|||0|think|0", "cancelled")]


def test_what_follows_a_cancelled_act_is_cancelled_when_it_is_submitted() -> None:
    def start(here: World) -> None:
        first = here.submit("w", thinks(note="first"), 10)
        here.simulation.cancel(first)
        second = here.submit("v", thinks(note="second"), 12, after=[first])
        assert second.taken_back

    assert play(start).lines == []


# Visibility.


def test_a_recall_sees_what_was_visible_when_its_act_was_submitted() -> None:
    seen: dict[int, list[str]] = {time_ms: [] for time_ms in (6, 7, 8)}

    def start(here: World) -> None:
        here.submit("w", writes("x"), 5, writes=[A], visible_at_ms=7)
        for time_ms, found in seen.items():
            at(here, time_ms, lambda t=time_ms, f=found: here.submit(f"r{t}", recalls(f, A, t), t + 1))

    play(start, slow={"w": 500})
    assert seen == {6: [], 7: ["x"], 8: ["x"]}


def test_writes_stand_in_order_of_visibility_then_of_submission() -> None:
    def start(here: World) -> None:
        for name, visible in (("late", 30), ("first", 20), ("second", 20)):
            here.submit(name, writes(name), 10, writes=[A], visible_at_ms=visible)

    here = play(start, slow={"first": 60, "second": 5})
    assert here.recalled(A) == ["first", "second", "late"]


# The end.


def test_after_the_end_nothing_is_logged_or_submitted() -> None:
    refusals: list[str] = []

    def lingers(here: World) -> Any:
        try:
            yield here.simulation.timeout(1_000)
        finally:
            logs = partial(here.simulation.log, "ghost")
            submits = partial(here.submit, "ghost", thinks(), 2_000)
            for attempt in (logs, submits):
                with pytest.raises(OrderError, match="the run is over") as refusal:
                    attempt()
                refusals.append(str(refusal.value))

    async def ends() -> World:
        here = world()
        lingering = lingers(here)
        await _play(lambda here: process(here, lingering) and None, here)
        lingering.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}, "a ghost was started"
        return here

    here = asyncio.run(ends())
    assert len(refusals) == 2
    assert here.lines == []
    assert here.asked == []


def test_nothing_is_submitted_before_the_start() -> None:
    with pytest.raises(OrderError, match="only while the simulation runs"):
        world().submit("early", thinks(), 5)
    with pytest.raises(OrderError, match="only while the simulation runs"):
        world().simulation.log("early")


@pytest.mark.parametrize("turns", [0, 300])
def test_acts_due_at_the_end_or_later_never_happen(turns: int) -> None:
    """Whether they were answered by then or not."""

    def start(here: World) -> None:
        here.submit("w", writes("in time"), UNTIL_MS - 1, writes=[A], visible_at_ms=UNTIL_MS)
        here.submit("v", writes("too late"), UNTIL_MS, writes=[A], visible_at_ms=UNTIL_MS)
        here.submit("u", thinks(note="too late"), UNTIL_MS)
        here.submit("t", thinks(note="in time"), UNTIL_MS - 1)
        for time_ms in range(1, UNTIL_MS):
            at(here, time_ms, lambda: None)

    here = play(start, slow=dict.fromkeys("wvut", turns))
    assert here.lines == [(UNTIL_MS - 1, "in time")]
    assert here.recalled(A) == ["in time"]


# Equal times.


def test_lines_of_one_millisecond_stand_in_the_order_they_were_handed_in() -> None:
    def start(here: World) -> None:
        here.submit("w", thinks(note="1 act"), 5)
        at(here, 0, lambda: here.submit("v", thinks(note="2 act"), 5))
        at(here, 5, lambda: here.simulation.log("3 line"))
        at(here, 5, lambda: here.submit("u", thinks(note="4 act"), 5))
        at(here, 5, lambda: here.simulation.log("5 line"))

    for slow in ({"w": 90}, {"v": 90}, {"u": 90}, {}):
        kinds = [kind for _, kind in play(start, slow=slow).lines]
        assert kinds == ["1 act", "2 act", "3 line", "4 act", "5 line"]


def test_an_answer_is_inserted_into_its_millisecond_when_that_has_come() -> None:
    order: list[str] = []

    def listens(act: Act) -> Any:
        yield act.event()
        order.append("answer")

    def beside(here: World) -> Any:
        yield here.simulation.until(5)
        order.append("inserted before")
        yield here.simulation.timeout(0)
        order.append("inserted after")

    def start(here: World) -> None:
        process(here, listens(here.submit("w", thinks(), 5)))
        process(here, beside(here))

    for turns in (0, 50):
        play(start, slow={"w": turns})
    assert order == ["inserted before", "answer", "inserted after"] * 2


# Failures.


def test_an_act_that_needs_what_a_dead_one_should_have_written_asks_nothing() -> None:
    def dies() -> Steps:
        yield Ask(role="any", system="", user="")
        raise ZeroDivisionError("a slip")

    def poisoned() -> Steps:
        yield from recalls([], A, 8)
        yield Ask(role="any", system="", user="")

    def start(here: World) -> None:
        here.submit("dead", dies(), 6, writes=[A], visible_at_ms=7)
        at(here, 8, lambda: here.submit("poisoned", poisoned(), 9))
        here.submit("well", thinks(note="before"), 5)

    here = world()
    with pytest.raises(ActFailed, match=r"act dead\|.* died: ZeroDivisionError\('a slip'\)") as failure:
        play(start, here)
    assert isinstance(failure.value.__cause__, ZeroDivisionError)
    assert here.lines == [(5, "before")]
    assert "poisoned" not in here.asked


def test_an_error_of_a_process_ends_the_run_and_its_acts() -> None:
    def breaks(here: World) -> Any:
        here.submit("w", thinks(asks=1_000), 50)
        yield here.simulation.timeout(5)
        raise ZeroDivisionError("a slip of the scenario")

    with pytest.raises(ZeroDivisionError, match="a slip of the scenario"):
        play(lambda here: process(here, breaks(here)) and None, slow={"w": 1_000})


@pytest.mark.parametrize("max_open_acts", [1, 5])
def test_the_bound_on_open_acts_bounds_and_changes_nothing(max_open_acts: int) -> None:
    def submits(here: World) -> Any:
        for number in range(300):
            yield here.simulation.timeout(number % 2)
            here.submit(f"w{number}", thinks(note=f"n{number}"), here.simulation.now + 7)
            here.most_open = max(here.most_open, here.simulation.mind.open)

    def start(here: World) -> None:
        process(here, submits(here))

    slow = {f"w{number}": 40 + number % 7 for number in range(300)}
    free = play(start, slow=slow)
    bound = play(start, world(max_open_acts), slow)
    assert bound.lines == free.lines != []
    assert bound.most_open <= max_open_acts + 40 < free.most_open


# The writer of the log.


def written(folder: Path | None, rows_per_part: int, count: int = 10) -> EventWriter:
    writer = EventWriter(folder, rows_per_part)
    for number in range(count):
        payload = canonical({"n": number, "text": "面 \x00 \ud83c"})
        writer.write(number * 5, Line(kind="k", agent="a", customer="c", visit="v", payload=payload))
    writer.flush()
    return writer


@pytest.mark.parametrize(("rows_per_part", "parts"), [(1, 10), (3, 4), (5, 2), (50, 1)])
def test_parts_hold_all_rows_and_their_size_changes_no_digest(
    tmp_path: Path, rows_per_part: int, parts: int
) -> None:
    writer = written(tmp_path, rows_per_part)
    paths = part_paths(tmp_path)
    assert len(paths) == parts
    rows = [row for path in paths for row in read_records(path, Event)]
    assert [(row.seq, row.time_ms) for row in rows] == [(number, number * 5) for number in range(10)]
    assert writer.digest == written(None, 1).digest
    assert writer.count == 10


def test_a_log_without_lines_still_has_its_columns(tmp_path: Path) -> None:
    written(tmp_path, 5, count=0)
    assert [read_records(path, Event) for path in part_paths(tmp_path)] == [[]]


def test_every_part_but_the_last_is_full_and_there_at_once(tmp_path: Path) -> None:
    writer = EventWriter(tmp_path, 2)
    line = Line(kind="k", agent="", customer="", visit="", payload="{}")
    counts = []
    for _ in range(5):
        writer.write(0, line)
        counts.append(sum(len(read_records(path, Event)) for path in part_paths(tmp_path)))
    assert counts == [0, 2, 2, 4, 4], "what was flushed survives whatever comes"


def test_half_written_parts_are_never_read(tmp_path: Path) -> None:
    written(tmp_path, 5)
    (tmp_path / "part-00002.parquet.tmp").write_bytes(b"PAR1 half")
    assert [path.name for path in part_paths(tmp_path)] == ["part-00000.parquet", "part-00001.parquet"]


def test_the_digest_tells_every_field_and_the_order() -> None:
    line = Line(kind="k", agent="a", customer="c", visit="v", payload="{}")
    digests = set()
    for first, second in (
        ((0, line), (1, line)),
        ((0, line), (2, line)),
        ((1, line), (1, line)),
        *(((0, line), (1, Line(**{**_fields(line), name: "x"}))) for name in _fields(line)),
    ):
        writer = EventWriter(None)
        writer.write(*first)
        writer.write(*second)
        digests.add(writer.digest)
    assert len(digests) == 8


def _fields(line: Line) -> dict[str, str]:
    return {name: getattr(line, name) for name in Line.__slots__}


# Nights.


class Squeezing(Everything):
    """Keeps all and wants to compress."""

    capabilities = Capabilities(ingests=frozenset({"exchange"}), compresses=True)


def night_world(kind: type[Everything]) -> tuple[World, list[tuple[int, str]]]:
    worked: list[tuple[int, str]] = []

    def work(act: ActId, owner: Owner, at_ms: int) -> Steps:
        worked.append((at_ms, f"{act.agent}{act.customer} {act.visit} {owner}"))
        yield Overflow(owner=owner)

    def start(here: World) -> None:
        one = Owner(store="b", customer="anna")
        for hour, owners in ((3, [A]), (15, [one, A])):
            at(here, hour * HOUR_MS, partial(declares, here, owners))
        process(here, nights(here.simulation, (10 * HOUR_MS, 20 * HOUR_MS, 30 * HOUR_MS), work))

    plan = MemoryPlan(make=kind, capabilities=kind.capabilities)
    return play(start, world(memory=plan), until_ms=40 * HOUR_MS), worked


def declares(here: World, owners: Sequence[Owner]) -> None:
    now_ms = here.simulation.now
    steps = writes(f"at {now_ms}", owners[0])
    here.submit(f"w{now_ms}", steps, now_ms, writes=owners, visible_at_ms=now_ms + 1)


def test_each_night_looks_after_what_was_written_to_since_the_last() -> None:
    _, worked = night_world(Squeezing)
    assert [(at_ms // HOUR_MS, what) for at_ms, what in worked] == [
        (10, "a night/0 a"),
        (20, "a night/1 a"),
        (20, "banna night/1 b/anna"),
    ]


def test_a_memory_that_does_not_compress_sleeps() -> None:
    assert night_world(Everything)[1] == []


# What Tell puts into memories that read the ledger.


def test_tell_writes_into_memories_that_read_the_ledger() -> None:
    def tells(fact: Fact) -> Steps:
        yield Tell(utterance="u", facts=(fact.id,))

    def start(here: World) -> None:
        fact = here.simulation.ledger.make_true(customer="anna", slot="dish", value="pho", at_ms=0)
        act = ActId(agent="w", customer="anna", purpose="reply")
        here.simulation.submit(act, tells(fact), due_ms=5, writes=[A], visible_at_ms=8)

    here = play(start, world(memory=MemoryPlan(make=Oracle, capabilities=Oracle.capabilities)))
    query = Query(text="", customer="anna", at_ms=8)
    (hit,) = here.simulation.scopes[A].applied(8).recall(A, query)
    assert [(claim.slot, claim.value) for claim in hit.record.claims] == [("dish", "pho")]
    assert hit.record.sources == ("u",)
    assert here.simulation.scopes[A].memory.recall(A, Query(text="", customer="anna", at_ms=7)) == []


# Examinations.


class Examined(Cafe):
    """The cafe with an examination each evening."""

    def __init__(self, extra: Iterable[Any] = ()) -> None:
        super().__init__(CafeSettings(weeks=1))
        self._extra = tuple(extra)
        closings = tuple(day * DAY_MS + 20 * HOUR_MS for day in range(7))
        self.cast = Cast(groups={"barista": ""}, closings_ms=closings, exam=self._exam)

    def _exam(self, simulation: Simulation, act: ActId, fact: Fact, at_ms: int) -> Steps:
        owner = simulation.memory.owner("barista", "", fact.customer)
        found: Recalled = yield Recall(owner=owner, query=Query(text="", customer=fact.customer, at_ms=at_ms))
        records = tuple(hit.record for hit in found.hits)
        words = "\n".join([*(one.text for one in records), f"{fact.customer}: The same again"])
        outcome = yield Ask(role="serve", system="", user=words)
        yield from self._extra
        answers = (Given(slot="drink", values=(str(outcome.value),)),)
        yield Observed(
            owner=owner,
            customer=fact.customer,
            question="exam",
            truth_at_ms=at_ms,
            slots=("drink",),
            answers=answers,
            retrieved=records,
            in_context=records,
        )


WINDOW = MemoryPlan(make=partial(Window, window=10), capabilities=Window.capabilities)


def examined(probes: ProbePlan, scenario: Examined | None = None) -> Any:
    cafe = scenario or Examined()
    skills = {"serve": lambda request, slips: {"text": "x", "drink": None}}
    return sim.run(
        RunPlan(
            scenario=cafe,
            memory=WINDOW,
            thinking=Thinking.of_surrogate(skills),
            probes=probes,
        )
    )


def exams(result: Any) -> list[tuple[int, str]]:
    return [(probe.time_ms, probe.customer) for probe in result.rows[0].probes if probe.kind == "exam"]


def test_examinations_change_nothing_but_what_is_known_of_the_run() -> None:
    without, daily = examined(ProbePlan(enabled=False)), examined(ProbePlan(every_days=1))
    assert without.digests == daily.digests
    assert exams(without) == []
    assert len(exams(daily)) == 7 * 3
    assert [time_ms for time_ms, _ in exams(daily)][::3] == [d * DAY_MS + 20 * HOUR_MS for d in range(7)]
    natural = [[p for p in run.rows[0].probes if p.kind == "natural"] for run in (without, daily)]
    assert [p.outcome for p in natural[0]] == [p.outcome for p in natural[1]]


def test_examinations_keep_to_their_days_and_their_sample() -> None:
    asked = exams(examined(ProbePlan(every_days=3, sample=2)))
    assert [time_ms // DAY_MS for time_ms, _ in asked] == [2, 2, 5, 5]


class Changing(Examined):
    """On the fourth day Anna's taste changes, and she tells nobody."""

    def open(self, simulation: Simulation) -> None:
        super().open(simulation)
        simulation.process(self._change(simulation))

    def _change(self, simulation: Simulation) -> Any:
        yield simulation.until(3 * DAY_MS)
        simulation.ledger.make_true(customer="Anna", slot="drink", value="water", at_ms=simulation.now)


def test_what_is_no_longer_true_is_not_examined() -> None:
    calls = examined(ProbePlan(every_days=1), Changing()).rows[0].calls
    asked = [(call.time_ms // DAY_MS, call.act.split("|")[1]) for call in calls if "exam" in call.act]
    assert [day for day, customer in asked if customer == "Anna"] == [0, 1, 2]
    assert len(asked) == 3 * 3 + 4 * 2


def test_the_log_has_no_line_of_an_examination() -> None:
    kinds = {call.act for call in examined(ProbePlan(every_days=7)).rows[0].calls if "exam" in call.act}
    assert len(kinds) == 3


def test_an_examination_that_writes_is_refused() -> None:
    scenario = Examined([Write(owner=A, record=record("x"))])
    with pytest.raises(OrderError, match="may only read, not Write"):
        examined(ProbePlan(every_days=7), scenario)
