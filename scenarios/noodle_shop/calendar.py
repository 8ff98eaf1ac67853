"""When the shop is open, and when each regular comes: independent of anything said."""

from collections.abc import Iterator
from dataclasses import dataclass

from scenarios.noodle_shop.customers import Customer
from scenarios.noodle_shop.settings import NoodleSettings, Span, opening_hours
from sim.clock import DAY_MS, WEEK_MS, milliseconds
from sim.streams import Stream


@dataclass(frozen=True, kw_only=True, slots=True)
class Hours:
    """Opening hours by weekday, in ms since midnight; None is a closed day."""

    days: tuple[Span | None, ...]
    weeks: int
    last_arrival_ms: int

    @classmethod
    def of(cls, settings: NoodleSettings) -> "Hours":
        """The hours a configuration asks for."""
        return cls(
            days=opening_hours(settings.opening),
            weeks=settings.weeks,
            last_arrival_ms=milliseconds(settings.timing.last_arrival_s),
        )

    def span(self, day: int) -> Span | None:
        """First and last moment of arrival on the given day since the start."""
        hours = self.days[day % 7]
        if hours is None:
            return None
        return day * DAY_MS + hours[0], day * DAY_MS + hours[1] - self.last_arrival_ms

    def closings(self) -> tuple[int, ...]:
        """When each day of the run closes; a closed day has a closing too, so that weeks line up."""
        latest = max(hours[1] for hours in self.days if hours is not None)
        ends = (self.days[day % 7] for day in range(7 * self.weeks))
        return tuple(day * DAY_MS + (hours[1] if hours else latest) for day, hours in enumerate(ends))

    def next_open(self, day: int) -> int:
        """The given day, or the first one after it that is open."""
        return next(day + more for more in range(7) if self.days[(day + more) % 7] is not None)


def visits_of(customer: Customer, settings: NoodleSettings, hours: Hours) -> Iterator[int]:
    """Arrival times of a regular under ``returns=fixed``: roughly every ``rhythm_days``.

    The favourite hour is the customer's own; both it and the interval jitter by visit.
    """
    favourite = customer.stream.of("favourite hour").uniform()
    day = hours.next_open(int(customer.stream.of("first visit").uniform() * settings.rhythm_days))
    number = 0
    while day * DAY_MS < hours.weeks * WEEK_MS:
        draw = customer.stream.of("visit", number)
        first_ms, last_ms = _open_span(hours, day)
        place = min(1.0, max(0.0, draw.of("hour").normal(favourite, 0.08)))
        yield first_ms + round(place * (last_ms - first_ms))
        number += 1
        interval = draw.of("interval").normal(settings.rhythm_days, settings.rhythm_jitter_days)
        day = hours.next_open(day + max(1, round(interval)))


def walk_in_times(settings: NoodleSettings, hours: Hours, streams: Stream) -> Iterator[int]:
    """Arrivals of passers-by: a Poisson process while the shop takes guests."""
    if settings.walk_ins_per_day <= 0:
        return
    for day in range(7 * hours.weeks):
        if hours.span(day) is None:
            continue
        first_ms, last_ms = _open_span(hours, day)
        mean_ms = (last_ms - first_ms) / settings.walk_ins_per_day
        at_ms, number = float(first_ms), 0
        while True:
            at_ms += streams.of("walk-in", day, number).exponential(mean_ms)
            if at_ms > last_ms:
                break
            yield round(at_ms)
            number += 1


def _open_span(hours: Hours, day: int) -> Span:
    span = hours.span(day)
    if span is None:
        raise ValueError(f"the shop is closed on day {day}")
    return span
