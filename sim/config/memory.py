"""The settings of a memory: the same keys for every preset."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from sim.config.section import Count, Section

_YEAR_S = 365 * 86_400


def _delay(value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value == "next_morning" or (number and 0 <= value <= _YEAR_S):
        return value
    raise ValueError(f"input should be seconds from 0 to {_YEAR_S}, or next_morning")


class MemorySettings(Section):
    """What an agent's memory does; every preset has every key and ignores those it has no use for.

    Args:
        window: exchanges of earlier visits kept raw, per customer.
        visible_after: simulated seconds until a record can be recalled, or ``next_morning``.
        squeeze_above: beyond so many records the oldest ``squeeze_count`` become one summary of at most
            ``squeeze_lines`` lines.
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

    @model_validator(mode="after")
    def _squeezes_what_is_there(self) -> Self:
        if self.squeeze_count > self.squeeze_above:
            raise ValueError(f"squeeze_count must not exceed squeeze_above, {self.squeeze_above}")
        return self
