"""Forgetting: what each policy lets go of, that pinned records stay, and what was asked for later."""

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.noodle_shop.profiles import NOODLE_SLOTS
from sim.clock import DAY_MS
from sim.memory.forgetting.forgotten import Forgotten, asked_later, forgotten
from sim.memory.forgetting.holdings import holdings
from sim.memory.forgetting.policies import Capacity, Compression, Decay, Forgetting, Holding, Never, retention
from sim.memory.forgetting.uses import Uses, use_of, used_by
from sim.memory.profile.profile import Profile
from sim.memory.protocol import Claim, Record
from sim.records import ActId, Probe, Telling


def record(name: str, day: int = 0, **changes: Any) -> Record:
    given = {
        "id": name,
        "at_ms": day * DAY_MS,
        "visible_at_ms": day * DAY_MS,
        "agent": "waiter-1",
        "customer": "anna",
        "visit": f"anna/{day}",
        "kind": "event",
        "text": name,
        "sources": (f"said-{name}",),
    }
    return Record(**(given | changes))


def use(at_ms: int, *used: Record, visible_ms: int | None = None) -> Record:
    act = ActId(agent="waiter-1", customer="anna", visit=f"anna/{at_ms}", purpose="reply")
    made = use_of(act, at_ms, used)
    return record(
        made.id,
        kind=made.kind,
        text=made.text,
        sources=made.sources,
        at_ms=at_ms,
        visible_at_ms=at_ms if visible_ms is None else visible_ms,
    )


def names(holdings: Any) -> list[str]:
    return [one.record.id for one in holdings]


def test_retention_follows_the_curve() -> None:
    assert retention(0, 5) == 1
    assert retention(5, 5) == pytest.approx(0.367879, abs=1e-6)


def test_what_is_used_fades_later() -> None:
    policy = Decay(strength_days=10, threshold=0.5)
    idle, used = Holding(record=record("idle")), Holding(record=record("used"), uses=1, last_use_ms=0)
    assert names(policy.retiring([idle, used], 6 * DAY_MS)) == []
    assert names(policy.retiring([idle, used], 8 * DAY_MS)) == ["idle"]
    again = Holding(record=record("again"), uses=1, last_use_ms=7 * DAY_MS)
    assert names(policy.retiring([idle, used, again], 15 * DAY_MS)) == ["idle", "used"]


def test_capacity_lets_the_least_valuable_go_and_of_equals_the_older() -> None:
    policy = Capacity(most=2)
    holdings = [
        Holding(record=record("twin-1")),
        Holding(record=record("twin-2")),
        Holding(record=record("central"), importance=0.9),
        Holding(record=record("used"), uses=3, last_use_ms=0),
    ]
    assert names(policy.retiring(holdings, DAY_MS)) == ["twin-1", "twin-2"]
    assert names(Capacity(most=3).retiring(holdings, DAY_MS)) == ["twin-1"]


def test_compression_batches_the_oldest_and_leaves_summaries_alone() -> None:
    summary = Holding(record=record("s", replaces=("x",)))
    holdings = [summary, *(Holding(record=record(f"r{n}")) for n in range(7))]
    batches = Compression(above=2, count=2).squeezing(holdings, 0)
    assert [[one.id for one in batch] for batch in batches] == [["r0", "r1"], ["r2", "r3"]]
    assert Compression().retiring(holdings, 0) == ()


POLICIES: list[Forgetting] = [
    Never(),
    Decay(strength_days=1),
    Capacity(most=2),
    Compression(above=0, count=2),
    Decay(threshold=1.0),
]
HOLDINGS = st.lists(
    st.builds(
        Holding,
        record=st.builds(record, st.uuids().map(str), st.integers(0, 60)),
        uses=st.integers(0, 5),
        last_use_ms=st.none() | st.integers(0, 90 * DAY_MS),
        importance=st.floats(0, 1),
        pinned=st.booleans(),
    ),
    max_size=12,
)


@given(holdings=HOLDINGS, policy=st.sampled_from(POLICIES), at_ms=st.integers(0, 90 * DAY_MS))
def test_pinned_records_never_go_and_capacity_bounds_the_rest(
    holdings: list[Holding], policy: Forgetting, at_ms: int
) -> None:
    gone = policy.retiring(holdings, at_ms)
    squeezed = {one.id for batch in policy.squeezing(holdings, at_ms) for one in batch}
    assert not any(one.pinned for one in gone)
    assert not {one.record.id for one in holdings if one.pinned} & squeezed
    if isinstance(policy, Capacity):
        pinned = sum(one.pinned for one in holdings)
        assert len(holdings) - len(gone) <= max(policy.most, pinned)


def test_night_after_night_a_memory_stays_within_its_capacity_and_keeps_the_allergy() -> None:
    profile, policy, uses = Profile(NOODLE_SLOTS), Capacity(most=5), Uses()
    living: list[Record] = []
    for day in range(40):
        claims = (Claim(slot="allergy", value="egg"),) if day == 3 else ()
        new = record(f"r{day}", day, claims=claims)
        profile.add(new)
        living.append(new)
        at_ms = (day + 1) * DAY_MS
        looked_at = holdings(living, at_ms, uses=uses, importance={"r7": 1.0}, pinned=profile.pinned)
        gone = {one.record for one in forgotten(policy, "waiter-1", looked_at, at_ms)}
        living = [one for one in living if one.id not in gone]
        assert len(living) <= 5
    assert [one.id for one in living] == ["r3", "r7", "r37", "r38", "r39"]


@pytest.mark.parametrize(
    "make", [lambda: Decay(strength_days=0), lambda: Capacity(most=0), lambda: Compression(count=1)]
)
def test_policies_refuse_what_makes_no_sense(make: Any) -> None:
    with pytest.raises(ValueError, match="not"):
        make()


def test_uses_are_counted_as_of_a_time_by_records_that_were_written() -> None:
    a, b = record("a"), record("b")
    uses = Uses()
    for made in (use(10, a, b), use(20, a, a), use(5, a, visible_ms=30)):
        uses.add(made)
    assert [uses.count("a", at_ms) for at_ms in (9, 10, 20, 30)] == [0, 1, 2, 3]
    assert (uses.last_ms("a", 9), uses.last_ms("a", 30)) == (None, 20)
    assert uses.shares(30) == {"a": 1.0, "b": 1 / 3}
    assert uses.shares(9) == {}


def test_a_use_names_its_records_and_their_sources_and_claims_nothing() -> None:
    made = use(10, record("a"), record("b"))
    assert used_by(made) == ("a", "b")
    assert made.sources == ("said-a", "said-b")
    assert made.claims == ()
    with pytest.raises(ValueError, match="does not say"):
        used_by(record("a"))


def telling(fact: str, utterance: str) -> Telling:
    blank = {one.name: None for one in fields(Telling)}
    return Telling(**(blank | {"fact": fact, "utterance": utterance}))  # type: ignore[arg-type]


def probe(fact: str, time_ms: int) -> Probe:
    blank = {one.name: None for one in fields(Probe)}
    return Probe(**(blank | {"fact": fact, "time_ms": time_ms}))  # type: ignore[arg-type]


def gone(name: str, at_ms: int) -> Forgotten:
    (made,) = forgotten(Decay(threshold=1.0), "waiter-1", [Holding(record=record(name))], at_ms)
    return made


def test_a_fact_is_forgotten_with_its_last_record_and_only_later_questions_count() -> None:
    tellings = [
        telling("f1", "said-a"),
        telling("f1", "said-b"),
        telling("f2", "said-c"),
        telling("f3", "said-d"),
    ]
    lost = [gone("a", 10), gone("b", 30), gone("c", 10), gone("d", 10)]
    kept = [record("d2", sources=("said-d",))]
    asked = asked_later(lost, kept, tellings, [probe("f1", 20), probe("f2", 10), probe("f3", 50)])
    assert (asked.forgotten, asked.asked, asked.share) == (2, 1, 0.5)
    assert asked_later(lost, kept, tellings, [probe("f1", 30)]).asked == 1
    assert asked_later([], kept, tellings, []).share is None
