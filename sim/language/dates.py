"""The times that a text names, in any of the languages: "last week", "в марте", "上周三", "7 May 2023"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from sim.language import chinese_dates, english_dates, russian_dates
from sim.language.spans import DateRule, Span, day, year

# Each language with its letters: where none of them stands, its rules need not be tried.
_LANGUAGES = (
    (re.compile("[a-z]"), english_dates),
    (re.compile("[\u0430-\u044f]"), russian_dates),
    (re.compile("[\u4e00-\u9fff]"), chinese_dates),
)
# First, for every language has it, and some would read a part of it.
_ISO = DateRule(
    pattern=re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)"),
    meaning=lambda match, today: day(int(match[3]), int(match[2]), int(match[1]), today),
)
# Last, for in every language a year belongs to the date before it.
_YEAR = DateRule(
    pattern=re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)(?:年| год\w*)?"),
    meaning=lambda match, _: year(int(match[1])),
)
# Beyond so many characters a text is no question, and reading it for dates would take long.
_LONGEST = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Dated:
    """The times a text names, and the text without the words that name them."""

    spans: tuple[Span, ...]
    rest: str


def dated(text: str, today: date) -> Dated:
    """Finds the times that a text names; those that fit several spans are named by all of them.

    Args:
        text: in any of the languages; letters may be small or not.
        today: the day on which it is said.
    """
    rest, spans = text[:_LONGEST], list[Span]()
    for start, end, found in _matches(_plain(rest), today):
        spans += found
        # As long as before, so that the places of what follows stay right.
        rest = rest[:start] + " " * (end - start) + rest[end:]
    return Dated(spans=tuple(dict.fromkeys(spans)), rest=rest + text[_LONGEST:])


def tells_time(text: str) -> bool:
    """Whether a text says when something was or will be."""
    plain = _plain(text[:_LONGEST])
    return any(language.TELLS_TIME.search(plain) for letters, language in _LANGUAGES if letters.search(plain))


def _plain(text: str) -> str:
    """The text in lower case, as long as before: of some letters that is two."""
    plain = text.lower()
    return (
        plain
        if len(plain) == len(text)
        else "".join(one if len(one.lower()) > 1 else one.lower() for one in text)
    )


def _matches(text: str, today: date) -> Iterator[tuple[int, int, list[Span]]]:
    """Start, end and spans of each time named; what an earlier rule took no later one reads."""
    for rule in [_ISO, *_rules(text), _YEAR]:
        for match in rule.pattern.finditer(text):
            if found := rule.meaning(match, today):
                text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
                yield match.start(), match.end(), found


def _rules(text: str) -> list[DateRule]:
    return [rule for letters, language in _LANGUAGES if letters.search(text) for rule in language.RULES]
