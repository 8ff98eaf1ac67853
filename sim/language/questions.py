"""What kind of thing a question asks for, by the words it is asked with."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Kind = Literal["when", "list", "preference", "other"]

_WHEN = (
    r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow long\b",
    r"\bкогда\b|\bкак давно\b|\bкако(?:го|м|й) (?:числа|числе|день|дня|месяце|году|год)\b",
    r"什么时候|何时|哪[天年月]|几[号月]|星期几|多久",
)
# The names of things in the plural, counts, and "both" ask for what is told in several places.
_VERB = "(?:do|does|did|ha[sd]|have|is|are|was|were|can|will)"
_PLURAL = rf"\b(?:what|which) (?:[\w'+/-]+ ){{0,3}}?(?!\w*(?:ss|us|is|as)\b)[a-z]{{2,}}s {_VERB}\b"
_LIST = (
    rf"\bhow (?:many|often)\b|\b(?:kind|type|sort)s? of\b|\b(?:both|all|ways|what are)\b|{_PLURAL}",
    r"\bсколько (?:раз|всего)\b|\bкакие\b|\bкаких\b|\bвсе\b|\bчасто\b|\bперечисли",
    r"哪些|几次|多少|所有|都有",
)
_LIKING = "(?:prefer|like|love|enjoy|want|hate|dislike|avoid)s?"
_PREFERENCE = (
    rf"\b(?:favou?rites?|usual(?:ly)?|{_LIKING}|(?:allerg|recommend|suggest)\w*)\b",
    r"\b(?:(?:люб|обычн|предпоч|нрав|ненавид|аллерг|рекоменд|посовет|совет)\w+|хочет|хочу)\b",
    r"最爱|喜欢|偏好|老样子|照旧|平时|推荐|建议|过敏|讨厌|不吃|口味|忌口",
)
_LATEST = (
    r"\blast time\b|\b(?:was|were|came|been|visited|here) (?:\w+ )?last\b|\bmost recent\w*\b|\blast visit\b",
    r"\b(?:в )?прошл(?:ый|ом) (?:раз|визит\w*)\b|\bпоследн(?:ий|ем) (?:раз|визит\w*)\b",
    r"上一?次|上回|最近一次",
)
_ASKS = re.compile(r"[?？]\s*[\"”»)\]]*\s*$")


def _any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


# In the order of their force: "when did she recommend" asks for a time.
CUES: Mapping[Kind, re.Pattern[str]] = MappingProxyType(
    {"when": _any(_WHEN), "list": _any(_LIST), "preference": _any(_PREFERENCE)}
)
_LATEST_CUE = _any(_LATEST)


def kind_of(question: str) -> Kind:
    """The kind of a question in any of the languages; ``other`` when no cue is found."""
    plain = question.lower()
    return next((kind for kind, cue in CUES.items() if cue.search(plain)), "other")


def asks_latest(question: str) -> bool:
    """Whether the question is about the last time: "when was I here last?"."""
    return _LATEST_CUE.search(question.lower()) is not None


def only_asks(text: str) -> bool:
    """Whether a text ends as a question."""
    return _ASKS.search(text[-20:]) is not None
