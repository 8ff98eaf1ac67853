"""Runs a scenario and leaves its records: plain objects in, a result out, no configuration system."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from sim.clock import Calendar
from sim.engine.progress import LOOK_S, Watch, progress_bar, regularly
from sim.engine.scenario import Scenario
from sim.engine.scope import Scopes
from sim.engine.session import ProbePlan, Session
from sim.errors import ActFailed, ConfigError, JournalError, LimitReached
from sim.folder import Status, claimed, introduce, write_json, write_tables
from sim.journal import Journal, Mode, journal_of
from sim.llm.failures import FailureLog
from sim.llm.looking import as_data, looked_at, windows
from sim.llm.protocol import LanguageModel
from sim.llm.thinking import Thinking
from sim.llm.wrappers.limiter import Limiter
from sim.llm.wrappers.limits import Meter
from sim.memory.plan import MemoryPlan
from sim.metrics.business import COUNTED_EVENTS
from sim.metrics.summary import Rows, pooled, summary
from sim.records import Telling, canonical
from sim.signals import cancelled_by_signals

Journals = Mapping[int, Journal | None]
DEFAULT_START = date(2026, 1, 5)


@dataclass(frozen=True, kw_only=True, slots=True)
class RunResult:
    """What came of a run.

    Args:
        summary: as in ``summary.json``.
        digests: the digest of the event log, by seed.
        rows: the flat records, by seed.
        tellings: every time a fact was said to an agent, by seed.
        memories: what the agents remember at the end, by seed.
        folder: where everything lies, or None.
        degraded: more calls failed than was allowed.
        peak_in_flight: most model calls at one time.
        out_of_order: replies that came back before one asked earlier.
        text: the summary in words, where somebody made one.
    """

    summary: dict[str, Any]
    digests: dict[int, str]
    rows: dict[int, Rows]
    tellings: dict[int, list[Telling]]
    memories: dict[int, Scopes]
    folder: Path | None
    degraded: bool
    peak_in_flight: int
    out_of_order: int
    text: str = ""

    def remembered(self, seed: int) -> Iterator[dict[str, Any]]:
        """Every record of every memory at the end, retired ones included, as plain data."""
        for scope in self.memories[seed]:
            yield from scope.memory.snapshot(scope.owner)

    @property
    def exit_code(self) -> int:
        """0 done, 1 degraded."""
        return 1 if self.degraded else 0


@dataclass(frozen=True, kw_only=True, slots=True)
class RunPlan:
    """Everything a run needs, as built objects.

    Args:
        scenario: the world.
        memory: how agents remember.
        thinking: which models, within which limits.
        seed: root of every random draw.
        replications: seeds ``seed`` … ``seed + replications - 1`` on one loop.
        start: the Monday whose 00:00 is simulated time 0.
        probes: examinations.
        folder: where records go; None keeps them in the result alone.
        resume: take up a run whose folder is there already.
        config: what the manifest shows and the journal is bound to.
        max_failure_rate: share of failed calls beyond which the run counts as degraded.
        rows_per_part: rows of one part of the event log.
        progress: a bar, if somebody looks.
    """

    scenario: Scenario
    memory: MemoryPlan
    thinking: Thinking
    seed: int = 0
    replications: int = 1
    start: date = DEFAULT_START
    probes: ProbePlan = field(default_factory=ProbePlan)
    folder: Path | None = None
    resume: bool = False
    config: Mapping[str, Any] = field(default_factory=dict)
    max_failure_rate: float = 0.05
    rows_per_part: int = 50_000
    progress: bool = False

    def seeds(self) -> range:
        """The seeds of the run."""
        return range(self.seed, self.seed + self.replications)

    def folder_of(self, seed: int) -> Path | None:
        """The folder of one seed: the run's own, or one below it."""
        if self.folder is None or self.replications == 1:
            return self.folder
        return self.folder / f"seed-{seed}"

    def folders(self) -> dict[Path, int]:
        """The folders of all seeds and, last, the run's own, each with its seed."""
        each = {folder: seed for seed in self.seeds() if (folder := self.folder_of(seed))}
        return each | ({self.folder: self.seed} if self.folder else {})


def run(plan: RunPlan) -> RunResult:
    """Runs a plan from ordinary code; in a notebook, where a loop runs already, await `arun`.

    Raises:
        KeyboardInterrupt: the process was told to stop, by Ctrl-C or by a signal; the run can be resumed.
    """
    try:
        return asyncio.run(_stoppable(plan))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _stoppable(plan: RunPlan) -> RunResult:
    with cancelled_by_signals():
        return await arun(plan)


async def arun(plan: RunPlan) -> RunResult:
    """Runs a plan on the current loop.

    Raises:
        ConfigError: the folder or a model cannot be used.
        LimitReached: a limit of calls, tokens or hours is used up; the run can be resumed with a higher one.
        JournalMiss: the journal that is replayed has no answer to what is asked.
        ActFailed: an act died of a programming error; ``status.json`` has the traceback.
    """
    found = await looked_at(plan.thinking, plan.seed)
    plan = replace(plan, thinking=replace(plan.thinking, windows={**plan.thinking.windows, **windows(found)}))
    with _begun(plan, as_data(found)) as journals, Status(plan.folder) as status:
        status.set("running")
        result = await _run_all(plan, journals, status)
        status.set("degraded" if result.degraded else "completed")
    return result


@contextmanager
def _begun(plan: RunPlan, served: Mapping[str, Any]) -> Iterator[Journals]:
    """The journals by seed, in a folder that is the run's own; refuses what must not be touched."""
    with ExitStack() as held:
        if plan.folder is not None:
            held.enter_context(claimed(plan.folder, resume=plan.resume))
            introduce(plan.folders(), plan.config, plan.thinking.in_use, served)
        yield {seed: _journal(plan, seed, held) for seed in plan.seeds()}


def _journal(plan: RunPlan, seed: int, held: ExitStack) -> Journal | None:
    folder = plan.folder_of(seed)
    if plan.thinking.replayed is not None:
        return held.enter_context(_replayed(plan.thinking.replayed, seed))
    if folder is None or not plan.thinking.journals:
        return None
    path = folder / "journal.sqlite"
    # A resumed run may have been killed before it asked anything.
    mode: Mode = "resume" if plan.resume and path.exists() else "live"
    try:
        journal = Journal.open(path, mode=mode, config=canonical({**plan.config, "seed": seed}))
    except JournalError as error:
        raise ConfigError(f"{'resume' if plan.resume else 'hydra.run.dir'}: {error}") from error
    return held.enter_context(journal)


def _replayed(run: Path, seed: int) -> Journal:
    try:
        return Journal.open(journal_of(run, seed), mode="replay")
    except JournalError as error:
        raise ConfigError(f"llm.journal: {error}") from error


async def _run_all(plan: RunPlan, journals: Journals, status: Status) -> RunResult:
    limiter, meter = Limiter(plan.thinking.max_in_flight), Meter(plan.thinking.limits)
    bar = progress_bar(plan.scenario.duration_ms, plan.replications, plan.progress)
    watch = Watch(bar, status.beat, limiter, meter)
    try:
        async with regularly(watch.look, LOOK_S), asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(
                    _run_one(plan, seed, journal=journals[seed], limiter=limiter, meter=meter, watch=watch)
                )
                for seed in plan.seeds()
            ]
    except BaseExceptionGroup as several:
        raise _reason(several.exceptions[0]) from None
    finally:
        bar.close()
    sessions = {session.seed: session for session in (task.result() for task in tasks)}
    return _gathered(plan, sessions, limiter)


def _reason(error: BaseException) -> BaseException:
    """What ended a run: of an act that met a limit or a gap in the journal, just that."""
    cause = error.__cause__ if isinstance(error, ActFailed) else None
    return cause if isinstance(cause, LimitReached | JournalError) else error


async def _run_one(
    plan: RunPlan, seed: int, *, journal: Journal | None, limiter: Limiter, meter: Meter, watch: Watch
) -> Session:
    folder = plan.folder_of(seed)
    models = dict(plan.thinking.models(seed))
    try:
        session = _session(plan, seed, models=models, limiter=limiter, meter=meter, journal=journal)
        watch.sessions.append(session)
        await session.run()
    finally:
        for model in models.values():
            await model.close()
    if folder is not None:
        write_tables(folder, session, rows_of(session))
    return session


def _session(
    plan: RunPlan,
    seed: int,
    *,
    models: Mapping[str, LanguageModel],
    limiter: Limiter,
    meter: Meter,
    journal: Journal | None,
) -> Session:
    thinking, folder = plan.thinking, plan.folder_of(seed)
    return Session(
        scenario=plan.scenario,
        seed=seed,
        calendar=Calendar(start=plan.start),
        memory=plan.memory,
        thinking=thinking,
        model=thinking.router(models, limiter, journal, "run", meter),
        exam_model=thinking.router(models, limiter, journal, "exam", meter),
        probes=plan.probes,
        folder=folder,
        rows_per_part=plan.rows_per_part,
        failures=FailureLog(folder if thinking.journals else None),
    )


def rows_of(session: Session) -> Rows:
    """The records of a finished session, with what only it knows."""
    harvest = session.harvest
    return Rows(
        visits=harvest.visits,
        probes=harvest.probes,
        calls=harvest.calls,
        extra={
            "regular_treated_as_new": harvest.kinds["treated_as_new"],
            "incidents": harvest.kinds["incident"],
            **{name: harvest.kinds[kind] for name, kind in COUNTED_EVENTS.items()},
            "memory": session.remembering,
            "events": session.writer.count,
            "events_digest": session.writer.digest,
        },
    )


def _state(plan: RunPlan, sessions: Sequence[Session]) -> str:
    calls = sum(len(session.harvest.calls) for session in sessions)
    failures = sum(session.harvest.failures for session in sessions)
    return "degraded" if failures > plan.max_failure_rate * calls else "completed"


def _gathered(plan: RunPlan, sessions: Mapping[int, Session], limiter: Limiter) -> RunResult:
    rows = {seed: rows_of(session) for seed, session in sessions.items()}
    if plan.replications == 1:
        only = rows[plan.seed]
        table = summary(only.visits, only.probes, only.calls, only.extra)
    else:
        table = pooled(rows)
    if plan.folder is not None and plan.replications > 1:
        write_json(plan.folder / "summary.json", table)
        for seed, session in sessions.items():
            Status(plan.folder_of(seed)).set(_state(plan, [session]))
    return RunResult(
        summary=table,
        digests={seed: session.writer.digest for seed, session in sessions.items()},
        rows=rows,
        tellings={seed: session.ledger.rows() for seed, session in sessions.items()},
        memories={seed: session.simulation.scopes for seed, session in sessions.items()},
        folder=plan.folder,
        degraded=_state(plan, list(sessions.values())) == "degraded",
        peak_in_flight=limiter.peak,
        out_of_order=limiter.out_of_order,
    )
