"""The presets that need no simulation and no model, by the name the configuration gives them."""

from collections.abc import Callable, Mapping
from functools import partial

from sim.errors import ConfigError
from sim.memory.diary import Diary
from sim.memory.diary.presets import PRESETS as DIARIES
from sim.memory.domain import Domain
from sim.memory.flat import Flat
from sim.memory.index_kinds import vector_index
from sim.memory.protocol import Memory, Owner
from sim.memory.saved.era import ERA
from sim.memory.simple import Simple
from sim.memory.transcript import Transcript
from sim.memory.window import Window


def _flat(owner: Owner) -> Memory:
    # The embedder reads its weights from the disk, so it is fetched when one is made.
    from sim.embed.static import wordllama

    index = partial(vector_index, "exact")
    return Flat(owner, embedder=wordllama(), index=index, top_k=3, squeeze_above=50, squeeze_count=10)


def _diary(preset: str, owner: Owner, domain: Domain | None = None) -> Memory:
    from sim.embed.static import wordllama

    parts, words = DIARIES[preset], wordllama()
    # Without a model nothing is reflected on, so the words themselves are searched.
    return Diary(
        owner,
        domain=domain or Domain(calendar=ERA),
        embedder=words,
        synonyms=words,
        verbatim="searched",
        parts=parts.parts,
        weights=parts.weights,
        forgetting=parts.forgetting,
    )


PRESETS: Mapping[str, Callable[[Owner], Memory]] = {
    "flat": _flat,
    **{name: partial(_diary, name) for name in DIARIES},
    "simple": partial(Simple, top_k=3),
    "transcript": partial(Transcript, budget_tokens=1500),
    "window": partial(Window, window=10),
}


def made(preset: str, owner: Owner, domain: Domain | None = None) -> Memory:
    """An empty memory of a preset with its default settings; a diary is told of a domain.

    Raises:
        ConfigError: no such preset.
    """
    if preset not in PRESETS:
        raise ConfigError(f"preset: there is no {preset!r}; choose one of {', '.join(PRESETS)}")
    if preset in DIARIES:
        return _diary(preset, owner, domain)
    return PRESETS[preset](owner)
