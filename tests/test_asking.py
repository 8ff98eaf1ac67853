"""Prompts that turn out too long: shortened once, the least valuable first, and asked once more."""

from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_context import HITS, hit, names, text_of

from sim.agents.asking import Asked, Clip, ask, ask_noting
from sim.agents.context import LONG_TOKENS, Context, fit
from sim.agents.effects import Ask, Effect, Note, Recall, Recalled
from sim.agents.notebook import Notebook, Page
from sim.agents.shorten import shortened
from sim.llm.outcomes import OF_THE_ANSWER, OF_THE_CALL, TOO_LONG
from sim.llm.protocol import Outcome
from sim.llm.tokens import estimate_tokens
from sim.memory.none import NoMemory
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Hit
from sim.records import ActId

FINE = Outcome(value={"text": "yes"}, kind="ok")
LONG = "I was going to say " + "and so on " * 200 + "that I want the laksa."


def context(count: int = 4, length: int = 40) -> Context:
    hits = [hit(f"r{n}", n, f"[day {n}] " + "laksa " * length, score=n) for n in range(count)]
    return fit(hits[::-1], line=text_of, budget_tokens=100_000)


def play(steps: Generator[Effect, Any, Any], *outcomes: Outcome) -> tuple[list[Effect], Any]:
    """What a part of an act yields when its questions come out like this, and what it returns."""
    left, seen, answer = list(outcomes), list[Effect](), None
    try:
        while True:
            effect = steps.send(answer)
            seen.append(effect)
            answer = left.pop(0) if isinstance(effect, Ask) else None
    except StopIteration as stop:
        assert not left
        return seen, stop.value


def question(said: str) -> Any:
    def made(memories: Context, clip: Clip) -> Ask:
        return Ask(role="order", system="s", user="\n".join([*memories.lines, clip(said)]))

    return made


def failed(kind: str) -> Outcome:
    return Outcome(value=None, kind=kind, error="x")


@pytest.mark.parametrize("kind", [*OF_THE_ANSWER, *OF_THE_CALL])
def test_only_what_is_too_long_is_asked_again(kind: str) -> None:
    again = [FINE] if kind in TOO_LONG else []
    seen, asked = play(ask(question("Hi!"), context()), failed(kind), *again)
    assert len(seen) == 1 + len(again)
    assert isinstance(asked, Asked)
    assert asked.outcome.kind == ("ok" if again else kind)
    assert bool(asked.cut) == bool(again)


def test_half_of_the_memories_go_the_least_valuable_first() -> None:
    full = context()
    seen, asked = play(ask_noting(question("Hi!"), full, exchange=3), failed("context_overflow"), FINE)
    first, second, note = seen
    assert isinstance(first, Ask)
    assert isinstance(second, Ask)
    assert asked.context.tokens <= full.tokens // 2
    assert names(asked.context.records) == ["r2", "r3"]
    assert second.user.endswith("\nHi!")
    assert note == Note(
        kind="cut",
        payload={"exchange": 3, "why": "context_overflow", "records": ["r0", "r1"], "texts": 0},
    )


def test_it_is_never_a_loop() -> None:
    too_long = failed("context_overflow")
    seen, asked = play(ask(question(LONG), context()), too_long, too_long)
    assert (len(seen), asked.outcome) == (2, too_long)
    # Where nothing can go, not even a second time.
    seen, asked = play(ask(question("Hi!")), too_long)
    assert (len(seen), asked.outcome, asked.cut) == (1, too_long, {})


def test_over_long_words_lose_their_middle() -> None:
    seen, asked = play(ask(question(LONG)), failed("prompt_truncated_by_server"), FINE)
    second = seen[1]
    assert isinstance(second, Ask)
    assert second.user.startswith("I was going to say ")
    assert second.user.endswith("that I want the laksa.")
    assert estimate_tokens(second.user) <= LONG_TOKENS
    assert asked.cut["texts"] == 1


def test_a_long_record_is_cut_and_not_lost() -> None:
    smaller = context(count=1, length=400).halved()
    assert names(smaller.records) == ["r0"]
    assert smaller.lines[0].startswith("[day 0] laksa")
    assert "…" in smaller.lines[0]
    assert estimate_tokens(smaller.lines[0]) <= LONG_TOKENS


@given(hits=HITS, budget=st.integers(0, 200))
def test_halving_keeps_to_half_and_loses_no_record(hits: list[Hit], budget: int) -> None:
    full = fit(hits, line=text_of, budget_tokens=budget)
    half = full.halved()
    assert half.tokens == sum(map(estimate_tokens, half.lines)) <= full.tokens // 2
    assert sorted(names(half.records + half.cut)) == sorted(names(full.records + full.cut))
    assert [record for record in full.records if record in half.records] == list(half.records)
    assert half.halved().tokens <= half.tokens // 2


@given(text=st.text() | st.text(alphabet="ab щ面\n", max_size=400), most=st.integers(8, 60))
def test_what_is_shortened_fits_and_keeps_both_ends(text: str, most: int) -> None:
    short = shortened(text, most)
    assert estimate_tokens(short) <= max(most, estimate_tokens(" … "))
    if estimate_tokens(text) <= most:
        assert short == text
    else:
        head, _, tail = short.partition(" … ")
        assert text.startswith(head.split("\n")[0])
        assert text.endswith(tail.split("\n")[-1]) or not tail


def test_of_many_lines_whole_ones_go() -> None:
    lines = [f"[day {n}] " + "word " * 20 for n in range(10)]
    kept = shortened("\n".join(lines), 150).split("\n")
    assert 2 <= len(kept) < 10
    assert set(kept) <= set(lines)
    assert (kept[0], kept[-1]) == (lines[0], lines[-1])


def test_the_notebook_asks_likewise() -> None:
    plan = MemoryPlan(make=NoMemory, capabilities=NoMemory.capabilities)
    act = ActId(agent="barista", customer="Anna", visit="v", purpose="serve")
    notebook = Notebook(plan=plan, act=act, at_ms=0)
    page = Page(recalled=Recalled(hits=()), context=context())
    steps = notebook.ask("serve", "s", page, LONG, {"type": "object"})
    seen, (outcome, after) = play(steps, failed("context_overflow"), FINE)
    assert [type(effect) for effect in seen] == [Ask, Ask, Note]
    assert outcome == FINE
    assert (after.recalled, after.context.tokens < page.context.tokens) == (page.recalled, True)
    assert not any(isinstance(effect, Recall) for effect in seen)
