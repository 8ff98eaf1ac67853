"""How English names times."""

import re
from datetime import date
from re import Match

from sim.language.spans import (
    Span,
    ago,
    day,
    days_ago,
    month,
    months_ago,
    number_or_none,
    rules,
    weeks_ago,
    year,
)
from sim.language.spans import weekday as weekday_before

_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH, _DAY = f"({'|'.join(_MONTHS)})", f"({'|'.join(_DAYS)})"
_SMALL = "a one two three four five six seven eight nine ten eleven twelve".split()
_COUNT = rf"(\d{{1,3}}|an?|{'|'.join(_SMALL[1:])}|a couple of|a few|several)"
_BEFORE = "in|during|of|since|until|by|early|late|last|this"
_LOOSE = {"an": 1, "a couple of": 2, "a few": 3, "several": 4}


def _count(text: str) -> int:
    return int(text) if text.isdigit() else _LOOSE.get(text) or max(1, _SMALL.index(text))


def _month_of(name: str) -> int:
    return _MONTHS.index(name) + 1


def _day_month(match: Match[str], today: date) -> list[Span]:
    return day(int(match[1]), _month_of(match[2]), number_or_none(match[3]), today)


def _month_day(match: Match[str], today: date) -> list[Span]:
    return day(int(match[2]), _month_of(match[1]), number_or_none(match[3]), today)


def _month(match: Match[str], today: date) -> list[Span]:
    return month(_month_of(match[1]), number_or_none(match[2]), today)


def _ago(match: Match[str], today: date) -> list[Span]:
    return ago(_count(match[1]), match[2][0], today)


def _unit(match: Match[str], today: date) -> list[Span]:
    back = 0 if match[1] == "this" else 1
    if match[2] == "week":
        return weeks_ago(back, today)
    return months_ago(back, today) if match[2] == "month" else year(today.year - back)


def _weekday(match: Match[str], today: date) -> list[Span]:
    return weekday_before(_DAYS.index(match[1]), today)


RULES = rules(
    (rf"\b(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH}\b,?(?: (\d{{4}})\b)?", _day_month),
    (rf"\b{_MONTH} (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b,?(?: (\d{{4}})\b)?", _month_day),
    # "may" is a word of its own, so a month alone needs a word before it that belongs to dates
    (rf"(?:\b(?:{_BEFORE}) |\bmid-?){_MONTH}\b,?(?: (\d{{4}})\b)?", _month),
    (rf"\b{_MONTH},? (\d{{4}})\b", _month),
    (r"\bthe day before yesterday\b", lambda _, today: days_ago(2, today)),
    (r"\byesterday\b|\blast night\b", lambda _, today: days_ago(1, today)),
    (r"\btoday\b|\bthis (?:morning|afternoon|evening)\b", lambda _, today: days_ago(0, today)),
    (rf"\b{_COUNT} (day|week|month|year)s? ago\b", _ago),
    (r"\b(last|this|previous) (week|month|year)\b", _unit),
    (rf"\b(?:last|on|this) {_DAY}\b", _weekday),
)

TELLS_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|recently|ago|the other day|in may|(?:19|20)\d\d"
    r"|(?:last|next|this|past|on) (?:week|weekend|month|year|summer|winter|spring|fall|autumn|night"
    rf"|{'|'.join(_DAYS)})|{'|'.join(name for name in _MONTHS if name != 'may')}"
    r"|for \w+ (?:years|months|weeks|days))\b"
)
