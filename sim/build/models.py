"""Language models from their settings; a library that one of them needs is imported when it is built."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from sim.build.replaying import journalled, label
from sim.config.llm import (
    LlamacppModel,
    LlmSettings,
    ModelSettings,
    OllamaModel,
    OwnModel,
    ReplayModel,
    ScriptedModel,
    ServedModel,
    SurrogateModel,
    TransformersModel,
)
from sim.config.run import locate
from sim.errors import ConfigError
from sim.llm.protocol import LanguageModel
from sim.llm.sampling import Sampling
from sim.llm.scripted import Scripted, random_delay
from sim.llm.served.counting import rates_of
from sim.llm.served.profiles import PROFILES
from sim.llm.surrogate import Rates, Skill, Surrogate
from sim.llm.thinking import RoleLimits, Service, Thinking
from sim.llm.wrappers.endpoints import Endpoints
from sim.llm.wrappers.journalled import Nobody
from sim.llm.wrappers.limits import CallLimits
from sim.llm.wrappers.retrying import RetryPolicy
from sim.llm.wrappers.shared import Embedded, Shared

Real = ServedModel | OllamaModel | TransformersModel | LlamacppModel


def thinking_of(llm: LlmSettings, skills: Mapping[str, Skill]) -> Thinking:
    """Models, roles and limits.

    Raises:
        ConfigError: a model in use lacks its key, its file or a package, or the run to replay is none.
    """
    if any(isinstance(llm.models[name], ReplayModel) for name in llm.in_use):
        return replaying(llm, skills)
    return _thinking(llm, skills)


def _thinking(llm: LlmSettings, skills: Mapping[str, Skill]) -> Thinking:
    used = {name: llm.models[name] for name in llm.in_use}
    for name, model in used.items():
        if isinstance(model, ServedModel):
            _key(name, model)
    return Thinking(
        models=partial(_models, used, _embedded(used), skills),
        roles=llm.roles,
        by_language=llm.by_language,
        services={name: _service(model, llm) for name, model in used.items() if isinstance(model, Real)},
        labels={name: label(name, model.model_dump()) for name, model in used.items()},
        recomputed=frozenset(name for name, model in used.items() if model.kind == "surrogate"),
        limits=CallLimits(**llm.limits.model_dump()),
        max_in_flight=llm.max_in_flight,
        temperature=llm.temperature,
        max_tokens=llm.max_tokens,
        deadline_s=llm.deadline_s,
        role_limits={role: RoleLimits(**own.model_dump()) for role, own in llm.role_options.items()},
        latency_s=llm.latency_s,
        confidence_threshold=llm.confidence_threshold,
    )


def replaying(llm: LlmSettings, skills: Mapping[str, Skill]) -> Thinking:
    """As the run thought that ``llm.journal`` names, with its journal in place of its models.

    Raises:
        ConfigError: there is no such run, or it kept no answers.
    """
    old = journalled(llm.journal)
    # Without the models themselves: a replay needs neither their keys nor their files.
    nobody = ReplayModel(kind="replay")
    models = {name: one if one.kind == "surrogate" else nobody for name, one in old.llm.models.items()}
    return replace(
        _thinking(old.llm.model_copy(update={"models": models}), skills),
        replayed=old.folder,
        labels=old.labels,
        limits=CallLimits(**llm.limits.model_dump()),
        max_in_flight=llm.max_in_flight,
    )


def _embedded(used: Mapping[str, ModelSettings]) -> dict[str, Shared]:
    """The models of this process, made once for all seeds."""
    return {
        name: Shared(_in_process(name, model))
        for name, model in used.items()
        if isinstance(model, TransformersModel | LlamacppModel)
    }


def _models(
    models: Mapping[str, ModelSettings],
    embedded: Mapping[str, Shared],
    skills: Mapping[str, Skill],
    seed: int,
) -> dict[str, LanguageModel]:
    return {name: _model(name, model, embedded, skills, seed) for name, model in models.items()}


def _model(
    name: str,
    settings: ModelSettings,
    embedded: Mapping[str, Shared],
    skills: Mapping[str, Skill],
    seed: int,
) -> LanguageModel:
    match settings:
        case SurrogateModel():
            return _surrogate(name, settings, skills, seed)
        case ScriptedModel():
            low_s, high_s = settings.delay_s
            delay = random_delay(low_s, high_s, salt=f"{os.getpid()}")
            return Scripted(_surrogate(name, settings, skills, seed).answer, delay, name)
        case ReplayModel():
            return Nobody()
        case OwnModel():
            return _own(name, settings)
        case ServedModel():
            return _served(name, settings)
        case OllamaModel():
            return _ollama(name, settings)
        case TransformersModel() | LlamacppModel():
            return embedded[name].lease()


def _own(name: str, settings: OwnModel) -> LanguageModel:
    key = f"llm.models.{name}"
    try:
        made: LanguageModel = locate(settings.target, f"{key}._target_")(name=name, **settings.options)
    except TypeError as error:
        raise ConfigError(f"{key}: {settings.target} cannot be made of its options ({error})") from error
    if not callable(getattr(made, "complete", None)):
        raise ConfigError(f"{key}._target_: {settings.target} makes no model: it has no complete()")
    return made


def _service(settings: Real, llm: LlmSettings) -> Service:
    """The endpoints of a model, made once, so that all seeds keep to what they bear together."""
    urls: tuple[str, ...] = ("",)
    usual = None
    match settings:
        case ServedModel():
            urls, usual = settings.base_urls, PROFILES[settings.profile].in_flight
        case OllamaModel():
            urls = settings.base_urls
        case TransformersModel():
            usual = settings.batch
        case LlamacppModel():
            usual = settings.parallel
    most = settings.max_in_flight or usual or llm.max_in_flight
    return Service(
        endpoints=Endpoints(urls, min(most, llm.max_in_flight)),
        retries=RetryPolicy(**llm.retries.model_dump()),
        context_share=llm.context_share,
        rates=rates_of(settings.tokenizer, settings.model),
    )


def _surrogate(
    name: str, settings: SurrogateModel | ScriptedModel, skills: Mapping[str, Skill], seed: int
) -> Surrogate:
    return Surrogate(skills, Rates(**settings.rates.model_dump()), seed, name)


def _served(name: str, settings: ServedModel) -> LanguageModel:
    from sim.llm.served.openai_compatible import OpenAICompatible

    return OpenAICompatible(
        name=name,
        model=settings.model,
        base_urls=settings.base_urls,
        profile=settings.profile,
        api_key=_key(name, settings),
        thinking=settings.thinking,
        sampling=Sampling(**settings.sampling.model_dump()),
        context_tokens=settings.context_tokens,
        tokenizer=settings.tokenizer,
        connect_s=settings.connect_s,
    )


def _key(name: str, settings: ServedModel) -> str:
    if settings.api_key_env is None:
        return ""
    key = os.environ.get(settings.api_key_env, "").strip()
    where = f"llm.models.{name}.api_key_env: the environment variable {settings.api_key_env}"
    if not key:
        raise ConfigError(f"{where} is not set: put the key there, or set api_key_env to null")
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(f"{where} holds no key: it has characters that no key has")
    return key


def _ollama(name: str, settings: OllamaModel) -> LanguageModel:
    from sim.llm.served.ollama import Ollama

    return Ollama(
        name=name,
        model=settings.model,
        base_urls=settings.base_urls,
        thinking=settings.thinking,
        sampling=Sampling(**settings.sampling.model_dump()),
        context_tokens=settings.context_tokens,
        tokenizer=settings.tokenizer,
        keep_alive=settings.keep_alive,
        connect_s=settings.connect_s,
    )


def _in_process(name: str, settings: TransformersModel | LlamacppModel) -> Embedded:
    sampling = Sampling(**settings.sampling.model_dump())
    if isinstance(settings, LlamacppModel):
        from sim.llm.local.llamacpp_embedded import LlamacppEmbedded

        return LlamacppEmbedded(
            name=name,
            model=settings.model,
            parallel=settings.parallel,
            threads=settings.threads,
            gpu_layers=settings.gpu_layers,
            thinking=settings.thinking,
            sampling=sampling,
            context_tokens=settings.context_tokens,
        )
    from sim.llm.local.transformers_local import TransformersLocal

    return TransformersLocal(
        name=name,
        model=settings.model,
        device=settings.device,
        dtype=settings.dtype,
        batch=settings.batch,
        thinking=settings.thinking,
        sampling=sampling,
        context_tokens=settings.context_tokens,
    )
