"""What was observed is scored against the ledger: stages seen, outcome, and the first stage that failed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from sim.agents.effects import Given, Observed
from sim.clock import DAY_MS
from sim.engine.act import Act, State
from sim.engine.scope import Scopes
from sim.engine.scoring import Asked, Scorer
from sim.ledger import Fact, Ledger
from sim.memory.none import NoMemory
from sim.memory.oracle import Oracle
from sim.memory.protocol import Capabilities, Claim, Owner, Record
from sim.memory.window import Window
from sim.records import ActId, Probe, canonical, utterance_of

OWNER = Owner(store="w1")
SAID = ActId(agent="w1", customer="anna", visit="anna/1", purpose="reply")
ASKS = ActId(agent="w1", customer="anna", visit="anna/2", purpose="reply")
ALL = Capabilities(
    ingests=frozenset({"exchange", "event", "summary"}),
    stages=frozenset({"told", "written", "kept", "retrieved", "in_context", "answered"}),
)


class Shelf(Window):
    """Takes in every kind; recalls are of no interest here."""

    capabilities = ALL


class Case:
    """One customer, one agent, and a question two days after the telling."""

    def __init__(self, capabilities: Capabilities = ALL, stores: dict[str, str] | None = None) -> None:
        self.ledger = Ledger(lambda agent: (stores or {}).get(agent, agent))
        self.scopes = Scopes(partial(Shelf, window=10))
        self.scorer = Scorer(self.ledger, self.scopes, capabilities)

    def true(self, value: str, at_ms: int = 0, polarity: int = 1, customer: str = "anna") -> Fact:
        return self.ledger.make_true(
            customer=customer, slot="dish", value=value, at_ms=at_ms, polarity=polarity
        )

    def tell(self, fact: Fact, at_ms: int = 0, act: ActId = SAID) -> None:
        self.ledger.tell(
            fact_id=fact.id, agent=act.agent, at_ms=at_ms, visit=act.visit, utterance=utterance_of(act)
        )

    def keep(self, record: Record) -> Record:
        self.scopes[OWNER].memory.write(OWNER, record)
        return record

    def ask(
        self,
        *values: str,
        retrieved: Sequence[Record] = (),
        in_context: Sequence[Record] | None = None,
        at_ms: int = 2 * DAY_MS,
        kind: str = "natural",
        **more: Any,
    ) -> list[Probe]:
        manner = {name: more.pop(name, False) for name in ("abstained", "restated")}
        given = Given(slot="dish", values=values, **manner)
        shown = tuple(retrieved if in_context is None else in_context)
        plain: dict[str, Any] = {
            "owner": OWNER,
            "customer": "anna",
            "question": "usual",
            "truth_at_ms": at_ms,
            "slots": ("dish",),
            "answers": (given,),
            "retrieved": tuple(retrieved),
            "in_context": shown,
        }
        seen = Observed(**(plain | more))
        asked = Asked(kind=kind, act=ASKS, at_ms=at_ms, time_ms=at_ms + 5, seen=seen)
        return list(self.scorer.probes(asked))


def exchange(act: ActId = SAID, at_ms: int = 1, customer: str = "anna") -> Record:
    return Record(
        id=f"{utterance_of(act)}/exchange",
        at_ms=at_ms,
        visible_at_ms=at_ms,
        agent="w1",
        customer=customer,
        visit=act.visit,
        kind="exchange",
        text="words",
        sources=(utterance_of(act),),
    )


def event(*values: str, act: ActId = SAID, at_ms: int = 1, polarity: int = 1) -> Record:
    claims = tuple(Claim(slot="dish", value=value, polarity=polarity) for value in values)
    return replace(exchange(act, at_ms), id=f"{utterance_of(act)}/event", kind="event", claims=claims)


def stages(probe: Probe) -> tuple[bool | None, ...]:
    return probe.written, probe.kept, probe.retrieved, probe.in_context


def told_once(case: Case) -> Fact:
    fact = case.true("laksa")
    case.tell(fact)
    return fact


def test_a_right_answer_out_of_the_context_is_correct() -> None:
    case = Case()
    fact = told_once(case)
    record = case.keep(exchange())
    (probe,) = case.ask("laksa", retrieved=[record], context_tokens=7, milliseconds=0.5)
    assert (probe.outcome, probe.loss, probe.answered) == ("correct", None, True)
    assert stages(probe) == (True, True, True, True)
    assert (probe.fact, probe.expected, probe.answer) == (fact.id, "laksa", '["laksa"]')
    assert (probe.lag_days, probe.context_tokens, probe.retrieval_ms) == (2.0, 7, 0.5)
    assert probe.context == canonical([record.id])
    assert (probe.time_ms, probe.visit, probe.question) == (2 * DAY_MS + 5, "anna/2", "usual")


def test_a_right_answer_without_the_fact_in_the_context_is_guessed() -> None:
    case = Case()
    told_once(case)
    case.keep(exchange())
    (probe,) = case.ask("laksa")
    assert (probe.outcome, probe.loss, probe.answered) == ("guessed", "not_retrieved", False)


LOST = {
    "never_written": ([], [], [], (False, False, False, False)),
    "not_retrieved": (["event"], [], [], (True, True, False, False)),
    "cut_by_budget": (["event"], ["event"], [], (True, True, True, False)),
    "ignored": (["event"], ["event"], ["event"], (True, True, True, True)),
}


@pytest.mark.parametrize("loss", list(LOST))
def test_a_loss_is_charged_to_the_first_stage_that_failed(loss: str) -> None:
    kept, retrieved, shown, flags = LOST[loss]
    case = Case()
    told_once(case)
    records = {"event": event("laksa")}
    for name in kept:
        case.keep(records[name])
    (probe,) = case.ask(
        abstained=True,
        retrieved=[records[name] for name in retrieved],
        in_context=[records[name] for name in shown],
    )
    assert stages(probe) == flags
    assert (probe.outcome, probe.loss) == ("abstained", loss)


def test_an_event_that_missed_the_fact_never_held_it() -> None:
    case = Case()
    told_once(case)
    record = case.keep(event("ramen"))
    (probe,) = case.ask("ramen", retrieved=[record])
    assert stages(probe) == (False, False, False, False)
    assert (probe.outcome, probe.loss) == ("wrong", "never_written")


def squeezed(case: Case, *values: str) -> tuple[Record, Record]:
    """An event and the summary that takes its place."""
    old = case.keep(event("laksa"))
    claims = tuple(Claim(slot="dish", value=value) for value in values)
    summary = replace(
        old,
        id="s",
        kind="summary",
        customer="",
        claims=claims,
        claimants=("anna",) * len(claims),
        visible_at_ms=DAY_MS,
        replaces=(old.id,),
    )
    return old, case.keep(summary)


def test_a_summary_that_dropped_the_fact_compressed_it_away() -> None:
    case = Case()
    told_once(case)
    _, summary = squeezed(case)
    (probe,) = case.ask(retrieved=[summary])
    assert stages(probe) == (True, False, False, False)
    assert (probe.outcome, probe.loss) == ("missing", "compressed_away")


def test_a_summary_that_kept_the_fact_carries_it() -> None:
    case = Case()
    told_once(case)
    _, summary = squeezed(case, "laksa")
    (probe,) = case.ask("laksa", retrieved=[summary])
    assert stages(probe) == (True, True, True, True)
    assert probe.outcome == "correct"


def test_before_the_summary_was_there_the_event_still_lived() -> None:
    case = Case()
    told_once(case)
    old, _ = squeezed(case)
    (probe,) = case.ask("laksa", retrieved=[old], at_ms=DAY_MS - 1)
    assert stages(probe) == (True, True, True, True)


def by_act(case: Case, record: Record, due_ms: int, visible_at_ms: int) -> None:
    """Lets an act write the record: due at one time, to be seen from another."""
    act = Act(
        id=replace(SAID, purpose=f"reflect {due_ms}"), seq=due_ms, submitted_ms=0, due_ms=due_ms,
        steps=(effect for effect in ()), after={}, writes=frozenset({OWNER}), visible_at_ms=visible_at_ms,
    )  # fmt: skip
    case.scopes.declare(act)
    act.records.append((OWNER, replace(record, visible_at_ms=visible_at_ms)))
    act.settle(State.DONE)
    case.scopes.settle(act)


@pytest.mark.parametrize("looked_ahead", [False, True])
def test_what_is_written_and_cannot_be_seen_yet_is_lost_by_the_recall(looked_ahead: bool) -> None:
    case = Case()
    told_once(case)
    by_act(case, event("laksa"), due_ms=DAY_MS, visible_at_ms=3 * DAY_MS)
    if looked_ahead:  # minds think out of order in real time, which must make no difference
        case.scopes[OWNER].applied(4 * DAY_MS)
    (probe,) = case.ask()
    assert stages(probe) == (True, True, False, False)
    assert (probe.outcome, probe.loss) == ("missing", "not_retrieved")


@pytest.mark.parametrize("looked_ahead", [False, True])
def test_what_is_written_after_the_question_is_not_written_yet(looked_ahead: bool) -> None:
    case = Case()
    told_once(case)
    by_act(case, event("laksa"), due_ms=2 * DAY_MS, visible_at_ms=2 * DAY_MS + 1)
    if looked_ahead:
        case.scopes[OWNER].applied(4 * DAY_MS)
    (probe,) = case.ask()
    assert stages(probe) == (False, False, False, False)
    assert probe.loss == "never_written"


def test_a_record_on_its_way_that_does_not_say_the_fact_is_no_record_of_it() -> None:
    case = Case()
    told_once(case)
    by_act(case, event("ramen"), due_ms=1, visible_at_ms=3 * DAY_MS)
    assert case.ask()[0].loss == "never_written"


def test_a_slot_without_a_fact_or_never_told_is_no_question() -> None:
    case = Case()
    assert case.ask("laksa") == []
    fact = case.true("laksa", 5)
    assert case.ask("laksa") == [], "nobody was told"
    case.tell(fact, 9)
    assert case.ask("laksa", truth_at_ms=4) == [], "not true yet"
    assert len(case.ask("laksa")) == 1


def test_a_fact_told_to_a_colleague_only_is_marked_so() -> None:
    case = Case()
    case.tell(case.true("laksa"), act=replace(SAID, agent="w2"))
    (probe,) = case.ask()
    assert (probe.told, probe.told_to_colleague, probe.loss) == (False, True, "told_to_colleague")
    assert (probe.lag_days, probe.visits_since) == (None, None)


def test_a_colleague_that_shares_the_memory_is_as_good_as_oneself() -> None:
    case = Case(stores={"w1": "waiters", "w2": "waiters"})
    case.tell(case.true("laksa"), act=replace(SAID, agent="w2"))
    (probe,) = case.ask()
    assert (probe.told, probe.told_to_colleague) == (True, False)


def test_the_value_of_before_is_stale() -> None:
    case = Case()
    told_once(case)
    old = case.keep(event("laksa"))
    news = replace(SAID, visit="anna/1b")
    case.tell(case.true("ramen", DAY_MS), DAY_MS, news)
    new = case.keep(event("ramen", act=news, at_ms=DAY_MS))
    (probe,) = case.ask("laksa", retrieved=[old, new])
    assert (probe.outcome, probe.loss, probe.stale_in_context) == ("stale", "stale", True)
    assert probe.lag_days == 1.0
    (probe,) = case.ask("ramen", retrieved=[new])
    assert (probe.outcome, probe.stale_in_context) == ("correct", False)


def test_the_value_of_somebody_else_in_the_context_is_confused() -> None:
    case = Case()
    told_once(case)
    own = case.keep(event("laksa"))
    boris = replace(SAID, customer="boris", visit="boris/1")
    case.tell(case.true("pho", customer="boris"), act=boris)
    other = case.keep(replace(event("pho", act=boris), customer="boris"))
    (probe,) = case.ask("pho", retrieved=[own, other])
    assert (probe.outcome, probe.loss) == ("confused_customer", "confused")
    (probe,) = case.ask("udon", retrieved=[own, other])
    assert (probe.outcome, probe.loss) == ("wrong", "ignored")


def test_somebody_elses_words_confuse_by_what_was_said_in_them() -> None:
    case = Case()
    told_once(case)
    boris = replace(SAID, customer="boris", visit="boris/1")
    case.tell(case.true("pho", customer="boris"), act=boris)
    (probe,) = case.ask("pho", retrieved=[exchange(boris, customer="boris")])
    assert probe.outcome == "confused_customer"


def test_a_value_taken_back_must_be_absent() -> None:
    case = Case()
    told_once(case)
    gone = case.true("laksa", DAY_MS, polarity=-1)
    case.tell(gone, DAY_MS, replace(SAID, visit="anna/1b"))
    (probe,) = case.ask("laksa")
    assert (probe.polarity, probe.outcome) == (-1, "stale")
    assert case.ask("pho")[0].outcome == "guessed", "right, with nothing in the context"


def test_what_was_never_known_cannot_be_forgotten() -> None:
    case = Case()
    case.true("laksa")
    case.tell(case.true("laksa", DAY_MS, polarity=-1), DAY_MS)
    assert case.ask() == []


def test_what_was_said_in_this_visit_is_in_the_prompt_of_every_preset() -> None:
    case = Case()
    told_once(case)
    (probe,) = case.ask("laksa", this_visit=(utterance_of(SAID),))
    assert stages(probe) == (True, True, True, True)
    assert probe.outcome == "correct"


@pytest.mark.parametrize("kind", [NoMemory, Oracle, Window])
def test_stages_a_preset_does_not_have_are_not_applicable(kind: Any) -> None:
    case = Case(kind.capabilities)
    told_once(case)
    probe = case.ask()[0]
    has = kind.capabilities.stages
    flags = zip(("written", "kept", "retrieved", "in_context"), stages(probe), strict=True)
    assert all((flag is None) == (stage not in has) for stage, flag in flags)


def test_a_right_answer_in_so_many_words_is_a_source_of_its_own() -> None:
    case = Case()
    told_once(case)
    first = case.keep(exchange())
    case.ask("laksa", retrieved=[first], restated=True, at_ms=DAY_MS)
    case.ask("laksa", retrieved=[first], at_ms=DAY_MS)
    echo = case.keep(exchange(ASKS, DAY_MS))
    (probe,) = case.ask("laksa", retrieved=[echo])
    assert (probe.outcome, probe.in_context) == ("correct", True)
    assert probe.lag_days == 2.0, "an echo is no telling"


@pytest.mark.parametrize(("answer", "restated"), [("laksa", False), ("ramen", True)])
def test_an_answer_not_in_words_or_not_right_is_no_source(answer: str, restated: bool) -> None:
    case = Case()
    told_once(case)
    first = case.keep(exchange())
    case.ask(answer, retrieved=[first], restated=restated, at_ms=DAY_MS)
    (probe,) = case.ask("laksa", retrieved=[case.keep(exchange(ASKS, DAY_MS))])
    assert (probe.outcome, probe.in_context) == ("guessed", False)


def test_visits_since_the_telling_are_counted_up_to_the_question() -> None:
    case = Case()
    fact = case.true("laksa")
    for day in range(5):
        case.ledger.visited("anna", day * DAY_MS)
    case.tell(fact, 10)
    assert case.ask()[0].visits_since == 2


def test_scoring_twice_gives_the_same_and_changes_no_memory() -> None:
    case = Case()
    told_once(case)
    record = case.keep(event("laksa"))
    before = case.scopes[OWNER].memory.snapshot(OWNER)
    assert case.ask("laksa", retrieved=[record]) == case.ask("laksa", retrieved=[record])
    assert case.scopes[OWNER].memory.snapshot(OWNER) == before
