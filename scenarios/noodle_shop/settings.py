"""Every number of the shop, checked before anything starts."""

import re
from datetime import date
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sim.clock import HOUR_MS, MINUTE_MS

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOURS = re.compile(r"(\d\d):(\d\d)-(\d\d):(\d\d)")
_EVERY_DAY: dict[str, str | None] = dict.fromkeys(DAYS, "11:00-21:00")


class Section(BaseModel):
    """A closed, frozen group of keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Tastes(Section):
    """Shares of regulars that have each kind of wish; dishes everybody has."""

    extra: float = Field(default=0.6, ge=0, le=1)
    without: float = Field(default=0.5, ge=0, le=1)
    spice: float = Field(default=0.8, ge=0, le=1)
    portion: float = Field(default=0.4, ge=0, le=1)
    allergy: float = Field(default=0.2, ge=0, le=1)
    style: float = Field(default=0.2, ge=0, le=1)
    drift_per_week: float = Field(default=0.08, ge=0, le=1)


class Talk(Section):
    """How often each move is used: a greeting on any visit, the others by returning customers."""

    greeting: float = Field(default=0.5, ge=0, le=1)
    usual: float = Field(default=0.7, ge=0, le=1)
    last_visit: float = Field(default=0.25, ge=0, le=1)


class Timing(Section):
    """Mean durations in seconds; which distribution each has stands in `visit`."""

    exchange_s: float = Field(default=25, gt=0)
    eating_s: float = Field(default=1200, gt=0)
    patience_s: float = Field(default=900, gt=0)
    last_arrival_s: float = Field(default=2700, ge=0)


class NoodleSettings(Section):
    """The keys of ``scenario=noodle_shop``.

    Args:
        start: the Monday on which simulated time begins.
        opening: hours of each weekday as ``11:00-21:00``, or null for a closed day.
        rhythm_days: mean days between two visits of a regular; ``rhythm_jitter_days`` its deviation.
        identity: what an agent learns of who stands there; ``given`` is the customer id.
        menu: a menu laid out like `scenarios.noodle_shop.menu.STANDARD`; null is that one.
    """

    weeks: int = Field(default=8, ge=1, le=5200)
    regulars: int = Field(default=40, ge=0)
    walk_ins_per_day: float = Field(default=6, ge=0)
    start: date = date(2026, 1, 5)
    language: Literal["en", "ru"] = "en"
    returns: Literal["fixed"] = "fixed"
    assignment: Literal["free", "sticky", "random"] = "free"
    identity: Literal["given"] = "given"
    waiters: int = Field(default=2, ge=1)
    chefs: int = Field(default=1, ge=1)
    tables: int = Field(default=8, ge=1)
    opening: dict[str, str | None] = Field(default_factory=lambda: dict(_EVERY_DAY))
    rhythm_days: float = Field(default=7, ge=1)
    rhythm_jitter_days: float = Field(default=1.5, ge=0)
    tastes: Tastes = Tastes()
    talk: Talk = Talk()
    timing: Timing = Timing()
    menu: dict[str, Any] | None = None

    @field_validator("start")
    @classmethod
    def _starts_on_a_monday(cls, value: date) -> date:
        if value.weekday() != 0:
            raise ValueError(f"must be a Monday, {value} is a {value:%A}")
        return value

    @field_validator("opening")
    @classmethod
    def _opens(cls, value: dict[str, str | None]) -> dict[str, str | None]:
        if all(span is None for span in opening_hours(value)):
            raise ValueError("the shop is never open; give at least one day hours")
        return value

    @model_validator(mode="after")
    def _lets_guests_in(self) -> Self:
        last_ms = self.timing.last_arrival_s * 1000
        for day, span in zip(DAYS, opening_hours(self.opening), strict=True):
            if span is not None and span[1] - span[0] <= last_ms:
                raise ValueError(f"opening.{day} is shorter than timing.last_arrival_s: nobody could arrive")
        return self


Span = tuple[int, int]


def opening_hours(opening: dict[str, str | None]) -> tuple[Span | None, ...]:
    """Opening and closing of each weekday in ms since midnight, None for a closed day.

    Raises:
        ValueError: a day is unknown or missing, or its hours cannot be.
    """
    unknown = sorted(set(opening) - set(DAYS)) or sorted(set(DAYS) - set(opening))
    if unknown:
        raise ValueError(f"{unknown[0]}: give each of {', '.join(DAYS)} once")
    return tuple(_span(day, opening[day]) for day in DAYS)


def _span(day: str, text: str | None) -> Span | None:
    if text is None:
        return None
    match = _HOURS.fullmatch(text)
    if match is None:
        raise ValueError(f"{day}: write hours like 11:00-21:00, not {text!r}")
    hour, minute, to_hour, to_minute = map(int, match.groups())
    start, end = hour * HOUR_MS + minute * MINUTE_MS, to_hour * HOUR_MS + to_minute * MINUTE_MS
    if not start < end <= 24 * HOUR_MS or minute > 59 or to_minute > 59:
        raise ValueError(f"{day}: {text} is no span within one day")
    return start, end
