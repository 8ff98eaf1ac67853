"""The ledger: what was true when, who was told, and what superseded it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import OrderError
from sim.ledger import Fact, Ledger
from sim.records import Telling


def ledger(**stores: str) -> Ledger:
    return Ledger(lambda agent: stores.get(agent, agent))


def true(book: Ledger, value: str, at_ms: int, polarity: int = 1, slot: str = "dish") -> Fact:
    return book.make_true(customer="anna", slot=slot, value=value, at_ms=at_ms, polarity=polarity)


def tell(book: Ledger, fact: Fact, at_ms: int, agent: str = "w1", utterance: str = "u") -> None:
    book.tell(fact_id=fact.id, agent=agent, at_ms=at_ms, visit="anna/1", utterance=utterance)


def test_the_newest_fact_of_a_slot_is_current() -> None:
    book = ledger()
    old, new = true(book, "laksa", 10), true(book, "ramen", 20)
    assert book.current("anna", "dish", 9) is None
    assert book.current("anna", "dish", 10) == book.current("anna", "dish", 19) == old
    assert book.current("anna", "dish", 20) == new
    assert book.current("anna", "spice", 20) is None
    assert book.current("boris", "dish", 20) is None


def test_of_two_facts_of_one_millisecond_the_later_holds() -> None:
    book = ledger()
    true(book, "laksa", 10)
    later = true(book, "ramen", 10)
    assert book.current("anna", "dish", 10) == later


def test_the_past_cannot_be_changed() -> None:
    book = ledger()
    true(book, "laksa", 10)
    with pytest.raises(OrderError, match="anna's dish changed later than 9 ms"):
        true(book, "ramen", 9)
    assert book.current("anna", "dish", 100) == book.fact("anna:dish:0")


def test_ids_name_customer_slot_and_place() -> None:
    book = ledger()
    facts = [true(book, "egg", 0, slot="extra"), true(book, "egg", 5, -1, slot="extra")]
    assert [fact.id for fact in facts] == ["anna:extra:0", "anna:extra:1"]
    assert [book.fact(fact.id) for fact in facts] == facts


def test_no_two_facts_share_an_id() -> None:
    book = ledger()
    pairs = [("a:b", "c"), ("a", "b:c"), ("a%3Ab", "c"), ("a", "c")]
    facts = [book.make_true(customer=who, slot=slot, value=slot, at_ms=0) for who, slot in pairs]
    assert [book.fact(fact.id) for fact in facts] == facts
    later = book.make_true(customer="a:b", slot="c", value="x", at_ms=1)
    assert list(book.earlier(later)) == [facts[0]]


def test_earlier_facts_come_newest_first() -> None:
    book = ledger()
    facts = [true(book, value, time) for time, value in enumerate(["laksa", "ramen", "pho"])]
    assert list(book.earlier(facts[2])) == [facts[1], facts[0]]
    assert list(book.earlier(facts[0])) == []


def test_a_telling_is_known_to_the_agent_from_its_time_on() -> None:
    book = ledger()
    fact = true(book, "laksa", 0)
    tell(book, fact, 5, utterance="u1")
    tell(book, fact, 9, utterance="u2")
    assert book.told(fact.id, "w1", 4) == []
    assert [said.first for said in book.told(fact.id, "w1", 9)] == [True, False]
    assert book.utterances(fact.id, "w1", 8) == ["u1"]
    assert book.utterances(fact.id, "w1", 9) == ["u1", "u2"]
    assert book.said_in("u1") == [fact]
    assert book.said_in("u3") == []


def test_agents_of_one_store_hear_each_other_and_others_do_not() -> None:
    book = ledger(w1="waiters", w2="waiters")
    fact = true(book, "laksa", 0)
    tell(book, fact, 5, agent="w1")
    tell(book, fact, 6, agent="w2")
    assert [said.agent for said in book.told(fact.id, "w2", 9)] == ["w1", "w2"]
    assert [said.first for said in book.told(fact.id, "w1", 9)] == [True, False]
    assert book.told(fact.id, "chef", 9) == []
    assert list(book.known_to("w2")) == [fact]
    assert list(book.known_to("chef")) == []


def test_somebody_was_told_from_the_first_telling_on() -> None:
    book = ledger()
    fact = true(book, "laksa", 0)
    assert not book.told_to_anyone(fact.id, 100)
    tell(book, fact, 5, agent="chef")
    assert not book.told_to_anyone(fact.id, 4)
    assert book.told_to_anyone(fact.id, 5)


def test_an_echo_is_where_the_agent_could_have_learnt_it_but_no_telling() -> None:
    book = ledger(w1="waiters", w2="waiters")
    fact = true(book, "laksa", 0)
    tell(book, fact, 5, utterance="u1")
    book.echo(fact.id, agent="w1", at_ms=7, utterance="u2")
    assert book.utterances(fact.id, "w2", 6) == ["u1"]
    assert book.utterances(fact.id, "w2", 7) == ["u1", "u2"]
    assert book.utterances(fact.id, "chef", 7) == []
    assert len(book.rows()) == len(book.told(fact.id, "w1", 9)) == 1
    assert book.said_in("u2") == []


def test_rows_tell_what_superseded_each_telling() -> None:
    book = ledger()
    old = true(book, "laksa", 1)
    tell(book, old, 5)
    new = true(book, "ramen", 20)
    tell(book, new, 30)
    first, second = book.rows()
    assert (first.fact, first.valid_from_ms, first.valid_to_ms) == (old.id, 1, 20)
    assert first.superseded_by == new.id
    assert (second.valid_from_ms, second.valid_to_ms, second.superseded_by) == (20, None, None)
    assert (first.said_at_ms, first.said_to, first.visit, first.utterance) == (5, "w1", "anna/1", "u")


def test_a_fact_that_holds_from_the_start_ends_at_the_start_when_it_was_superseded_there() -> None:
    book = ledger()
    tell(book, true(book, "laksa", 0), 0)
    true(book, "ramen", 0)
    assert book.rows()[0].valid_to_ms == 0


def test_visits_between_are_counted_after_one_time_up_to_another() -> None:
    book = ledger()
    for at_ms in (10, 20, 20, 30):
        book.visited("anna", at_ms)
    assert book.visits_between("anna", 10, 30) == 3
    assert book.visits_between("anna", 9, 10) == 1
    assert book.visits_between("anna", 30, 99) == 0
    assert book.visits_between("boris", 0, 99) == 0


@given(changes=st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abc"), st.sampled_from([1, -1]))))
def test_history_is_a_line_without_gaps(changes: list[tuple[int, str, int]]) -> None:
    book, now = ledger(), 0
    for pause, value, polarity in changes:
        now += pause
        tell(book, true(book, value, now, polarity), now)
    rows = book.rows()
    for row, following in pairwise(rows):
        assert row.valid_to_ms == following.valid_from_ms
        assert row.superseded_by == following.fact
    for at_ms in range(now + 2):
        current = book.current("anna", "dish", at_ms)
        assert [row.fact for row in rows if holds(row, at_ms)] == ([current.id] if current else [])


def holds(row: Telling, at_ms: int) -> bool:
    return row.valid_from_ms <= at_ms and (row.valid_to_ms is None or at_ms < row.valid_to_ms)
