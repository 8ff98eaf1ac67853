"""How long cooking and eating take, by the law the settings name."""

import math

from sim.clock import milliseconds
from sim.streams import Stream

_VARIATION = 0.2


def duration_ms(draw: Stream, mean_s: float, law: str) -> int:
    """A positive duration with this mean.

    Args:
        draw: the stream of this duration.
        mean_s: its mean in seconds.
        law: ``lognormal``, with a fifth of the mean as deviation, or ``exponential``, for which queueing
            theory has formulas.
    """
    seconds = draw.exponential(mean_s) if law == "exponential" else lognormal(draw, mean_s)
    return max(1, milliseconds(seconds))


def lognormal(draw: Stream, mean_s: float) -> float:
    """A lognormal value with this mean whose deviation is a fifth of it."""
    variance = math.log1p(_VARIATION**2)
    return mean_s * math.exp(draw.normal(0, math.sqrt(variance)) - variance / 2)
