"""How a run remembers: which memory, whose, and from when writes can be seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sim.clock import DAY_MS, day_start, milliseconds
from sim.memory.protocol import Capabilities, Memory, Owner


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryPlan:
    """Everything about memory that is the same for all agents of a run.

    Args:
        make: makes the empty memory of one owner.
        capabilities: what those memories take in and do.
        scope: one memory per agent, or per agent and customer.
        sharing: ``shared`` gives all agents of a group one store.
        visible_after: seconds from a write's simulated end until it can be recalled, or
            ``next_morning``.
        budget_tokens: cap on the memory layers of a prompt.
        squeeze_lines: lines a summary may have at most.
        reflection: whether a diary is written after a reply or before it, while the customer waits.
        working_exchanges: exchanges of the running visit that a prompt shows word for word.
        working_tokens: beyond so many tokens of them the oldest stand there as the diary has them.
        export: writes into a folder what the memories of one store hold beside their records, as of a time.
    """

    make: Callable[[Owner], Memory]
    capabilities: Capabilities
    scope: Literal["customer", "agent"] = "agent"
    sharing: Literal["private", "shared"] = "private"
    visible_after: float | Literal["next_morning"] = 0
    budget_tokens: int = 1500
    squeeze_lines: int = 12
    reflection: Literal["after_reply", "before_reply"] = "after_reply"
    working_exchanges: int = 10
    working_tokens: int = 1000
    export: Callable[[Path, Sequence[Memory], int], None] | None = None

    def store(self, agent: str, group: str) -> str:
        """The name of the store an agent of a group uses."""
        return group if self.sharing == "shared" and group else agent

    def owner(self, agent: str, group: str, customer: str) -> Owner:
        """The owner of what this agent knows about this customer."""
        person = customer if self.scope == "customer" else None
        return Owner(store=self.store(agent, group), customer=person)

    def visible_at(self, due_ms: int, latency_ms: int) -> int:
        """When a write of an act due at ``due_ms`` can be seen; always later than it was submitted."""
        written_ms = due_ms + max(1, latency_ms)
        if self.visible_after == "next_morning":
            return day_start(written_ms) + DAY_MS
        return written_ms + milliseconds(self.visible_after)
