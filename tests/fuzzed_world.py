"""Random little worlds for the mind, and a sequential oracle that runs them one act at a time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

import simpy

from sim.agents.effects import After, Ask, Note, Recall, Recalled, Write
from sim.clock import Calendar
from sim.engine.act import Act, Steps
from sim.engine.log import EventLog, EventWriter, Line
from sim.engine.mind import Mind
from sim.engine.simulation import Simulation
from sim.errors import ActFailed
from sim.ledger import Ledger
from sim.llm.protocol import Outcome, Request
from sim.memory.archive import Archived
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Capabilities, Hit, Owner, Query, Record
from sim.records import ActId, canonical
from sim.streams import Stream

SCOPES = (Owner(store="a"), Owner(store="b"), Owner(store="c", customer="x"))
UNTIL_MS = 120


class Everything(Archived):
    """Recalls all it may see, in order of arrival; ``blind`` plants the fault of not looking at the time."""

    capabilities = Capabilities(ingests=frozenset({"exchange"}))
    blind = False

    def write(self, owner: Owner, record: Record) -> None:
        self.archive.add(owner, record, self.capabilities.ingests)

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        self.archive.check(owner)
        seen = [r for r in self.archive.records if self.blind or r.visible_at_ms <= query.at_ms]
        return [Hit(record=record, score=1.0) for record in seen]


def steps(
    case: Stream, act_id: ActId, owner: Owner, at_ms: int, before: Sequence[Act], deadly: float
) -> Steps:
    """An act whose result is a digest of everything it was ever answered."""
    seen: list[Any] = []
    for n in range(case.of("effects").integer(1, 5)):
        draw = case.of("effect", n)
        match draw.of("kind").choice(["recall", "recall", "ask", "write", "after", "note"]):
            case "recall":
                scope = draw.of("scope").choice(SCOPES)
                recalled = yield Recall(owner=scope, query=Query(text="", customer="", at_ms=at_ms))
                seen.append([hit.record.text for hit in recalled.hits])
            case "ask":
                outcome = yield Ask(role="any", system="", user=canonical(seen))
                seen.append(outcome.value)
            case "write":
                yield Write(owner=owner, record=_record(act_id, n, at_ms, canonical(seen)))
            case "after" if before:
                seen.append((yield After(act=before[n % len(before)].id)))
            case "note":
                yield Note(kind="noted", payload={"seen": _short(seen)})
    if case.of("dies").chance(deadly):
        raise RuntimeError("a programming error")
    yield Note(kind="done", payload={"result": _short(seen)})
    return _short(seen)


def _record(act_id: ActId, n: int, at_ms: int, text: str) -> Record:
    return Record(
        id=f"{act_id}/{n}",
        at_ms=at_ms,
        visible_at_ms=0,
        agent=act_id.agent,
        customer="",
        visit="",
        kind="exchange",
        text=f"{act_id}/{n}:{_short(text)}",
    )


def _short(value: Any) -> str:
    return sha256(canonical(value).encode()).hexdigest()[:12]


def reply(request: Request) -> Outcome:
    """The model: a digest of the question, and now and then a failure."""
    if Stream.root(0).of(str(request.act), request.ask).chance(0.15):
        return Outcome(value=None, kind="timeout", error="too slow")
    return Outcome(value={"text": _short(request.user)}, kind="ok")


def open_world(world: Any, case: Stream, deadly: float) -> None:
    """Starts the processes of a random case."""
    acts: list[Act] = []
    for n in range(case.of("processes").integer(1, 5)):
        world.process(_process(world, case.of("process", n), n, acts, deadly))


def _process(world: Any, case: Stream, number: int, acts: list[Act], deadly: float) -> Any:
    for n in range(case.of("acts").integer(1, 7)):
        draw = case.of("act", n)
        yield world.timeout(draw.of("pause").integer(0, 12))
        act = _submit(world, draw, f"p{number}", n, acts, deadly)
        acts.append(act)
        if draw.of("cancels").chance(0.2):
            world.process(_cancel_later(world, draw, draw.of("whom").choice(acts)))
        if draw.of("waits").chance(0.3) and not draw.of("cancels").chance(0.2):
            world.process(_hear(world, act))


def _submit(world: Any, draw: Stream, agent: str, n: int, acts: list[Act], deadly: float) -> Act:
    now, due = world.now, world.now + draw.of("think").choice([0, 0, 1, 5, 20])
    owner = draw.of("owner").choice(SCOPES)
    before = [act for act in acts if act.due_ms <= due and draw.of("follows", str(act.id)).chance(0.3)]
    visible = max(now + 1, due) + draw.of("visible").choice([0, 0, 1, 10])
    act_id = ActId(agent=agent, exchange=n, purpose="think")
    return world.submit(
        act_id,
        steps(draw.of("steps"), act_id, owner, now, before, deadly),
        due_ms=due,
        after=before,
        writes=[owner],
        visible_at_ms=visible,
    )


def _cancel_later(world: Any, draw: Stream, act: Act) -> Any:
    yield world.timeout(draw.of("cancel after").integer(0, 8))
    world.log("cancelled", agent=act.id.agent, done=world.cancel(act))


def _hear(world: Any, act: Act) -> Any:
    try:
        value = yield act.event()
    except Exception:
        world.log("unanswered", agent=act.id.agent)
        return
    world.log("heard", agent=act.id.agent, value=value)


def plan() -> MemoryPlan:
    return MemoryPlan(make=Everything, capabilities=Everything.capabilities)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ran:
    """What a run left: the digest of its log, and the error that ended it."""

    digest: str
    error: str = ""


def concurrently(case: Stream, max_in_flight: int, salt: str, deadly: float = 0.0) -> Ran:
    """Runs a case on the real engine with scrambled real latencies."""
    return asyncio.run(_concurrently(case, max_in_flight, salt, deadly))


async def _concurrently(case: Stream, max_in_flight: int, salt: str, deadly: float) -> Ran:
    slots = asyncio.Semaphore(max_in_flight)

    async def ask(request: Request) -> Outcome:
        async with slots:
            for _ in range(Stream.root(1).of(salt, str(request.act), request.ask).integer(0, 40)):
                await asyncio.sleep(0)
        return reply(request)

    writer = EventWriter(None)
    world = Simulation(
        streams=Stream.root(0),
        calendar=Calendar(start=date(2026, 1, 5)),
        memory=plan(),
        ledger=Ledger(),
        max_open_acts=case.of("open acts").choice([1, 3, 100]),
    )
    mind = Mind(world.scopes, ask, request_of)
    world.attach(mind, EventLog(lambda time_ms, entry: emit(writer, time_ms, entry)))
    open_world(world, case, deadly)
    try:
        await world.run(UNTIL_MS)
    except ActFailed as error:
        return Ran(digest=writer.digest, error=str(error))
    return Ran(digest=writer.digest)


def request_of(act: ActId, ask: int, question: Any, time_ms: int) -> Request:
    return Request(role=question.role, system="", user=question.user, act=act, ask=ask, time_ms=time_ms)


def emit(writer: EventWriter, time_ms: int, entry: Act | Line) -> None:
    if isinstance(entry, Line):
        writer.write(time_ms, entry)
        return
    for note in entry.lines:
        writer.write(time_ms, _line(entry.id, note))


def _line(act_id: ActId, note: Any) -> Line:
    return Line(kind=note.kind, agent=act_id.agent, customer="", visit="", payload=canonical(note.payload))


class OracleAct:
    """An act of the oracle: thought through to its end at the moment it is submitted."""

    def __init__(self, world: "Oracle", act_id: ActId, seq: int, due_ms: int, after: list[Any]) -> None:
        self.id, self.seq, self.due_ms, self.after = act_id, seq, due_ms, after
        self.world = world
        self.cancelled = any(act.cancelled for act in after)
        self.failed = False
        self.lines: list[Any] = []
        self.result: Any = None

    def event(self) -> Any:
        answer = self.world.env.event()
        wait = self.world.env.timeout(max(0, self.due_ms - self.world.now))

        def fire(_: Any) -> None:
            if self.cancelled:
                answer.fail(RuntimeError("cancelled"))
            else:
                answer.succeed(self.result)

        wait.callbacks.append(fire)
        return answer


class Oracle:
    """The same worlds, sequentially: one list of writes, one list of lines, no waiting at all."""

    def __init__(self) -> None:
        self.env = simpy.Environment(initial_time=0)
        self.seq = 0
        self.acts: list[OracleAct] = []
        self.writes: list[tuple[int, int, int, OracleAct, Owner, Record]] = []
        self.lines: list[tuple[int, int, Line]] = []

    @property
    def now(self) -> int:
        return int(self.env.now)

    def process(self, generator: Any) -> Any:
        return self.env.process(generator)

    def timeout(self, delay: int) -> Any:
        return self.env.timeout(delay)

    def log(self, kind: str, *, agent: str = "", **payload: Any) -> None:
        self.seq += 1
        line = Line(kind=kind, agent=agent, customer="", visit="", payload=canonical(payload))
        self.lines.append((self.now, self.seq, line))

    def cancel(self, act: OracleAct) -> bool:
        if act.cancelled or self.now >= act.due_ms:
            return False
        act.cancelled = True
        for other in self.acts:
            if act in other.after:
                self.cancel(other)
        return True

    def submit(
        self, act_id: ActId, steps: Steps, *, due_ms: int, after: Any, writes: Any, visible_at_ms: int
    ) -> Any:
        self.seq += 1
        act = OracleAct(self, act_id, self.seq, due_ms, list(after))
        self.acts.append(act)
        if not act.cancelled:
            act.result = self._think(act, steps, visible_at_ms)
        return act

    def _think(self, act: OracleAct, steps: Steps, visible_at_ms: int) -> Any:
        asked, answer = 0, None
        while True:
            try:
                effect = steps.send(answer)
            except StopIteration as stop:
                return stop.value
            except RuntimeError:
                act.failed = True
                return None
            answer = None
            if isinstance(effect, Recall):
                answer = self._recall(effect)
            elif isinstance(effect, Ask):
                answer = reply(request_of(act.id, asked, effect, self.now))
                asked += 1
            elif isinstance(effect, Write):
                place = len(self.writes)
                self.writes.append((visible_at_ms, act.seq, place, act, effect.owner, effect.record))
            elif isinstance(effect, After):
                answer = next(other.result for other in self.acts if other.id == effect.act)
            else:
                act.lines.append(effect)

    def _recall(self, effect: Recall) -> Any:
        seen = [
            write
            for write in self.writes
            if write[0] <= self.now and write[4] == effect.owner and not write[3].cancelled
        ]
        seen.sort(key=lambda write: write[:3])

        return Recalled(hits=tuple(Hit(record=write[5], score=1.0) for write in seen))

    def ran(self) -> Ran:
        counted = [act for act in self.acts if not act.cancelled and act.due_ms < UNTIL_MS]
        dead = min(((act.due_ms, act.seq, str(act.id)) for act in counted if act.failed), default=None)
        lines = list(self.lines)
        for act in counted:
            lines += [(act.due_ms, act.seq, _line(act.id, note)) for note in act.lines]
        writer = EventWriter(None)
        for time_ms, seq, line in sorted(lines, key=lambda entry: entry[:2]):
            if dead is None or (time_ms, seq) < dead[:2]:
                writer.write(time_ms, line)
        return Ran(digest=writer.digest, error=dead[2] if dead else "")


def sequentially(case: Stream, deadly: float = 0.0) -> Ran:
    """Runs a case on the oracle."""
    world = Oracle()
    open_world(world, case, deadly)
    while world.env.peek() < UNTIL_MS:
        world.env.step()
    return world.ran()
