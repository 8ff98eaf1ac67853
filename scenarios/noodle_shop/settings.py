"""Every number of the shop, checked before anything starts."""

import math
import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from scenarios.noodle_shop.menu import MenuKeys, menu_from
from scenarios.noodle_shop.sayable import check_sayable
from scenarios.noodle_shop.speech import LANGUAGES
from sim.clock import HOUR_MS, MINUTE_MS
from sim.config import Section, Share

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOURS = re.compile(r"(\d\d):(\d\d)-(\d\d):(\d\d)")
Identity = Literal["given", "name", "described"]
_EVERY_DAY: dict[str, str | None] = dict.fromkeys(DAYS, "11:00-21:00")


# What nobody honestly wants to exceed; beyond it a sum overflows at last, when the run has long begun.
MOST_PATIENT_S = 1e9  # 31 years: whoever never gives up
MOST_RHYTHM_DAYS = 3650.0
# Years whose dates every table can hold, with ten more for the run and four weeks before it.
FIRST_YEAR, LAST_YEAR = 1900, 2199
Seconds = Annotated[float, Field(gt=0, le=31_536_000)]
Spread = Annotated[float, Field(ge=0, le=3)]
Staffed = Annotated[int, Field(ge=1, le=10_000)]


class Tastes(Section):
    """Shares of customers that have each kind of wish; dishes everybody has.

    Args:
        weekday: share of those who return that keep to a weekday and an hour of their own.
        drift_per_week: chance that one of them changes a wish for good.
    """

    extra: Share = 0.6
    without: Share = 0.5
    spice: Share = 0.8
    portion: Share = 0.4
    allergy: Share = 0.2
    style: Share = 0.2
    weekday: Share = 0.3
    drift_per_week: Share = 0.08


class Talk(Section):
    """How often each move is used.

    Args:
        greeting: share of visits; so are ``mood`` and ``small_talk``.
        usual: share of returning visits; so are ``last_visit``, ``recommended``, ``liked`` and ``praise``.
        offer: share of visits on which the waiter proposes something after the order.
        accept: share of offers that are taken.
    """

    greeting: Share = 0.5
    mood: Share = 0.1
    small_talk: Share = 0.2
    praise: Share = 0.1
    usual: Share = 0.7
    last_visit: Share = 0.25
    recommended: Share = 0.15
    liked: Share = 0.15
    offer: Share = 0.3
    accept: Share = 0.4


class Kitchen(Section):
    """How the kitchen works.

    Args:
        remake: ``content`` sends a wrong plate back, which costs kitchen time and couples the clock to
            what is cooked; ``none`` leaves it at a complaint.
        priorities: whose order is cooked first; what was sent back always is.
        extra_price: price of each extra.
    """

    remake: Literal["none", "content"] = "none"
    priorities: Literal["fifo", "regulars_first"] = "fifo"
    extra_price: float = Field(default=1.5, ge=0, le=1e6)


class Timing(Section):
    """Mean durations in seconds; which distribution each has stands in `visit`.

    Args:
        law: distribution of cooking and eating times; queueing theory has formulas for the exponential.
        patience_s: mean over the customers, each of whom has a mean of their own.
        patience_spread: deviation of its logarithm between customers; 0 makes all alike.
        last_arrival_s: nobody arrives later than so long before closing.
    """

    law: Literal["lognormal", "exponential"] = "lognormal"
    exchange_s: Seconds = 25
    eating_s: Seconds = 1200
    patience_s: float = Field(default=900, gt=0, le=MOST_PATIENT_S)
    patience_spread: Spread = 0.3
    last_arrival_s: float = Field(default=2700, ge=0, le=86_400)


class Returning(Section):
    """What satisfaction does to the next visit under ``returns=adaptive``; see `calendar.next_interval_days`.

    Args:
        neutral: the satisfaction (0 to 1) that leaves the interval as it is.
        stretch: at satisfaction 0 the interval is longer by this share of itself.
        shorten: at satisfaction 1 it is shorter by this share.
        leave: chance of never coming back at satisfaction 0; there is none from ``neutral`` up.
        unserved: what a visit without a meal counts as.
    """

    neutral: float = Field(default=0.9, gt=0, lt=1)
    stretch: float = Field(default=1.0, ge=0, le=100)
    shorten: float = Field(default=0.1, ge=0, lt=1)
    leave: Share = 0.5
    unserved: Share = 0.3


class NoodleSettings(Section):
    """The keys of ``scenario=noodle_shop``.

    Args:
        regulars: how many are drawn; with a ``population`` there are as many as it has rows.
        population: path of a CSV file of regulars, or a list of such rows; see `population`.
        walk_in_returns: chance that a passer-by comes back, in a rhythm of their own.
        language: a code, or shares of customers by code that add up to 1.
        confusable: share of the drawn regulars that are in pairs or threes of one first name whose
            tastes differ in one or two slots.
        start: the Monday on which simulated time begins.
        opening: hours of each weekday as ``11:00-21:00``, or null for a closed day.
        identity: what an agent learns of who stands there: ``given`` the customer id, ``name`` a first
            name that others share, ``described`` what they look like.
        rhythm_days: mean days between two visits of those who return; ``rhythm_jitter_days`` its
            deviation from visit to visit, ``rhythm_spread`` that of its logarithm between customers.
        phrasings: which templates: all, those the surrogate's reader was written against, or the others.
        wording: customers speak from templates, or the role ``customer`` rewords those.
        menu: a menu laid out like `scenarios.noodle_shop.menu.STANDARD`; null is that one.
    """

    weeks: int = Field(default=8, ge=1, le=520)
    regulars: int = Field(default=40, ge=0, le=1_000_000)
    population: str | list[dict[str, str]] | None = None
    walk_ins_per_day: float = Field(default=6, ge=0, le=1_000_000)
    walk_in_returns: Share = 0.05
    start: date = Field(default=date(2026, 1, 5), strict=False)
    language: str | dict[str, float] = "en"
    confusable: Share = 0.2
    returns: Literal["fixed", "adaptive"] = "fixed"
    returning: Returning = Returning()
    assignment: Literal["free", "sticky", "random"] = "free"
    identity: Identity = "given"
    waiters: Staffed = 2
    chefs: Staffed = 1
    tables: Staffed = 8
    opening: dict[str, str | None] = Field(default_factory=lambda: dict(_EVERY_DAY))
    rhythm_days: float = Field(default=7, ge=1, le=MOST_RHYTHM_DAYS)
    rhythm_jitter_days: float = Field(default=1.5, ge=0, le=365)
    rhythm_spread: Spread = 0.2
    tastes: Tastes = Tastes()
    talk: Talk = Talk()
    timing: Timing = Timing()
    kitchen: Kitchen = Kitchen()
    wording: Literal["template", "model"] = "template"
    phrasings: Literal["mixed", "seen", "held_out"] = "mixed"
    menu: MenuKeys | None = None

    @property
    def languages(self) -> Mapping[str, float]:
        """Shares of customers by language."""
        return {self.language: 1.0} if isinstance(self.language, str) else self.language

    @property
    def main_language(self) -> str:
        """The language that most customers speak: that of whatever is written about many of them."""
        return max(self.languages, key=lambda code: self.languages[code])

    @field_validator("language", mode="plain")
    @classmethod
    def _is_spoken(cls, value: object) -> str | dict[str, float]:
        if isinstance(value, str) and value in LANGUAGES:
            return value
        if isinstance(value, Mapping):
            return _shares(value)
        raise ValueError(f"give one of {', '.join(LANGUAGES)}, or shares like {{en: 0.7, ru: 0.3}}")

    @field_validator("population", mode="before")
    @classmethod
    def _holds_text(cls, value: object) -> object:
        """Cells of the configuration may be numbers or null; in a file all are text."""
        if value is None or (isinstance(value, str) and value):
            return value
        if not isinstance(value, list) or not all(isinstance(row, Mapping) for row in value):
            raise ValueError("give the path of a CSV file, a list of mappings, or null")
        return [{str(key): "" if cell is None else str(cell) for key, cell in row.items()} for row in value]

    @field_validator("start", mode="before")
    @classmethod
    def _is_a_date(cls, value: object) -> object:
        if not isinstance(value, str | date):
            raise ValueError("write a date like 2026-01-05")
        return value

    @field_validator("start")
    @classmethod
    def _starts_on_a_monday(cls, value: date) -> date:
        if value.weekday() != 0:
            raise ValueError(f"must be a Monday, {value} is a {value:%A}")
        if not FIRST_YEAR <= value.year <= LAST_YEAR:
            raise ValueError(f"must lie in the years {FIRST_YEAR} to {LAST_YEAR}")
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

    @model_validator(mode="after")
    def _offers_what_can_be_said(self) -> Self:
        if self.menu is not None:
            menu = menu_from(self.menu)
            for code, share in self.languages.items():
                if share:
                    check_sayable(menu, code)
        return self


Span = tuple[int, int]


def _shares(given: Mapping[Any, Any]) -> dict[str, float]:
    """Shares by language as a configuration gives them, checked."""
    for code, share in given.items():
        if code not in LANGUAGES:
            raise ValueError(f"{code} is not spoken in the shop; choose of {', '.join(LANGUAGES)}")
        number = isinstance(share, int | float) and not isinstance(share, bool)
        if not number or not 0 <= share <= 1:
            raise ValueError(f"{code}: a share is a number from 0 to 1, not {share!r}")
    total = math.fsum(given.values())
    if not math.isclose(total, 1, abs_tol=1e-6):
        raise ValueError(f"the shares add up to {total:g}; make them add up to 1")
    return {str(code): float(share) for code, share in given.items()}


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
