"""How Chinese names times."""

import re
from datetime import date
from re import Match

from sim.language.spans import (
    Span,
    ago,
    around,
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

_DIGITS = "零一二三四五六七八九"
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_NUMBER = r"(\d{1,3}|[一二两三四五六七八九]?十?[一二三四五六七八九]?)"
_UNITS = {"天": "d", "日": "d", "周": "w", "星": "w", "礼": "w", "月": "m", "年": "y"}
_WEEK = "(?:周|星期|礼拜)"


def _number(text: str) -> int:
    """A number up to 99, in digits or in characters; 0 for none."""
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.replace("两", "二").rpartition("十")
    high = (_DIGITS.index(tens) if tens else 1) if ten else 0
    return 10 * high + (_DIGITS.index(ones) if ones else 0)


def _day(match: Match[str], today: date) -> list[Span]:
    return day(_number(match[3]), _number(match[2]), number_or_none(match[1]), today)


def _month(match: Match[str], today: date) -> list[Span]:
    return month(_number(match[2]), number_or_none(match[1]), today)


def _ago(match: Match[str], today: date) -> list[Span]:
    return ago(max(1, _number(match[1])), _UNITS[match[2][0]], today)


def _weekday(match: Match[str], today: date) -> list[Span]:
    return weekday_before(_WEEKDAYS[match[2]], today, last_week=match[1] == "上")


def _this_week(match: Match[str], today: date) -> list[Span]:
    return around(today, today.weekday() - _WEEKDAYS[match[1]], 0)


RULES = rules(
    (rf"(?:(\d{{4}})年)?{_NUMBER}月{_NUMBER}[日号]", _day),
    (rf"(?:(\d{{4}})年)?{_NUMBER}月(?!前)", _month),
    (r"大前天", lambda _, today: days_ago(3, today)),
    (r"前天", lambda _, today: days_ago(2, today)),
    (r"昨[天晚日]", lambda _, today: days_ago(1, today)),
    (r"今[天晚日早]", lambda _, today: days_ago(0, today)),
    (rf"{_NUMBER}个?(天|日|周|星期|礼拜|月|年)(?:以|之)?前", _ago),
    (rf"(上)个?{_WEEK}([一二三四五六日天])", _weekday),
    (rf"[这本]个?{_WEEK}([一二三四五六日天])", _this_week),
    (rf"()(?<![上这本下个]){_WEEK}([一二三四五六日天])", _weekday),
    (rf"上个?{_WEEK}", lambda _, today: weeks_ago(1, today)),
    (rf"[这本]个?{_WEEK}", lambda _, today: weeks_ago(0, today)),
    (r"上个?月", lambda _, today: months_ago(1, today)),
    (r"[这本]个?月", lambda _, today: months_ago(0, today)),
    (r"去年", lambda _, today: year(today.year - 1)),
    (r"今年", lambda _, today: year(today.year)),
)

TELLS_TIME = re.compile(
    rf"前天|昨[天晚]|今[天晚早]|明[天晚]|最近|刚才|[上下这]个?(?:{_WEEK}|月|次)|去年|今年|明年|\d年|[\d一二三四五六七八九十]+月|前"
)
