"""Regulars of one's own: from a CSV file or from the configuration, and what is said of a bad one."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from scenarios.noodle_shop.calendar import Hours, visits_of
from scenarios.noodle_shop.customers import first_wishes, regulars
from scenarios.noodle_shop.menu import PORTIONS, SPICES, STYLES, standard_menu
from scenarios.noodle_shop.population import COLUMNS, Guest, Population, as_csv, population_of
from scenarios.noodle_shop.settings import DAYS, NoodleSettings
from scenarios.noodle_shop.speech import LANGUAGES
from sim.clock import DAY_MS, HOUR_MS, MINUTE_MS
from sim.errors import ConfigError
from sim.streams import Stream

SAMPLE = Path(__file__).parent.parent / "scenarios" / "noodle_shop" / "data" / "regulars.csv"
OWN = Path(__file__).parent / "data" / "regulars.csv"
MENU = standard_menu()


def shop(**keys: object) -> NoodleSettings:
    return NoodleSettings.model_validate(keys)


def own(path: Path, **keys: object) -> Population:
    found = population_of(shop(population=str(path), **keys), MENU)
    assert found is not None
    return found


def test_the_sample_is_twelve_regulars_who_come_as_it_says() -> None:
    keys = shop(population=str(SAMPLE), weeks=8, tastes={"drift_per_week": 0})
    population = own(SAMPLE)
    everybody = regulars(keys, Stream.root(0), population)
    assert [one.id for one in everybody] == list(population)
    assert len(everybody) == 12
    assert all(one.regular and one.comes_back and one.likeness is None for one in everybody)
    anna = everybody[0]
    assert (anna.who, anna.first, anna.language) == ("Anna Kowalska (anna-k)", "Anna", "en")
    assert (anna.habits.weekday, anna.habits.hour_ms) == (4, 18 * HOUR_MS + 30 * MINUTE_MS)
    assert (anna.patience_s, anna.habits.rhythm_days) == (900, 7)
    assert first_wishes(anna, keys.tastes, MENU) == {
        "dish": "tonkotsu_ramen",
        "extra": "egg",
        "without": "coriander",
        "spice": "hot",
        "portion": "large",
    }
    other = first_wishes(everybody[1], keys.tastes, MENU)
    assert other == first_wishes(anna, keys.tastes, MENU) | {"spice": "mild"}
    fridays = [at_ms // DAY_MS % 7 for at_ms in visits_of(anna, keys, Hours.of(keys))]
    assert fridays == [4] * len(fridays)
    assert 6 <= len(fridays) <= 9
    assert {one.language for one in everybody} == {"en", "ru", "zh"}


def test_columns_stand_in_any_order_and_what_is_not_given_is_drawn() -> None:
    keys = shop(population=str(OWN), language="ru")
    anna, boris = regulars(keys, Stream.root(0), own(OWN))
    assert anna.habits.hour_ms == 12 * HOUR_MS
    assert anna.habits.weekday is None
    assert boris.id == "борис"
    assert boris.name == "Борис"
    assert (boris.language, boris.habits.hour_ms) == ("ru", None)
    assert boris.patience_s != anna.patience_s
    assert first_wishes(boris, keys.tastes, MENU) == {"dish": "tantanmen"}


def test_rows_may_stand_in_the_configuration() -> None:
    rows = [{"id": "anna", "name": "Anna", "dish": "laksa", "rhythm_days": 3, "hour": 12, "extra": None}]
    keys = shop(population=rows)
    (anna,) = regulars(keys, Stream.root(0), population_of(keys, MENU))
    assert (anna.habits.rhythm_days, anna.habits.hour_ms) == (3, 12 * HOUR_MS)
    assert shop(**keys.model_dump(mode="json")) == keys


def test_a_population_that_is_not_handed_in_is_missed() -> None:
    with pytest.raises(ValueError, match="population"):
        regulars(shop(population=str(SAMPLE)), Stream.root(0))
    assert population_of(shop(), MENU) is None


NAMES = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)
GUESTS = st.builds(
    Guest,
    id=st.from_regex(r"[a-v][a-z0-9_.-]{0,6}", fullmatch=True),
    name=st.lists(NAMES, min_size=1, max_size=3).map(" ".join),
    language=st.sampled_from([None, *LANGUAGES]),
    wishes=st.fixed_dictionaries(
        {"dish": st.sampled_from(MENU.values("dish"))},
        optional={
            "extra": st.sampled_from(MENU.extra),
            "without": st.sampled_from(MENU.without),
            "spice": st.sampled_from(SPICES),
            "portion": st.sampled_from(PORTIONS),
            "style": st.sampled_from(STYLES),
        },
    ),
    weekday=st.none() | st.integers(0, 6),
    hour_ms=st.none() | st.integers(11 * 60, 20 * 60).map(lambda minute: minute * MINUTE_MS),
    patience_s=st.none() | st.floats(1, 1e6),
    rhythm_days=st.none() | st.floats(1, 100),
)


@given(st.lists(GUESTS, min_size=1, max_size=5, unique_by=lambda guest: guest.id))
def test_a_population_written_as_csv_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, guests: list[Guest]
) -> None:
    path = tmp_path_factory.mktemp("csv") / "people.csv"
    path.write_text(as_csv(guests), encoding="utf-8")
    assert list(own(path).values()) == guests


HEAD = "id,name,dish,extra,allergy,weekday,hour,patience_s,rhythm_days,language"
GOOD = "anna,Anna,laksa,,,,,,,"
BAD = {
    "": "is empty",
    HEAD: "there is nobody in",
    "id,name\nanna,Anna": "row 1: the column dish is missing",
    "id;name;dish\nanna;Anna;laksa": "row 1: the column id is missing; name it and separate them by commas",
    "id,name,dish,spicy\nanna,Anna,laksa,hot": "row 1: there is no column 'spicy'",
    "id,name,dish,id\nanna,Anna,laksa,anna": "row 1: the column id stands there twice",
    f"{HEAD}\n{GOOD}\n\n{GOOD}": "row 4, column id: 'anna' was given to somebody before",
    f"{HEAD}\nanna,Anna,laksa": "row 2: 3 cells where the header has 10",
    f"{HEAD}\n,Anna,laksa,,,,,,,": "row 2, column id: is empty",
    f"{HEAD}\na b,Anna,laksa,,,,,,,": "row 2, column id: 'a b' may hold letters",
    f"{HEAD}\nw-0001,Anna,laksa,,,,,,,": "row 2, column id: 'w-0001' is an id of passers-by",
    f"{HEAD}\nanna, ,laksa,,,,,,,": "row 2, column name: is empty",
    f"{HEAD}\nanna,Anna (x),laksa,,,,,,,": "row 2, column name: 'Anna (x)' may hold no brackets",
    f"{HEAD}\n{GOOD}\nben,Ben,,,,,,,,": "row 3, column dish: is empty",
    f"{HEAD}\nanna,Anna,pizza,,,,,,,": "row 2, column dish: there is no 'pizza'; choose of tonkotsu_ramen",
    f"{HEAD}\nanna,Anna,laksa,ham,,,,,,": "row 2, column extra: there is no 'ham'",
    f"{HEAD}\nanna,Anna,laksa,egg,egg,,,,,": "row 2, column extra: egg is what makes them ill",
    f"{HEAD}\nanna,Anna,laksa,,,day,,,,": "row 2, column weekday: there is no 'day'",
    f"{HEAD}\nanna,Anna,laksa,,,sun,,,,": "row 2, column weekday: the shop is closed on sun",
    f"{HEAD}\nanna,Anna,laksa,,,,noon,,,": "row 2, column hour: write 'noon' like 18 or 18:30",
    f"{HEAD}\nanna,Anna,laksa,,,,12:75,,,": "row 2, column hour: write '12:75' like",
    f"{HEAD}\nanna,Anna,laksa,,,,20:45,,,": "row 2, column hour: nobody is let in at 20:45",
    f"{HEAD}\nanna,Anna,laksa,,,,,0,,": "row 2, column patience_s: '0' is no number above 0",
    f"{HEAD}\nanna,Anna,laksa,,,,,inf,,": "row 2, column patience_s: 'inf' is no number above 0",
    f"{HEAD}\nanna,Anna,laksa,,,,,,weekly,": "row 2, column rhythm_days: 'weekly' is no number from 1",
    f"{HEAD}\nanna,Anna,laksa,,,,,,0.5,": "row 2, column rhythm_days: '0.5' is no number from 1 to 3650",
    f"{HEAD}\nanna,Anna,laksa,,,,,,5000,": "row 2, column rhythm_days: '5000' is no number from 1 to 3650",
    f"{HEAD}\nanna,Anna,laksa,,,,,1e10,,": "column patience_s: '1e10' is no number above 0 and up to 1e+09",
    f"{HEAD}\nanna,An\0na,laksa,,,,,,,": "row 2, column name: 'An\\x00na' holds signs that cannot be shown",
    f"{HEAD}\nanna,Anna,laksa,,,,,,,xx": "row 2, column language: there is no 'xx'; choose of en",
    f'{HEAD}\nanna,"Anna,laksa,,,,,,,': "is no CSV file in UTF-8",
}


@pytest.mark.parametrize(("text", "says"), BAD.items())
def test_a_bad_csv_is_named_with_its_row_and_column(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        own(path, opening=dict.fromkeys(DAYS, "11:00-21:00") | {"sun": None})
    message = str(caught.value)
    assert message.startswith("scenario.population: ")
    assert str(path) in message
    assert says in message
    assert "\n" not in message


def test_a_file_that_is_none_or_is_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        own(tmp_path / "nobody.csv")
    with pytest.raises(ConfigError, match="cannot read"):
        own(tmp_path)
    with pytest.raises(ConfigError, match="null byte"):
        own(Path("a\0b"))
    path = tmp_path / "people.csv"
    path.write_bytes(f"{HEAD}\nanna,Ann\xe9,laksa,,,,,,,".encode("latin-1"))
    with pytest.raises(ConfigError, match="no CSV file in UTF-8"):
        own(path)
    path.write_bytes(b"\xef\xbb\xbf" + f"{HEAD}\n{GOOD}".encode())
    assert list(own(path)) == ["anna"]


def test_bad_rows_of_the_configuration_are_named() -> None:
    good = {"id": "anna", "name": "Anna", "dish": "laksa"}
    with pytest.raises(ConfigError, match="entry 2, column dish: there is no 'pizza'"):
        population_of(shop(population=[good, good | {"id": "ben", "dish": "pizza"}]), MENU)
    with pytest.raises(ConfigError, match="entry 1: the column name is missing"):
        population_of(shop(population=[{"id": "anna", "dish": "laksa"}]), MENU)
    for bad in ("", 3, [3]):
        with pytest.raises(ValidationError, match="path of a CSV file"):
            shop(population=bad)


def test_the_sample_uses_every_column() -> None:
    assert SAMPLE.read_text(encoding="utf-8").splitlines()[0] == ",".join(COLUMNS)
