"""From checked settings to a plan of how agents remember."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sim.build.embedders import embedder_of
from sim.build.patterns import Patterns
from sim.clock import Calendar
from sim.config import EmbedderSettings, MemorySettings, Settings, locate
from sim.config.memory import ForgettingSettings
from sim.engine.scenario import Scenario
from sim.errors import ConfigError
from sim.memory.domain import Domain
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Capabilities, Memory, Owner
from sim.runs import DEFAULT_START

_EVERYBODY = ("budget_tokens", "scope", "sharing", "visible_after")
_OF_THE_PLAN = ("reflection", "working_exchanges", "working_tokens")
_TRY = Owner(store="any")


def domain_of(scenario: Scenario) -> Domain:
    """What a scenario tells of its world; one that tells nothing has dates alone."""
    found: Domain | None = getattr(scenario, "domain", None)
    return found or Domain(calendar=Calendar(start=getattr(scenario, "start", DEFAULT_START)))


def memory_of(settings: Settings, domain: Domain | None = None) -> MemoryPlan:
    """How agents remember; the embedder is built only for a memory with an index."""
    memory = settings.memory
    kind = _kind(memory)
    keys = _own_keys(kind, memory, settings.embedder, domain or Domain())
    patterns = Patterns(memory.patterns_dir)
    patterns.check()
    if memory.patterns_dir is not None and settings.replications > 1:
        raise ConfigError("memory.patterns_dir: holds rules of the people of one seed; set replications=1")
    make = partial(_made, kind, keys, patterns)
    return MemoryPlan(
        make=make,
        # of one that was made, since the parts that are switched on decide what it takes in
        capabilities=make(_TRY).capabilities,
        scope=memory.scope,
        sharing=memory.sharing,
        visible_after=memory.visible_after,
        budget_tokens=memory.budget_tokens,
        squeeze_lines=memory.squeeze_lines,
        reflection=memory.reflection,
        working_exchanges=memory.working_exchanges,
        working_tokens=memory.working_tokens,
        export=partial(_export, kind, patterns) if hasattr(kind, "export") else None,
    )


def ignored(settings: Settings) -> list[str]:
    """Memory keys that were changed but make no difference to the chosen preset."""
    capabilities = _kind(settings.memory).capabilities
    used = {*capabilities.uses, "working_exchanges", "working_tokens"}
    if capabilities.ingests:
        used |= set(_EVERYBODY)
    if capabilities.compresses:
        used.add("squeeze_lines")
    changed = settings.memory.model_fields_set - {"target", "name"}
    return sorted(key for key in changed - used if _changed(settings.memory, key))


def _changed(memory: MemorySettings, key: str) -> bool:
    return bool(getattr(memory, key) != MemorySettings.model_fields[key].default)


def _kind(memory: MemorySettings) -> Any:
    kind = locate(memory.target, "memory._target_")
    if not isinstance(getattr(kind, "capabilities", None), Capabilities):
        raise ConfigError(f"memory._target_: {memory.target} is no memory: it declares no capabilities")
    return kind


def _made(kind: Any, keys: Mapping[str, Any], patterns: Patterns, owner: Owner) -> Memory:
    rules = {"rules": patterns.of(owner)} if "patterns_dir" in kind.capabilities.uses else {}
    memory: Memory = kind(owner, **keys, **rules)
    return memory


def _export(kind: Any, patterns: Patterns, folder: Path, memories: Sequence[Memory], at_ms: int) -> None:
    kind.export(folder, memories, at_ms)
    if "patterns_dir" in kind.capabilities.uses:
        patterns.carry(memories[0].owner.store, kind.learnt(memories, at_ms))


def _own_keys(
    kind: Any, memory: MemorySettings, embedder: EmbedderSettings, domain: Domain
) -> dict[str, Any]:
    """What the class of a memory wants of the settings, with everything built that has to be."""
    uses = kind.capabilities.uses - {*_OF_THE_PLAN, "patterns_dir"}
    keys: dict[str, Any] = {key: getattr(memory, key) for key in uses}
    if "index" in uses:
        from sim.memory.index_kinds import vector_index

        keys |= {"embedder": embedder_of(embedder), "index": partial(vector_index, memory.index)}
    if "weights" in uses:
        keys |= _searching(memory, embedder) | {"domain": domain}
    if "parts" in uses:
        from sim.memory.diary import Parts

        keys["parts"] = Parts(**memory.parts.model_dump())
    if "forgetting" in uses:
        keys["forgetting"] = _policy(memory.forgetting, memory)
    return keys


def _searching(memory: MemorySettings, embedder: EmbedderSettings) -> dict[str, Any]:
    """The weights, and embedders for those signs that count."""
    from sim.embed.static import wordllama
    from sim.memory.retrieval.weights import Weights

    weights = Weights(**memory.weights)
    return {
        "weights": weights,
        "embedder": embedder_of(embedder) if weights.dense else None,
        # quick on single words, whatever embeds the records
        "synonyms": wordllama() if weights.thesaurus else None,
    }


def _policy(given: ForgettingSettings, memory: MemorySettings) -> Any:
    from sim.memory.forgetting.policies import Capacity, Compression, Decay, Never

    if given.policy == "decay":
        return Decay(strength_days=given.strength_days, growth=given.growth, threshold=given.threshold)
    if given.policy == "capacity":
        return Capacity(most=given.most, half_life_days=given.half_life_days)
    if given.policy == "compression":
        return Compression(above=memory.squeeze_above, count=memory.squeeze_count)
    return Never()
