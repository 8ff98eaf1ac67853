"""The memory layers of a prompt: never over the budget, the best first to enter, laid out in time order."""

from hypothesis import given
from hypothesis import strategies as st

from sim.agents.context import Context, fit
from sim.agents.notebook import shown
from sim.llm.tokens import estimate_tokens
from sim.memory.protocol import Claim, Hit, Record


def hit(name: str, at_ms: int, text: str, score: float = 1.0) -> Hit:
    record = Record(
        id=name,
        at_ms=at_ms,
        visible_at_ms=at_ms,
        agent="w1",
        customer="anna",
        visit="anna/1",
        kind="event",
        text=text,
        sources=(f"u-{name}",),
    )
    return Hit(record=record, score=score)


def text_of(record: Record) -> str:
    return record.text


def names(records: tuple[Record, ...]) -> list[str]:
    return [record.id for record in records]


TEXTS = st.text(max_size=40) | st.sampled_from(["", "щи", "面" * 10, "laksa " * 8])
HITS = st.lists(st.tuples(st.integers(0, 5), TEXTS), max_size=8).map(
    lambda pairs: [hit(f"r{place}", at_ms, text) for place, (at_ms, text) in enumerate(pairs)]
)


@given(hits=HITS, budget=st.integers(0, 60))
def test_the_budget_is_never_exceeded_and_nothing_gets_lost(hits: list[Hit], budget: int) -> None:
    context = fit(hits, line=text_of, budget_tokens=budget)
    assert context.tokens == sum(map(estimate_tokens, context.lines)) <= budget
    assert sorted(names(context.records + context.cut)) == sorted(hit.record.id for hit in hits)
    assert [record.text for record in context.records] == list(context.lines)


@given(hits=HITS, budget=st.integers(0, 60))
def test_lines_stand_oldest_first_and_cuts_in_order_of_worth(hits: list[Hit], budget: int) -> None:
    context = fit(hits, line=text_of, budget_tokens=budget)
    places = [(record.at_ms, record.id) for record in context.records]
    assert places == sorted(places)
    worth = [hit.record.id for hit in hits]
    assert names(context.cut) == [name for name in worth if name in names(context.cut)]


@given(hits=HITS, budget=st.integers(0, 60))
def test_what_was_cut_had_no_room_beside_what_is_worth_more(hits: list[Hit], budget: int) -> None:
    context = fit(hits, line=text_of, budget_tokens=budget)
    used = 0
    for one in hits:
        tokens = estimate_tokens(one.record.text)
        fits = used + tokens <= budget
        assert (one.record in context.records) == fits
        used += tokens * fits


def test_a_budget_for_all_cuts_nothing() -> None:
    hits = [hit("b", 2, "later", 0.9), hit("a", 1, "earlier", 0.5)]
    context = fit(hits, line=text_of, budget_tokens=1_000)
    assert context.lines == ("earlier", "later")
    assert context.cut == ()


def test_the_least_valuable_goes_first_and_a_smaller_one_may_take_the_room() -> None:
    hits = [hit("best", 3, "a" * 30), hit("large", 2, "b" * 60), hit("small", 1, "c" * 15)]
    context = fit(hits, line=text_of, budget_tokens=estimate_tokens("a" * 45))
    assert names(context.records) == ["small", "best"]
    assert names(context.cut) == ["large"]


def test_nothing_recalled_and_no_room_are_empty() -> None:
    assert fit([], line=text_of, budget_tokens=100) == Context()
    assert fit([hit("a", 1, "laksa")], line=text_of, budget_tokens=0).lines == ()


def test_tokens_are_counted_of_the_line_as_shown() -> None:
    context = fit([hit("a", 1, "")], line=lambda record: f"[monday] {record.customer}", budget_tokens=100)
    assert context.tokens == estimate_tokens("[monday] anna") > 0


def test_a_record_without_words_is_shown_by_its_claims() -> None:
    claims = (Claim(slot="drink", value="cocoa"), Claim(slot="milk", value="oat", polarity=-1))
    record = Record(
        id="t",
        at_ms=0,
        visible_at_ms=0,
        agent="w1",
        customer="anna",
        visit="",
        kind="telling",
        text="",
        claims=claims,
    )
    assert shown(record) == "anna: drink: cocoa; milk: no oat"
    assert shown(hit("a", 0, "anna orders laksa").record) == "anna orders laksa"
