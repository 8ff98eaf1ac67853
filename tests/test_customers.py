"""Who comes: languages, people who are taken for one another, how they are known, rhythms and returns."""

from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from omegaconf import OmegaConf
from pydantic import ValidationError

from scenarios.noodle_shop.calendar import (
    Hours,
    earliest_return_ms,
    first_visit_ms,
    next_interval_days,
    next_visit_ms,
    visits_of,
)
from scenarios.noodle_shop.confusable import likenesses
from scenarios.noodle_shop.customers import (
    MOOD_SHARES,
    WISHES,
    Customer,
    first_wishes,
    make_true,
    mood_of,
    person,
    regulars,
    walk_in,
)
from scenarios.noodle_shop.menu import menu_from, standard_menu
from scenarios.noodle_shop.settings import DAYS, NoodleSettings
from scenarios.noodle_shop.speech import LANGUAGES, MOODS
from sim.clock import DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS
from sim.ledger import Ledger
from sim.streams import Stream

ROOT = Path(__file__).parent.parent
MENU = standard_menu()
SEEDS = st.integers(0, 10_000)
SHARES = st.floats(0, 1)


def shop(**keys: object) -> NoodleSettings:
    return NoodleSettings.model_validate(keys)


def people(seed: int = 0, **keys: object) -> list[Customer]:
    return regulars(shop(**keys), Stream.root(seed))


def test_the_configuration_file_holds_the_defaults_of_the_model() -> None:
    file = OmegaConf.to_container(OmegaConf.load(ROOT / "conf" / "scenario" / "noodle_shop.yaml"))
    assert isinstance(file, dict)
    own = {str(key): value for key, value in file.items() if key not in ("_target_", "name")}
    assert own.keys() == NoodleSettings.model_fields.keys()
    assert shop(**own) == NoodleSettings()


# Languages


def test_each_customer_has_one_language_and_the_shares_hold() -> None:
    mixed = people(regulars=3000, language={"en": 0.7, "ru": 0.3}, confusable=0)
    counts = Counter(one.language for one in mixed)
    # Three standard errors of a share of 0.3 among 3000 are 0.025.
    assert counts["ru"] / 3000 == pytest.approx(0.3, abs=0.025)
    assert all(one.name.isascii() == (one.language == "en") for one in mixed)


def test_one_language_gives_the_same_world_as_all_of_the_share() -> None:
    assert people(language="ru") == people(language={"en": 0, "ru": 1})


def test_what_is_written_about_many_is_written_in_the_language_of_most() -> None:
    assert shop(language="ru").main_language == "ru"
    assert shop(language={"en": 0.4, "ru": 0.6}).main_language == "ru"


@given(st.lists(st.floats(0, 1), min_size=len(LANGUAGES), max_size=len(LANGUAGES)))
def test_shares_are_taken_if_and_only_if_they_add_up_to_one(shares: list[float]) -> None:
    mix = dict(zip(LANGUAGES, shares, strict=True))
    if abs(sum(shares) - 1) < 1e-7:
        assert shop(language=mix).languages == mix
    elif abs(sum(shares) - 1) > 1e-5:
        with pytest.raises(ValidationError, match="add up to"):
            shop(language=mix)


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("xx", "give one of en"),
        (["en"], "give one of en"),
        (None, "give one of en"),
        ({}, "add up to 0"),
        ({"en": 0.5, "xx": 0.5}, "xx is not spoken"),
        ({"en": 1.5, "ru": -0.5}, "en: a share is a number from 0 to 1, not 1.5"),
        ({"en": "half", "ru": 0.5}, "en: a share is a number"),
        ({"en": True}, "en: a share is a number"),
        ({"en": float("nan"), "ru": 1}, "en: a share is a number"),
    ],
)
def test_a_bad_language_is_named(language: object, says: str) -> None:
    with pytest.raises(ValidationError) as caught:
        shop(language=language)
    (error,) = caught.value.errors()
    assert error["loc"] == ("language",)
    assert says in error["msg"]


# People who are taken for one another


def alike(customers: list[Customer]) -> list[list[Customer]]:
    groups = defaultdict(list)
    for one in customers:
        if one.likeness is not None:
            groups[one.likeness.leader].append(one)
    return list(groups.values())


def apart(one: Customer, other: Customer) -> list[str]:
    mine, theirs = (first_wishes(who, shop().tastes, MENU) for who in (one, other))
    return [slot for slot in WISHES if mine.get(slot) != theirs.get(slot)]


@settings(max_examples=40)
@given(seed=SEEDS, count=st.integers(0, 60), share=SHARES)
def test_confusable_people_share_a_first_name_and_differ_in_one_or_two_wishes(
    seed: int, count: int, share: float
) -> None:
    everybody = people(seed, regulars=count, confusable=share, language={"en": 0.5, "ru": 0.5})
    groups = alike(everybody)
    wanted = round(share * count)
    assert sum(map(len, groups)) == (wanted if wanted > 1 else 0)
    assert len({one.id for one in everybody}) == count
    for group in groups:
        assert len(group) in (2, 3)
        assert len({(one.first, one.language) for one in group}) == 1
        assert all(one.first in one.name for one in group)
        differences = {tuple(apart(*pair)) for pair in combinations(group, 2)}
        assert len(differences) == 1
        assert len(differences.pop()) in (1, 2)


def test_which_wishes_tell_them_apart_is_drawn() -> None:
    groups = alike(people(regulars=1000, confusable=1.0))
    slots = Counter(slot for group in groups for slot in apart(group[0], group[1]))
    numbers = Counter(len(apart(group[0], group[1])) for group in groups)
    assert slots.keys() == set(WISHES)
    assert min(numbers[1], numbers[2]) > 0.4 * len(groups)


def test_nobody_wants_as_an_extra_what_makes_them_ill() -> None:
    tastes = shop().tastes.model_copy(update={"extra": 1.0, "allergy": 1.0})
    for one in people(regulars=500, confusable=1.0):
        wishes = first_wishes(one, tastes, MENU)
        assert wishes.get("extra", "none") != wishes["allergy"]


def test_a_menu_with_little_choice_still_tells_them_apart() -> None:
    soup = {"soup": {"price": 1, "cooking_s": 60}}
    menu = menu_from({"dishes": soup, "extra": ["egg"], "without": ["garlic"], "allergy": ["egg"]})
    for group in alike(people(regulars=60, confusable=1.0)):
        wishes = [first_wishes(one, shop().tastes, menu) for one in group]
        assert all(one != other for one, other in combinations(wishes, 2))


def test_who_is_drawn_with_others_is_drawn_the_same_alone() -> None:
    keys = shop(regulars=30, confusable=0.5)
    streams = Stream.root(4)
    assert [person(keys, streams, one.id) for one in regulars(keys, streams)] == regulars(keys, streams)
    assert len(likenesses(30, 0.5, streams)) == 15


# How they are known


def test_what_an_agent_is_told_hangs_on_the_identity() -> None:
    (given_,), (named,) = (people(regulars=1, identity=how) for how in ("given", "name"))
    assert given_.who == f"{given_.name} (c-001)"
    assert given_.known_as == "c-001"
    assert named.who == named.known_as == named.first
    assert given_.introduced == given_.name != named.introduced == named.first
    assert given_.name == named.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_description_is_shared_by_several_and_never_gives_the_name_away(language: str) -> None:
    everybody = people(regulars=200, identity="described", language=language)
    looks = Counter(one.who for one in everybody)
    assert 20 <= len(looks) <= 60
    assert max(looks.values()) > 1
    assert all(one.who == one.known_as == one.description for one in everybody)
    assert not any(one.first in one.who for one in everybody)
    assert all(len({one.description for one in group}) == 1 for group in alike(everybody))


# Rhythms


def test_who_keeps_to_a_weekday_comes_on_it_and_at_their_hour() -> None:
    keys = shop(weeks=20, regulars=60, tastes={"weekday": 1.0})
    hours = Hours.of(keys)
    kept = []
    for one in regulars(keys, Stream.root(0)):
        assert one.habits.hour_ms is not None
        times = list(visits_of(one, keys, hours))
        kept += [at_ms // DAY_MS % 7 == one.habits.weekday for at_ms in times]
        off = [abs(at_ms % DAY_MS - one.habits.hour_ms) for at_ms in times]
        assert sum(off) / len(off) < 20 * MINUTE_MS
    assert sum(kept) / len(kept) > 0.9


def test_the_share_of_those_who_keep_to_a_weekday_holds() -> None:
    keeps = [one.habits.weekday is not None for one in people(regulars=1000)]
    assert sum(keeps) / 1000 == pytest.approx(0.3, abs=0.045)


@pytest.mark.parametrize("weekday", [0.0, 1.0])
def test_they_come_as_often_as_the_rhythm_says_whether_they_keep_to_a_weekday_or_not(weekday: float) -> None:
    keys = shop(weeks=52, regulars=100, tastes={"weekday": weekday})
    hours = Hours.of(keys)
    visits = [len(list(visits_of(one, keys, hours))) for one in regulars(keys, Stream.root(0))]
    assert sum(visits) / len(visits) == pytest.approx(52, rel=0.05)
    assert max(visits) > 1.3 * min(visits)


OPENING = st.lists(st.sampled_from([None, "11:00-21:00", "08:30-12:00"]), min_size=7, max_size=7).filter(any)


@settings(max_examples=40)
@given(
    seed=SEEDS,
    opening=OPENING,
    rhythm=st.floats(1, 30),
    jitter=st.floats(0, 10),
    share=SHARES,
)
def test_everybody_comes_while_guests_are_let_in_and_at_most_once_a_day(
    seed: int, opening: list[str | None], rhythm: float, jitter: float, share: float
) -> None:
    keys = shop(
        weeks=3,
        regulars=5,
        opening=dict(zip(DAYS, opening, strict=True)),
        rhythm_days=rhythm,
        rhythm_jitter_days=jitter,
        tastes={"weekday": share},
    )
    hours = Hours.of(keys)
    for one in regulars(keys, Stream.root(seed)):
        times = list(visits_of(one, keys, hours))
        days = [at_ms // DAY_MS for at_ms in times]
        assert days == sorted(set(days))
        for day, at_ms in zip(days, times, strict=True):
            span = hours.span(day)
            assert span is not None
            assert span[0] <= at_ms <= span[1]


def test_patience_is_personal_and_its_mean_is_that_of_the_shop() -> None:
    patience = [one.patience_s for one in people(regulars=3000)]
    assert len(set(patience)) == 3000
    # The deviation of one is 0.3 * 900, of the mean of 3000 about 5.
    assert sum(patience) / 3000 == pytest.approx(900, abs=20)
    same = people(regulars=5, timing={"patience_spread": 0})
    assert {one.patience_s for one in same} == {900}


# Returns


def test_a_share_of_passers_by_comes_back_whatever_else_is_set() -> None:
    def back(**keys: object) -> list[bool]:
        return [walk_in(shop(**keys), Stream.root(0), n).comes_back for n in range(2000)]

    assert not any(back(walk_in_returns=0))
    assert all(back(walk_in_returns=1))
    some = back(walk_in_returns=0.2)
    assert sum(some) / 2000 == pytest.approx(0.2, abs=0.03)
    assert some == back(walk_in_returns=0.2, returns="adaptive", identity="name", confusable=0.9)
    assert all(more or not less for less, more in zip(some, back(walk_in_returns=0.5), strict=True))


def test_a_passer_by_who_comes_back_changes_from_their_first_visit_on() -> None:
    tastes = shop(tastes={"drift_per_week": 1.0}).tastes
    for returns in (0, 1):
        one = walk_in(shop(walk_in_returns=returns), Stream.root(0), 7)
        assert one.id == "w-0007"
        assert not one.regular
        ledger = Ledger()
        make_true(one, tastes, MENU, ledger, weeks=8, from_ms=4 * WEEK_MS)
        changed = [
            fact.valid_from_ms
            for slot in WISHES
            for at_ms in range(0, 9 * WEEK_MS, HOUR_MS)
            if (fact := ledger.current(one.id, slot, at_ms)) and fact.valid_from_ms
        ]
        assert bool(changed) == bool(returns)
        assert all(at_ms >= 4 * WEEK_MS for at_ms in changed)


ADAPTIVE = shop(returns="adaptive", regulars=200)
SATISFIED = st.one_of(st.none(), SHARES)


@given(seed=SEEDS, number=st.integers(0, 50), satisfaction=SATISFIED)
def test_fixed_returns_ignore_satisfaction(seed: int, number: int, satisfaction: float | None) -> None:
    (one,) = people(seed, regulars=1)
    days = next_interval_days(one, shop(), number, satisfaction)
    assert days == next_interval_days(one, shop(), number, 1.0)
    assert days is not None
    assert days >= 1


@given(
    seed=SEEDS,
    number=st.integers(0, 50),
    low=SHARES,
    high=SHARES,
    neutral=st.floats(0.01, 0.99),
    shorten=st.floats(0, 0.99),
)
def test_the_less_satisfied_the_later_and_never_before_the_earliest_return(
    seed: int, number: int, low: float, high: float, neutral: float, shorten: float
) -> None:
    low, high = sorted((low, high))
    keys = shop(returns="adaptive", regulars=1, returning={"neutral": neutral, "shorten": shorten})
    (one,) = regulars(keys, Stream.root(seed))
    hours = Hours.of(keys)
    arrived_ms = first_visit_ms(one, hours)

    def later(satisfaction: float | None) -> int | None:
        return next_visit_ms(
            one, keys, hours, number=number, arrived_ms=arrived_ms, satisfaction=satisfaction
        )

    earliest = earliest_return_ms(one, keys, hours, number=number, arrived_ms=arrived_ms)
    best, worst = later(high), later(low)
    assert earliest // DAY_MS > arrived_ms // DAY_MS
    if worst is not None:
        assert best is not None  # who comes back all the same would have come back when more satisfied
        assert earliest <= best <= worst
    assert later(1.0) == earliest
    assert later(None) == later(keys.returning.unserved)


def test_the_interval_follows_the_formula() -> None:
    keys = shop(returns="adaptive", rhythm_jitter_days=0, rhythm_spread=0, returning={"leave": 0})
    (one, *_) = regulars(keys, Stream.root(0))
    expected = {1.0: 6.3, 0.95: 6.65, 0.9: 7, 0.45: 10.5, 0.0: 14, None: 7 * (1 + 2 / 3)}
    for satisfaction, days in expected.items():
        assert next_interval_days(one, keys, 0, satisfaction) == pytest.approx(days)


def test_the_share_that_never_comes_back_follows_the_formula() -> None:
    for satisfaction, share in ((0.0, 0.5), (0.45, 0.25), (0.9, 0.0), (1.0, 0.0)):
        stays_away = [
            next_interval_days(one, ADAPTIVE, number, satisfaction) is None
            for one in regulars(ADAPTIVE, Stream.root(0))
            for number in range(10)
        ]
        # Three standard errors of a share among 2000 are at most 0.034.
        assert sum(stays_away) / 2000 == pytest.approx(share, abs=0.034)


def test_moods_come_by_visit_and_as_often_as_they_should() -> None:
    moods = Counter(mood_of(one, number) for one in people(regulars=200) for number in range(20))
    assert sum(MOOD_SHARES.values()) == pytest.approx(1)
    assert set(moods) == set(MOODS)
    assert all(moods[mood] / 4000 == pytest.approx(share, abs=0.025) for mood, share in MOOD_SHARES.items())
