"""The presets of the diary for whoever has no configuration; a test holds them to ``conf/memory``."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from sim.memory.diary.parts import Parts
from sim.memory.forgetting.policies import Capacity, Forgetting, Never
from sim.memory.retrieval.weights import Weights


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """What makes a preset: its parts, its weights and what it lets go of."""

    parts: Parts
    weights: Weights
    forgetting: Forgetting
    verbatim: Literal["kept", "searched"] = "kept"


_OF_THE_GATEWAY = (
    *("answers", "sessions", "breadth", "speaker", "customer", "information", "asking"),
    *("recency", "centrality", "uses"),
)
_BY_WHAT_IS_NAMED = ("entities", "dates", "times", "preference", "linked")


def _without(*names: str) -> Weights:
    return replace(Weights(), **dict.fromkeys(names, 0.0))


PRESETS: Mapping[str, Preset] = {
    "diary": Preset(
        parts=Parts(compression=True),
        weights=_without(*_OF_THE_GATEWAY, *_BY_WHAT_IS_NAMED),
        forgetting=Never(),
    ),
    "graph": Preset(
        parts=Parts(profile=True, graph=True, compression=True),
        weights=_without(*_OF_THE_GATEWAY),
        forgetting=Never(),
    ),
    "full": Preset(
        parts=Parts(profile=True, graph=True, compression=True, experience=True),
        weights=Weights(),
        forgetting=Capacity(),
        verbatim="searched",
    ),
}
