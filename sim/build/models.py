"""Language models from their settings; a library that one of them needs is imported when it is built."""

import os
from collections.abc import Mapping
from functools import partial

from sim.config.llm import (
    LlamacppModel,
    LlmSettings,
    ModelSettings,
    OllamaModel,
    Retries,
    ScriptedModel,
    ServedModel,
    SurrogateModel,
    TransformersModel,
)
from sim.errors import ConfigError
from sim.llm.protocol import LanguageModel
from sim.llm.scripted import Scripted, random_delay
from sim.llm.surrogate import Rates, Skill, Surrogate
from sim.llm.thinking import Thinking


def thinking_of(llm: LlmSettings, skills: Mapping[str, Skill]) -> Thinking:
    """Models, roles and limits."""
    return Thinking(
        models=partial(_models, llm.models, llm.retries, skills),
        roles=llm.roles,
        recomputed=frozenset(name for name, model in llm.models.items() if model.kind == "surrogate"),
        max_in_flight=llm.max_in_flight,
        temperature=llm.temperature,
        max_tokens=llm.max_tokens,
        deadline_s=llm.deadline_s,
        latency_s=llm.latency_s,
        confidence_threshold=llm.confidence_threshold,
    )


def _models(
    models: Mapping[str, ModelSettings], retries: Retries, skills: Mapping[str, Skill], seed: int
) -> dict[str, LanguageModel]:
    return {name: _model(name, model, retries, skills, seed) for name, model in models.items()}


def _model(
    name: str, settings: ModelSettings, retries: Retries, skills: Mapping[str, Skill], seed: int
) -> LanguageModel:
    match settings:
        case SurrogateModel():
            return _surrogate(name, settings, skills, seed)
        case ScriptedModel():
            low_s, high_s = settings.delay_s
            delay = random_delay(low_s, high_s, salt=f"{os.getpid()}")
            return Scripted(_surrogate(name, settings, skills, seed).answer, delay, name)
        case ServedModel():
            return _served(name, settings, retries)
        case OllamaModel():
            return _ollama(name, settings, retries)
        case TransformersModel() | LlamacppModel():
            return _in_process(name, settings)


def _surrogate(
    name: str, settings: SurrogateModel | ScriptedModel, skills: Mapping[str, Skill], seed: int
) -> Surrogate:
    return Surrogate(skills, Rates(**settings.rates.model_dump()), seed, name)


def _served(name: str, settings: ServedModel, retries: Retries) -> LanguageModel:
    raise ConfigError(f"llm.models.{name}: {settings.kind} {retries}")


def _ollama(name: str, settings: OllamaModel, retries: Retries) -> LanguageModel:
    raise ConfigError(f"llm.models.{name}: {settings.kind} {retries}")


def _in_process(name: str, settings: TransformersModel | LlamacppModel) -> LanguageModel:
    raise ConfigError(f"llm.models.{name}: {settings.kind}")
