"""Simulated time: integer milliseconds inside, dates and seconds at the edges.

Integers keep equal times equal on every machine; a float clock makes the order of
simultaneous events depend on rounding.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
WEEK_MS = 7 * DAY_MS


def milliseconds(seconds: float) -> int:
    """Rounds seconds to whole milliseconds."""
    return round(seconds * SECOND_MS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Calendar:
    """Turns simulated milliseconds into dates.

    Args:
        start: the day whose 00:00 is simulated time 0; a Monday, so that weeks line up.
    """

    start: date

    def __post_init__(self) -> None:
        if self.start.weekday() != 0:
            raise ValueError(f"start must be a Monday, {self.start} is not")

    def moment(self, time_ms: int) -> datetime:
        """The date and time of a simulated millisecond."""
        return datetime.combine(self.start, datetime.min.time()) + timedelta(milliseconds=time_ms)

    def day(self, time_ms: int) -> str:
        """The ISO date of a simulated millisecond, as in ``2026-01-05``."""
        return self.moment(time_ms).date().isoformat()

    def weekday(self, time_ms: int) -> int:
        """0 is Monday, 6 is Sunday."""
        return (time_ms // DAY_MS) % 7


def day_start(time_ms: int) -> int:
    """The 00:00 of the day that holds ``time_ms``, in milliseconds."""
    return time_ms - time_ms % DAY_MS
