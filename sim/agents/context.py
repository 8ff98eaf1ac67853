"""Builds the memory layers of a prompt from what was recalled, within a budget of tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from sim.agents.shorten import shortened
from sim.llm.tokens import estimate_tokens
from sim.memory.protocol import Hit, Record

LONG_TOKENS = 200
"""Words beyond this are over-long: of whatever somebody says at a table, nothing comes near it."""

LineOf = Callable[[Record], str]


def _words(record: Record) -> str:
    return record.text


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """What of the recalled records went into the prompt.

    Args:
        lines: the text, oldest first.
        records: the records behind it, oldest first.
        cut: records the budget left out.
        tokens: estimated tokens of the lines.
        hits: what was taken, best first.
        line: how a record looks in the prompt.
    """

    lines: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
    cut: tuple[Record, ...] = ()
    tokens: int = 0
    hits: tuple[Hit, ...] = field(default=(), repr=False, compare=False)
    line: LineOf = field(default=_words, repr=False, compare=False)

    def halved(self) -> "Context":
        """With the least valuable left out: at most half the tokens, over-long lines cut in their middle."""
        half = self.tokens // 2
        longest = min(LONG_TOKENS, half)
        smaller = fit(
            self.hits, line=lambda record: shortened(self.line(record), longest), budget_tokens=half
        )
        return replace(smaller, cut=(*self.cut, *smaller.cut), line=self.line)


def fit(hits: Sequence[Hit], *, line: LineOf, budget_tokens: int) -> Context:
    """Takes the best hits that fit the budget and lays them out in time order.

    A hit that does not fit is left out and a smaller, less relevant one may take its room: the
    least valuable goes first, but no room is wasted.
    """
    chosen: list[tuple[Hit, str]] = []
    cut, used = [], 0
    for hit in hits:
        text = line(hit.record)
        tokens = estimate_tokens(text)
        if used + tokens > budget_tokens:
            cut.append(hit.record)
            continue
        used += tokens
        chosen.append((hit, text))
    laid_out = sorted(chosen, key=lambda pair: (pair[0].record.at_ms, pair[0].record.id))
    return Context(
        lines=tuple(text for _, text in laid_out),
        records=tuple(hit.record for hit, _ in laid_out),
        cut=tuple(cut),
        tokens=used,
        hits=tuple(hit for hit, _ in chosen),
        line=line,
    )
