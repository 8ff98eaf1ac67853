"""Dates where there is no simulation: milliseconds since the first Monday there is."""

from datetime import UTC, date, datetime

from sim.clock import Calendar, milliseconds

ERA = Calendar(start=date(1, 1, 1))


def milliseconds_of(moment: datetime) -> int:
    """A date and time as milliseconds of `ERA`; one with a time zone counts in UTC."""
    plain = moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    return milliseconds((plain - ERA.moment(0)).total_seconds())
