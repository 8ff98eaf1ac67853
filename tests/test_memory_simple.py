"""Two presets that keep everything word for word: one takes the newest, one the most alike."""

from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.agents.context import fit
from sim.build import ignored, memory_of, plan_of
from sim.door import configured
from sim.llm.tokens import estimate_tokens
from sim.memory.protocol import Hit, Memory, Owner, Query, Record
from sim.memory.simple import SAME_PERSON, Simple, stems
from sim.memory.transcript import Transcript
from sim.runs import run

OWNER = Owner(store="waiter-1")


def exchange(place: int, text: str, customer: str = "anna") -> Record:
    return Record(
        id=f"r{place}",
        at_ms=place,
        visible_at_ms=place,
        agent="waiter-1",
        customer=customer,
        visit=f"{customer}/1",
        kind="exchange",
        text=text,
        sources=(f"said-r{place}",),
    )


def filled(memory: Memory, *said: str | tuple[str, str]) -> Memory:
    """The memory after these texts, each visible a millisecond after the one before; anna's unless named."""
    for place, one in enumerate(said):
        customer, text = ("anna", one) if isinstance(one, str) else one
        memory.write(OWNER, exchange(place, text, customer))
    return memory


def simple(*said: str | tuple[str, str], top_k: int = 3) -> Memory:
    return filled(Simple(OWNER, top_k=top_k), *said)


def transcript(*said: str | tuple[str, str], budget_tokens: int = 1_000) -> Memory:
    return filled(Transcript(OWNER, budget_tokens=budget_tokens), *said)


def recalled(memory: Memory, text: str = "", customer: str = "anna", **changes: Any) -> list[Hit]:
    query = Query(**({"text": text, "customer": customer, "at_ms": 1_000} | changes))
    return list(memory.recall(OWNER, query))


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.record.id for hit in hits]


# simple: whom it is about, then which words are shared, then what is newer.


def test_what_was_said_with_this_customer_comes_before_what_is_more_alike() -> None:
    memory = simple("it rained all day", ("boris", "laksa with egg"), ("boris", "laksa again"))
    hits = recalled(memory, "laksa with egg")
    assert ids(hits) == ["r0", "r1", "r2"]
    assert hits[0].score >= SAME_PERSON >= hits[1].score


def test_of_others_only_those_that_share_a_word_are_recalled() -> None:
    memory = simple(("boris", "it rained"), ("boris", "laksa"), ("chen", "a large pho"))
    assert ids(recalled(memory, "laksa or ramen")) == ["r1"]
    assert ids(recalled(memory, "nothing like that")) == []


def test_others_do_not_come_when_there_is_enough_of_ones_own() -> None:
    memory = simple(("boris", "laksa with egg"), "ramen", "pho", top_k=2)
    assert ids(recalled(memory, "laksa with egg")) == ["r2", "r1"]


def test_the_most_alike_comes_first() -> None:
    memory = simple("ramen with egg", "laksa with egg and tofu", "pho with egg", "udon")
    assert ids(recalled(memory, "laksa, tofu"))[0] == "r1"


def test_of_equals_the_newer_comes_first() -> None:
    assert ids(recalled(simple("laksa", "laksa", "laksa", "laksa"), "laksa")) == ["r3", "r2", "r1"]
    assert ids(recalled(simple("laksa", "ramen", "udon"), "no word of these")) == ["r2", "r1", "r0"]


def test_a_word_in_all_of_ones_records_counts_for_nothing() -> None:
    # The name is rare among all records, and a short one is nearly all name: it must not win by that.
    memory = simple(
        "anna petrova: laksa with egg, and leave out the garlic please",
        "anna petrova: hi",
        *[("boris", "boris ivanov: pho")] * 20,
        top_k=1,
    )
    assert ids(recalled(memory, "anna petrova: the garlic, remember?")) == ["r0"]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    memory = simple("ramen and garlic", "laksa and egg", "laksa and tofu", "laksa and lime", "udon", top_k=1)
    assert ids(recalled(memory, "laksa garlic")) == ["r0"]


def test_what_is_recalled_as_of_a_time_goes_by_what_was_rare_then() -> None:
    early = ("laksa with garlic", "ramen and lime", "ramen")
    late = ("laksa", "laksa and tofu", "laksa and egg", "laksa and pork")
    memory = simple(*early, *late, top_k=7)
    before = recalled(memory, "laksa lime", at_ms=2)
    assert before == recalled(simple(*early, top_k=7), "laksa lime")
    assert [hit.score for hit in before] != [hit.score for hit in recalled(memory, "laksa lime")][:3]


def test_a_limit_goes_before_the_setting() -> None:
    memory = simple("laksa", "ramen", ("boris", "laksa"), top_k=1)
    assert len(recalled(memory, "laksa")) == 1
    assert ids(recalled(memory, "laksa", limit=5)) == ["r0", "r1", "r2"]


WORDS = ("laksa", "ramen", "tofu", "garlic", "lime", "egg")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
SAID = st.lists(st.tuples(st.sampled_from(("anna", "boris")), TEXTS), max_size=9)


@settings(max_examples=80)
@given(said=SAID, text=TEXTS, at_ms=st.integers(-1, 9))
def test_scores_are_those_of_the_formula(said: list[tuple[str, str]], text: str, at_ms: int) -> None:
    hits = recalled(simple(*said, top_k=20), text, at_ms=at_ms)
    own = [words for place, (who, words) in enumerate(said) if who == "anna" and place <= at_ms]
    others = [words for place, (who, words) in enumerate(said) if who != "anna" and place <= at_ms]
    sharing = [words for words in others if set(words.split()) & set(text.split())]
    expected = [*sorted(1 + lnc_ltc(text, own), reverse=True), *sorted(lnc_ltc(text, sharing), reverse=True)]
    assert [hit.score for hit in hits] == pytest.approx(expected, abs=2e-6)


def lnc_ltc(text: str, texts: Sequence[str]) -> Any:
    """The cosines of one text with some, once more: all at once, as a matrix over a fixed vocabulary."""
    counts = np.array([[one.split().count(word) for word in WORDS] for one in [text, *texts]], dtype=float)
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0)
    having = (counts[1:] > 0).sum(axis=0)
    weights[0] *= np.where(having > 0, log(max(1, len(texts))) - np.log(np.maximum(having, 1)), 0)
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    rows = weights / np.where(lengths > 0, lengths, 1)
    return rows[1:] @ rows[0]


# simple: words.


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("two servings of noodles", "a portion with a noodle"),
        ("Laksa, LAKSA!", "laksa — laksa"),
        ("без кинзы", "С КИНЗОЙ"),
        ("ещё кориандра", "кинза еще"),
        ("laksa без яиц", "laksas яйцо"),
        ("острый", "остр\u044b\u0438\u0306"),
        ("不要香菜", "芫荽"),
    ],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert set(stems(one)) & set(stems(other))


def test_each_word_goes_to_the_language_of_its_letters() -> None:
    assert set(stems("laksas без яиц 面条")) == set(stems("laksas") + stems("без яиц") + stems("面条"))
    assert stems("请给我laksa") != stems("请给我")
    assert "laksa" in stems("请给我laksa")


def test_negations_are_words_and_fillers_are_none() -> None:
    assert stems("the and with a") == []
    assert stems("no") == ["no"]
    assert stems("") == stems("?! …") == []


def test_customers_of_three_languages_live_in_one_memory() -> None:
    memory = simple(
        ("anna", "no garlic please"),
        ("ольга", "без чеснока, и рамен"),
        ("ольга", "спасибо"),
        ("明", "不要大蒜"),
        ("明", "谢谢"),
        top_k=1,
    )
    assert ids(recalled(memory, "рамены", customer="ольга")) == ["r1"]
    assert ids(recalled(memory, "不要大蒜", customer="明")) == ["r3"]


# transcript.


def test_the_transcript_takes_the_newest_of_everybody() -> None:
    memory = transcript("one", ("boris", "two"), "three")
    assert ids(recalled(memory)) == ["r2", "r1", "r0"]
    assert ids(recalled(memory, customer="chen")) == ["r2", "r1", "r0"]
    assert ids(recalled(memory, at_ms=1)) == ["r1", "r0"]
    assert ids(recalled(memory, limit=2)) == ["r2", "r1"]


def test_the_transcript_costs_what_the_budget_holds_and_not_what_was_said() -> None:
    memory = transcript(*["twelve chars"] * 500, budget_tokens=20)
    assert len(recalled(memory)) == 6, "20 tokens are at most 60 characters; the one beyond ends it"
    assert len(recalled(transcript(*[""] * 500, budget_tokens=20))) == 61


@given(text=st.text(max_size=80))
def test_no_text_has_more_characters_to_a_token_than_the_transcript_counts_with(text: str) -> None:
    assert 3 * estimate_tokens(text) >= len(text)


SAYINGS = st.lists(st.text(alphabet="ab 7,ж面", min_size=1, max_size=30), min_size=1, max_size=25)


@settings(max_examples=80)
@given(said=SAYINGS, budget_tokens=st.integers(1, 60))
def test_the_transcript_leaves_no_room_in_the_prompt(said: list[str], budget_tokens: int) -> None:
    every = [Hit(record=exchange(n, text), score=0.0) for n, text in enumerate(said)][::-1]
    hits = recalled(transcript(*said, budget_tokens=budget_tokens))
    assert ids(hits) == ids(every)[: len(hits)]
    if len(hits) < len(every):
        used = sum(estimate_tokens(hit.record.text) for hit in hits)
        assert used > budget_tokens, "it stopped before the budget was full"
    context = fit(hits, line=lambda record: record.text, budget_tokens=budget_tokens)
    assert context.tokens <= budget_tokens


# Both, as presets.


@pytest.mark.parametrize(("name", "kind"), [("simple", Simple), ("transcript", Transcript)])
def test_a_preset_makes_its_memory_and_loads_no_embedder(name: str, kind: type, monkeypatch: Any) -> None:
    monkeypatch.setattr(
        "sim.build.memories.embedder_of", lambda settings: pytest.fail("nobody asked for vectors")
    )
    plan = memory_of(configured(f"memory={name}"))
    assert isinstance(plan.make(OWNER), kind)
    assert plan.capabilities == kind.capabilities  # type: ignore[attr-defined]


def test_a_key_that_makes_no_difference_is_named() -> None:
    changes = ("memory.window=3", "memory.top_k=5", "memory.budget_tokens=99")
    assert ignored(configured("memory=simple", *changes)) == ["window"]
    assert ignored(configured("memory=transcript", *changes)) == ["top_k", "window"]


@pytest.mark.parametrize("memory", ["simple", "transcript"])
def test_a_run_is_the_same_whatever_the_number_of_calls_in_flight(memory: str) -> None:
    small = ("scenario=cafe", "scenario.weeks=2", f"memory={memory}", "progress=false")
    one, many = [
        run(plan_of(configured(*small, f"llm.max_in_flight={n}"), None, resume=False)) for n in (1, 64)
    ]
    assert one.digests == many.digests
    recall = one.summary["recall"]
    assert recall["written"]["rate"] == recall["kept"]["rate"] == 1.0
    assert recall["answered"]["rate"] > 0.2
