"""How a real model draws its words: always said, because servers have defaults of their own."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Sampling:
    """Sampling parameters besides the temperature, which belongs to the request.

    Args:
        top_p: share of probability that is drawn from.
        top_k: number of tokens that are drawn from; -1 is all.
        repetition_penalty: 1 is none.
        seed: seed of the server's draws; it makes few servers repeatable. None sends none.
    """

    top_p: float = 1.0
    top_k: int = -1
    repetition_penalty: float = 1.0
    seed: int | None = 0
