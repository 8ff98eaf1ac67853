"""From checked settings to a plan of built objects, and the run of it."""

import asyncio
import sys
from dataclasses import replace
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from sim.build.models import thinking_of
from sim.config import EmbedderSettings, LlmSettings, MemorySettings, Settings, locate
from sim.embed.protocol import Embedder
from sim.engine.scenario import Scenario
from sim.engine.session import ProbePlan
from sim.errors import ConfigError
from sim.llm.looking import looked_at
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Capabilities
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
    _check_model(settings.embedder)
    plan_of(settings, None, resume=False)
    _look(settings.llm.model_dump_json(by_alias=True))


@lru_cache(maxsize=32)
def _look(llm: str) -> None:
    # Once for all arms of a sweep that share their models; each run looks again when it begins.
    asyncio.run(looked_at(thinking_of(LlmSettings.model_validate_json(llm), {}), 0))


def plan_of(settings: Settings, folder: Path | None, *, resume: bool) -> RunPlan:
    """The objects a configuration asks for."""
    scenario = scenario_of(settings)
    memory = memory_of(settings)
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
        config=config_of(settings) | _inputs(scenario),
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
    config["scenario"] = {
        "_target_": settings.scenario.target,
        "name": settings.scenario.name,
        **settings.scenario.options.model_dump(mode="json"),
    }
    return config


def _inputs(scenario: Scenario) -> dict[str, Any]:
    """The digests of files that the settings name, for a scenario that reads any."""
    inputs = dict(getattr(scenario, "inputs", {}))
    return {"inputs": inputs} if inputs else {}


def scenario_of(settings: Settings) -> Any:
    """The scenario, built from its own checked keys."""
    made = locate(settings.scenario.target)
    scenario: Scenario = made(settings.scenario.options)
    return scenario


def memory_of(settings: Settings) -> MemoryPlan:
    """How agents remember; the embedder is built only for a memory with an index."""
    memory = settings.memory
    kind = _kind(memory)
    return MemoryPlan(
        make=partial(kind, **_own_keys(kind, memory, settings.embedder)),
        capabilities=kind.capabilities,
        scope=memory.scope,
        sharing=memory.sharing,
        visible_after=memory.visible_after,
        budget_tokens=memory.budget_tokens,
        squeeze_lines=memory.squeeze_lines,
    )


def _kind(memory: MemorySettings) -> Any:
    kind = locate(memory.target, "memory._target_")
    if not isinstance(getattr(kind, "capabilities", None), Capabilities):
        raise ConfigError(f"memory._target_: {memory.target} is no memory: it declares no capabilities")
    return kind


def _own_keys(kind: Any, memory: MemorySettings, embedder: EmbedderSettings) -> dict[str, Any]:
    """What the class of a memory wants of the settings; one with an index gets it and the embedder built."""
    keys: dict[str, Any] = {key: getattr(memory, key) for key in kind.capabilities.uses}
    if "index" in kind.capabilities.uses:
        from sim.memory.index_kinds import vector_index

        keys |= {"embedder": embedder_of(embedder), "index": partial(vector_index, memory.index)}
    return keys


def ignored(settings: Settings) -> list[str]:
    """Memory keys that were changed but make no difference to the chosen preset."""
    capabilities = _kind(settings.memory).capabilities
    used = set(capabilities.uses)
    if capabilities.ingests:
        used |= {"budget_tokens", "scope", "sharing", "visible_after"}
    if capabilities.compresses:
        used.add("squeeze_lines")
    changed = settings.memory.model_fields_set - {"target", "name"}
    return sorted(key for key in changed - used if _changed(settings.memory, key))


def _changed(memory: MemorySettings, key: str) -> bool:
    return bool(getattr(memory, key) != MemorySettings.model_fields[key].default)


def embedder_of(settings: EmbedderSettings) -> Embedder:
    """The embedder, behind a cache on the disk where one is configured."""
    from sim.embed.cache import CachedEmbedder

    made = _loaded(settings.target, settings.model, settings.device)
    return made if settings.cache is None else CachedEmbedder(made, Path(settings.cache))


@lru_cache(maxsize=2)
def _loaded(target: str, model: str | None, device: str | None) -> Embedder:
    # Loaded once for the check before a run and the run itself: some take seconds.
    made: Embedder = locate(target, "embedder._target_")(model=model, device=device)
    return made


def _check_model(settings: EmbedderSettings) -> None:
    """Looks for a missing model even where the memory does not search, and without loading it."""
    make = locate(settings.target, "embedder._target_")
    check_model = getattr(import_module(make.__module__), "check", None)
    if check_model is not None and settings.model is not None:
        check_model(settings.model)
