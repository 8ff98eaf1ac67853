"""The simulation: SimPy owns simulated time, and one coroutine steps it on the loop the acts run on.

Equal times: SimPy takes events at one millisecond by (priority, insertion). Log lines and acts
share one counter, so lines at one millisecond stand in the order in which they were handed in.
An answer a process waits for is inserted when the act's due time has come: it arrives in that
millisecond, after whatever was inserted before.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any

import simpy

from sim.agents.effects import Became, Tell
from sim.clock import Calendar, milliseconds
from sim.engine.act import Act, Steps
from sim.engine.log import EventLog, Line, Marker
from sim.engine.mind import Mind
from sim.engine.scope import Scopes
from sim.errors import OrderError
from sim.ledger import Ledger
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Claim, Owner, Record
from sim.records import ActId, canonical, refuse_floats
from sim.streams import Stream

Process = Generator[simpy.Event, Any, Any]
_STEPS_BETWEEN_LOOKS = 32


class Simulation:
    """What a scenario sees: time, processes, acts, random streams, the ledger and the log.

    Args:
        streams: root of all random draws of the run.
        calendar: turns simulated time into dates.
        memory: how agents remember.
        ledger: ground truth, filled by the scenario and by `Tell`.
        latency_s: mean simulated seconds of a model call by role, with ``default``.
        confidence_threshold: below it an agent asks back.
        max_open_acts: the clock pauses beyond this many acts in thought; bounds memory, changes nothing.
    """

    def __init__(
        self,
        *,
        streams: Stream,
        calendar: Calendar,
        memory: MemoryPlan,
        ledger: Ledger,
        latency_s: Mapping[str, float] | None = None,
        confidence_threshold: float = 0.5,
        max_open_acts: int = 4096,
    ) -> None:
        self.streams = streams
        self.calendar = calendar
        self.memory = memory
        self.ledger = ledger
        self.confidence_threshold = confidence_threshold
        self.env = simpy.Environment(initial_time=0)
        self.scopes = Scopes(memory.make)
        self._latency_s = dict(latency_s or {"default": 0.0})
        self._max_open_acts = max_open_acts
        self._seq = 0
        self._submitted: set[ActId] = set()
        self._answers: deque[tuple[Act, simpy.Event]] = deque()
        self._mind: Mind | None = None
        self._log: EventLog | None = None
        self._steps = 0

    def attach(self, mind: Mind, log: EventLog) -> None:
        """Connects the parts that need the running loop; called once, by the run."""
        self._mind, self._log = mind, log

    @property
    def mind(self) -> Mind:
        """The mind; there is none before the run has started."""
        if self._mind is None:
            raise OrderError("acts can be submitted only while the simulation runs")
        return self._mind

    @property
    def event_log(self) -> EventLog:
        """The log; there is none before the run has started."""
        if self._log is None:
            raise OrderError("lines can be logged only while the simulation runs")
        return self._log

    @property
    def now(self) -> int:
        """Simulated milliseconds since the start."""
        return int(self.env.now)

    def process(self, steps: Process) -> simpy.Process:
        """Starts a SimPy process."""
        return self.env.process(steps)

    def timeout(self, delay_ms: int) -> simpy.Timeout:
        """An event ``delay_ms`` whole milliseconds from now."""
        return self.env.timeout(int(delay_ms))

    def until(self, time_ms: int) -> simpy.Timeout:
        """An event at a simulated time, or now if that is past."""
        return self.env.timeout(max(0, int(time_ms) - self.now))

    def log(self, kind: str, *, agent: str = "", customer: str = "", visit: str = "", **payload: Any) -> None:
        """Logs a line now."""
        refuse_floats(kind, payload)
        line = Line(kind=kind, agent=agent, customer=customer, visit=visit, payload=canonical(payload))
        self.event_log.put(self.now, self._next(), line)

    def mark(self, call: Marker) -> None:
        """Calls ``call(time_ms)`` when all lines up to now are out, so that the ledger stands as of now."""
        self.event_log.put(self.now, self._next(), call)

    def submit(
        self,
        act_id: ActId,
        steps: Steps,
        *,
        due_ms: int,
        after: Iterable[Act] = (),
        writes: Iterable[Owner] = (),
        visible_at_ms: int | None = None,
    ) -> Act:
        """Hands in an act now; it thinks while simulated time goes on.

        Args:
            act_id: who thinks about what; unique within the run.
            steps: the act itself, a generator of effects.
            due_ms: simulated time at which its answer counts and its lines stand in the log.
            after: acts whose results it may wait for; they must not be due later.
            writes: scopes it may write to; declared, so that a recall knows what to wait for.
            visible_at_ms: when its writes can be seen; needed with ``writes``.

        Raises:
            OrderError: times that would make the result depend on real speed; an identity that was
                submitted before; or the run is over.
        """
        if act_id in self._submitted:
            raise OrderError(f"act {act_id} was submitted already: a retry needs the next attempt")
        act = Act(
            id=act_id,
            seq=self._next(),
            submitted_ms=self.now,
            due_ms=int(due_ms),
            steps=steps,
            after={earlier.id: earlier for earlier in after},
            writes=frozenset(writes),
            visible_at_ms=due_ms + 1 if visible_at_ms is None else int(visible_at_ms),
        )
        act.make_event = self._event
        self.event_log.check_open()
        self.mind.start(act, self.now)
        self._submitted.add(act_id)
        self.event_log.put(act.due_ms, act.seq, act)
        return act

    def cancel(self, act: Act) -> bool:
        """Takes an act back, with every act that waits for it; False when it is due already."""
        return self.mind.cancel(act, self.now)

    def latency(self, role: str, *names: str | int) -> int:
        """Simulated milliseconds a call of this role takes; exponential, drawn by name."""
        mean_s = self._latency_s.get(role, self._latency_s["default"])
        return milliseconds(self.streams.of("latency", role, *names).exponential(mean_s))

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def _event(self, act: Act) -> simpy.Event:
        answer = self.env.event()
        due = self.until(act.due_ms)
        due.callbacks.append(lambda _: self._answers.append((act, answer)))
        return answer

    async def run(self, until_ms: int) -> None:
        """Steps SimPy until ``until_ms`` and lets acts think in between; the end is exclusive."""
        try:
            while self.env.peek() < until_ms:
                self.env.step()
                while self._answers:
                    await self._deliver(*self._answers.popleft())
                self._steps += 1
                if self._steps % _STEPS_BETWEEN_LOOKS == 0:
                    await self._look()
            await self.mind.end(self.event_log.acts(), until_ms)
            self.event_log.head(until_ms - 1)
        except BaseException:
            await self.mind.abort()
            raise
        finally:
            self.event_log.close()

    async def _look(self) -> None:
        await asyncio.sleep(0)
        self.event_log.head(self.now)
        while self.mind.open > self._max_open_acts:
            await self.mind.progress()
        while len(self.event_log) > 8 * self._max_open_acts:
            held_up_by = self.event_log.head(self.now)
            if held_up_by is None:
                break
            await held_up_by.finished.wait()

    async def _deliver(self, act: Act, answer: simpy.Event) -> None:
        while (held_up_by := self.event_log.head_until(act)) is not None:
            await held_up_by.finished.wait()
        if act.taken_back:
            # Defused: whoever waited may have gone, and then nobody needs to hear of it.
            answer.fail(OrderError(f"act {act.id} was cancelled: nobody will answer")).defused = True
            return
        act.heard = True
        answer.succeed(act.result)


Hearing = Callable[[Act, Tell | Became], Iterable[tuple[Owner, Record]]]


def ledger_records(plan: MemoryPlan, ledger: Ledger) -> Hearing | None:
    """What `Tell` puts into memories that read the ledger: one record per utterance and scope."""
    if "telling" not in plan.capabilities.ingests:
        return None

    def claims(told: Tell | Became) -> tuple[Claim, ...]:
        if isinstance(told, Became):
            return (Claim(slot=told.slot, value=told.value),)
        facts = [ledger.fact(fact) for fact in told.facts]
        return tuple(Claim(slot=f.slot, value=f.value, polarity=f.polarity) for f in facts)

    def records(act: Act, told: Tell | Became) -> Iterable[tuple[Owner, Record]]:
        for owner in sorted(act.writes, key=str):
            yield (
                owner,
                Record(
                    id=f"{act.id}/told-{len(act.records)}",
                    at_ms=act.submitted_ms,
                    visible_at_ms=act.visible_at_ms,
                    agent=act.id.agent,
                    customer=act.id.customer,
                    visit=act.id.visit,
                    kind="telling",
                    text="",
                    claims=claims(told),
                    sources=(told.utterance,),
                ),
            )

    return records
