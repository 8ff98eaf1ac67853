"""Named streams have the distributions they say, whatever else is drawn; the clock counts milliseconds."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.clock import DAY_MS, HOUR_MS, WEEK_MS, Calendar, day_start, milliseconds
from sim.streams import Stream

DRAWS = 4_000
# Of Kolmogorov's distance times the root of the draws: seen by chance once in ten thousand seeds.
# The seeds are fixed, so each test passes always or never.
CRITICAL = 2.23


def draws(purpose: str, of: Callable[[Stream], float]) -> list[float]:
    root = Stream.root(7).of(purpose)
    return sorted(of(root.of("customer", number)) for number in range(DRAWS))


def distance(values: Sequence[float], cumulative: Callable[[float], float]) -> float:
    """Kolmogorov's distance between sorted values and a distribution, times the root of their number."""
    steps = [(place / len(values), (place + 1) / len(values)) for place in range(len(values))]
    reached = list(map(cumulative, values))
    gaps = [max(at - low, high - at) for at, (low, high) in zip(reached, steps, strict=True)]
    return max(gaps) * math.sqrt(len(values))


def normal(value: float) -> float:
    return 0.5 * (1 + math.erf(value / math.sqrt(2)))


def test_uniform_is_uniform() -> None:
    assert distance(draws("uniform", Stream.uniform), lambda value: value) < CRITICAL


def test_exponential_is_exponential() -> None:
    values = draws("patience", lambda stream: stream.exponential(600))
    assert distance(values, lambda value: 1 - math.exp(-value / 600)) < CRITICAL
    assert sum(values) / DRAWS == pytest.approx(600, rel=0.06)


def test_normal_is_normal() -> None:
    values = draws("jitter", lambda stream: stream.normal(7, 1.5))
    assert distance(values, lambda value: normal((value - 7) / 1.5)) < CRITICAL
    assert sum(values) / DRAWS == pytest.approx(7, abs=0.1)


def test_the_measure_catches_a_wrong_distribution() -> None:
    assert distance(draws("square", lambda stream: stream.uniform() ** 1.2), lambda value: value) > CRITICAL


def test_chance_integer_and_choice_are_fair() -> None:
    root = Stream.root(7).of("fair")
    hits = sum(root.of(n, "chance").chance(0.2) for n in range(DRAWS))
    assert hits / DRAWS == pytest.approx(0.2, abs=0.03)
    for counts in (
        Counter(root.of(n, "integer").integer(1, 5) for n in range(DRAWS)),
        Counter(root.of(n, "choice").choice("abcde") for n in range(DRAWS)),
        Counter(item for n in range(DRAWS) for item in root.of(n, "sample").sample("abcde", 2)),
    ):
        assert len(counts) == 5
        share = sum(counts.values()) / 5
        assert all(count == pytest.approx(share, rel=0.15) for count in counts.values())


def test_weights_are_shares() -> None:
    root = Stream.root(7).of("weights")
    counts = Counter(root.of(n).weighted("abc", [1, 0, 3]) for n in range(DRAWS))
    assert counts["b"] == 0
    assert counts["c"] / DRAWS == pytest.approx(0.75, abs=0.03)


def test_a_draw_hangs_on_its_name_and_nothing_else() -> None:
    alone = Stream.root(1).of("anna", 3, "patience").uniform()
    root = Stream.root(1)
    for other in range(50):
        root.of("boris", other).uniform()
    anna = root.of("anna")
    assert anna.of(3, "patience").uniform() != alone, "below anna there is another place than beside her"
    assert root.of("anna", 3, "patience").uniform() == alone
    assert root.of("anna", 3, "patience").uniform() == alone


def test_seeds_and_purposes_do_not_hang_together() -> None:
    values = [Stream.root(seed).of(purpose).uniform() for seed in range(50) for purpose in ("a", "b")]
    assert len(set(values)) == 100
    pairs = list(zip(values[::2], values[1::2], strict=True))
    mean = sum((a - 0.5) * (b - 0.5) for a, b in pairs) / len(pairs) * 12
    assert abs(mean) < 0.4


# Half a character may come from a model, by way of a prompt, into a name.
TEXTS = st.text(st.characters(), max_size=6) | st.just("\ud83c")
NAMES = st.lists(TEXTS | st.integers(-20, 20), min_size=1, max_size=4)


@given(one=NAMES, other=NAMES)
def test_different_names_are_different_streams(one: list[str | int], other: list[str | int]) -> None:
    same = [str(part) for part in one] == [str(part) for part in other]
    assert (Stream.root(0).of(*one) == Stream.root(0).of(*other)) == same


def test_names_that_read_alike_are_told_apart() -> None:
    root = Stream.root(0)
    alike = [("ab", "c"), ("a", "bc"), ("abc",), ("a", "b", "c"), ("1:a",), ("a", ""), ("", "a"), ("a",)]
    assert len({root.of(*names).key for names in alike}) == len(alike)


def test_draws_are_the_same_on_every_machine() -> None:
    stream = Stream.root(0).of("anna", 3, "patience")
    assert stream.key.hex() == "0862f19ea289b977a363699be932ff0e"
    assert stream.uniform() == 0.03275976298258498
    assert stream.integer(0, 99) == 3


ENDS = st.sampled_from([Stream(b"\x00" * 16), Stream(b"\xff" * 16)])
KEYS = st.binary(min_size=16, max_size=16).map(Stream) | ENDS


@given(stream=KEYS, low=st.integers(-(10**9), 10**9), width=st.integers(0, 10**9))
def test_integer_stays_in_its_range(stream: Stream, low: int, width: int) -> None:
    assert low <= stream.integer(low, low + width) <= low + width


@given(stream=KEYS, items=st.lists(st.integers(), min_size=1))
def test_choice_is_one_of_the_items(stream: Stream, items: list[int]) -> None:
    assert stream.choice(items) in items
    assert stream.weighted(items, [1.0] * len(items)) in items


@given(stream=KEYS, items=st.lists(st.integers(), unique=True), count=st.integers(0, 20))
def test_sample_keeps_order_and_takes_each_once(stream: Stream, items: list[int], count: int) -> None:
    taken = stream.sample(items, count)
    assert len(taken) == min(count, len(items))
    assert taken == [item for item in items if item in taken]
    assert set(taken) <= set(stream.sample(items, count + 1)), "a larger sample holds the smaller"


@given(stream=KEYS)
def test_draws_are_finite(stream: Stream) -> None:
    assert 0 <= stream.uniform() < 1
    assert 0 <= stream.exponential(1) < 40
    assert abs(stream.normal(0, 1)) < 10


def test_certain_and_impossible() -> None:
    for number in range(200):
        assert Stream.root(number).chance(1.0)
        assert not Stream.root(number).chance(0.0)


# The clock.


def test_seconds_become_whole_milliseconds() -> None:
    assert milliseconds(1.5) == 1500
    assert milliseconds(0.0004) == 0
    assert milliseconds(0.1 + 0.2) == 300


def test_dates_and_weekdays_of_simulated_time() -> None:
    calendar = Calendar(start=date(2026, 1, 5))
    assert calendar.moment(0) == datetime(2026, 1, 5)
    assert calendar.moment(8 * HOUR_MS + 5) == datetime(2026, 1, 5, 8, 0, 0, 5000)
    assert calendar.day(DAY_MS - 1) == "2026-01-05"
    assert calendar.day(DAY_MS) == "2026-01-06"
    assert [calendar.weekday(day * DAY_MS) for day in range(8)] == [0, 1, 2, 3, 4, 5, 6, 0]


@given(time_ms=st.integers(0, 600 * WEEK_MS))
def test_weekday_and_day_agree_with_the_calendar(time_ms: int) -> None:
    calendar = Calendar(start=date(2026, 1, 5))
    moment = calendar.moment(time_ms)
    assert calendar.weekday(time_ms) == moment.weekday()
    assert calendar.day(time_ms) == moment.date().isoformat()
    assert calendar.moment(day_start(time_ms)) == datetime.combine(moment.date(), datetime.min.time())


def test_time_starts_on_a_monday() -> None:
    with pytest.raises(ValueError, match="must be a Monday, 2026-01-06 is not"):
        Calendar(start=date(2026, 1, 6))
