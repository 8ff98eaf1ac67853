"""The settings of a memory: the same keys for every preset."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from sim.config.section import Count, Section, Share
from sim.memory.retrieval.weights import Weights

_YEAR_S = 365 * 86_400
_Positive = Annotated[float, Field(gt=0, lt=1e9)]


def _delay(value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value == "next_morning" or (number and 0 <= value <= _YEAR_S):
        return value
    raise ValueError(f"input should be seconds from 0 to {_YEAR_S}, or next_morning")


class PartSettings(Section):
    """The parts of a memory that can be switched off one by one; see `sim.memory.diary.parts.Parts`."""

    profile: bool = False
    graph: bool = False
    compression: bool = False
    experience: bool = False


class ForgettingSettings(Section):
    """What is let go of after closing; see `sim.memory.forgetting.policies`."""

    policy: Literal["none", "decay", "capacity", "compression"] = "none"
    strength_days: _Positive = 20.0
    growth: Annotated[float, Field(ge=0, lt=1e9)] = 1.0
    threshold: Share = 0.1
    most: Count = 500
    half_life_days: _Positive = 14.0


class MemorySettings(Section):
    """What an agent's memory does; every preset has every key and ignores those it has no use for.

    Args:
        window: exchanges of earlier visits kept raw, per customer.
        visible_after: simulated seconds until a record can be recalled, or ``next_morning``.
        squeeze_above: beyond so many records the oldest ``squeeze_count`` become one summary of at most
            ``squeeze_lines`` lines.
        working_exchanges: exchanges of the running visit in a prompt, word for word, as long as they have
            no more than ``working_tokens``.
        weights: one number per sign of `sim.memory.retrieval.weights.Weights`.
        patterns_dir: folder that carries rules of manners from run to run.
    """

    target: str = Field(alias="_target_")
    name: str
    top_k: Count = 3
    budget_tokens: Count = 1500
    scope: Literal["customer", "agent"] = "agent"
    visible_after: Annotated[float | Literal["next_morning"], BeforeValidator(_delay)] = 0.0
    sharing: Literal["private", "shared"] = "private"
    window: Count = 10
    squeeze_above: Count = 50
    squeeze_count: Annotated[int, Field(ge=2)] = 10
    squeeze_lines: Count = 12
    index: Literal["exact", "faiss"] = "faiss"
    reflection: Literal["after_reply", "before_reply"] = "after_reply"
    working_exchanges: Annotated[int, Field(ge=3, lt=2**31)] = 10
    working_tokens: Count = 1000
    verbatim: Literal["kept", "searched"] = "kept"
    history: Annotated[int, Field(ge=0, lt=2**31)] = 2
    parts: PartSettings = PartSettings()
    weights: Mapping[str, float] = asdict(Weights())
    forgetting: ForgettingSettings = ForgettingSettings()
    rule_confidence: Share = 0.5
    patterns_dir: Annotated[str, Field(min_length=1)] | None = None

    @field_validator("weights")
    @classmethod
    def _are_weights(cls, given: Mapping[str, float]) -> Mapping[str, float]:
        known = asdict(Weights())
        if unknown := sorted(set(given) - set(known)):
            raise ValueError(f"there is no weight {unknown[0]!r}; choose one of {', '.join(known)}")
        return asdict(Weights(**given))

    @model_validator(mode="after")
    def _squeezes_what_is_there(self) -> Self:
        if self.squeeze_count > self.squeeze_above:
            raise ValueError(f"squeeze_count must not exceed squeeze_above, {self.squeeze_above}")
        return self
