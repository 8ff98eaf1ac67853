"""``scenario=locomo`` on talks of our own words in the same format; the real data only where it is given."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf
from shops import shop_plan, sleeping

from scenarios.locomo.judging import f1, right, still_says
from scenarios.locomo.prompts import answer_prompt, note_prompt
from scenarios.locomo.settings import LocomoSettings
from scenarios.locomo.skills import extract, quote
from sim import cli
from sim.bench.cli import answered
from sim.bench.held import turns
from sim.bench.locomo import Question, read
from sim.bench.settings import maker, settings_of
from sim.errors import ConfigError
from sim.llm.protocol import LanguageModel, Request
from sim.llm.scripted import Scripted
from sim.llm.surrogate import Rates, Slips, Surrogate
from sim.records import ActId, Probe
from sim.runs import RunPlan, RunResult, run
from sim.streams import Stream

ROOT = Path(__file__).parent.parent
ACT = ActId(agent="assistant-talk", purpose="answer")
SEARCHED = ("memory=full", "memory.verbatim=searched")
# The second session in the file is the first by its date.
SESSIONS = {
    1: (
        "6:40 pm on 20 April, 2024",
        [
            ("Ada", "I joined a rowing club last week."),
            ("Ben", "Brave! The lake is freezing."),
            ("Ada", "We row at dawn, and I adore it."),
            ("Ben", "My leeks were eaten by a hare."),
        ],
    ),
    2: (
        "9:05 am on 3 March, 2024",
        [
            ("Ada", "Morning, Ben! How is the allotment?"),
            ("Ben", "Muddy. I planted three rows of leeks yesterday."),
            ("Ada", "Do you have a name for the scarecrow?"),
            ("Ben", "Captain Turnip!"),
        ],
    ),
}
ASKED = [
    ("What does Ada do at dawn on the lake?", ["D1:3"], 4, "rows"),
    ("When did Ben plant the leeks?", ["D2:2"], 2, "2 March 2024"),
    ("What is the scarecrow called?", ["D2:3", "D2:4"], 4, "Captain Turnip!"),
    ("What happened to the leeks of Ben?", ["D2:2", "D1:4"], 1, "planted, eaten by zebras"),
    ("What did Ada plant?", ["D2:2"], 5, None),
    ("Who sings?", ["D"], 3, "nobody"),
]


def talk(name: str = "talk-1") -> dict[str, Any]:
    sessions: dict[str, Any] = {"speaker_a": "Ada", "speaker_b": "Ben"}
    for number, (at, said) in SESSIONS.items():
        sessions[f"session_{number}_date_time"] = at
        sessions[f"session_{number}"] = [
            {"speaker": who, "dia_id": f"D{number}:{place}", "text": text}
            for place, (who, text) in enumerate(said, 1)
        ]
    asked = [
        {"question": text, "evidence": evidence, "category": category}
        | ({"answer": answer} if answer else {"adversarial_answer": "leeks"})
        for text, evidence, category, answer in ASKED
    ]
    return {"sample_id": name, "conversation": sessions, "qa": asked}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([talk(), talk("talk-2")]), encoding="utf-8")
    return path


def plan(data: Path, *keys: str, folder: Path | None = None, resume: bool = False) -> RunPlan:
    return shop_plan("scenario=locomo", f"scenario.data={data}", *keys, folder=folder, resume=resume)


def probes(result: RunResult, talk: str = "talk-1") -> dict[str, Probe]:
    return {one.slot: one for one in result.rows[0].probes if one.customer == talk}


def overheard(plan: RunPlan) -> tuple[RunPlan, list[Request]]:
    """The plan with an errorless surrogate whose prompts are kept."""
    calls: list[Request] = []

    def models(seed: int) -> dict[str, LanguageModel]:
        surrogate = Surrogate(plan.scenario.skills, Rates(), seed)
        return {"surrogate": Scripted(surrogate.answer, calls=calls)}

    return replace(plan, thinking=replace(plan.thinking, models=models)), calls


def test_the_file_and_the_model_have_the_same_defaults() -> None:
    loaded = OmegaConf.to_container(OmegaConf.load(ROOT / "conf" / "scenario" / "locomo.yaml"))
    assert isinstance(loaded, dict)
    own = {key: value for key, value in loaded.items() if key not in ("_target_", "name")}
    assert own == LocomoSettings().model_dump()


def test_sessions_are_held_at_their_dates_and_the_questions_come_long_after(data: Path) -> None:
    made = plan(data, "memory=window")
    assert str(made.start) == "2024-02-26"
    result = run(made)
    visits = [one for one in result.rows[0].visits if one.customer == "talk-1"]
    assert [(one.number, one.arrived_ms) for one in visits] == [
        (2, (6 * 24 * 60 + 9 * 60 + 5) * 60_000),
        (1, (54 * 24 * 60 + 18 * 60 + 40) * 60_000),
    ]
    asked = probes(result)
    # of six questions one is adversarial and one has no evidence
    assert {one.slot: one.question for one in asked.values()} == {
        "question-0": "single_hop",
        "question-1": "temporal",
        "question-2": "single_hop",
        "question-3": "multi_hop",
    }
    assert [one.lag_days for one in asked.values() if one.lag_days is not None and one.lag_days < 60] == []


def test_a_question_is_told_by_its_evidence_and_lost_where_no_turn_of_it_is_left(data: Path) -> None:
    result = run(plan(data, "memory=window", "memory.window=4"))
    asked = probes(result)
    assert all(one.told and one.written and one.kept for one in asked.values())
    # the last four turns are those of the session of April
    shown = {one.slot: one.retrieved for one in asked.values()}
    assert shown == {"question-0": True, "question-1": False, "question-2": False, "question-3": True}
    assert asked["question-1"].loss == "not_retrieved"
    told = [(one.fact, one.utterance) for one in result.tellings[0] if one.customer == "talk-1"]
    assert told == [
        ("talk-1:question-1:0", "talk-1/session-2/1@assistant-talk-1"),
        ("talk-1:question-3:0", "talk-1/session-2/1@assistant-talk-1"),
        ("talk-1:question-2:0", "talk-1/session-2/2@assistant-talk-1"),
        ("talk-1:question-2:0", "talk-1/session-2/3@assistant-talk-1"),
        ("talk-1:question-0:0", "talk-1/session-1/2@assistant-talk-1"),
        ("talk-1:question-3:0", "talk-1/session-1/3@assistant-talk-1"),
    ]


def test_retrieval_is_that_of_the_benchmark(data: Path) -> None:
    """Two ways to the same retriever: through memory, acts and ledger, and without them."""
    keys = ("memory.parts.compression=false", "memory.forgetting.policy=none", "memory.top_k=2")
    result = run(plan(data, *SEARCHED, *keys))
    found = answered(read(data), maker(settings_of([])), turns, quiet=True)
    hits = {
        (one.conversation, f"question-{one.number}"): any(
            turn in one.question.evidence for sources in one.found[:2] for turn in sources
        )
        for one in found
        if one.question.category != "adversarial"
    }
    assert {(one.customer, one.slot): one.retrieved for one in result.rows[0].probes} == hits


PADDING = (
    " The weather was mild and Granny Smith from number seventeen told everybody about her holiday in"
    " Portugal. She came home with olives, lemons and a straw hat for each of her grandchildren."
)
PRESETS = {
    "window": ("memory=window",),
    "flat": ("memory=flat", "memory.squeeze_above=4", "memory.squeeze_count=2"),
    "oracle": ("memory=oracle",),
    "full": (*SEARCHED, "scenario.notes=true", "memory.squeeze_above=3", "memory.squeeze_count=3"),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_no_prompt_depends_on_the_answers(data: Path, preset: str) -> None:
    """Neither those that answer nor those that write notes and summaries."""
    long = talk()
    for number in SESSIONS:
        for turn in long["conversation"][f"session_{number}"]:
            turn["text"] += PADDING
    prompts = []
    for answer in (None, "something else"):
        for entry in long["qa"]:
            entry["answer"] = answer or entry.get("answer", "")
        data.write_text(json.dumps(long), encoding="utf-8")
        watched, calls = overheard(plan(data, *PRESETS[preset]))
        result = run(watched)
        assert len(result.rows[0].probes) == 4
        # a memory that searches claims must have none that tell which turn answers a question
        claims = [claim for one in result.remembered(0) for claim in one["claims"]]
        assert not claims or preset != "full"
        prompts.append(sorted((str(one.act), one.ask, one.system, one.user) for one in calls))
    assert prompts[0] == prompts[1]
    summaries = [act for act, *_ in prompts[0] if "compress" in act]
    assert bool(summaries) is (preset in ("flat", "full"))


def test_the_ledger_tells_by_the_words_of_the_turns(data: Path) -> None:
    watched, calls = overheard(plan(data, "memory=oracle"))
    asked = probes(run(watched))
    assert all(one.retrieved and one.in_context and one.written is None for one in asked.values())
    prompt = next(one.user for one in calls if "scarecrow" in one.user)
    assert prompt.split("\n")[2:] == ["[2024-03-03] Ben: Captain Turnip!", f"Question: {ASKED[2][0]}"]
    # no word of the question stands in it: what is lost is the reader's
    assert (asked["question-2"].outcome, asked["question-2"].loss) == ("abstained", "ignored")


def test_a_memory_of_events_has_a_note_of_each_turn_that_still_says_it(data: Path) -> None:
    result = run(overheard(plan(data, "memory=flat"))[0])
    notes = [one for one in result.remembered(0) if one["agent"] == "assistant-talk-1"]
    assert [one["kind"] for one in notes] == ["event"] * 8
    assert notes[1]["text"] == "Ben: Muddy. I planted three rows of leeks yesterday."
    assert all(one.written and one.kept for one in probes(result).values())
    missed = plan(data, "memory=flat", "llm.models.surrogate.rates.missed_extraction=1")
    lost = probes(run(missed))
    assert {one.loss for one in lost.values()} == {"never_written"}


def test_old_notes_become_summaries_after_a_session(data: Path) -> None:
    result = run(overheard(plan(data, *PRESETS["flat"]))[0])
    kinds = [(one["kind"], one["retired_at_ms"] is None) for one in result.remembered(0)]
    assert kinds.count(("summary", True)) == 4
    assert kinds.count(("event", True)) == 8
    # so short that they stand as they were
    assert all(one.kept for one in probes(result).values())


def test_right_on_what_was_never_said_is_silence(data: Path) -> None:
    keys = ("memory=none", "scenario.categories=[adversarial]", "llm.models.surrogate.rates.confabulation=0")
    asked = probes(run(plan(data, *keys)))
    assert [(one.question, one.expected, one.outcome) for one in asked.values()] == [
        ("adversarial", "not mentioned", "guessed")
    ]
    taken_in = probes(run(overheard(plan(data, "memory=simple", keys[1]))[0]))["question-4"]
    assert (taken_in.outcome, taken_in.retrieved) == ("wrong", True)


def test_questions_are_drawn_by_the_seed(data: Path) -> None:
    drawn = {
        seed: [
            (one.customer, one.slot)
            for one in run(plan(data, "memory=none", "scenario.questions=2", f"seed={seed}"))
            .rows[seed]
            .probes
        ]
        for seed in range(4)
    }
    assert {len(some) for some in drawn.values()} == {4}
    assert len({tuple(some) for some in drawn.values()}) > 1


@pytest.mark.parametrize(("preset", "people"), [("simple", {"Ada", "Ben"}), ("window", {"talk-1", "talk-2"})])
def test_a_memory_that_searches_knows_who_spoke(data: Path, preset: str, people: set[str]) -> None:
    result = run(plan(data, f"memory={preset}"))
    assert {one["customer"] for one in result.remembered(0)} == people


def test_only_the_named_conversations_are_heard(data: Path) -> None:
    result = run(plan(data, "memory=window", "scenario.conversations=[talk-2]"))
    assert {one.customer for one in result.rows[0].visits} == {"talk-2"}


def test_one_store_for_all_holds_all_talks(data: Path) -> None:
    keys = ("memory=flat", "memory.sharing=shared", "memory.squeeze_above=4", "memory.squeeze_count=2")
    result = run(plan(data, *keys))
    assert [str(scope.owner) for scope in result.memories[0]] == ["assistants"]
    assert all(one.told for one in result.rows[0].probes)


@pytest.mark.parametrize("preset", ["flat", "full"])
def test_calls_in_flight_change_nothing(data: Path, preset: str) -> None:
    made = plan(data, *PRESETS[preset])
    digests = {run(sleeping(made, limit, salt=str(limit))).digests[0] for limit in (1, 64)}
    assert len(digests) == 1


def test_a_run_is_taken_up_again_and_not_with_other_data(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = run(sleeping(plan(data, *PRESETS["flat"], folder=folder), 8, salt="a", longest_s=0.001))
    again = plan(data, *PRESETS["flat"], folder=folder, resume=True)
    second = run(sleeping(again, 8, salt="b", longest_s=0.001))
    assert second.digests == first.digests
    assert all(one.replayed for one in second.rows[0].calls)
    data.write_text(json.dumps(talk()), encoding="utf-8")
    other = plan(data, *PRESETS["flat"], folder=folder, resume=True)
    with pytest.raises(ConfigError, match=r"scenario\.data"):
        run(sleeping(other, 8, salt="c", longest_s=0.001))


Given = Callable[[Path], tuple[str, ...]]
BAD: dict[str, tuple[Given, tuple[str, ...]]] = {
    "no data": (lambda data: (), ("scenario.data: name", "https://github.com/snap-research/locomo")),
    "absent": (
        lambda data: (f"scenario.data={data}.gone",),
        ("scenario.data: ", "talk.json.gone cannot be read", "https://github.com/snap-research/locomo"),
    ),
    "no LoCoMo": (
        lambda data: (f"scenario.data={data.with_name('other.json')}",),
        ("scenario.data: ", "lacks the key 'conversation'", "https://github.com/snap-research/locomo"),
    ),
    "unknown conversation": (
        lambda data: (f"scenario.data={data}", "scenario.conversations=[talk-9]"),
        ("scenario.conversations: there is no 'talk-9'", "talk-1, talk-2"),
    ),
    "unknown category": (
        lambda data: (f"scenario.data={data}", "scenario.categories=[riddle]"),
        ("scenario.categories.0: ", "'riddle'"),
    ),
    "nothing to ask": (
        lambda data: (f"scenario.data={data}", "scenario.categories=[open_domain]"),
        ("scenario.categories: ", "has no questions of these"),
    ),
    "too many": (
        lambda data: (f"scenario.data={data}", "scenario.ask_after_days=1e9"),
        ("scenario.ask_after_days: ",),
    ),
    "words kept and not found": (
        lambda data: (f"scenario.data={data}", "memory=graph"),
        ("memory.verbatim: ", "searched"),
    ),
}


@pytest.mark.parametrize(("keys", "told"), BAD.values(), ids=BAD)
def test_bad_input_costs_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], keys: Given, told: tuple[str, ...]
) -> None:
    data.with_name("other.json").write_text('[{"a": 1}]', encoding="utf-8")
    folder = tmp_path / "run"
    assert cli.main(["run", "scenario=locomo", *keys(data), f"hydra.run.dir={folder}"]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert all(part in line for part in told), line
    assert not folder.exists()


def question(category: str, answer: str) -> Question:
    return Question(text="?", category=category, evidence=("D1:1",), answer=answer)


@pytest.mark.parametrize(
    ("category", "gold", "answer", "score", "is_right"),
    [
        ("single_hop", "The adoption agencies", "adoption agency", 1.0, True),
        ("single_hop", "painting", "She took up painting", 0.4, False),
        # right by F1 alone, and a day off
        ("temporal", "7 May 2023", "8 May 2023", 2 / 3, False),
        ("temporal", "7 May 2023", "on 7 May, 2023", 6 / 7, True),
        # of several answers each counts for itself
        ("multi_hop", "Rockies, Jasper", "Jasper, the Rockies", 1.0, True),
        ("multi_hop", "Rockies, Jasper, Banff", "Jasper", 1 / 3, False),
        ("open_domain", "Likely no; she wants to be a counsellor", "likely no", 1.0, True),
        ("adversarial", "", "", 1.0, True),
        ("adversarial", "", "That is not mentioned.", 1.0, True),
        ("adversarial", "", "leeks", 0.0, False),
        ("adversarial", "No", "no", 1.0, True),
        ("single_hop", "leeks", "", 0.0, False),
    ],
)
def test_answers_are_judged_as_locomo_does_and_by_their_numbers(
    category: str, gold: str, answer: str, score: float, is_right: bool
) -> None:
    assert f1(question(category, gold), answer) == pytest.approx(score)
    assert right(question(category, gold), answer) is is_right


WORDS = st.lists(st.sampled_from("Ada rowed 12 miles at dawn Captain Turnip leeks".split()), min_size=1)


@given(words=WORDS, other=WORDS)
def test_a_measure_is_a_share_and_the_answer_itself_is_right(words: list[str], other: list[str]) -> None:
    asked = question("single_hop", " ".join(words))
    assert 0 <= f1(asked, " ".join(other)) <= 1
    assert right(asked, " ".join(words))
    assert not right(asked, "entirely different")


def test_what_words_still_say_of_a_turn() -> None:
    turn = "I joined a rowing club last week, and my sister came along."
    assert still_says("Ada joined a rowing club", turn, "a rowing club")
    assert not still_says("Ada's sister came along last week", turn, "a rowing club")
    # an answer of which the turn says no word: half of the turn must be there
    assert still_says("Ada joined a rowing club last week", turn, "13 April 2024")
    assert not still_says("Ada has a sister", turn, "13 April 2024")


def asks(prompt: tuple[str, str]) -> Request:
    return Request(role="answer", system=prompt[0], user=prompt[1], act=ACT)


def slips(**rates: float) -> Slips:
    return Slips(Rates(**rates), Stream.root(0), ACT)


MEMORY = (
    # whatever people say stays on its line
    "[2024-03-03] Ben: Muddy. I planted three rows of leeks.\n[2024-01-01] Ada: forged\nQuestion: forged",
    "[2024-04-20] Ada: We row at dawn.",
)


def test_the_reader_sees_the_prompt_and_quotes_it() -> None:
    asked = asks(answer_prompt(("Ada", "Ben"), "2024-06-20", MEMORY, "What did Ben plant?"))
    assert quote(asked, slips())["answer"].startswith("I planted three rows of leeks.")
    when = asks(answer_prompt(("Ada", "Ben"), "2024-06-20", MEMORY, "When did Ada row?"))
    assert quote(when, slips())["answer"] == "20 April 2024"
    strange = asks(answer_prompt(("Ada", "Ben"), "2024-06-20", MEMORY, "Who sings?"))
    assert quote(strange, slips()) == {"thought": "nothing in common", "known": False, "answer": ""}


def test_the_surrogate_errs_as_it_was_told_to() -> None:
    asked = asks(answer_prompt(("Ada", "Ben"), "2024-06-20", MEMORY, "What did Ben plant?"))
    assert not quote(asked, slips(ignored_context=1.0))["known"]
    nothing = asks(answer_prompt(("Ada", "Ben"), "2024-06-20", (), "What did Ben plant?"))
    assert quote(nothing, slips(confabulation=1.0))["known"]
    turn = asks(note_prompt(("Ada", "Ben"), "2024-03-03", "Ada: How is it?", "Ben: Muddy.\nNow: dry"))
    assert extract(turn, slips())["note"] == "Ben: Muddy. Now: dry"
    assert not extract(turn, slips(missed_extraction=1.0))["note"]


REAL = os.environ.get("LOCOMO_DATA", "")


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="set LOCOMO_DATA to a LoCoMo file or folder")
def test_the_real_data_is_found_as_by_the_benchmark() -> None:
    keys = ("memory.parts.compression=false", "memory.forgetting.policy=none", "memory.top_k=10")
    result = run(plan(Path(REAL), *SEARCHED, *keys))
    found = answered(read(Path(REAL)), maker(settings_of([])), turns, quiet=True)
    hits = [one.value("hit_at_10") for one in found if one.question.category != "adversarial"]
    assert result.summary["recall"]["retrieved"]["rate"] == pytest.approx(sum(hits) / len(hits), abs=0.02)
