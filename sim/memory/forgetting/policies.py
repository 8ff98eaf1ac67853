"""What a memory lets go of: policies that name the records to retire, never the pinned ones.

A policy looks and decides; whoever owns the memory retires the records and notes down that they were
forgotten (`sim.memory.forgetting.forgotten`). So one policy serves every kind of memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log1p
from typing import Protocol

from sim.clock import DAY_MS
from sim.memory.protocol import Record


@dataclass(frozen=True, kw_only=True, slots=True)
class Holding:
    """A living record, and what speaks for keeping it.

    Args:
        uses: how often it was used.
        last_use_ms: simulated time of the last use; None if there was none.
        importance: from 0 to 1, such as its weight in a graph.
        pinned: it must stay.
    """

    record: Record
    uses: int = 0
    last_use_ms: int | None = None
    importance: float = 0.0
    pinned: bool = False

    def idle_days(self, at_ms: int) -> float:
        """Days since it happened, or since it was last used."""
        since = self.record.at_ms if self.last_use_ms is None else max(self.record.at_ms, self.last_use_ms)
        return max(0, at_ms - since) / DAY_MS


class Forgetting(Protocol):
    """A policy; both methods see all living records, oldest first, and change nothing."""

    @property
    def name(self) -> str:
        """What the configuration calls it."""
        ...

    def retiring(self, holdings: Sequence[Holding], at_ms: int) -> Sequence[Holding]:
        """What is to be forgotten now; never what is pinned."""
        ...

    def squeezing(self, holdings: Sequence[Holding], at_ms: int) -> Sequence[Sequence[Record]]:
        """Batches of records, oldest first, each to be replaced by one summary; never what is pinned."""
        ...


def retention(idle_days: float, strength_days: float) -> float:
    """The share of a memory that is left after a time without use: ``R = exp(-t / S)``.

    Source: H. Ebbinghaus, Über das Gedächtnis (1885), in the form that MemoryBank gives it,
    https://arxiv.org/abs/2305.10250
    """
    return exp(-idle_days / strength_days)


@dataclass(frozen=True, kw_only=True, slots=True)
class Never:
    """Forgets nothing."""

    name: str = "none"

    def retiring(self, holdings: Sequence[Holding], at_ms: int) -> Sequence[Holding]:
        """Nothing."""
        del holdings, at_ms
        return ()

    def squeezing(self, holdings: Sequence[Holding], at_ms: int) -> Sequence[Sequence[Record]]:
        """Nothing."""
        del holdings, at_ms
        return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Decay(Never):
    """Forgets what has faded: its retention has fallen below a threshold.

    Args:
        strength_days: S of a record that was never used.
        growth: how much of ``strength_days`` each use adds to S; a use also begins the time anew.
        threshold: the retention below which a record goes.
    """

    name: str = "decay"
    strength_days: float = 20.0
    growth: float = 1.0
    threshold: float = 0.1

    def __post_init__(self) -> None:
        if not (0 < self.strength_days < inf and 0 <= self.growth < inf and 0 <= self.threshold <= 1):
            raise ValueError(f"strength_days is above 0, growth not below 0, threshold a share: not {self}")

    def retained(self, holding: Holding, at_ms: int) -> float:
        """The retention of one record."""
        strength = self.strength_days * (1 + self.growth * holding.uses)
        return retention(holding.idle_days(at_ms), strength)

    def retiring(self, holdings: Sequence[Holding], at_ms: int) -> Sequence[Holding]:
        """What has faded."""
        return [one for one in holdings if not one.pinned and self.retained(one, at_ms) < self.threshold]


@dataclass(frozen=True, kw_only=True, slots=True)
class Capacity(Never):
    """Keeps a number of records, the most valuable ones; pinned ones count and stay.

    Args:
        most: records kept.
        half_life_days: after so long without use, recency is worth half.
    """

    name: str = "capacity"
    most: int = 500
    half_life_days: float = 14.0

    def __post_init__(self) -> None:
        if self.most < 1 or not 0 < self.half_life_days < inf:
            raise ValueError(f"most is at least 1 and half_life_days above 0, not {self}")

    def value(self, holding: Holding, at_ms: int) -> float:
        """Importance, recency and use, each worth about one."""
        recency: float = 0.5 ** (holding.idle_days(at_ms) / self.half_life_days)
        return round(holding.importance + recency + log1p(holding.uses), 6)

    def retiring(self, holdings: Sequence[Holding], at_ms: int) -> Sequence[Holding]:
        """The least valuable beyond the number, of equals the older ones."""
        free = [place for place, one in enumerate(holdings) if not one.pinned]
        surplus = min(len(free), max(0, len(holdings) - self.most))
        worst = sorted(free, key=lambda place: (self.value(holdings[place], at_ms), place))[:surplus]
        return [holdings[place] for place in sorted(worst)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Compression(Never):
    """Forgets by squeezing: beyond a number of records the oldest become summaries.

    Args:
        above: records that stay as they are.
        count: how many records one summary replaces.
    """

    name: str = "compression"
    above: int = 50
    count: int = 10

    def __post_init__(self) -> None:
        if self.above < 0 or self.count < 2:
            raise ValueError(f"above is at least 0 and count at least 2, not {self}")

    def squeezing(self, holdings: Sequence[Holding], at_ms: int) -> Sequence[Sequence[Record]]:
        """The oldest records in full batches; summaries are not squeezed again."""
        del at_ms
        free = [one.record for one in holdings if not one.pinned and not one.record.replaces]
        full = max(0, len(free) - self.above) // self.count
        return [free[number * self.count : (number + 1) * self.count] for number in range(full)]
