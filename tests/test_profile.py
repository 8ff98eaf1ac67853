"""The profile: the newer statement holds, and what was superseded never comes back by any path."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.noodle_shop.menu import standard_menu
from scenarios.noodle_shop.phrases import Phrases
from scenarios.noodle_shop.profiles import NOODLE_SLOTS, row_text
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.speech import LANGUAGES
from sim.memory.profile.profile import Profile
from sim.memory.profile.slots import Slots
from sim.memory.protocol import Claim, Record
from sim.streams import Stream

MENU = standard_menu()
LATER = 1_000_000


def wants(slot: str, value: str, polarity: int = 1) -> Claim:
    return Claim(slot=slot, value=value, polarity=polarity)


def said(name: str, at_ms: int, *claims: Claim, customer: str = "anna", seen_ms: int | None = None) -> Record:
    return Record(
        id=name,
        at_ms=at_ms,
        visible_at_ms=at_ms if seen_ms is None else seen_ms,
        agent="waiter-1",
        customer=customer,
        visit=f"{customer}/{at_ms // 10}",
        kind="event" if claims else "exchange",
        text=name,
        claims=claims,
        sources=(name.split("/", maxsplit=1)[0],),
    )


def profile(*records: Record) -> Profile:
    made = Profile(NOODLE_SLOTS)
    for record in records:
        made.add(record)
    return made


def holds(made: Profile, at_ms: int = LATER, customer: str = "anna") -> set[Claim]:
    return set(made.at(customer, at_ms).claims)


def test_a_newer_contradicting_statement_holds_at_once_and_the_old_one_is_history() -> None:
    made = profile(said("a", 0, wants("dish", "laksa")), said("b", 50, wants("dish", "miso_ramen")))
    assert made.at("anna", 49).values("dish") == ("laksa",)
    assert made.at("anna", 50).values("dish") == ("miso_ramen",)
    assert [(row.claim.value, row.until_ms) for row in made.history("anna", 50)] == [
        ("laksa", 50),
        ("miso_ramen", None),
    ]
    assert [row.until_ms for row in made.history("anna", 49)] == [None]


def test_a_slot_of_several_values_loses_only_the_one_taken_back() -> None:
    made = profile(
        said("a", 0, wants("extra", "egg"), wants("extra", "corn")), said("b", 9, wants("extra", "egg", -1))
    )
    assert made.at("anna", 9).values("extra") == ("corn",)
    assert wants("extra", "egg", -1) in holds(made)


def test_taking_back_the_present_value_does_not_bring_back_the_one_before() -> None:
    made = profile(
        said("a", 0, wants("dish", "laksa")),
        said("b", 10, wants("dish", "miso_ramen")),
        said("c", 20, wants("dish", "miso_ramen", -1)),
    )
    assert made.at("anna", 20).values("dish") == ()


def test_taking_back_something_else_leaves_the_value_alone() -> None:
    made = profile(said("a", 0, wants("dish", "laksa")), said("b", 10, wants("dish", "cold_soba", -1)))
    assert made.at("anna", 10).values("dish") == ("laksa",)


def test_what_comes_late_changes_nothing_that_was_said_after_it() -> None:
    made = profile(
        said("b", 50, wants("dish", "miso_ramen")), said("a", 0, wants("dish", "laksa"), seen_ms=60)
    )
    assert made.at("anna", 60).values("dish") == ("miso_ramen",)
    assert [row.until_ms for row in made.history("anna", 60)] == [50, None]


def test_what_comes_late_brings_nothing_back_that_was_given_up_for_something_else() -> None:
    made = profile(
        said("a", 0, wants("dish", "laksa")),
        said("c", 20, wants("dish", "laksa", -1)),
        said("b", 10, wants("dish", "miso_ramen"), seen_ms=30),
        said("d", 5, wants("dish", "laksa"), seen_ms=40),
        said("e", 30, wants("dish", "miso_ramen", -1), seen_ms=50),
        said("f", 8, wants("dish", "cold_soba"), seen_ms=60),
    )
    assert made.at("anna", 30).values("dish") == ("miso_ramen",)
    assert made.at("anna", 40).values("dish") == ("miso_ramen",)
    assert made.at("anna", 60).values("dish") == ()


def test_saying_it_again_makes_a_row_surer_and_names_both_sources() -> None:
    made = profile(said("a", 0, wants("spice", "hot")), said("b", 20, wants("spice", "hot")))
    (first,) = made.at("anna", 0).rows
    (both,) = made.at("anna", 20).rows
    assert (first.confidence, both.confidence) == (0.7, 0.8)
    assert (both.records, both.utterances, both.since_ms) == (("a", "b"), ("a", "b"), 0)


def test_visits_are_counted_as_of_a_time_and_a_second_one_makes_a_regular() -> None:
    made = profile(said("a", 0), said("b", 5), said("c", 20))
    portraits = [made.at("anna", at_ms) for at_ms in (0, 5, 20)]
    assert [one.visits for one in portraits] == [1, 1, 2]
    assert [one.regular for one in portraits] == [False, False, True]
    assert made.at("nobody", 20).last_ms is None


def test_allergies_are_pinned_and_stand_first_whatever_came_after() -> None:
    record = said("b", 10, wants("allergy", "peanut"))
    made = profile(
        said("a", 0, wants("dish", "laksa")), record, said("c", 20, wants("allergy", "peanut", -1))
    )
    assert [row.pinned for row in made.at("anna", 10).rows] == [False, True]
    assert made.at("anna", 10).lines(row_text("en"))[0] == "allergic to peanuts"
    assert made.pinned(record)
    assert made.pinned(said("b/words", 10))
    assert not made.pinned(said("a", 0, wants("dish", "laksa")))


def test_words_go_by_what_was_understood_of_them_and_a_mere_visit_is_history() -> None:
    words = said("a/words", 0)
    visit = said("v", 5, wants("visit", "2026-01-05"))
    made = profile(
        said("a", 0, wants("dish", "laksa"), wants("visit", "2026-01-05")),
        words,
        visit,
        said("b", 50, wants("dish", "miso_ramen"), wants("visit", "2026-01-12")),
    )
    assert [made.current(words, at_ms) for at_ms in (49, 50)] == [True, False]
    assert made.current(visit, 50)
    assert made.current(said("unheard", 0), 50)


def test_a_summary_says_nothing_new_and_goes_when_what_it_stands_for_has_gone() -> None:
    old = said("a", 0, wants("dish", "laksa"))
    summary = replace(said("s", 0, wants("dish", "laksa"), seen_ms=30), kind="summary", replaces=("a",))
    made = profile(old, said("b", 20, wants("dish", "miso_ramen")), summary)
    assert made.at("anna", 30).values("dish") == ("miso_ramen",)
    assert not made.current(summary, 30)


def test_a_summary_of_several_people_speaks_for_each_of_them() -> None:
    summary = Record(
        id="s",
        at_ms=5,
        visible_at_ms=30,
        agent="waiter-1",
        customer="",
        visit="",
        kind="summary",
        text="",
        claims=(wants("dish", "laksa"), wants("dish", "laksa")),
        claimants=("anna", "boris"),
        replaces=("a", "b"),
    )
    made = profile(
        said("a", 0, wants("dish", "laksa")),
        said("b", 5, wants("dish", "laksa"), customer="boris"),
        summary,
        said("c", 40, wants("dish", "miso_ramen")),
    )
    assert made.standing(summary, 39) == summary.claims
    assert made.standing(summary, 40) == (wants("dish", "laksa"),)
    assert made.current(summary, 40)


def test_slots_are_checked() -> None:
    with pytest.raises(ValueError, match="single and multi"):
        Slots(single=frozenset({"a"}), multi=frozenset({"a"}))
    with pytest.raises(ValueError, match="neither"):
        Slots(pinned=frozenset({"a"}))


SMALL = {
    "dish": MENU.values("dish")[:2],
    "extra": ("egg",),
    "allergy": ("egg", "peanut"),
    "liked": ("good", "bad"),
}
CLAIMS = st.sampled_from(
    [wants(slot, value, sign) for slot in SMALL for value in SMALL[slot] for sign in (1, -1)]
)


@st.composite
def histories(draw: st.DrawFn) -> list[Record]:
    """Statements in order of visibility, some of which come late, and summaries of some of them."""
    records: list[Record] = []
    for number in range(draw(st.integers(1, 12))):
        seen_ms = number * 10
        at_ms = draw(st.sampled_from([seen_ms, max(0, seen_ms - 25)]))
        if records and draw(st.integers(0, 4)) == 0:
            replaced = draw(st.lists(st.sampled_from(records), min_size=1, max_size=3, unique_by=id))
            claims = tuple(dict.fromkeys(claim for one in replaced for claim in one.claims))
            made = said(f"r{number}", at_ms, *claims, seen_ms=seen_ms)
            names = tuple(one.id for one in replaced)
            records.append(replace(made, kind="summary", replaces=names))
        else:
            records.append(
                said(f"r{number}", at_ms, *draw(st.lists(CLAIMS, min_size=1, max_size=2)), seen_ms=seen_ms)
            )
    return records


@given(histories())
@settings(max_examples=150, deadline=None)
def test_what_was_superseded_never_comes_back_by_any_path(records: list[Record]) -> None:
    made = profile(*records)
    gone: set[tuple[str, Claim]] = set()
    known: set[tuple[Claim, tuple[str, ...]]] = set()
    ended: set[tuple[Claim, tuple[str, ...]]] = set()
    for at_ms in range(0, 10 * len(records), 5):
        seen = [record for record in records if record.visible_at_ms <= at_ms]
        now = {(name, claim) for name, claim in made.superseded(at_ms) if name in {one.id for one in seen}}
        assert gone <= now
        gone = now
        portrait = made.at("anna", at_ms)
        assert not {(row.records[0], row.claim) for row in portrait.rows} & gone
        history = made.history("anna", at_ms)
        ended |= {(row.claim, row.records[:1]) for row in history if row.until_ms is not None}
        assert not {(row.claim, row.records[:1]) for row in portrait.rows} & ended
        for record in seen:
            plain = {(record.id, made.slots.plain(claim)) for claim in record.claims}
            assert made.current(record, at_ms) == (not plain <= gone)
        # No two rows contradict each other, and nothing is lost from the history.
        assert known <= (known := {(row.claim, row.records[:1]) for row in history})
        claims = portrait.claims
        assert not any(clash(one, other) for one in claims for other in claims)


@given(histories())
@settings(max_examples=60, deadline=None)
def test_an_earlier_time_is_answered_as_it_was_then(records: list[Record]) -> None:
    whole = profile(*records)
    for at_ms in range(0, 10 * len(records), 10):
        then = profile(*(record for record in records if record.visible_at_ms <= at_ms))
        assert whole.at("anna", at_ms) == then.at("anna", at_ms)
        assert whole.history("anna", at_ms) == then.history("anna", at_ms)


def clash(one: Claim, two: Claim) -> bool:
    """What the shop's slots mean, said once more without them."""
    if (one.slot, one.value) == (two.slot, two.value):
        return one.polarity != two.polarity
    single = one.slot in ("dish", "spice", "portion", "liked")
    return single and one.slot == two.slot and one.polarity == two.polarity == 1


SAYABLE = ("extra", "without", "allergy", "dish", "spice", "portion")


def pairs(language: str) -> Iterator[tuple[str, str, set[Claim]]]:
    """200 pairs of sentences: a statement, another one, and what then must hold."""
    phrases, draws = Phrases(language), Stream.root(5).of("pairs", language)
    for number in range(200):
        draw = draws.of(number)
        slot = SAYABLE[number % len(SAYABLE)]
        first, other = draw.of("values").sample(MENU.values(slot), 2)
        one = wants(slot, first)
        two = _second(draw, slot, first, other)
        text = [
            phrases.say(_move(claim), [claim], draw.of(str(claim)), {"held_out": "never"})
            for claim in (one, two)
        ]
        yield text[0], text[1], {two} if clash(one, two) else {one, two}


def _second(draw: Stream, slot: str, first: str, other: str) -> Claim:
    """The same value taken back, another value, or the same ingredient in another slot."""
    if slot in NOODLE_SLOTS.multi and draw.of("back").chance(0.6):
        return wants(slot, first, -1)
    near = {"extra": "allergy", "without": "allergy", "allergy": "without"}.get(slot, slot)
    if near != slot and first in MENU.values(near) and draw.of("near").chance(0.8):
        return wants(near, first)
    return wants(slot, other)


def _move(claim: Claim) -> str:
    if claim.slot == "allergy" and claim.polarity == 1:
        return "allergy"
    return "reversal" if claim.polarity == -1 else "new_wish"


@pytest.mark.parametrize("language", LANGUAGES)
def test_likes_and_hates_are_neither_merged_nor_turned_round(language: str) -> None:
    reader = Reader(language, MENU)
    wrong = []
    for number, (one, two, expected) in enumerate(pairs(language)):
        made = profile(
            said(f"{number}a", 0, *reader.claims(one)), said(f"{number}b", 10, *reader.claims(two))
        )
        if holds(made, 10) != expected:
            wrong.append((one, two, expected, holds(made, 10)))
    assert not wrong, wrong[:3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_row_in_words_is_read_back_as_it_was(language: str) -> None:
    reader = Reader(language, MENU)
    claims = [wants("allergy", "egg", -1), wants("extra", "egg"), wants("without", "garlic", -1)]
    made = profile(said("a", 0, *claims))
    rows = made.at("anna", 0).rows
    lines = made.at("anna", 0).lines(row_text(language))
    assert [reader.claims(line) for line in lines] == [
        (row.claim,) for row in sorted(rows, key=lambda row: not row.pinned)
    ]
