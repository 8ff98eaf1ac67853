"""From checked settings to a plan of built objects, and the run of it."""

import asyncio
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from sim.build.embedders import check_model
from sim.build.memories import domain_of, ignored, memory_of
from sim.build.models import thinking_of
from sim.build.patterns import digest_of
from sim.build.replaying import check_same
from sim.config import LlmSettings, Settings, locate
from sim.engine.scenario import Scenario
from sim.engine.session import ProbePlan
from sim.llm.looking import looked_at
from sim.runs import DEFAULT_START, RunPlan, RunResult, run

# Settings that change how a run is carried out but not what comes out of it; `sim.door.resuming` lets
# a resumed run have others.
_NOT_OF_THE_RESULT = ("resume", "progress", "plots")
_NOT_OF_THE_ANSWERS = ("limits", "max_in_flight", "retries")
_WHERE = ("base_urls", "serve", "api_key_env", "connect_s", "max_in_flight")


def execute(settings: Settings, folder: Path, resume: bool) -> RunResult:
    """Runs a configuration in a folder and leaves summary, figure and text there.

    Raises:
        ConfigError: the folder cannot be used.
        SimError: the run failed; ``status.json`` says why.
    """
    from sim.build.estimate import announced, estimated
    from sim.metrics.plots import funnel_title, save_funnel
    from sim.metrics.text import text

    plan = plan_of(settings, folder, resume=resume)
    if not resume and (line := announced(estimated(settings))):
        print(f"noodle: {line}", file=sys.stderr, flush=True)
    result = run(plan)
    if settings.plots:
        title = funnel_title(plan.config, settings.seed, settings.replications)
        save_funnel(result.summary, folder / "funnel.png", title)
    told = text(result.summary, {"config": plan.config, "seed": settings.seed}, folder)
    if idle := ignored(settings):
        told = f"memory={settings.memory.name} makes no use of: {', '.join(idle)}\n{told}"
    return replace(result, text=told)


def check(settings: Settings) -> None:
    """Builds everything that can be wrong and looks at every model, before a folder is made.

    Raises:
        ConfigError: naming the key or path, and what to do.
    """
    check_model(settings.embedder)
    plan = plan_of(settings, None, resume=False)
    if plan.thinking.replayed is not None:
        check_same(plan.thinking.replayed, plan.config, plan.seeds())
    _look(settings.llm.model_dump_json(by_alias=True))


@lru_cache(maxsize=32)
def _look(llm: str) -> None:
    # Once for all arms of a sweep that share their models; each run looks again when it begins.
    asyncio.run(looked_at(thinking_of(LlmSettings.model_validate_json(llm), {}), 0))


def plan_of(settings: Settings, folder: Path | None, *, resume: bool) -> RunPlan:
    """The objects a configuration asks for."""
    scenario = scenario_of(settings)
    memory = memory_of(settings, domain_of(scenario))
    if (fits := getattr(scenario, "check", None)) is not None:
        fits(memory)
    return RunPlan(
        scenario=scenario,
        memory=memory,
        thinking=thinking_of(settings.llm, scenario.skills),
        seed=settings.seed,
        replications=settings.replications,
        start=getattr(scenario, "start", DEFAULT_START),
        probes=ProbePlan(**settings.probes.model_dump()),
        folder=folder,
        resume=resume,
        config=config_of(settings) | _found(settings, scenario),
        max_failure_rate=settings.max_failure_rate,
        rows_per_part=settings.log.rows_per_part,
        progress=settings.progress,
    )


def config_of(settings: Settings) -> dict[str, Any]:
    """The settings as plain data for the manifest and for the journal to be bound to."""
    config = settings.model_dump(mode="json", by_alias=True, exclude=set(_NOT_OF_THE_RESULT))
    for name in _NOT_OF_THE_ANSWERS:
        del config["llm"][name]
    for model in config["llm"]["models"].values():
        for name in _WHERE:
            model.pop(name, None)
    options = settings.scenario.options.model_dump(mode="json")
    config["scenario"] = {"_target_": settings.scenario.target, "name": settings.scenario.name, **options}
    return config


def _found(settings: Settings, scenario: Scenario) -> dict[str, Any]:
    """What the settings do not say themselves: digests of the files they name, and where those start."""
    inputs = dict(getattr(scenario, "inputs", {}))
    if settings.memory.patterns_dir is not None:
        inputs["memory.patterns_dir"] = digest_of(settings.memory.patterns_dir)
    found: dict[str, Any] = {"inputs": inputs} if inputs else {}
    start = getattr(scenario, "start", None)
    if start is not None and not hasattr(settings.scenario.options, "start"):
        found["start"] = start.isoformat()
    return found


def scenario_of(settings: Settings) -> Any:
    """The scenario, built from its own checked keys."""
    made = locate(settings.scenario.target)
    scenario: Scenario = made(settings.scenario.options)
    return scenario
