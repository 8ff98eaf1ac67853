"""From checked settings to what turns text into vectors."""

from functools import lru_cache
from importlib import import_module
from pathlib import Path

from sim.config import EmbedderSettings, locate
from sim.embed.protocol import Embedder


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


def check_model(settings: EmbedderSettings) -> None:
    """Looks for a missing model even where the memory does not search, and without loading it."""
    make = locate(settings.target, "embedder._target_")
    own = getattr(import_module(make.__module__), "check", None)
    if own is not None and settings.model is not None:
        own(settings.model)
