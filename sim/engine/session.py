"""One seed of a run: puts the parts together, runs them on the current loop, hands over the records."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sim.agents.effects import Became, Note, Observed, Report, Tell
from sim.clock import Calendar
from sim.engine.act import Act
from sim.engine.exams import Examiner, ExamPlan
from sim.engine.log import EventLog, EventWriter, Line
from sim.engine.mind import Mind
from sim.engine.scenario import Scenario
from sim.engine.scope import Scope
from sim.engine.scoring import Asked, Scorer
from sim.engine.simulation import Simulation, ledger_records
from sim.ledger import Ledger
from sim.llm.failures import FailureLog
from sim.llm.ladder.structured import Ladder
from sim.llm.outcomes import CANCELLED, FINE
from sim.llm.protocol import LanguageModel
from sim.llm.thinking import Thinking
from sim.memory.diary.manners import Manners
from sim.memory.figures import LOOKED_AFTER, Happening, Held, counts
from sim.memory.plan import MemoryPlan
from sim.records import LlmCall, Probe, Visit, canonical
from sim.streams import Stream


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbePlan:
    """Examinations: whether, how often, and over how many facts at most."""

    enabled: bool = True
    every_days: int = 7
    sample: int = 200


@dataclass(kw_only=True, slots=True)
class Harvest:
    """The records of one seed, gathered in the order of the log."""

    visits: list[Visit] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    calls: list[LlmCall] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    happenings: list[Happening] = field(default_factory=list)
    failures: int = 0


class Session:
    """One seed of a scenario.

    Args:
        scenario: the world.
        seed: root of every random draw.
        calendar: dates of simulated time.
        memory: how agents remember.
        thinking: models and limits.
        model: what answers acts; ``exam_model`` answers examinations, from its own journal namespace.
        probes: when examinations are held.
        folder: where event parts go; None keeps the digest only.
        rows_per_part: rows of one event part.
        failures: told of every decision that failed.
    """

    def __init__(
        self,
        *,
        scenario: Scenario,
        seed: int,
        calendar: Calendar,
        memory: MemoryPlan,
        thinking: Thinking,
        model: LanguageModel,
        exam_model: LanguageModel,
        probes: ProbePlan,
        folder: Path | None,
        rows_per_part: int = 50_000,
        failures: FailureLog | None = None,
    ) -> None:
        self.seed = seed
        self.harvest = Harvest()
        self.ledger = Ledger(partial(_store, memory, scenario))
        self.simulation = Simulation(
            streams=Stream.root(seed),
            calendar=calendar,
            memory=memory,
            ledger=self.ledger,
            latency_s=thinking.latency_s,
            confidence_threshold=thinking.confidence_threshold,
        )
        self.writer = EventWriter(folder and folder / "events", rows_per_part)
        self._scenario = scenario
        self._failures = failures or FailureLog(None)
        self._scorer = Scorer(self.ledger, self.simulation.scopes, memory.capabilities)
        self._mind = Mind(
            self.simulation.scopes,
            self._failures.told(Ladder(model).ask),
            thinking.request,
            ledger_records(memory, self.ledger),
        )
        self._examiner = self._examining(probes, thinking, exam_model)

    def _examining(self, probes: ProbePlan, thinking: Thinking, model: LanguageModel) -> Examiner | None:
        cast = self._scenario.cast
        if not probes.enabled or cast.exam is None:
            return None
        plan = ExamPlan(
            at_ms=cast.closings_ms[probes.every_days - 1 :: probes.every_days],
            agents=tuple(cast.groups),
            sample=probes.sample,
            question=partial(cast.exam, self.simulation),
        )
        ask = self._failures.told(Ladder(model).ask)
        return Examiner(self.simulation, plan, self._scorer, ask, thinking.request)

    @property
    def thought_ms(self) -> int:
        """The simulated time up to which all acts have been thought."""
        return self._mind.thought_ms(self.simulation.now)

    @property
    def remembering(self) -> Mapping[str, Any]:
        """What the memories did by themselves, as plain numbers; of a finished session."""
        held = [_held(scope, self._scenario.duration_ms) for scope in self.simulation.scopes]
        return counts(self.harvest.happenings, held, self.harvest.probes, self.ledger.rows())

    async def run(self) -> None:
        """Runs the scenario to its end; the records are in `harvest` afterwards.

        Raises:
            ActFailed: an act died of a programming error.
        """
        self.simulation.attach(self._mind, EventLog(self._emit))
        self._scenario.open(self.simulation)
        try:
            if self._examiner is not None:
                self.simulation.process(self._examiner.timetable())
            await self.simulation.run(self._scenario.duration_ms)
            await self._finish()
        except BaseException:
            self.writer.rescue()
            if self._examiner is not None:
                await self._examiner.abort()
            raise

    async def _finish(self) -> None:
        if self._examiner is not None:
            probes, calls = await self._examiner.results()
            self.harvest.probes += probes
            self._note_calls(calls)
        self._note_calls(sorted(self._mind.taken_back, key=lambda call: (call.time_ms, call.act, call.ask)))
        self.writer.close()
        for scope in self.simulation.scopes:
            scope.applied(self._scenario.duration_ms)

    def _emit(self, time_ms: int, entry: Act | Line) -> None:
        if isinstance(entry, Line):
            self._write(time_ms, entry)
            return
        for item in entry.lines:
            self._take(time_ms, entry, item)
        self._note_calls(entry.calls)
        self._mind.forget(entry)

    def _take(self, time_ms: int, act: Act, item: Note | Tell | Became | Report | Observed) -> None:
        match item:
            case Note():
                self._write(time_ms, _line(act, item))
            case Tell():
                for fact in item.facts:
                    self._told(time_ms, act, fact, item.utterance)
            case Became():
                made = self.ledger.make_true(
                    customer=item.customer, slot=item.slot, value=item.value, at_ms=time_ms
                )
                self._told(time_ms, act, made.id, item.utterance)
            case Report():
                self.harvest.visits.append(item.visit)
            case Observed():
                asked = Asked(kind="natural", act=act.id, at_ms=act.submitted_ms, time_ms=time_ms, seen=item)
                self.harvest.probes.extend(self._scorer.probes(asked))

    def _told(self, time_ms: int, act: Act, fact: str, utterance: str) -> None:
        self.ledger.tell(
            fact_id=fact, agent=act.id.agent, at_ms=time_ms, visit=act.id.visit, utterance=utterance
        )

    def _note_calls(self, calls: list[LlmCall]) -> None:
        self.harvest.calls += calls
        self.harvest.failures += sum(call.outcome not in (*FINE, CANCELLED) for call in calls)

    def _write(self, time_ms: int, line: Line) -> None:
        self.writer.write(time_ms, line)
        self.harvest.kinds[line.kind] += 1
        if line.kind in LOOKED_AFTER:
            payload = json.loads(line.payload)
            self.harvest.happenings.append(
                Happening(time_ms=time_ms, kind=line.kind, store=line.agent, payload=payload)
            )


def _line(act: Act, note: Note) -> Line:
    return Line(
        kind=note.kind,
        agent=act.id.agent,
        customer=act.id.customer,
        visit=act.id.visit,
        payload=canonical(note.payload),
    )


def _store(memory: MemoryPlan, scenario: Scenario, agent: str) -> str:
    return memory.store(agent, scenario.cast.groups.get(agent, ""))


def _held(scope: Scope, at_ms: int) -> Held:
    memory = scope.memory
    manners: Manners | None = getattr(memory, "manners", None)
    return Held(
        store=scope.owner.store,
        living=memory.living(scope.owner, at_ms),
        index_bytes=getattr(memory, "nbytes", {}),
        forecasts=manners.forecasts if manners else (),
        rules=len(manners.rules(at_ms)) if manners else 0,
    )
