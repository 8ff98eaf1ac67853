"""The keys of ``scenario=locomo``, checked before anything starts."""

from typing import Annotated, Literal, cast

from pydantic import Field

from sim.bench.evidence import ANSWERABLE, ASKED_AFTER_DAYS
from sim.config import Section

Category = Literal["multi_hop", "temporal", "open_domain", "single_hop", "adversarial"]


class LocomoSettings(Section):
    """What is heard and what is asked.

    Args:
        data: a LoCoMo file, or a folder of them; there is no default, for its licence is its own.
        conversations: ids of those that are heard; null hears all.
        questions: how many are asked about each conversation at most; null asks all.
        categories: of the questions. Adversarial ones have no answer, so they are left out by default;
            see `scenarios.locomo.judging`.
        ask_after_days: days from the end of a conversation to its first question. The questions have no
            date of their own; asked long after, "last week" means no week of the conversation.
        notes: a memory that takes both the words and what is made of them gets notes of each turn too.
    """

    data: str | None = None
    conversations: Annotated[list[str], Field(min_length=1)] | None = None
    questions: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    categories: list[Category] = Field(default=cast(list[Category], [*ANSWERABLE]), min_length=1)
    ask_after_days: int = Field(default=ASKED_AFTER_DAYS, ge=0, le=3650)
    notes: bool = False
