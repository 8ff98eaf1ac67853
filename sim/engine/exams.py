"""Examinations: read-only questions over facts told so far, at fixed simulated times.

They have no place in the order of acts: they start when the log has come to their time, read
the memory as of that time, write nothing and log nothing. So a run with and without them has
the same event log.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sim.agents.effects import Ask, Observed, Recall, Recalled
from sim.engine.act import Steps
from sim.engine.mind import Asker, RequestMaker, call_record, timed_recall
from sim.engine.scoring import Asked, Scorer
from sim.engine.simulation import Simulation
from sim.errors import OrderError
from sim.ledger import Fact
from sim.records import ActId, LlmCall, Probe

ExamSteps = Callable[[ActId, Fact, int], Steps]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExamPlan:
    """When and how much is examined.

    Args:
        at_ms: simulated times, after closing.
        agents: who is examined.
        sample: facts per examination at most, over all agents.
        question: makes the act that asks one agent about one fact as of a time.
    """

    at_ms: tuple[int, ...]
    agents: tuple[str, ...]
    sample: int
    question: ExamSteps


class Examiner:
    """Runs examinations beside the simulation, a bounded number at a time."""

    def __init__(
        self, simulation: Simulation, plan: ExamPlan, scorer: Scorer, ask: Asker, request: RequestMaker
    ) -> None:
        self._simulation = simulation
        self._plan = plan
        self._scorer = scorer
        self._ask = ask
        self._request = request
        self._tasks: list[asyncio.Task[tuple[list[Probe], list[LlmCall]]]] = []
        self._places = asyncio.Semaphore(256)

    def timetable(self) -> Any:
        """The SimPy process that marks the times of examination in the log."""
        for time_ms in self._plan.at_ms:
            yield self._simulation.until(time_ms)
            self._simulation.mark(self._hold)

    def _hold(self, time_ms: int) -> None:
        loop = asyncio.get_running_loop()
        for agent, fact in self._sampled(time_ms):
            act_id = ActId(
                agent=agent, customer=fact.customer, visit=f"exam/{time_ms}", purpose=f"exam:{fact.slot}"
            )
            self._tasks.append(loop.create_task(self._examine(act_id, fact, time_ms)))

    def _sampled(self, time_ms: int) -> Iterable[tuple[str, Fact]]:
        ledger = self._simulation.ledger
        known = [
            (agent, fact)
            for agent in self._plan.agents
            for fact in ledger.known_to(agent)
            if ledger.current(fact.customer, fact.slot, time_ms) == fact
        ]
        return self._simulation.streams.of("exam", time_ms).sample(known, self._plan.sample)

    async def _examine(self, act_id: ActId, fact: Fact, at_ms: int) -> tuple[list[Probe], list[LlmCall]]:
        async with self._places:
            sitting = _Sitting(self._simulation, self._ask, self._request, act_id, at_ms)
            await sitting.run(self._plan.question(act_id, fact, at_ms))
        probes = [
            probe
            for seen in sitting.seen
            for probe in self._scorer.probes(
                Asked(kind="exam", act=act_id, at_ms=at_ms, time_ms=at_ms, seen=seen)
            )
        ]
        return probes, sitting.calls

    async def results(self) -> tuple[list[Probe], list[LlmCall]]:
        """All probes and calls, in the order in which the questions were drawn."""
        pairs = await asyncio.gather(*self._tasks)
        probes = [probe for found, _ in pairs for probe in found]
        return probes, [call for _, calls in pairs for call in calls]

    async def abort(self) -> None:
        """Takes back what is still being examined."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _Sitting:
    """One agent, one question, nothing but reading."""

    def __init__(
        self, simulation: Simulation, ask: Asker, request: RequestMaker, act_id: ActId, at_ms: int
    ) -> None:
        self._simulation = simulation
        self._ask = ask
        self._request = request
        self._act = act_id
        self._at_ms = at_ms
        self.seen: list[Observed] = []
        self.calls: list[LlmCall] = []

    async def run(self, steps: Steps) -> None:
        answer: Any = None
        try:
            while True:
                answer = await self._perform(steps.send(answer))
        except StopIteration:
            return

    async def _perform(self, effect: object) -> Any:
        match effect:
            case Recall():
                return self._recall(effect)
            case Ask():
                request = self._request(self._act, len(self.calls), effect, self._at_ms)
                outcome = await self._ask(request)
                self.calls.append(call_record(request, outcome))
                return outcome
            case Observed():
                self.seen.append(effect)
                return None
        raise OrderError(f"examination {self._act} may only read, not {type(effect).__name__}")

    def _recall(self, effect: Recall) -> Recalled:
        # Every write visible by now was due by now, and all that was due by now is in the log.
        memory = self._simulation.scopes[effect.owner].applied(self._at_ms)
        return timed_recall(memory, effect)
