"""What a benchmark of retrieval measures: the preset, the embedder, and the weights of the ranking."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from sim.bench.held import HELD
from sim.clock import Calendar
from sim.embed.protocol import Embedder
from sim.errors import ConfigError
from sim.memory.diary.presets import PRESETS as DIARIES
from sim.memory.retrieval.retriever import Retriever
from sim.memory.retrieval.weights import Weights

NAMES = tuple(field.name for field in fields(Weights))
EMBEDDERS = ("wordllama", "minilm", "none")
_PREFIX = "memory.weights."
_FULL = DIARIES["full"].weights
# no sign counts; what divides stays as it is
NOTHING = Weights(**dict.fromkeys(NAMES, 0.0) | {"k1": _FULL.k1, "half_life_days": _FULL.half_life_days})
PRESETS: Mapping[str, Weights] = {
    **{name: preset.weights for name, preset in DIARIES.items()},
    # the nearest turns by cosine and nothing else
    "flat": replace(NOTHING, dense=1.0),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What is measured.

    Args:
        memory: name of the preset.
        held: what it holds: ``turns``, or ``compressed`` windows of them.
        embedder: name of the embedder.
        cache: folder of the embedding cache, or None.
        weights: of the ranking.
    """

    memory: str = "full"
    held: str = "turns"
    embedder: str = "wordllama"
    cache: str | None = None
    weights: Weights


def settings_of(overrides: Sequence[str]) -> Settings:
    """Reads overrides such as ``embedder=minilm`` and ``memory.weights.speaker=0``.

    Raises:
        ConfigError: names the key that is wrong.
    """
    pairs = dict(_pair(override) for override in overrides)
    memory = _choice("memory", pairs.pop("memory", "full"), PRESETS)
    embedder = _choice("embedder", pairs.pop("embedder", "wordllama"), EMBEDDERS)
    held = _choice("held", pairs.pop("held", "turns"), HELD)
    cache = pairs.pop("embedder.cache", None)
    if unknown := [key for key in pairs if not key.startswith(_PREFIX)]:
        raise ConfigError(f"{unknown[0]}: no such key here; noodle bench locomo --help names them")
    weights = {key.removeprefix(_PREFIX): value for key, value in pairs.items()}
    return Settings(
        memory=memory,
        held=held,
        embedder=embedder,
        cache=cache,
        weights=_weights(PRESETS[memory], weights),
    )


def maker(settings: Settings) -> Callable[[Calendar], Retriever]:
    """Makes empty retrievers, all with the same embedder.

    Raises:
        EmbedderError: it cannot be built.
    """
    from sim.embed.static import wordllama

    words = wordllama()
    embedder = _embedder(settings, words)
    return lambda calendar: Retriever(
        weights=settings.weights, embedder=embedder, synonyms=words, calendar=calendar
    )


def _pair(override: str) -> tuple[str, str]:
    key, equals, value = override.partition("=")
    if not equals or not key:
        raise ConfigError(f"{override}: an override is key=value")
    return key, value


def _choice(key: str, value: str, known: Collection[str]) -> str:
    if value not in known:
        raise ConfigError(f"{key}: there is no {value!r}; choose one of {', '.join(known)}")
    return value


def _weights(weights: Weights, given: Mapping[str, str]) -> Weights:
    changes: dict[str, Any] = {}
    for name, value in given.items():
        if name not in NAMES:
            raise ConfigError(f"{_PREFIX}{name}: no such weight; choose one of {', '.join(NAMES)}")
        try:
            changes[name] = float(value)
            replace(weights, **changes)
        except ValueError as error:
            raise ConfigError(f"{_PREFIX}{name}={value}: {error}") from error
    return replace(weights, **changes)


def _embedder(settings: Settings, words: Embedder) -> Embedder | None:
    if settings.embedder == "none":
        return None
    made = words
    if settings.embedder == "minilm":
        from sim.embed.transformer import minilm

        made = minilm()
    if settings.cache is None:
        return made
    from sim.embed.cache import CachedEmbedder

    return CachedEmbedder(made, settings.cache)
