"""How near records lie to the times a question names."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from sim.language.spans import Span
from sim.memory.retrieval.columns import Flags, Floats, Places

# What happened is told on the day or soon after: half as likely with each week, and then no more.
_TOLD_HALF_DAYS, _TOLD_WITHIN_DAYS = 7.0, 60
# A single day is often remembered wrongly, or planned before it comes.
_PLANNED_HALF_DAYS, _PLANNED_WITHIN_DAYS = 2.0, 20
# A longer span than a month leaves so much open that it says little.
_LONG_DAYS, _LONG_SHARE = 31, 0.3


def closeness(days: Places, spans: Sequence[Span], start: date) -> Floats:
    """For each record 1 within the nearest span, less outside it, 0 far away.

    Args:
        days: day of each record, counted from ``start``.
        spans: of days; none of them gives 0 everywhere.
        start: day 0.
    """
    nearest = np.zeros(len(days))
    for span in spans:
        nearest = np.maximum(nearest, _to_one(days, span, start))
    return nearest


def latest(days: Places, mine: Flags, start: date) -> list[Span]:
    """The last day on which any of ``mine`` happened; none when there are none."""
    if not mine.any():
        return []
    day = date.fromordinal(start.toordinal() + int(days[mine].max()))
    return [Span(first=day, last=day)]


def _to_one(days: Places, span: Span, start: date) -> Floats:
    first, last = (day.toordinal() - start.toordinal() for day in (span.first, span.last))
    near = np.where((days >= first) & (days <= last), 1.0, 0.0)
    _fade(near, days - last, _TOLD_HALF_DAYS, _TOLD_WITHIN_DAYS)
    if span.days == 1:
        _fade(near, first - days, _PLANNED_HALF_DAYS, _PLANNED_WITHIN_DAYS)
    return near if span.days <= _LONG_DAYS else near * _LONG_SHARE


def _fade(near: Floats, away: Places, half_days: float, within_days: int) -> None:
    outside = (away > 0) & (away < within_days)
    near[outside] = 0.5 ** (away[outside] / half_days)
