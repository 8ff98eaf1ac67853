"""Every memory keeps the same promises, within the capabilities it declares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.clock import Calendar
from sim.embed.protocol import Vectors
from sim.embed.static import wordllama
from sim.errors import OwnerError
from sim.memory.diary import Diary
from sim.memory.diary.manners import RULE
from sim.memory.diary.presets import PRESETS
from sim.memory.diary.rows import PROFILE
from sim.memory.domain import Domain
from sim.memory.flat import Flat
from sim.memory.index_kinds import vector_index
from sim.memory.none import NoMemory
from sim.memory.oracle import Oracle
from sim.memory.profile.slots import Slots
from sim.memory.protocol import Claim, Hit, Kept, Memory, Owner, Query, Record
from sim.memory.simple import Simple
from sim.memory.transcript import Transcript
from sim.memory.window import Window
from sim.records import STAGES, canonical
from sim.streams import Stream

OWNER = Owner(store="waiter-1")
PEOPLE = ("anna", "boris", "chen")
DISHES = ("laksa", "ramen", "pho", "udon")
STRANGERS = (Owner(store="waiter-2"), Owner(store="waiter-1", customer="anna"))


class Drawn:
    """An embedder whose vectors are drawn from the text: every text its own direction, some of them equal."""

    fingerprint = "drawn"
    dimension = 4

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([self._row(text) for text in texts], dtype=np.float32).reshape(len(texts), 4)

    def _row(self, text: str) -> list[float]:
        # Few directions, so that equal scores are common.
        chance = Stream.root(0).of("row", text[:3])
        return [float(chance.of(n).integer(-1, 1)) for n in range(4)]


def flat(index: str, owner: Owner = OWNER, top_k: int = 3, above: int = 4, count: int = 2) -> Flat:
    return Flat(
        owner,
        embedder=Drawn(),
        index=partial(vector_index, index),
        top_k=top_k,
        squeeze_above=above,
        squeeze_count=count,
    )


DOMAIN = Domain(
    slots=Slots(
        single=frozenset({"dish"}),
        multi=frozenset({"extra", "allergy"}),
        pinned=frozenset({"allergy"}),
        open=True,
    ),
    calendar=Calendar(start=date(2026, 3, 2)),
)


def diary(preset: str, owner: Owner = OWNER, **changes: Any) -> Diary:
    parts = PRESETS[preset]
    keys: dict[str, Any] = {
        "domain": DOMAIN,
        "embedder": Drawn(),
        "synonyms": Drawn(),
        "squeeze_above": 4,
        "squeeze_count": 2,
        "parts": parts.parts,
        "weights": parts.weights,
        "forgetting": parts.forgetting,
    }
    return Diary(owner, **(keys | changes))


MEMORIES: dict[str, Callable[[], Memory]] = {
    "none": lambda: NoMemory(OWNER),
    "window": lambda: Window(OWNER, window=3),
    "transcript": lambda: Transcript(OWNER, budget_tokens=20),
    "simple": lambda: Simple(OWNER, top_k=3),
    "flat_exact": lambda: flat("exact"),
    "flat_faiss": lambda: flat("faiss"),
    "oracle": lambda: Oracle(OWNER),
    **{name: partial(diary, name) for name in PRESETS},
}
KEEPING = [name for name in MEMORIES if name != "none"]


@pytest.fixture(params=list(MEMORIES))
def memory(request: pytest.FixtureRequest) -> Memory:
    return MEMORIES[request.param]()


@pytest.fixture(params=KEEPING)
def keeping(request: pytest.FixtureRequest) -> Memory:
    return MEMORIES[request.param]()


def kind_of(memory: Memory) -> str:
    """The kind of record that stands for one thing said."""
    ingests = memory.capabilities.ingests
    return "diary" if "diary" in ingests else next(iter(ingests - {"summary"}))


def record(memory: Memory, name: str, at_ms: int = 0, customer: str = "anna", **changes: Any) -> Record:
    fields: dict[str, Any] = {
        "id": name,
        "at_ms": at_ms,
        "visible_at_ms": at_ms,
        "agent": "waiter-1",
        "customer": customer,
        "visit": f"{customer}/1",
        "kind": kind_of(memory),
        "text": f"{customer} said {name}",
        "claims": (Claim(slot="dish", value="laksa"),),
        "sources": (f"said-{name}",),
    }
    return Record(**(fields | changes))


def query(at_ms: int = 1_000, customer: str = "anna", text: str = "anna: the usual") -> Query:
    return Query(text=text, customer=customer, at_ms=at_ms)


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.record.id for hit in hits]


def written(hits: Sequence[Hit]) -> list[Hit]:
    """Without what a memory makes of its records for one recall, such as who somebody is."""
    return [hit for hit in hits if hit.record.kind not in (PROFILE, RULE)]


def test_what_was_written_is_recalled_as_it_was_written(keeping: Memory) -> None:
    one = record(keeping, "one", at_ms=5)
    keeping.write(OWNER, one)
    assert [hit.record for hit in written(keeping.recall(OWNER, query()))] == [one]


def test_a_memory_of_nothing_recalls_nothing(memory: Memory) -> None:
    assert list(memory.recall(OWNER, query())) == []
    assert memory.snapshot(OWNER) == []
    assert list(memory.lineage(OWNER, "said-one")) == []
    assert list(memory.overflow(OWNER, 1_000)) == []


CALLS: dict[str, Callable[[Memory, Owner], object]] = {
    "recall": lambda memory, owner: memory.recall(owner, query()),
    "snapshot": lambda memory, owner: memory.snapshot(owner),
    "lineage": lambda memory, owner: memory.lineage(owner, "said-one"),
    "overflow": lambda memory, owner: memory.overflow(owner, 0),
}


@pytest.mark.parametrize("stranger", STRANGERS, ids=str)
@pytest.mark.parametrize("call", list(CALLS))
def test_nobody_but_the_owner_gets_an_answer(memory: Memory, call: str, stranger: Owner) -> None:
    CALLS[call](memory, OWNER)
    with pytest.raises(OwnerError, match=r"memory of waiter-1 was asked in the name of waiter-"):
        CALLS[call](memory, stranger)


@pytest.mark.parametrize("stranger", STRANGERS, ids=str)
def test_nobody_but_the_owner_writes(keeping: Memory, stranger: Owner) -> None:
    with pytest.raises(OwnerError):
        keeping.write(stranger, record(keeping, "one"))
    assert keeping.snapshot(OWNER) == []
    assert list(keeping.recall(OWNER, query())) == []


@pytest.mark.parametrize("kind", ["exchange", "event", "summary", "telling", "gossip"])
def test_kinds_it_does_not_ingest_are_refused(memory: Memory, kind: str) -> None:
    if kind in memory.capabilities.ingests:
        memory.write(OWNER, replace(record_of(kind), sources=()))
        return
    with pytest.raises(ValueError, match=kind):
        memory.write(OWNER, record_of(kind))
    assert memory.snapshot(OWNER) == []


def record_of(kind: str) -> Record:
    return record(MEMORIES["window"](), "one", kind=kind)


def test_an_id_is_taken_once(keeping: Memory) -> None:
    keeping.write(OWNER, record(keeping, "one"))
    with pytest.raises(ValueError, match="'one' is here already"):
        keeping.write(OWNER, record(keeping, "one", at_ms=9))
    assert len(keeping.snapshot(OWNER)) == 1


def test_a_write_that_comes_too_late_is_refused(keeping: Memory) -> None:
    keeping.write(OWNER, record(keeping, "one", at_ms=9))
    with pytest.raises(ValueError, match="'two' comes too late"):
        keeping.write(OWNER, record(keeping, "two", at_ms=8))
    assert len(keeping.snapshot(OWNER)) == 1


def test_the_stages_it_declares_are_stages(memory: Memory) -> None:
    assert {"told", "answered"} <= memory.capabilities.stages <= set(STAGES)


STRANGE = {
    "russian": "Острый суп без кинзы, пожалуйста",
    "chinese": "请给我一碗不辣的面",
    "nul": "laksa\x00ramen",
    "surrogate": "half a character: \ud83c",
    "long": "laksa " * 17_000,
    "empty": "",
    "json": '{"text": "\\u0000\\"}',
}


@pytest.mark.parametrize("text", STRANGE.values(), ids=list(STRANGE))
def test_texts_are_kept_as_they_are_written(keeping: Memory, text: str) -> None:
    keeping.write(OWNER, record(keeping, "one", text=text))
    assert [hit.record.text for hit in written(keeping.recall(OWNER, query(text=text)))] == [text]
    assert keeping.snapshot(OWNER)[0]["text"] == text


@cache
def embedder() -> Any:
    return wordllama()


@pytest.mark.parametrize("text", STRANGE.values(), ids=list(STRANGE))
def test_the_real_embedder_takes_strange_texts(text: str) -> None:
    memory = Flat(
        OWNER,
        embedder=embedder(),
        index=partial(vector_index, "faiss"),
        top_k=1,
        squeeze_above=50,
        squeeze_count=10,
    )
    memory.write(OWNER, record(memory, "one", text=text))
    assert [hit.record.text for hit in memory.recall(OWNER, query(text=text))] == [text]


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """A write of a random sequence: what was said, when it can be seen, and how many it squeezes."""

    pause_ms: int
    customer: str
    dish: str
    squeezes: int


WRITES = st.lists(
    st.builds(
        Written,
        pause_ms=st.sampled_from([0, 0, 1, 5]),
        customer=st.sampled_from(PEOPLE),
        dish=st.sampled_from(DISHES),
        squeezes=st.sampled_from([0, 0, 0, 2, 3]),
    ),
    max_size=14,
)


def records(memory: Memory, writes: Sequence[Written]) -> list[Record]:
    """The writes as records in the order in which an engine hands them over."""
    made: list[Record] = []
    living: list[Record] = []
    time_ms = 0
    for place, one in enumerate(writes):
        time_ms += one.pause_ms
        batch = living[: one.squeezes] if "summary" in memory.capabilities.ingests and one.squeezes else []
        made.append(_summary(batch, place, time_ms) if batch else _said(memory, one, place, time_ms))
        living = [kept for kept in living if kept not in batch] + made[-1:]
    return made


def _said(memory: Memory, one: Written, place: int, time_ms: int) -> Record:
    claims = (Claim(slot="dish", value=one.dish),)
    text = f"{one.customer} {one.dish}"
    return record(memory, f"r{place}", time_ms, one.customer, text=text, claims=claims)


def _summary(batch: Sequence[Record], place: int, time_ms: int) -> Record:
    return Record(
        id=f"r{place}",
        at_ms=batch[-1].at_ms,
        visible_at_ms=time_ms,
        agent="waiter-1",
        customer="",
        visit="",
        kind="summary",
        text="\n".join(one.text for one in batch),
        claims=tuple(claim for one in batch for claim in one.claims),
        claimants=tuple(one.customer for one in batch for _ in one.claims),
        sources=tuple(source for one in batch for source in one.sources),
        replaces=tuple(one.id for one in batch),
    )


@pytest.mark.parametrize("name", KEEPING)
@settings(max_examples=60)
@given(writes=WRITES, at_ms=st.integers(-1, 40), customer=st.sampled_from(PEOPLE))
def test_a_recall_as_of_a_time_is_that_of_a_memory_that_ends_there(
    name: str, writes: list[Written], at_ms: int, customer: str
) -> None:
    whole, until = MEMORIES[name](), MEMORIES[name]()
    for one in records(whole, writes):
        whole.write(OWNER, one)
        if one.visible_at_ms <= at_ms:
            until.write(OWNER, one)
    asked = query(at_ms, customer, f"{customer} laksa")
    assert whole.recall(OWNER, asked) == until.recall(OWNER, asked)
    assert whole.overflow(OWNER, at_ms) == until.overflow(OWNER, at_ms)
    assert all(hit.record.visible_at_ms <= at_ms for hit in whole.recall(OWNER, asked))


@pytest.mark.parametrize("name", KEEPING)
@settings(max_examples=30)
@given(writes=WRITES, times=st.lists(st.integers(-1, 40), max_size=5))
def test_questions_between_writes_change_nothing(name: str, writes: list[Written], times: list[int]) -> None:
    asked, left_alone = MEMORIES[name](), MEMORIES[name]()
    for one in records(asked, writes):
        asked.write(OWNER, one)
        left_alone.write(OWNER, one)
        for at_ms in times:
            assert asked.recall(OWNER, query(at_ms)) == asked.recall(OWNER, query(at_ms))
            asked.overflow(OWNER, at_ms)
            asked.lineage(OWNER, "said-r0")
    assert asked.snapshot(OWNER) == left_alone.snapshot(OWNER)
    assert asked.recall(OWNER, query()) == left_alone.recall(OWNER, query())


def test_a_snapshot_is_plain_data_in_order_of_arrival_and_nobodys_to_change(keeping: Memory) -> None:
    for place in range(3):
        keeping.write(OWNER, record(keeping, f"r{place}", at_ms=place))
    rows = keeping.snapshot(OWNER)
    assert [row["id"] for row in rows] == ["r0", "r1", "r2"]
    assert canonical(rows)
    rows.clear()
    assert len(keeping.snapshot(OWNER)) == 3


def test_lineage_finds_every_record_that_rests_on_an_utterance(keeping: Memory) -> None:
    keeping.write(OWNER, record(keeping, "one", sources=("u1", "u2")))
    keeping.write(OWNER, record(keeping, "two", at_ms=1, sources=("u2",)))
    assert [kept.record.id for kept in keeping.lineage(OWNER, "u1")] == ["one"]
    assert [kept.record.id for kept in keeping.lineage(OWNER, "u2")] == ["one", "two"]
    assert list(keeping.lineage(OWNER, "u3")) == []
    assert all(kept.retired_at_ms is None for kept in keeping.lineage(OWNER, "u2"))


def test_scores_fall_and_stay_with_their_records(keeping: Memory) -> None:
    for place, dish in enumerate(DISHES):
        keeping.write(
            OWNER,
            record(
                keeping,
                f"r{place}",
                at_ms=place,
                text=dish,
                claims=(Claim(slot=f"dish-{place}", value=dish),),
            ),
        )
    hits = keeping.recall(OWNER, query(text=DISHES[2]))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len(ids(hits)) == len(set(ids(hits))) > 1


# What is special to one of them.


def test_none_refuses_to_keep_anything() -> None:
    assert MEMORIES["none"]().capabilities.ingests == frozenset()
    with pytest.raises(OwnerError):
        MEMORIES["none"]().write(STRANGERS[0], record_of("exchange"))


def test_the_window_holds_the_newest_exchanges_with_one_person() -> None:
    memory = MEMORIES["window"]()
    for place in range(6):
        memory.write(OWNER, record(memory, f"a{place}", at_ms=place))
        memory.write(OWNER, record(memory, f"b{place}", at_ms=place, customer="boris"))
    assert ids(memory.recall(OWNER, query())) == ["a5", "a4", "a3"]
    assert ids(memory.recall(OWNER, query(at_ms=3))) == ["a3", "a2", "a1"]
    assert ids(memory.recall(OWNER, query(customer="boris"))) == ["b5", "b4", "b3"]
    assert ids(memory.recall(OWNER, query(customer="dora"))) == []


def test_the_oracle_recalls_the_newest_telling_of_each_slot() -> None:
    memory = MEMORIES["oracle"]()
    dish, spice = Claim(slot="dish", value="pho"), Claim(slot="spice", value="hot")
    memory.write(OWNER, record(memory, "first", at_ms=1, claims=(dish, spice)))
    memory.write(OWNER, record(memory, "boris", at_ms=2, customer="boris", claims=(dish,)))
    memory.write(OWNER, record(memory, "news", at_ms=3, claims=(replace(dish, value="udon"),)))
    assert ids(memory.recall(OWNER, query())) == ["news", "first"]
    assert ids(memory.recall(OWNER, query(at_ms=2))) == ["first"]
    memory.write(OWNER, record(memory, "back", at_ms=4, claims=(replace(spice, polarity=-1),)))
    assert ids(memory.recall(OWNER, query())) == ["back", "news"]


FLATS = ["exact", "faiss"]


@pytest.mark.parametrize("index", FLATS)
def test_flat_takes_the_nearest_of_all_whoever_they_are_about(index: str) -> None:
    memory = Flat(
        OWNER,
        embedder=embedder(),
        index=partial(vector_index, index),
        top_k=2,
        squeeze_above=50,
        squeeze_count=10,
    )
    said = {"a": "Anna orders laksa", "b": "Boris orders ramen", "c": "It rained all day"}
    for place, (name, text) in enumerate(said.items()):
        memory.write(OWNER, record(memory, name, at_ms=place, customer=PEOPLE[place], text=text))
    assert set(ids(memory.recall(OWNER, query(text="Which soup does Anna order?")))) == {"a", "b"}
    limited = Query(text="It was raining", customer="anna", at_ms=9, limit=1)
    assert ids(memory.recall(OWNER, limited)) == ["c"]


@pytest.mark.parametrize("index", FLATS)
def test_flat_gives_the_newest_of_equal_scores(index: str) -> None:
    memory = flat(index, top_k=4)
    for place in range(6):
        memory.write(OWNER, record(memory, f"r{place}", at_ms=place, text="the same words"))
    assert ids(memory.recall(OWNER, query())) == ["r5", "r4", "r3", "r2"]


@settings(max_examples=80)
@given(writes=WRITES, at_ms=st.integers(-1, 40), text=st.sampled_from(DISHES), top_k=st.integers(1, 6))
def test_flat_is_the_same_with_either_index(writes: list[Written], at_ms: int, text: str, top_k: int) -> None:
    exact, faiss = flat("exact", top_k=top_k), flat("faiss", top_k=top_k)
    for one in records(exact, writes):
        exact.write(OWNER, one)
        faiss.write(OWNER, one)
        assert exact.recall(OWNER, query(at_ms, text=text)) == faiss.recall(OWNER, query(at_ms, text=text))
    assert exact.snapshot(OWNER) == faiss.snapshot(OWNER)


def squeezed() -> tuple[Flat, Record]:
    """Three events, of which a summary, visible from 10 ms, takes the place of the first two."""
    memory = flat("exact")
    events = [record(memory, f"r{place}", at_ms=place) for place in range(3)]
    summary = _summary(events[:2], 3, 10)
    for one in [*events, summary]:
        memory.write(OWNER, one)
    return memory, summary


def test_a_summary_takes_the_place_of_what_it_replaces_from_its_own_time_on() -> None:
    memory, _ = squeezed()
    assert sorted(ids(memory.recall(OWNER, query(at_ms=9)))) == ["r0", "r1", "r2"]
    assert sorted(ids(memory.recall(OWNER, query(at_ms=10)))) == ["r2", "r3"]


def test_lineage_goes_through_a_summary_and_tells_when_a_record_was_retired() -> None:
    memory, summary = squeezed()
    kept = list(memory.lineage(OWNER, "said-r1"))
    assert [(one.record.id, one.retired_at_ms) for one in kept] == [("r1", 10), ("r3", None)]
    assert kept[0].live(9)
    assert not kept[0].live(10)
    assert not kept[0].live(0), "not visible before it was"
    assert kept[1] == Kept(record=summary)
    rows = {row["id"]: row["retired_at_ms"] for row in memory.snapshot(OWNER)}
    assert rows == {"r0": 10, "r1": 10, "r2": None, "r3": None}


def test_what_is_retired_twice_was_retired_the_first_time() -> None:
    memory, summary = squeezed()
    again = replace(summary, id="r4", visible_at_ms=20)
    memory.write(OWNER, again)
    assert [one.retired_at_ms for one in memory.lineage(OWNER, "said-r0")] == [10, None, None]


def test_a_summary_of_what_never_came_is_refused() -> None:
    memory, summary = squeezed()
    with pytest.raises(ValueError, match="'r9' replaces 'nobody'"):
        memory.write(OWNER, replace(summary, id="r9", replaces=("nobody",)))
    assert len(memory.snapshot(OWNER)) == 4, "nothing half-written"
    assert len(memory.lineage(OWNER, "said-r0")) == 2


def test_flat_squeezes_the_oldest_events_in_full_batches() -> None:
    memory = flat("exact", above=4, count=2)
    for place in range(9):
        memory.write(OWNER, record(memory, f"r{place}", at_ms=place))
    assert overflow(memory, 3) == []
    assert overflow(memory, 4) == [], "five events, but no full batch beyond four"
    assert overflow(memory, 5) == [["r0", "r1"]]
    assert overflow(memory, 8) == [["r0", "r1"], ["r2", "r3"]]


def overflow(memory: Memory, at_ms: int) -> list[list[str]]:
    return [[one.id for one in batch] for batch in memory.overflow(OWNER, at_ms)]


def test_flat_goes_by_the_age_of_what_happened_and_leaves_summaries_alone() -> None:
    memory = flat("exact", above=2, count=2)
    for place, at_ms in enumerate([5, 3, 4, 1]):
        memory.write(OWNER, record(memory, f"r{place}", visible_at_ms=6 + place, at_ms=at_ms))
    assert overflow(memory, 9) == [["r3", "r1"]]
    batch = next(iter(memory.overflow(OWNER, 9)))
    memory.write(OWNER, _summary(batch, 4, 20))
    assert overflow(memory, 9) == [["r3", "r1"]], "as of then"
    assert overflow(memory, 20) == []
    for place in (5, 6):
        memory.write(OWNER, record(memory, f"r{place}", at_ms=30))
    assert overflow(memory, 30) == [["r2", "r0"]], "the summary, oldest of all, is not squeezed again"


@pytest.mark.parametrize("name", [name for name in MEMORIES if not MEMORIES[name]().capabilities.compresses])
def test_who_does_not_compress_has_nothing_to_squeeze(name: str) -> None:
    memory = MEMORIES[name]()
    for place in range(20 * bool(memory.capabilities.ingests)):
        memory.write(OWNER, record(memory, f"r{place}", at_ms=place))
    assert list(memory.overflow(OWNER, 1_000)) == []


def test_the_newer_of_two_that_say_the_same_comes_first(keeping: Memory) -> None:
    for place in range(2):
        keeping.write(OWNER, record(keeping, f"r{place}", at_ms=place, text="the same words"))
    assert ids(written(keeping.recall(OWNER, query())))[0] == "r1"
