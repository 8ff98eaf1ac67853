"""Named random streams: every draw is a pure function of the seed and a name.

A stream is a point, not a sequence: it is asked by entity and purpose
(``streams.of("anna", 3, "patience").exponential(600)``), so a draw never shifts because
some other draw was added, left out, or made in another order. This is what gives the arms
of a sweep common random numbers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Self, TypeVar

T = TypeVar("T")
_SPAN = 1 << 53


@dataclass(frozen=True, slots=True)
class Stream:
    """One named place in the space of random draws."""

    key: bytes

    @classmethod
    def root(cls, seed: int) -> Self:
        """The stream from which all streams of a run descend."""
        return cls(blake2b(f"noodle:{seed}".encode(), digest_size=16).digest())

    def of(self, *names: str | int) -> "Stream":
        """The stream named by ``names`` below this one."""
        # Length before text, so that ("ab", "c") and ("a", "bc") are different names.
        text = "".join(f"{len(part)}:{part}" for part in map(str, names))
        return Stream(blake2b(text.encode("utf-8", "surrogatepass"), key=self.key, digest_size=16).digest())

    def uniform(self) -> float:
        """A float in [0, 1) with 53 random bits."""
        return (int.from_bytes(self.key[:8], "big") >> 11) / _SPAN

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.uniform() < probability

    def integer(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + int(self.uniform() * (high - low + 1))

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``, each equally likely."""
        return items[int(self.uniform() * len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """One of ``items``, likely in proportion to its weight."""
        left = self.uniform() * math.fsum(weights)
        for item, weight in zip(items, weights, strict=True):
            left -= weight
            if left < 0:
                return item
        return items[-1]

    def exponential(self, mean: float) -> float:
        """An exponentially distributed value with this mean."""
        return -mean * math.log1p(-self.uniform())

    def normal(self, mean: float, deviation: float) -> float:
        """A normally distributed value.

        Source: Box and Muller (1958), https://doi.org/10.1214/aoms/1177706645
        """
        radius = math.sqrt(-2.0 * math.log1p(-self.of("radius").uniform()))
        return mean + deviation * radius * math.cos(2 * math.pi * self.of("angle").uniform())

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """At most ``count`` different ``items``, each set equally likely, in their old order."""
        ranked = sorted(range(len(items)), key=lambda place: self.of(place).key)
        return [items[place] for place in sorted(ranked[:count])]
