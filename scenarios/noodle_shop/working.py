"""The running visit as a prompt shows it: the last exchanges word for word, older ones from the diary."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scenarios.noodle_shop.desk import Desk, Exchange, Moment
from scenarios.noodle_shop.prompts import exchange_text
from sim.agents.asking import Clip
from sim.agents.effects import After, Effect, Note
from sim.llm.tokens import estimate_tokens
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Record
from sim.records import ActId

LAST = 3
"""So many exchanges are never left out and never told by the diary."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Working:
    """What of a visit stands in a prompt.

    Args:
        exchanges: word for word, oldest first.
        entries: of the diary, in place of older ones.
    """

    exchanges: tuple[Exchange, ...] = ()
    entries: tuple[Record, ...] = ()


def working(
    desk: Desk, at: Moment, visit: Sequence[Exchange], acts: Sequence[ActId]
) -> Generator[Effect, Any, Working]:
    """The exchanges of a visit within the limits of the working memory.

    What goes beyond them is told by the diary at once, seen or not; without a diary it goes.

    Args:
        desk: what agents share.
        at: the exchange that begins.
        visit: the earlier ones, oldest first.
        acts: their acts.
    """
    spoken = [(one, act) for one, act in zip(visit, acts, strict=True) if one.said]
    exchanges = [one for one, _ in spoken]
    first = _first(desk.memory, at.agent, exchanges)
    entries: list[Record] = []
    if first and desk.writes("diary"):
        entries = yield from _told(spoken[:first])
        if new := [act.exchange for _, act in spoken[_first(desk.memory, at.agent, exchanges[:-1]) : first]]:
            yield Note(kind="diarised", payload={"exchange": at.exchange, "exchanges": new})
    kept = yield from _cut(desk.memory, at, exchanges[first:])
    return Working(exchanges=kept, entries=tuple(entries))


def _first(plan: MemoryPlan, agent: str, exchanges: Sequence[Exchange]) -> int:
    """The place of the oldest exchange that stands word for word."""
    first = max(0, len(exchanges) - plan.working_exchanges)
    while first < len(exchanges) - LAST and _tokens(agent, exchanges[first:]) > plan.working_tokens:
        first += 1
    return first


def _told(spoken: Sequence[tuple[Exchange, ActId]]) -> Generator[Effect, Any, list[Record]]:
    found: list[Record] = []
    for _, act in spoken:
        entries = yield After(act=replace(act, purpose="reflect"))
        found += entries
    return found


def _cut(
    plan: MemoryPlan, at: Moment, exchanges: Sequence[Exchange]
) -> Generator[Effect, Any, tuple[Exchange, ...]]:
    """The exchanges, over-long words cut in their middle where even the last ones are too many."""
    if _tokens(at.agent, exchanges) <= plan.working_tokens:
        return tuple(exchanges)
    clip = Clip(most_tokens=plan.working_tokens // (2 * LAST))
    shorter = tuple(replace(one, said=clip(one.said), reply=clip(one.reply)) for one in exchanges)
    if clip.cuts:
        yield Note(
            kind="cut",
            payload={"exchange": at.exchange, "why": "working_tokens", "records": [], "texts": clip.cuts},
        )
    return shorter


def _tokens(agent: str, exchanges: Sequence[Exchange]) -> int:
    return sum(estimate_tokens(exchange_text(one.said, agent, one.reply)) for one in exchanges)
