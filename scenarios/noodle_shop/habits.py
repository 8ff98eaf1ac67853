"""When somebody likes to come and how long they will wait: drawn once for each customer."""

import math
from dataclasses import dataclass

from scenarios.noodle_shop.settings import NoodleSettings, Span, opening_hours
from sim.clock import milliseconds
from sim.streams import Stream


@dataclass(frozen=True, kw_only=True, slots=True)
class Habits:
    """The habits of one customer.

    Args:
        rhythm_days: their own mean of days between two visits.
        patience_s: their own mean of seconds they wait for a table.
        place: time of day they prefer, from 0 (opening) to 1 (last arrival).
        weekday: the weekday they keep to, 0 is Monday; None keeps to none.
        hour_ms: the moment of the day they keep to, in ms since midnight; None only prefers ``place``.
    """

    rhythm_days: float
    patience_s: float
    place: float
    weekday: int | None = None
    hour_ms: int | None = None


def drawn_habits(settings: NoodleSettings, stream: Stream) -> Habits:
    """The habits of the customer with this stream."""
    place = stream.of("favourite hour").uniform()
    days = dict(_arrivals(settings))
    weekday = stream.of("favourite weekday").choice(list(days))
    keeps = stream.of("keeps to a weekday").chance(settings.tastes.weekday)
    first_ms, last_ms = days[weekday]
    return Habits(
        rhythm_days=max(1.0, settings.rhythm_days / _around_one(stream.of("rhythm"), settings.rhythm_spread)),
        patience_s=settings.timing.patience_s
        * _around_one(stream.of("patience"), settings.timing.patience_spread),
        place=place,
        weekday=weekday if keeps else None,
        hour_ms=first_ms + round(place * (last_ms - first_ms)) if keeps else None,
    )


def _arrivals(settings: NoodleSettings) -> list[tuple[int, Span]]:
    """By open weekday, the first and the last moment at which guests are let in."""
    last_ms = milliseconds(settings.timing.last_arrival_s)
    spans = enumerate(opening_hours(settings.opening))
    return [(day, (span[0], span[1] - last_ms)) for day, span in spans if span is not None]


def _around_one(stream: Stream, spread: float) -> float:
    """A lognormal factor with mean 1; ``spread`` is the deviation of its logarithm."""
    return math.exp(stream.normal(-spread * spread / 2, spread))
