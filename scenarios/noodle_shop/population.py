"""Regulars of one's own: rows of a CSV file, or of the configuration, instead of drawn people.

A row gives ``id``, ``name`` and ``dish``. The other columns may be missing or empty: no ``extra``,
``without``, ``spice``, ``portion``, ``allergy`` or ``style`` means that they have no such wish, no
``weekday`` or ``hour`` that they keep to none; ``language``, ``patience_s`` and ``rhythm_days`` are then
drawn, as for everybody else.
"""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.sayable import check_sayable
from scenarios.noodle_shop.settings import (
    DAYS,
    MOST_PATIENT_S,
    MOST_RHYTHM_DAYS,
    NoodleSettings,
    opening_hours,
)
from scenarios.noodle_shop.speech import LANGUAGES
from sim.clock import HOUR_MS, MINUTE_MS, milliseconds
from sim.errors import ConfigError

WISHED = ("dish", "extra", "without", "spice", "portion", "allergy", "style")
COLUMNS = ("id", "name", "language", *WISHED, "weekday", "hour", "patience_s", "rhythm_days")
REQUIRED = ("id", "name", "dish")
KEY = "scenario.population"
# A passer-by's id, and signs that would break a line of memory.
_TAKEN = re.compile(r"w-\d+")
_ID = re.compile(r"[\w.-]+")
_UNFIT = re.compile(r"[\[\]():;\"\n\r\t]")
_HOUR = re.compile(r"(\d\d?)(?::(\d\d))?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Guest:
    """A regular as given; what is None is drawn, except that no weekday or hour is none."""

    id: str
    name: str
    language: str | None = None
    wishes: Mapping[str, str] = field(hash=False)
    weekday: int | None = None
    hour_ms: int | None = None
    patience_s: float | None = None
    rhythm_days: float | None = None


Population = Mapping[str, Guest]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Row:
    """The cells of one row by column, and how to name it in a complaint."""

    where: str
    cells: Mapping[str, str]

    def wrong(self, column: str, message: str) -> ConfigError:
        return ConfigError(f"{self.where}, column {column}: {message}")


def population_of(settings: NoodleSettings, menu: Menu) -> Population | None:
    """The regulars a configuration gives by id, in their order; None when they are to be drawn.

    Raises:
        ConfigError: a row cannot be used; the message names the file, the row and the column.
    """
    given = settings.population
    if given is None:
        return None
    rows = _of_file(Path(given)) if isinstance(given, str) else _of_config(given)
    guests: dict[str, Guest] = {}
    for row in rows:
        guest = _guest(row, settings, menu)
        if guest.id in guests:
            raise row.wrong(
                "id", f"{guest.id!r} was given to somebody before; give each row an id of its own"
            )
        guests[guest.id] = guest
    if not guests:
        raise ConfigError(f"{KEY}: there is nobody in {_name(given)}; add a row for each regular")
    _check_languages(guests, settings, menu)
    return guests


def _check_languages(guests: Population, settings: NoodleSettings, menu: Menu) -> None:
    """Sees to it that a menu of one's own can be said in the languages that only the guests speak."""
    spoken = {guest.language for guest in guests.values()} - {None, *settings.languages}
    for code in sorted(filter(None, spoken)) if settings.menu else ():
        check_sayable(menu, code)


def as_csv(guests: Iterable[Guest]) -> str:
    """The guests as the text of a CSV file that reads back the same."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_cells(guest) for guest in guests)
    return text.getvalue()


def _of_file(path: Path) -> Iterator[_Row]:
    """The rows of a CSV file; the header is row 1, as in a spreadsheet."""
    rows = [(number, row) for number, row in enumerate(_read(path), 1) if any(cell.strip() for cell in row)]
    if not rows:
        raise ConfigError(f"{KEY}: {path} is empty; its first row names the columns: {', '.join(COLUMNS)}")
    (_, first), *others = rows
    header = [cell.strip() for cell in first]
    _check_header(header, f"{path}, row 1")
    for number, cells in others:
        where = f"{KEY}: {path}, row {number}"
        if len(cells) != len(header):
            counted = f"{len(cells)} cells where the header has {len(header)}"
            raise ConfigError(f"{where}: {counted}; quote cells that hold commas")
        yield _Row(where=where, cells=dict(zip(header, map(str.strip, cells), strict=True)))


def _read(path: Path) -> list[list[str]]:
    try:
        # A spreadsheet puts a mark before the first column's name.
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.reader(file, strict=True))
    except OSError as error:
        raise ConfigError(f"{KEY}: cannot read {path} ({error.strerror}); name a CSV file") from None
    except (ValueError, csv.Error) as error:
        what = f"{error}".splitlines()[0]
        raise ConfigError(f"{KEY}: {path} is no CSV file in UTF-8 ({what}); save it as one") from None


def _check_header(header: Sequence[str], where: str) -> None:
    for column in REQUIRED:
        if column not in header:
            hint = " and separate them by commas" if len(header) == 1 else ""
            raise ConfigError(f"{KEY}: {where}: the column {column} is missing; name it{hint}")
    for place, column in enumerate(header):
        if column not in COLUMNS:
            known = ", ".join(COLUMNS)
            raise ConfigError(f"{KEY}: {where}: there is no column {column!r}; choose of {known}")
        if column in header[:place]:
            raise ConfigError(f"{KEY}: {where}: the column {column} stands there twice; leave one out")


def _of_config(entries: Sequence[Mapping[str, str]]) -> Iterator[_Row]:
    for number, entry in enumerate(entries, 1):
        _check_header(list(entry), f"entry {number}")
        yield _Row(where=f"{KEY}: entry {number}", cells={key: entry[key].strip() for key in entry})


def _guest(row: _Row, settings: NoodleSettings, menu: Menu) -> Guest:
    weekday = _weekday(row, settings)
    return Guest(
        id=_id(row),
        name=_person(row),
        language=_one_of(row, "language", LANGUAGES),
        wishes=_wishes(row, menu),
        weekday=weekday,
        hour_ms=_hour_ms(row, settings, weekday),
        patience_s=_number(row, "patience_s", above=0, most=MOST_PATIENT_S),
        rhythm_days=_number(row, "rhythm_days", least=1, most=MOST_RHYTHM_DAYS),
    )


def _id(row: _Row) -> str:
    text = _needed(row, "id")
    if not _ID.fullmatch(text):
        raise row.wrong("id", f"{text!r} may hold letters, digits, '_', '-' and '.' only")
    if _TAKEN.fullmatch(text):
        raise row.wrong("id", f"{text!r} is an id of passers-by; begin it with another letter")
    return text


def _person(row: _Row) -> str:
    text = _needed(row, "name")
    if _UNFIT.search(text):
        raise row.wrong("name", f"{text!r} may hold no brackets, colons, semicolons or quotation marks")
    name = " ".join(text.split())
    if not name.isprintable():
        raise row.wrong("name", f"{text!r} holds signs that cannot be shown; leave them out")
    return name


def _wishes(row: _Row, menu: Menu) -> dict[str, str]:
    _needed(row, "dish")
    found = {slot: _one_of(row, slot, menu.values(slot)) for slot in WISHED}
    wishes = {slot: value for slot, value in found.items() if value is not None}
    if "allergy" in wishes and wishes["allergy"] == wishes.get("extra"):
        raise row.wrong("extra", f"{wishes['extra']} is what makes them ill; choose another extra or none")
    return wishes


def _needed(row: _Row, column: str) -> str:
    text = row.cells[column]
    if not text:
        raise row.wrong(column, "is empty; everybody needs one")
    return text


def _one_of(row: _Row, column: str, values: Sequence[str]) -> str | None:
    text = row.cells.get(column, "")
    if text and text not in values:
        raise row.wrong(column, f"there is no {text!r}; choose of {', '.join(values)}, or leave it empty")
    return text or None


def _number(
    row: _Row, column: str, *, above: float = -math.inf, least: float = -math.inf, most: float
) -> float | None:
    text = row.cells.get(column, "")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if above < number <= most and number >= least:
        return number
    range_ = f"from {least:g} to {most:g}" if least > -math.inf else f"above {above:g} and up to {most:g}"
    raise row.wrong(column, f"{text!r} is no number {range_}; correct it, or leave it empty to have it drawn")


def _weekday(row: _Row, settings: NoodleSettings) -> int | None:
    text = row.cells.get("weekday", "")
    if not text:
        return None
    if text.lower() not in DAYS:
        raise row.wrong("weekday", f"there is no {text!r}; choose of {', '.join(DAYS)}, or leave it empty")
    day = DAYS.index(text.lower())
    if opening_hours(settings.opening)[day] is None:
        raise row.wrong(
            "weekday", f"the shop is closed on {DAYS[day]}; choose another, or set scenario.opening"
        )
    return day


def _hour_ms(row: _Row, settings: NoodleSettings, weekday: int | None) -> int | None:
    text = row.cells.get("hour", "")
    if not text:
        return None
    match = _HOUR.fullmatch(text)
    if match is None or int(match[2] or 0) > 59:
        raise row.wrong("hour", f"write {text!r} like 18 or 18:30, or leave it empty")
    at_ms = int(match[1]) * HOUR_MS + int(match[2] or 0) * MINUTE_MS
    last_ms = milliseconds(settings.timing.last_arrival_s)
    hours = opening_hours(settings.opening)
    spans = [span for span in (hours if weekday is None else hours[weekday : weekday + 1]) if span]
    if not any(start <= at_ms <= end - last_ms for start, end in spans):
        raise row.wrong("hour", f"nobody is let in at {text}; see scenario.opening and timing.last_arrival_s")
    return at_ms


def _name(given: object) -> str:
    return given if isinstance(given, str) else "its list"


def _cells(guest: Guest) -> dict[str, str]:
    cells = {"id": guest.id, "name": guest.name, "language": guest.language or "", **guest.wishes}
    if guest.weekday is not None:
        cells["weekday"] = DAYS[guest.weekday]
    if guest.hour_ms is not None:
        cells["hour"] = f"{guest.hour_ms // HOUR_MS}:{guest.hour_ms % HOUR_MS // MINUTE_MS:02}"
    if guest.patience_s is not None:
        cells["patience_s"] = repr(guest.patience_s)
    if guest.rhythm_days is not None:
        cells["rhythm_days"] = repr(guest.rhythm_days)
    return cells
