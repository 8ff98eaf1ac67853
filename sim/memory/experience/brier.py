"""How far confidences can be believed: the Brier score."""

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Forecast:
    """A confidence as it stood before feedback, and whether the feedback confirmed the rule."""

    rule: str
    confidence: float
    confirmed: bool


def brier(forecasts: Iterable[Forecast]) -> float:
    """The mean squared difference of confidence and outcome: 0 is best, always saying 0.5 gives 0.25.

    NaN for no forecast at all.

    Source: Brier (1950), https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2
    """
    errors = [(one.confidence - one.confirmed) ** 2 for one in forecasts]
    return math.fsum(errors) / len(errors) if errors else math.nan
