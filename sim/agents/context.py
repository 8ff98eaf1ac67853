"""Builds the memory layers of a prompt from what was recalled, within a budget of tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sim.llm.tokens import estimate_tokens
from sim.memory.protocol import Hit, Record


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """What of the recalled records went into the prompt.

    Args:
        lines: the text, oldest first.
        records: the records behind it, oldest first.
        cut: records the budget left out.
        tokens: estimated tokens of the lines.
    """

    lines: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
    cut: tuple[Record, ...] = ()
    tokens: int = 0


def fit(hits: Sequence[Hit], *, line: Callable[[Record], str], budget_tokens: int) -> Context:
    """Takes the best hits that fit the budget and lays them out in time order.

    A hit that does not fit is left out and a smaller, less relevant one may take its room: the
    least valuable goes first, but no room is wasted.
    """
    chosen: list[tuple[Record, str]] = []
    cut, used = [], 0
    for hit in hits:
        text = line(hit.record)
        tokens = estimate_tokens(text)
        if used + tokens > budget_tokens:
            cut.append(hit.record)
            continue
        used += tokens
        chosen.append((hit.record, text))
    chosen.sort(key=lambda pair: (pair[0].at_ms, pair[0].id))
    return Context(
        lines=tuple(text for _, text in chosen),
        records=tuple(record for record, _ in chosen),
        cut=tuple(cut),
        tokens=used,
    )
