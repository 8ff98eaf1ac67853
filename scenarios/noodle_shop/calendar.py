"""When the shop is open, and when each customer comes.

Under ``returns=fixed`` all of it is independent of anything said. Under ``returns=adaptive`` the next
visit hangs on how satisfied the customer was with the one before.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from scenarios.noodle_shop.customers import Customer
from scenarios.noodle_shop.settings import NoodleSettings, Returning, Span, opening_hours
from sim.clock import DAY_MS, MINUTE_MS, WEEK_MS, milliseconds
from sim.streams import Stream

# Deviations of the moment of a visit: of somebody with an hour of their own, and, as a share of the
# time the shop lets guests in, of anybody else.
_PUNCTUAL_MS = 10 * MINUTE_MS
_LOOSE = 0.08


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
        # Never midnight itself: the last day of a run must close within the run.
        last = DAY_MS - 5 * MINUTE_MS
        return tuple(
            day * DAY_MS + min(last, hours[1] if hours else latest) for day, hours in enumerate(ends)
        )

    def next_open(self, day: int) -> int:
        """The given day, or the first one after it that is open."""
        return next(day + more for more in range(7) if self.days[(day + more) % 7] is not None)

    def nearest(self, day: int, weekday: int | None, after: int) -> int:
        """The open day nearest to ``day`` that falls on ``weekday`` and comes later than the day ``after``.

        Who keeps to no weekday, or would have to come on the day ``after`` or before it, comes on the
        first open day from ``day`` on.
        """
        if weekday is not None and self.days[weekday] is not None:
            forward = (weekday - day) % 7
            found = day + (forward if forward <= 3 else forward - 7)
            if found > after:
                return found
        return self.next_open(day)


def visits_of(customer: Customer, settings: NoodleSettings, hours: Hours) -> Iterator[int]:
    """Arrival times within the run of a regular under ``returns=fixed``, in their own rhythm."""
    at_ms: int | None = first_visit_ms(customer, hours)
    number = 0
    while at_ms is not None and at_ms < hours.weeks * WEEK_MS:
        yield at_ms
        at_ms = next_visit_ms(customer, settings, hours, number=number, arrived_ms=at_ms, satisfaction=None)
        number += 1


def first_visit_ms(customer: Customer, hours: Hours) -> int:
    """When a regular first comes: within the days of their rhythm, as if they had come before."""
    habits = customer.habits
    day = int(customer.stream.of("first visit").uniform() * habits.rhythm_days)
    return _moment(customer, hours, 0, hours.nearest(day, habits.weekday, after=-1))


def next_visit_ms(
    customer: Customer,
    settings: NoodleSettings,
    hours: Hours,
    *,
    number: int,
    arrived_ms: int,
    satisfaction: float | None,
) -> int | None:
    """When a customer arrives the next time, maybe after the run; None if they never come back.

    Args:
        customer: who.
        settings: numbers of the shop.
        hours: when it is open.
        number: number of the visit just made, from 0.
        arrived_ms: when it began.
        satisfaction: from 0 to 1, None if there was no meal; ``returns=fixed`` ignores it.
    """
    interval = next_interval_days(customer, settings, number, satisfaction)
    if interval is None:
        return None
    today = arrived_ms // DAY_MS
    target = today + max(1, round(interval))
    day = hours.nearest(target, customer.habits.weekday, after=today)
    return _moment(customer, hours, number + 1, day)


def earliest_return_ms(
    customer: Customer, settings: NoodleSettings, hours: Hours, *, number: int, arrived_ms: int
) -> int:
    """The earliest moment a customer could come again after a visit, however satisfied they were.

    Until then nobody needs to know how satisfied. It is always before the next visit or equal to it:
    the interval never grows with satisfaction, and days and moments keep the order of intervals.
    """
    best = next_visit_ms(customer, settings, hours, number=number, arrived_ms=arrived_ms, satisfaction=1.0)
    assert best is not None, "nobody stays away for good who was wholly satisfied"
    return best


def next_interval_days(
    customer: Customer, settings: NoodleSettings, number: int, satisfaction: float | None
) -> float | None:
    """Days from a visit to the next, None for never; a pure function of its arguments.

    The interval is normal around the customer's rhythm, drawn by customer and visit number. Under
    ``returns=adaptive`` it is multiplied, with n = ``returning.neutral``, by

        1 + stretch * (n - s) / n            for a satisfaction s below n
        1 - shorten * (s - n) / (1 - n)      from n up

    and below n the customer never comes back with the chance ``leave * (n - s) / n``. The draw is the
    same whatever the satisfaction: who leaves at some satisfaction would have left at any lower one.

    Args:
        customer: who.
        settings: numbers of the shop.
        number: number of the visit just made, from 0.
        satisfaction: from 0 to 1, None if there was no meal; ``returns=fixed`` ignores it.
    """
    draw = customer.stream.of("visit", number)
    days = max(1.0, draw.of("interval").normal(customer.habits.rhythm_days, settings.rhythm_jitter_days))
    if settings.returns == "fixed":
        return days
    law = settings.returning
    felt = law.unserved if satisfaction is None else satisfaction
    if draw.of("leaves").chance(law.leave * _discontent(felt, law)):
        return None
    return days * _factor(felt, law)


def _discontent(satisfaction: float, law: Returning) -> float:
    """How far below neutral a satisfaction lies, from 0 to 1."""
    return max(0.0, (law.neutral - satisfaction) / law.neutral)


def _factor(satisfaction: float, law: Returning) -> float:
    if satisfaction < law.neutral:
        return 1 + law.stretch * _discontent(satisfaction, law)
    return 1 - law.shorten * (satisfaction - law.neutral) / (1 - law.neutral)


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


def _moment(customer: Customer, hours: Hours, number: int, day: int) -> int:
    """When on a day a customer arrives for the visit of this number."""
    first_ms, last_ms = _open_span(hours, day)
    habits, draw = customer.habits, customer.stream.of("visit", number, "hour")
    if habits.hour_ms is None:
        at_ms = first_ms + draw.normal(habits.place, _LOOSE) * (last_ms - first_ms)
    else:
        at_ms = draw.normal(day * DAY_MS + habits.hour_ms, _PUNCTUAL_MS)
    return min(last_ms, max(first_ms, round(at_ms)))


def _open_span(hours: Hours, day: int) -> Span:
    span = hours.span(day)
    if span is None:
        raise ValueError(f"the shop is closed on day {day}")
    return span
