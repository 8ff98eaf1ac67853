"""The memory of memory=diary, graph and full: what its parts do, and that nothing outdated comes back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_config import preset

from sim.build.memories import memory_of
from sim.clock import DAY_MS, Calendar
from sim.embed.static import wordllama
from sim.memory.diary import Diary, Parts
from sim.memory.diary.manners import RULE, dialogue_of
from sim.memory.diary.presets import PRESETS
from sim.memory.diary.rows import PROFILE
from sim.memory.domain import Domain
from sim.memory.forgetting.policies import Capacity
from sim.memory.forgetting.uses import use_of
from sim.memory.profile.slots import Slots
from sim.memory.protocol import Claim, Hit, Owner, Query, Record
from sim.memory.retrieval.weights import Weights
from sim.records import ActId

OWNER = Owner(store="waiter-1")
SLOTS = Slots(
    single=frozenset({"dish", "visit"}),
    multi=frozenset({"extra", "allergy"}),
    pinned=frozenset({"allergy"}),
    episodic=frozenset({"visit"}),
)
DOMAIN = Domain(slots=SLOTS, calendar=Calendar(start=date(2026, 3, 2)))


def memory(preset: str = "full", owner: Owner = OWNER, **changes: Any) -> Diary:
    made, words = PRESETS[preset], wordllama()
    keys: dict[str, Any] = {
        "domain": DOMAIN,
        "embedder": words,
        "synonyms": words,
        "parts": made.parts,
        "weights": made.weights,
        "forgetting": made.forgetting,
    }
    return Diary(owner, **(keys | changes))


def said(day: int, *claims: Claim, customer: str = "anna", text: str = "", **changes: Any) -> Record:
    """A diary record of one day."""
    fields: dict[str, Any] = {
        "id": f"{customer}/{day}/0",
        "at_ms": day * DAY_MS,
        "visible_at_ms": day * DAY_MS + 1,
        "agent": "waiter-1",
        "customer": customer,
        "visit": f"{customer}/{day}",
        "kind": "diary",
        "text": text or f"{customer}: " + ", ".join(f"{one.slot} {one.value}" for one in claims),
        "claims": claims,
        "sources": (f"{customer}/{day}/said",),
    }
    return Record(**(fields | changes))


def dish(value: str, polarity: int = 1) -> Claim:
    return Claim(slot="dish", value=value, polarity=polarity)


def ask(memory: Diary, day: int, text: str = "the usual dish", customer: str = "anna") -> Sequence[Hit]:
    return memory.recall(OWNER, Query(text=text, customer=customer, at_ms=day * DAY_MS))


def claims(hits: Sequence[Hit]) -> set[Claim]:
    return {claim for hit in hits for claim in hit.record.claims}


def kinds(hits: Sequence[Hit], kind: str) -> list[Record]:
    return [hit.record for hit in hits if hit.record.kind == kind]


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_preset_is_what_the_configuration_says(name: str) -> None:
    keys, made = preset("memory", name), PRESETS[name]
    assert keys["_target_"] == "sim.memory.diary.Diary"
    assert Parts(**keys["parts"]) == made.parts
    assert Weights(**keys["weights"]) == made.weights
    assert keys["forgetting"]["policy"] == made.forgetting.name
    assert keys["verbatim"] == made.verbatim
    assert keys["scope"] == "customer"


@pytest.mark.parametrize("name", ["graph", "full"])
def test_a_newer_value_takes_the_place_of_the_older_one_everywhere(name: str) -> None:
    held = memory(name)
    held.write(OWNER, said(1, dish("laksa")))
    held.write(OWNER, said(2, dish("ramen")))
    assert claims(ask(held, 2)) == {dish("laksa")}, "the second is not visible yet"
    assert claims(ask(held, 3)) == {dish("ramen")}
    assert claims(ask(held, 3, "laksa laksa laksa")) == {dish("ramen")}, "not even when it is named"
    [profile] = kinds(ask(held, 3), PROFILE)
    assert (profile.sources, profile.at_ms) == (("anna/2/said",), 2 * DAY_MS)


def test_without_a_profile_the_old_value_comes_back() -> None:
    held = memory("diary")
    held.write(OWNER, said(1, dish("laksa")))
    held.write(OWNER, said(2, dish("ramen")))
    assert claims(ask(held, 3)) == {dish("laksa"), dish("ramen")}


def test_of_a_record_that_holds_in_part_only_that_part_is_shown() -> None:
    held = memory()
    egg = Claim(slot="extra", value="egg")
    held.write(OWNER, said(1, dish("laksa"), egg, text="Anna wants laksa with egg."))
    held.write(OWNER, said(2, dish("ramen")))
    old = next(hit.record for hit in ask(held, 3) if hit.record.id == "anna/1/0")
    assert (old.claims, old.text, old.sources) == ((egg,), "", ("anna/1/said",))


VALUES = ("laksa", "ramen", "pho")
STATED = st.tuples(st.sampled_from(["dish", "extra"]), st.sampled_from(VALUES), st.sampled_from([1, -1]))
WRITES = st.lists(
    st.tuples(st.sampled_from(["anna", "boris"]), st.lists(STATED, min_size=1, max_size=3)),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("verbatim", ["kept", "searched"])
@settings(max_examples=25, deadline=None)
@given(told=WRITES, words=st.sampled_from(VALUES), squeezed=st.integers(0, 4))
def test_what_was_superseded_never_comes_back_by_any_path(
    verbatim: Any, told: Sequence[tuple[str, Sequence[tuple[str, str, int]]]], words: str, squeezed: int
) -> None:
    held = memory(verbatim=verbatim, top_k=30, history=30)
    holds: dict[str, dict[tuple[str, str], Claim]] = {"anna": {}, "boris": {}}
    said_by: dict[str, set[Claim]] = {}
    written: list[Record] = []
    for day, (who, statements) in enumerate(told, 1):
        record = _stated(day, who, statements, holds[who])
        said_by[record.sources[0]] = set(record.claims)
        spoken = "; ".join(f"{one.slot} {one.value} {one.polarity}" for one in record.claims)
        held.write(OWNER, replace(record, id=f"{record.id}/words", kind="exchange", claims=(), text=spoken))
        held.write(OWNER, record)
        written.append(record)
        if day == squeezed:
            held.write(OWNER, _squeezed(written, day))
    end = len(told) + 2
    for who, known in holds.items():
        hits = ask(held, end, f"{words} dish extra", who)
        assert {claim for hit in hits for claim in hit.record.claims_of(who)} == set(known.values())
        for hit in hits:
            if hit.record.kind == "exchange" and hit.record.customer == who:
                assert said_by[hit.record.sources[0]] <= set(known.values()), (
                    "a part of words cannot be shown"
                )


def _stated(
    day: int, who: str, statements: Sequence[tuple[str, str, int]], holds: dict[tuple[str, str], Claim]
) -> Record:
    """The statements as one record; ``holds`` is what is true after it."""
    every = (Claim(slot=slot, value=value, polarity=polarity) for slot, value, polarity in statements)
    made = list(dict.fromkeys(every))
    for one in made:
        if one.slot == "dish" and one.polarity == 1:
            for key in [key for key, old in holds.items() if key[0] == "dish" and old.polarity == 1]:
                del holds[key]
        holds[one.slot, one.value] = one
    return said(day, *made, customer=who)


def _squeezed(written: Sequence[Record], day: int) -> Record:
    """All there is as one summary that loses nothing."""
    return replace(
        written[-1],
        id="squeezed",
        visible_at_ms=day * DAY_MS + 2,
        customer="",
        visit="",
        kind="summary",
        text=" ".join(one.text for one in written),
        claims=tuple(claim for one in written for claim in one.claims),
        claimants=tuple(one.customer for one in written for _ in one.claims),
        sources=tuple(source for one in written for source in one.sources),
        replaces=tuple(one.id for one in written),
    )


def test_allergies_stand_first_and_are_never_squeezed_or_forgotten() -> None:
    held = memory(squeeze_above=1, squeeze_count=2, forgetting=Capacity(most=1))
    nuts = Claim(slot="allergy", value="peanut")
    held.write(OWNER, said(1, nuts))
    for day in range(2, 8):
        held.write(OWNER, said(day, Claim(slot="extra", value=f"thing {day}")))
    assert ask(held, 9)[0].record.claims == (nuts,)
    squeezed = {record.id for batch in held.overflow(OWNER, 9 * DAY_MS) for record in batch}
    gone = {record.id for record in held.forgettable(OWNER, 9 * DAY_MS)}
    assert squeezed
    assert gone
    assert "anna/1/0" not in squeezed | gone


def test_entries_are_squeezed_and_never_the_words_they_rest_on() -> None:
    held = memory(squeeze_above=1, squeeze_count=2)
    for day in range(1, 6):
        entry = said(day, Claim(slot="extra", value=f"thing {day}"))
        held.write(OWNER, replace(entry, id=f"{entry.id}/words", kind="exchange", claims=()))
        held.write(OWNER, entry)
    batches = held.overflow(OWNER, 9 * DAY_MS)
    assert [[record.kind for record in batch] for batch in batches] == [["diary", "diary"]] * 2


def night(day: int, *forgotten: Record) -> Record:
    return replace(
        said(day),
        id=f"night/{day}",
        kind="night",
        text="",
        sources=(),
        replaces=tuple(one.id for one in forgotten),
    )


def test_a_capacity_bounds_what_can_be_recalled() -> None:
    held = memory(forgetting=Capacity(most=5), parts=Parts())
    for day in range(1, 30):
        held.write(OWNER, said(day, Claim(slot="extra", value=f"thing {day}")))
        gone = held.forgettable(OWNER, day * DAY_MS + 2)
        held.write(OWNER, replace(night(day, *gone), visible_at_ms=day * DAY_MS + 3))
        assert (
            len(held.recall(OWNER, Query(text="", customer="anna", at_ms=(day + 1) * DAY_MS, limit=99))) <= 5
        )
    assert not held.forgettable(OWNER, 31 * DAY_MS)
    assert len(ask(memory(forgetting=Capacity(most=5)), 3)) == 0


def test_what_was_used_is_kept_before_what_was_not() -> None:
    held = memory(forgetting=Capacity(most=1, half_life_days=1e6), parts=Parts(graph=False))
    first, second = said(1, Claim(slot="extra", value="egg")), said(2, Claim(slot="extra", value="corn"))
    for one in (first, second):
        held.write(OWNER, one)
    used = use_of(
        ActId(agent="waiter-1", customer="anna", visit="anna/3", purpose="reply"), 3 * DAY_MS, [first]
    )
    held.write(OWNER, replace(used, visible_at_ms=3 * DAY_MS))
    assert [one.id for one in held.forgettable(OWNER, 4 * DAY_MS)] == [second.id]
    assert [one.id for one in held.forgettable(OWNER, 2 * DAY_MS + 5)] == [first.id], (
        "as of then it was not used"
    )


def test_the_name_of_the_only_person_there_is_does_not_make_a_record_likely() -> None:
    owner = Owner(store="waiter-1", customer="anna")
    held = memory("diary", owner, top_k=1)
    for day, words in ((1, "orders laksa, leaves out garlic, mild"), (2, "came by")):
        held.write(owner, said(day, text=f"Anna Petrova (anna): {words}", importance=0.5))
    query = Query(text="Anna Petrova (anna): the laksa again", customer="anna", at_ms=3 * DAY_MS)
    assert [hit.record.text for hit in held.recall(owner, query)] == [
        "Anna Petrova (anna): orders laksa, leaves out garlic, mild"
    ], "and the record is shown as it was written"


def test_what_was_let_go_of_is_no_longer_known_and_what_is_pinned_stays() -> None:
    held = memory()
    egg, nuts = Claim(slot="extra", value="egg"), Claim(slot="allergy", value="peanut")
    first, second, third = said(1, egg), said(2, egg), said(3, nuts)
    for one in (first, second, third):
        held.write(OWNER, one)
    held.write(OWNER, night(4, first, third))
    assert claims(ask(held, 5)) == {egg, nuts}, "the second record says it still"
    held.write(OWNER, night(6, second))
    assert claims(ask(held, 7)) == {nuts}
    assert claims(ask(held, 5)) == {egg, nuts}, "as of then"
    held.write(OWNER, said(8, egg))
    assert claims(ask(held, 9)) == {egg, nuts}


def test_who_somebody_is_counts_as_a_use_of_what_it_is_made_of() -> None:
    held = memory()
    held.write(OWNER, said(1, dish("laksa")))
    [profile] = kinds(ask(held, 2), PROFILE)
    act = ActId(agent="waiter-1", customer="anna", visit="anna/2", purpose="reply")
    assert use_of(act, 2 * DAY_MS, [profile]).text == '["anna/1/0"]'


def test_the_visit_under_way_does_not_hide_the_last_one() -> None:
    held = memory()
    for day in (1, 2):
        held.write(OWNER, said(day, Claim(slot="visit", value=f"2026-03-0{day + 2}")))
    hits = held.recall(OWNER, Query(text="when was I here last?", customer="anna", at_ms=2 * DAY_MS + 9))
    shown = {claim.value for record in kinds(hits, PROFILE) for claim in record.claims}
    assert shown == {"2026-03-03", "2026-03-04"}


def test_rules_hold_from_their_time_on_and_for_their_customer_alone() -> None:
    held = memory()
    act = ActId(agent="waiter-1", customer="anna", visit="anna/1", purpose="learn")
    learnt = dialogue_of(act, at_ms=DAY_MS, customer="anna", language="en", said=["Shorter answers, please."])
    held.write(OWNER, replace(learnt, visible_at_ms=DAY_MS + 9))
    held.write(OWNER, said(2, dish("pho"), customer="boris"))
    assert [one.text for one in kinds(ask(held, 1), RULE)] == []
    [rule] = kinds(ask(held, 2), RULE)
    assert rule.text == "Answer briefly."
    assert kinds(ask(held, 2, customer="boris"), RULE) == []


def test_a_memory_takes_in_only_what_its_parts_have_a_use_for() -> None:
    assert memory("diary").capabilities.ingests == {"exchange", "diary", "summary"}
    assert memory("graph").capabilities.ingests == {"exchange", "diary", "summary", "night"}
    full = memory("full")
    assert full.capabilities.ingests == {"exchange", "diary", "summary", "night", "use", "dialogue"}
    assert not memory(parts=Parts(), forgetting=None).capabilities.compresses


def test_the_words_of_an_exchange_are_kept_and_found_only_when_searched() -> None:
    words = replace(said(1, text='"Laksa, please" - "Coming up"'), kind="exchange", claims=())
    for verbatim, found in (("kept", 0), ("searched", 1)):
        held = memory(verbatim=verbatim)
        held.write(OWNER, words)
        assert len(ask(held, 2)) == found
        assert len(held.lineage(OWNER, "anna/1/said")) == found
        assert [row["text"] for row in held.snapshot(OWNER)] == [words.text]


SMALL_TALK = (
    "",
    "talked about the rain",
    "asked for the bill in a hurry",
    "",
    "came with a colleague and laughed a lot",
    "praised the music",
    "waited ten minutes for a table",
    "told of a journey to Lisbon",
)


def test_one_record_is_found_by_preference_and_by_date() -> None:
    held = memory(parts=Parts(), top_k=1)
    peculiar = said(
        3, dish("laksa"), Claim(slot="visit", value="2026-03-05"), text="anna: laksa with much lime"
    )
    for day in range(1, 8):
        held.write(OWNER, peculiar if day == 3 else said(day, text=f"anna: {SMALL_TALK[day]}"))
    for question in ("What dish does anna like?", "What was it on 5 March?", "Что было 5 марта?"):
        assert [hit.record.id for hit in ask(held, 8, question)] == [peculiar.id], question


def test_what_its_parts_hold_is_written_for_people(tmp_path: Path) -> None:
    held = memory()
    held.write(OWNER, said(1, dish("laksa")))
    held.write(OWNER, said(2, dish("ramen")))
    Diary.export(tmp_path, [held], 9 * DAY_MS)
    [anna] = json.loads((tmp_path / "profile.json").read_text())["customers"]
    assert (anna["customer"], anna["visits"], anna["regular"]) == ("anna", 2, True)
    assert [(row["claim"]["value"], row["until_ms"]) for row in anna["rows"]] == [
        ("laksa", 2 * DAY_MS),
        ("ramen", None),
    ]
    assert "customer:anna" in (tmp_path / "graph.graphml").read_text()
    assert json.loads((tmp_path / "patterns.json").read_text()) == {
        "user_patterns": {},
        "system_patterns": [],
    }


def test_each_part_can_be_switched_off_from_the_configuration() -> None:
    from test_memory_simple import configured

    every: Mapping[str, Sequence[str]] = {
        "profile": ["memory.parts.profile=false"],
        "graph": ["memory.parts.graph=false"],
        "compression": ["memory.parts.compression=false"],
        "experience": ["memory.parts.experience=false"],
        "dense": ["memory.weights.dense=0"],
        "forgetting": ["memory.forgetting.policy=none"],
    }
    for name, changes in every.items():
        made = memory_of(configured("memory=full", *changes), DOMAIN).make(OWNER)
        assert isinstance(made, Diary)
        parts = {key: getattr(made.parts, key) for key in ("profile", "graph", "compression", "experience")}
        assert [key for key, on in parts.items() if not on] == ([name] if name in parts else [])
        made.write(OWNER, said(1, dish("laksa")))
        assert claims(ask(made, 2)) == {dish("laksa")}, name
