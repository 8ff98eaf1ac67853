"""A question whose prompt may turn out too long for the model: asked once more with less in it, never twice.

How much fits is known to the model alone, so an act cannot cut beforehand. It says how the question is
made of memories and words, and here it is made again of half the memories and with long words cut.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.agents.context import LONG_TOKENS, Context
from sim.agents.effects import Ask, Effect, Note
from sim.agents.shorten import shortened
from sim.llm.outcomes import TOO_LONG
from sim.llm.protocol import Outcome


@dataclass(kw_only=True, slots=True)
class Clip:
    """Passes words on, over-long ones cut in their middle, and counts how many it cut.

    Args:
        most_tokens: of one text; None cuts nothing.
    """

    most_tokens: int | None = None
    cuts: int = 0

    def __call__(self, text: str) -> str:
        """The words, or their beginning and end."""
        if self.most_tokens is None:
            return text
        shorter = shortened(text, self.most_tokens)
        self.cuts += shorter != text
        return shorter


Question = Callable[[Context, Clip], Ask]
"""Makes a question of memories; every word that somebody said passes through the clip."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """How a question went.

    Args:
        outcome: of the last time it was asked.
        context: the memories that stood in the prompt then.
        cut: for the log, when it was asked again with less; empty otherwise.
    """

    outcome: Outcome
    context: Context
    cut: Mapping[str, Any] = field(default_factory=dict)


def ask(question: Question, context: Context | None = None) -> Generator[Effect, Any, Asked]:
    """Asks; where the prompt is too long, once more with the least valuable memories left out."""
    full = context or Context()
    first = question(full, Clip())
    outcome: Outcome = yield first
    if outcome.kind not in TOO_LONG:
        return Asked(outcome=outcome, context=full)
    less, clip = full.halved(), Clip(most_tokens=LONG_TOKENS)
    shorter = question(less, clip)
    if shorter == first:  # nothing in it can go
        return Asked(outcome=outcome, context=full)
    cut = {
        "why": outcome.kind,
        "records": sorted({one.id for one in full.records} - {one.id for one in less.records}),
        "texts": clip.cuts,
    }
    outcome = yield shorter
    return Asked(outcome=outcome, context=less, cut=cut)


def ask_noting(
    question: Question, context: Context | None = None, **where: Any
) -> Generator[Effect, Any, Asked]:
    """As `ask`, with an event ``cut`` in the log if something was left out; ``where`` goes with it."""
    asked = yield from ask(question, context)
    if asked.cut:
        yield Note(kind="cut", payload={**where, **asked.cut})
    return asked
