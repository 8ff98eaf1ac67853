"""Spans of days, and the ways to say one relative to today: what the dates of all languages share."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from re import Match, Pattern

# Without a year, the day or month of so many years, this one counted, is meant: which is not said.
YEARS_BACK = 3
_LAST_YEAR = date.max.year - 1  # so that nothing added to a date leaves the calendar


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A span of days, both ends included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """How many days it has."""
        return (self.last - self.first).days + 1


Meaning = Callable[[Match[str], date], list[Span]]


@dataclass(frozen=True, kw_only=True, slots=True)
class DateRule:
    """A way to name a time: a pattern, and what a match of it means when today is known.

    ``meaning`` gives no span for what is no date, such as 31 February; then nothing was named.
    """

    pattern: Pattern[str]
    meaning: Meaning


def rules(*named: tuple[str, Meaning]) -> tuple[DateRule, ...]:
    """The rules of a language, each by its pattern and its meaning, in the order in which they are tried."""
    return tuple(DateRule(pattern=re.compile(pattern), meaning=meaning) for pattern, meaning in named)


def day(number: int, month: int, year: int | None, today: date) -> list[Span]:
    """A day of the calendar; without a year the last ones of that name that have come."""
    months = [span.first for span in _months(month, year, today)]
    days = [first.replace(day=number) for first in months if 1 <= number <= _length(first)]
    return [Span(first=one, last=one) for one in days if year or one <= today]


def month(number: int, year: int | None, today: date) -> list[Span]:
    """A month of the calendar; without a year the last ones of that name that have begun."""
    return [span for span in _months(number, year, today) if year or span.first <= today]


def year(number: int) -> list[Span]:
    """A year of the calendar."""
    return [Span(first=date(number, 1, 1), last=date(number, 12, 31))] if 1 <= number <= _LAST_YEAR else []


def days_ago(count: int, today: date) -> list[Span]:
    """One day, so many days before today."""
    return around(today, count, 0)


def weeks_ago(count: int, today: date) -> list[Span]:
    """One week from Monday to Sunday, so many weeks before this one."""
    monday = _back(today, today.weekday() + 7 * count)
    return [Span(first=monday, last=monday + timedelta(days=6))] if monday else []


def months_ago(count: int, today: date) -> list[Span]:
    """One month, so many months before this one."""
    months = today.year * 12 + today.month - 1 - count
    return month(months % 12 + 1, months // 12, today) if months >= 12 else []


def weekday(number: int, today: date, *, last_week: bool = False) -> list[Span]:
    """The last such weekday before today (0 is Monday), or that of last week."""
    if last_week:
        return around(today, today.weekday() - number + 7, 0)
    return around(today, (today.weekday() - number - 1) % 7 + 1, 0)


def around(today: date, back: int, slack: int) -> list[Span]:
    """The day so many days before today, with ``slack`` days on both sides."""
    middle = _back(today, back)
    if middle is None:
        return []
    return [Span(first=middle - timedelta(days=slack), last=middle + timedelta(days=slack))]


def ago(count: int, unit: str, today: date) -> list[Span]:
    """The time so many days (d), weeks (w), months (m) or years (y) ago, as loosely as people mean it."""
    if unit == "y":
        return year(today.year - count)
    days, slack = {"d": (1, 0), "w": (7, 3), "m": (30, 15)}[unit]
    return around(today, count * days, slack)


def number_or_none(text: str | None) -> int | None:
    """The number written in digits, or None for nothing."""
    return int(text) if text else None


def _months(number: int, year: int | None, today: date) -> list[Span]:
    years = [year] if year else range(today.year, max(1, today.year - YEARS_BACK), -1)
    firsts = [date(one, number, 1) for one in years if 1 <= number <= 12 and 1 <= one <= _LAST_YEAR]
    return [Span(first=first, last=first.replace(day=_length(first))) for first in firsts]


def _length(first: date) -> int:
    return monthrange(first.year, first.month)[1]


def _back(today: date, days: int) -> date | None:
    # A year is left at the lower end, so that slack never leaves the calendar.
    return today - timedelta(days=days) if days < today.toordinal() - 366 else None
