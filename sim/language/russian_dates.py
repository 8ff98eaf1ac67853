"""How Russian names times."""

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

# A month by the beginning that all its cases share.
_MONTHS = "январ феврал март апрел ма(?=[йяею]) июн июл август сентябр октябр ноябр декабр".split()
_DAYS = "понедельник вторник сред четверг пятниц суббот воскресень".split()
_MONTH = "(" + "|".join(rf"{stem}\w{{0,2}}" for stem in _MONTHS) + ")"
_DAY = "(" + "|".join(rf"{stem}\w?" for stem in _DAYS) + ")"
_YEAR = r"(?: (\d{4})\b(?: год\w*| г\.)?)?"
_SMALL = "ноль один два три четыре пять шесть семь восемь девять десять".split()
_COUNTS = {"две": 2, "пару": 2, "несколько": 3, "одну": 1}
_COUNT = "|".join([*_SMALL, *_COUNTS])
_UNITS = {"д": "d", "н": "w", "м": "m", "г": "y", "л": "y"}


def _beginning(stems: list[str], text: str) -> int:
    return next(place for place, stem in enumerate(stems) if re.match(stem, text))


def _count(text: str | None) -> int:
    if not text:
        return 1
    return int(text) if text.isdigit() else _COUNTS.get(text) or _SMALL.index(text)


def _day_month(match: Match[str], today: date) -> list[Span]:
    return day(int(match[1]), _beginning(_MONTHS, match[2]) + 1, number_or_none(match[3]), today)


def _dotted(match: Match[str], today: date) -> list[Span]:
    return day(int(match[1]), int(match[2]), number_or_none(match[3]), today)


def _month(match: Match[str], today: date) -> list[Span]:
    return month(_beginning(_MONTHS, match[1]) + 1, number_or_none(match[2]), today)


def _ago(match: Match[str], today: date) -> list[Span]:
    return ago(_count(match[1]), _UNITS[match[2][0]], today)


def _unit(match: Match[str], today: date) -> list[Span]:
    back = 1 if match[1].startswith("прошл") else 0
    if match[2].startswith("недел"):
        return weeks_ago(back, today)
    return months_ago(back, today) if match[2].startswith("месяц") else year(today.year - back)


def _weekday(match: Match[str], today: date) -> list[Span]:
    return weekday_before(_beginning(_DAYS, match[1]), today)


RULES = rules(
    (rf"\b(\d{{1,2}})(?:-?го)? {_MONTH}\b{_YEAR}", _day_month),
    (r"\b(\d{1,2})\.(\d\d)(?:\.(\d{4}))?\b", _dotted),
    (rf"\b(?:в|во|с|до|за|прошл\w+|начале|конце|середине) {_MONTH}\b{_YEAR}", _month),
    (r"\bпозавчера\b", lambda _, today: days_ago(2, today)),
    (r"\bвчера\b", lambda _, today: days_ago(1, today)),
    (r"\bсегодня\b", lambda _, today: days_ago(0, today)),
    (rf"(?:\b(\d{{1,3}}|{_COUNT}) )?\b(дн\w+|день|недел\w+|месяц\w*|год\w*|лет) назад\b", _ago),
    (r"\b(прошл\w+|эт\w+) (недел\w+|месяц\w*|год\w*)\b", _unit),
    (rf"\b(?:в|во) (?:прошл\w+ |эт\w+ )?{_DAY}\b", _weekday),
)

TELLS_TIME = re.compile(
    r"\b(?:вчера|позавчера|сегодня|завтра|недавно|назад|прошл\w+ (?:недел\w+|месяц\w*|год\w*|раз)"
    rf"|следующ\w+ (?:недел\w+|месяц\w*|год\w*)|в (?:прошл\w+ )?{_DAY}|(?:19|20)\d\d"
    rf"|\d{{1,2}} {_MONTH}|в {_MONTH})\b"
)
