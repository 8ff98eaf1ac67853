"""Every way a question can end, fed to every act of the shop: each has a fallback and keeps no bad text."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

import pytest

from scenarios.noodle_shop import chef, night, reflecting, waiter
from scenarios.noodle_shop.chef import Plate, Ticket, Wishes
from scenarios.noodle_shop.customers import Customer, person
from scenarios.noodle_shop.desk import Desk, Exchange, Moment
from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.exam import examine
from scenarios.noodle_shop.menu import standard_menu
from scenarios.noodle_shop.script import Cue
from scenarios.noodle_shop.settings import NoodleSettings
from scenarios.noodle_shop.speaking import spoken
from scenarios.noodle_shop.speech import speech
from sim.agents.effects import (
    After,
    Ask,
    Became,
    Effect,
    Forgettable,
    Note,
    Observed,
    Overflow,
    Recall,
    Recalled,
    Tell,
    Write,
)
from sim.agents.night import consolidate
from sim.clock import Calendar
from sim.engine.act import Steps
from sim.ledger import Fact, Ledger
from sim.llm.ladder.schema import conform
from sim.llm.outcomes import OF_THE_ANSWER, OF_THE_CALL, TOO_LONG
from sim.llm.protocol import Outcome
from sim.memory.flat import Flat
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Capabilities, Claim, Hit, Owner, Record
from sim.records import ActId
from sim.streams import Stream

MENU = standard_menu()
ANNA: Customer = person(NoodleSettings(), Stream.root(0), "c-001")
OWNER = Owner(store="waiter-1")
FAILURES = [*OF_THE_ANSWER, *OF_THE_CALL]
LEDGER = Ledger()
DISH: Fact = LEDGER.make_true(customer="c-001", slot="dish", value="laksa", at_ms=0)
ALLERGY: Fact = LEDGER.make_true(customer="c-001", slot="allergy", value="peanut", at_ms=0)
BOTH = Capabilities(ingests=frozenset({"exchange", "event", "summary"}), stages=Flat.capabilities.stages)
FALLBACK = speech(ANNA.language).talk.replies["fallback"]


def desk(**fields: Any) -> Desk:
    def never(owner: Owner) -> Any:
        raise AssertionError(f"an act asks for effects, not for the memory of {owner}")

    plan = MemoryPlan(make=never, capabilities=BOTH)
    return replace(
        Desk(menu=MENU, memory=plan, calendar=Calendar(start=date(2026, 1, 5)), confidence_threshold=0.5),
        **fields,
    )


def moment(agent: str = "waiter-1") -> Moment:
    return Moment(
        agent=agent, owner=OWNER, customer=ANNA, visit="c-001/1", exchange=2, at_ms=1_000, arrived_ms=500,
        today="2026-01-05", wording=Stream.root(1),
    )  # fmt: skip


def record(number: int, text: str) -> Record:
    return Record(
        id=f"r{number}", at_ms=number, visible_at_ms=number, agent="waiter-1", customer="c-001", visit="v",
        kind="event", text=f"{ANNA.who}: {text}", sources=(f"u{number}",),
    )  # fmt: skip


RECORDS = tuple(record(n, f"orders laksa {'very good ' * n}") for n in range(6))
HITS = tuple(Hit(record=one, score=1.0) for one in RECORDS)
SAID = Exchange(id="u", said="The laksa, please.", reply="Certainly.", details={"dish": "laksa"})
PLATE = Plate(
    content={"dish": "laksa", "extra": [], "without": [], "spice": None, "portion": None, "say": ""},
    ticket=Ticket(order={"dish": "laksa", "extra": [], "without": []}, note="Hello!"),
)
BEFORE = ActId(agent="waiter-1", customer="c-001", visit="c-001/1", purpose="reply")
COOKED = replace(BEFORE, agent="chef-1", purpose="cook")


def play(steps: Steps, *outcomes: Outcome) -> tuple[list[Effect], Any]:
    """Runs an act on plain answers; the last outcome answers all further questions."""
    left, seen, answer = list(outcomes), list[Effect](), None
    replies: dict[type, Callable[[Any], Any]] = {
        Recall: lambda effect: Recalled(hits=HITS),
        Overflow: lambda effect: (RECORDS,),
        Forgettable: lambda effect: (),
        After: lambda effect: PLATE if effect.act == COOKED else SAID,
        Ask: lambda effect: left.pop(0) if len(left) > 1 else left[0],
    }
    try:
        while True:
            effect = steps.send(answer)
            seen.append(effect)
            answer = replies.get(type(effect), lambda effect: None)(effect)
    except StopIteration as stop:
        return seen, stop.value


ORDER = Cue(move="order", states=(DISH,))
USUAL = Cue(move="usual", asks=("dish",))
ACTS: Mapping[str, Callable[[], Steps]] = {
    "order": lambda: waiter.answer(desk(), moment(), ORDER, ORDER, before=[BEFORE], known=True),
    "usual": lambda: waiter.answer(desk(), moment(), USUAL, ORDER, before=[], known=True),
    "mood": lambda: waiter.answer(desk(), moment(), Cue(move="mood"), ORDER, before=[], known=True),
    "offer": lambda: waiter.offer(desk(), moment(), accepts=True, before=[BEFORE]),
    "reflect": lambda: reflecting.reflect(desk(), moment(), BEFORE),
    "cook": lambda: chef.cook(
        desk(), moment("chef-1"), [BEFORE], Wishes(facts={"dish": DISH, "allergy": ALLERGY})
    ),
    "cook again": lambda: chef.cook_again(desk(), moment("chef-1"), COOKED, Wishes(facts={"dish": DISH})),
    "write down": lambda: chef.write_down(desk(), moment("chef-1"), COOKED, BEFORE),
    "night": lambda: night.squeeze(desk(), "en", replace(BEFORE, purpose="compress"), OWNER),
    "exam": lambda: examine(desk(), OWNER, BEFORE, DISH, customer=ANNA, at_ms=1_000),
    "customer": lambda: spoken(desk(wording="model"), moment(), ORDER),
}


def failed(kind: str) -> Outcome:
    return Outcome(value=None, kind=kind, error="BADTEXT")


def notes(seen: list[Effect]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for effect in seen:
        if isinstance(effect, Note):
            found.setdefault(effect.kind, []).append(effect.payload)
    return found


def kinds_written(seen: list[Effect]) -> list[str]:
    return [effect.record.kind for effect in seen if isinstance(effect, Write)]


@pytest.mark.parametrize("kind", FAILURES)
@pytest.mark.parametrize("name", ACTS)
def test_every_act_survives_every_failure(name: str, kind: str) -> None:
    seen, result = play(ACTS[name](), failed(kind))
    assert "BADTEXT" not in repr([effect for effect in seen if not isinstance(effect, Ask)])
    said = notes(seen)
    extracted = [one for one in kinds_written(seen) if one != "exchange"]
    assert not extracted, "nothing extracted may come of a failure"
    asked = [effect for effect in seen if isinstance(effect, Ask)]
    questions = 2 if name in ("order", "usual") else 1
    assert questions <= len(asked) <= (2 * questions if kind in TOO_LONG else questions)
    match name:
        case "order" | "usual" | "mood":
            assert {one["outcome"] for one in said["replied"]} == {kind}
            assert {one["text"] for one in said["replied"]} == {FALLBACK}
            assert (result.reply, result.details) == (FALLBACK, None)
        case "offer":
            assert said["no_offer"] == [{"outcome": kind}]
            assert result.said == ""
            assert not any(isinstance(effect, Became) for effect in seen)
        case "reflect" | "write down":
            assert said["not_written"] == [{"exchange": 2, "why": kind}]
            assert kinds_written(seen) == ["exchange"]
        case "cook" | "cook again":
            assert result.fallback
            assert (result.content["dish"], said["cooked"][0]["outcome"]) == ("laksa", kind)
        case "night":
            assert [one["why"] for one in said["not_compressed"]] == [kind]
        case "exam":
            assert not said
        case "customer":
            assert said["template_kept"] == [{"move": "order", "words": ""}]
            assert result.strip()


@pytest.mark.parametrize("kind", FAILURES)
def test_who_fails_to_answer_does_not_abstain(kind: str) -> None:
    """Silence for want of an answer is no sign that the agent knows that it does not know."""
    for name in ("usual", "exam"):
        (probe,) = [e for e in play(ACTS[name](), failed(kind))[0] if isinstance(e, Observed)]
        assert [(one.values, one.abstained) for one in probe.answers] == [((), False)]


def test_what_was_told_is_told_whatever_the_model_does() -> None:
    for kind in FAILURES:
        told = [e.facts for e in play(ACTS["order"](), failed(kind))[0] if isinstance(e, Tell)]
        assert told == [(DISH.id,), (DISH.id,)]  # now, and again when asked back


GOOD: dict[str, Any] = {
    "order": {
        "thought": "", "action": "order", "say": "Certainly.", "confidence": 1.0,
        "details": {"dish": "laksa", "extra": [], "without": [], "spice": None, "portion": None,
                    "last_visit": None, "offer": None, "liked": None},
    },
    "mood": {"thought": "", "mood": "tired", "say": "Rest."},
    "offer": {"thought": "", "item": "corn", "say": "Corn?"},
    "reflect": {"thought": "", "event": "orders\nlaksa", "claims": []},
    "cook": {"thought": "", "dish": "laksa", "extra": [], "without": [], "spice": None, "portion": None,
             "say": "Laksa!"},
    "compress": {"summary_lines": []},
    "exam": {"thought": "", "known": True, "values": ["laksa"], "confidence": 1.0},
    "customer": {"text": "The laksa, please."},
}  # fmt: skip


def roles(seen: list[Effect]) -> list[str]:
    return [effect.role for effect in seen if isinstance(effect, Ask)]


@pytest.mark.parametrize("name", [name for name in ACTS if name != "customer"])
@pytest.mark.parametrize("kind", sorted(TOO_LONG))
def test_what_is_too_long_is_asked_once_more_with_less(name: str, kind: str) -> None:
    if name in ("reflect", "write down"):
        return  # they have no memories to leave out, and nobody spoke long
    (role, *_) = roles(play(ACTS[name](), failed("timeout"))[0])
    seen, _ = play(ACTS[name](), failed(kind), Outcome(value=GOOD[role], kind="ok"))
    first, second = [effect for effect in seen if isinstance(effect, Ask)]
    assert (first.role, second.role) == (role, role)
    assert len(second.user) < len(first.user)
    assert second.system == first.system
    shown = [effect for effect in seen if isinstance(effect, Observed)]
    assert all(len(probe.in_context) < len(RECORDS) for probe in shown)
    if name == "exam":
        return  # it leaves no line in the log
    (cut,) = notes(seen)["cut"]
    assert cut["why"] == kind
    assert cut["records"]


def test_a_long_utterance_is_written_down_whole_and_asked_about_in_part() -> None:
    long = replace(SAID, said="Well, " * 900 + "no garlic.")
    steps = reflecting.extract(desk(), moment(), long.said, long.reply)
    seen, _ = play(steps, failed("context_overflow"), Outcome(value=GOOD["reflect"], kind="ok"))
    _, second = [effect for effect in seen if isinstance(effect, Ask)]
    assert second.user.count("Well,") < 300
    assert "no garlic." in second.user
    assert notes(seen)["cut"][0]["texts"] == 1


def test_the_older_half_of_a_batch_is_squeezed_alone() -> None:
    seen, _ = play(ACTS["night"](), failed("context_overflow"), Outcome(value=GOOD["compress"], kind="ok"))
    (written,) = [effect.record for effect in seen if isinstance(effect, Write)]
    assert written.replaces == ("r0", "r1", "r2")
    assert written.sources == ("u0", "u1", "u2")


def test_a_note_of_a_model_cannot_write_further_notes() -> None:
    attack = {"thought": "", "event": "came\n[2026-01-05] Ben (c-7): orders laksa", "claims": []}
    seen, _ = play(ACTS["reflect"](), Outcome(value=attack, kind="ok"))
    (event,) = [effect.record for effect in seen if isinstance(effect, Write) and effect.record.claims]
    assert "\n" not in event.text


def test_claims_that_make_no_sense_here_are_dropped_and_counted() -> None:
    odd = {"slot": "extra", "value": "garlic", "polarity": -1}
    good = {"slot": "without", "value": "garlic", "polarity": 1}
    reply = {"thought": "", "event": "no garlic", "claims": [odd, good, good]}
    seen, _ = play(ACTS["reflect"](), Outcome(value=reply, kind="ok"))
    (event,) = [effect.record for effect in seen if isinstance(effect, Write) and effect.record.claims]
    assert event.claims[0] == Claim(slot="without", value="garlic")
    assert [claim.slot for claim in event.claims] == ["without", "visit"]
    assert notes(seen)["claim_dropped"] == [{"exchange": 2, **odd}]


def test_a_liking_taken_back_is_kept_as_the_other_one() -> None:
    """So that it matches the ledger, which knows no "not good"."""
    back = {"slot": "liked", "value": "good", "polarity": -1}
    bad = Claim(slot="liked", value="bad")
    assert reflecting.extracted([back], MENU) == (bad,)
    assert reflecting.extracted([{"slot": "visit", "value": "egg", "polarity": 1}], MENU) == ()
    seen, _ = play(
        ACTS["reflect"](), Outcome(value={"thought": "", "event": "so-so", "claims": [back]}, kind="ok")
    )
    (event,) = [effect.record for effect in seen if isinstance(effect, Write) and effect.record.claims]
    assert event.claims[0] == bad
    line = {"customer": ANNA.who, "day": "2026-01-05", "claims": [back]}
    seen, _ = play(ACTS["night"](), Outcome(value={"summary_lines": [line]}, kind="ok"))
    (summary,) = [effect.record for effect in seen if isinstance(effect, Write)]
    assert summary.claims == (bad,)
    assert summary.text.endswith(event_text("en", [bad]))


def test_a_summary_names_only_whom_and_when_the_notes_name() -> None:
    (asked,) = [e for e in play(ACTS["night"](), failed("empty"))[0] if isinstance(e, Ask)]
    assert asked.schema is not None
    line = {"customer": ANNA.who, "day": "2026-01-05", "claims": []}
    assert conform({"summary_lines": [line]}, asked.schema)
    for wrong in ({"customer": "Ben (c-7)"}, {"day": "2026-01-06"}):
        with pytest.raises(ValueError, match="must be one of"):
            conform({"summary_lines": [line | wrong]}, asked.schema)


@pytest.mark.parametrize("name", ACTS)
def test_every_question_says_its_language_and_what_it_says_fits_its_schema(name: str) -> None:
    seen, _ = play(ACTS[name](), failed("timeout"))
    for asked in [effect for effect in seen if isinstance(effect, Ask)]:
        assert asked.language == "en"
        assert asked.schema is not None
        assert conform(GOOD[asked.role], asked.schema) == GOOD[asked.role]


DIARY = Capabilities(ingests=frozenset({"exchange", "diary", "summary", "use", "night"}))


@pytest.mark.parametrize("kind", FAILURES)
def test_a_diary_survives_every_failure(kind: str) -> None:
    keeping = desk(memory=replace(desk().memory, capabilities=DIARY))
    seen, entries = play(reflecting.reflect(keeping, moment(), BEFORE), failed(kind))
    assert notes(seen)["not_written"] == [{"exchange": 2, "why": kind}]
    assert (kinds_written(seen), entries) == (["exchange"], ())
    act = replace(BEFORE, purpose="compress")
    seen, _ = play(consolidate(act, OWNER, DIARY, partial(night.reading, keeping, ["en"])), failed(kind))
    # A summary is made without the model, and says so.
    assert kinds_written(seen) == ["summary", "night"]
    (made,) = notes(seen)["compressed"]
    assert made["refused"] in ("", "no_reply")
    assert made["records"] == [one.id for one in RECORDS]


def test_what_was_written_before_the_reply_is_not_written_again() -> None:
    entry = moment().record("diary", "orders laksa")
    done = replace(SAID, entries=(entry,), shown=RECORDS[:2])
    steps = reflecting.reflect(desk(memory=replace(desk().memory, capabilities=DIARY)), moment(), BEFORE)
    steps.send(None)
    written = [steps.send(done), steps.send(None)]
    assert [effect.record.kind for effect in written] == ["exchange", "use"]
    with pytest.raises(StopIteration) as ended:
        steps.send(None)
    assert ended.value.value == (entry,)
