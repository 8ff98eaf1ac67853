"""Runs a scenario and leaves its records: plain objects in, a result out, no configuration system."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from sim.clock import DAY_MS, Calendar
from sim.engine.progress import Progress, progress_bar
from sim.engine.scenario import Scenario
from sim.engine.scope import Scopes
from sim.engine.session import ProbePlan, Session
from sim.errors import JournalError
from sim.folder import Status, manifest, prepare, write_json, write_snapshots
from sim.journal import Journal, Mode
from sim.llm.limiter import Limiter
from sim.llm.protocol import LanguageModel
from sim.llm.thinking import Thinking
from sim.memory.plan import MemoryPlan
from sim.metrics.business import COUNTED_EVENTS, Day, daily
from sim.metrics.summary import Rows, pooled, summary
from sim.records import LlmCall, Probe, Telling, Visit, canonical
from sim.tables import write_table

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


def run(plan: RunPlan) -> RunResult:
    """Runs a plan from ordinary code; in a notebook, where a loop runs already, await `arun`."""
    return asyncio.run(arun(plan))


async def arun(plan: RunPlan) -> RunResult:
    """Runs a plan on the current loop.

    Raises:
        ConfigError: the folder cannot be used.
        ActFailed: an act died of a programming error; ``status.json`` has the traceback.
    """
    if plan.folder is not None:
        prepare(plan.folder, resume=plan.resume)
        _write_manifest(plan)
    status = Status(plan.folder)
    status.set("running")
    try:
        result = await _run_all(plan, status)
    except (KeyboardInterrupt, asyncio.CancelledError):
        status.set("interrupted")
        raise
    except JournalError as error:
        # A resume that is refused must not touch what is said of the run that lies there.
        status.refused(error) if plan.resume else status.failed(error)
        raise
    except BaseException as error:
        status.failed(error)
        raise
    status.set("degraded" if result.degraded else "completed")
    return result


def _write_manifest(plan: RunPlan) -> None:
    assert plan.folder is not None
    models = set(plan.thinking.roles.values())
    for seed in plan.seeds() if plan.replications > 1 else ():
        _introduce(plan.folder / f"seed-{seed}", manifest(plan.config, seed, models))
    # Last, for it marks the folder as one that can be resumed.
    _introduce(plan.folder, manifest(plan.config, plan.seed, models))


def _introduce(folder: Path, data: dict[str, Any]) -> None:
    """Writes the manifest of a folder that has none yet."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "manifest.json").exists():
        write_json(folder / "manifest.json", data)


async def _run_all(plan: RunPlan, status: Status) -> RunResult:
    limiter = Limiter(plan.thinking.max_in_flight)
    bar = progress_bar(plan.scenario.duration_ms, plan.replications, plan.progress)
    look = _Look(plan, bar, limiter, status)
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_run_one(plan, seed, limiter, look)) for seed in plan.seeds()]
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    finally:
        bar.close()
    sessions = {session.seed: session for session in (task.result() for task in tasks)}
    return _gathered(plan, sessions, limiter)


async def _run_one(plan: RunPlan, seed: int, limiter: Limiter, look: "_Look") -> Session:
    folder = plan.folder_of(seed)
    models = dict(plan.thinking.models(seed))
    journal = _journal(plan, folder, seed)
    try:
        session = _session(
            plan, seed, folder=folder, models=models, limiter=limiter, journal=journal, look=look
        )
        await session.run()
    finally:
        for model in models.values():
            await model.close()
        if journal is not None:
            journal.close()
    if folder is not None:
        _write_tables(folder, session, rows_of(session))
    return session


def _session(
    plan: RunPlan,
    seed: int,
    *,
    folder: Path | None,
    models: Mapping[str, LanguageModel],
    limiter: Limiter,
    journal: Journal | None,
    look: "_Look",
) -> Session:
    session = Session(
        scenario=plan.scenario,
        seed=seed,
        calendar=Calendar(start=plan.start),
        memory=plan.memory,
        thinking=plan.thinking,
        model=plan.thinking.router(models, limiter, journal, "run"),
        exam_model=plan.thinking.router(models, limiter, journal, "exam"),
        probes=plan.probes,
        folder=folder,
        rows_per_part=plan.rows_per_part,
        on_look=partial(look, seed),
    )
    look.sessions[seed] = session
    return session


def _journal(plan: RunPlan, folder: Path | None, seed: int) -> Journal | None:
    if folder is None or not plan.thinking.journals:
        return None
    path = folder / "journal.sqlite"
    # A resumed run may have been killed before it asked anything.
    mode: Mode = "resume" if plan.resume and path.exists() else "live"
    return Journal.open(path, mode=mode, config=sha256(canonical([seed, plan.config]).encode()).hexdigest())


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
            "events": session.writer.count,
            "events_digest": session.writer.digest,
        },
    )


def _write_tables(folder: Path, session: Session, rows: Rows) -> None:
    write_table(folder / "visits.parquet", rows.visits, Visit)
    write_table(folder / "days.parquet", daily(rows.visits), Day)
    write_table(folder / "recall.parquet", rows.probes, Probe)
    write_table(folder / "llm_calls.parquet", rows.calls, LlmCall)
    write_table(folder / "facts.parquet", session.ledger.rows(), Telling)
    write_snapshots(folder, session.simulation.scopes)
    write_json(folder / "summary.json", summary(rows.visits, rows.probes, rows.calls, rows.extra))


def _gathered(plan: RunPlan, sessions: Mapping[int, Session], limiter: Limiter) -> RunResult:
    rows = {seed: rows_of(session) for seed, session in sessions.items()}
    if plan.replications == 1:
        only = rows[plan.seed]
        table = summary(only.visits, only.probes, only.calls, only.extra)
    else:
        table = pooled(rows)
    calls = sum(len(one.calls) for one in rows.values())
    failures = sum(session.harvest.failures for session in sessions.values())
    if plan.folder is not None and plan.replications > 1:
        write_json(plan.folder / "summary.json", table)
        for seed in plan.seeds():
            Status(plan.folder_of(seed)).set("completed")
    return RunResult(
        summary=table,
        digests={seed: session.writer.digest for seed, session in sessions.items()},
        rows=rows,
        tellings={seed: session.ledger.rows() for seed, session in sessions.items()},
        memories={seed: session.simulation.scopes for seed, session in sessions.items()},
        folder=plan.folder,
        degraded=failures > plan.max_failure_rate * calls,
        peak_in_flight=limiter.peak,
        out_of_order=limiter.out_of_order,
    )


class _Look:
    """Turns looks at the clock of each session into progress and heartbeats."""

    def __init__(self, plan: RunPlan, bar: Progress, limiter: Limiter, status: Status) -> None:
        self.sessions: dict[int, Session] = {}
        self._plan = plan
        self._bar = bar
        self._limiter = limiter
        self._status = status
        self._days: dict[int, float] = dict.fromkeys(plan.seeds(), 0.0)

    def __call__(self, seed: int, time_ms: int) -> None:
        gone = time_ms / DAY_MS - self._days[seed]
        if gone < 0.05:  # an hour or so: a bar needs no more, and looks come by the thousand
            return
        self._days[seed] += gone
        failures = sum(session.harvest.failures for session in self.sessions.values())
        self._bar.show(gone, in_flight=self._limiter.in_flight, failures=failures)
        self._status.beat(
            simulated_days=round(sum(self._days.values()), 2),
            in_flight=self._limiter.in_flight,
            failures=failures,
        )
