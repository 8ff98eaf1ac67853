"""Scoring, intervals, tables and the summary."""

import itertools
import json
import math
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_run import call, missed, probe, visit

from sim.errors import RecordError
from sim.metrics.intervals import (
    clustered_rate,
    effective_size,
    paired_difference,
    t_quantile,
    wilson,
)
from sim.metrics.matching import Verdict, score
from sim.metrics.plots import funnel_title, save_funnel
from sim.metrics.recall_table import NOT_APPLICABLE
from sim.metrics.summary import Rows, pooled, summary
from sim.metrics.text import WIDTH, text
from sim.records import LOSSES, OUTCOMES, STAGES

FLAGS = ("written", "kept", "retrieved", "in_context")
ALL_SEEN = dict.fromkeys(FLAGS, True)


def judged(values: tuple[str, ...], **changes: object) -> Verdict:
    given_all: dict[str, object] = {
        "expected": "shoyu",
        "polarity": 1,
        "earlier": frozenset({"miso"}),
        "others": frozenset({"udon"}),
        "values": values,
        "abstained": False,
        "told": True,
        "told_to_colleague": False,
        **ALL_SEEN,
    }
    return score(**(given_all | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "changes", "outcome", "loss"),
    [
        (("shoyu",), {}, "correct", None),
        ((), {}, "missing", "ignored"),
        ((), {"abstained": True}, "abstained", "ignored"),
        (("ramen",), {}, "wrong", "ignored"),
        (("miso",), {}, "stale", "stale"),
        (("udon",), {}, "confused_customer", "confused"),
        (("miso", "udon"), {}, "stale", "stale"),
        (("shoyu", "miso"), {}, "correct", None),
        (("shoyu", "miso"), {"single": True}, "stale", "stale"),
        (("shoyu", "ramen"), {"single": True}, "wrong", "ignored"),
        (("ramen",), {"also_true": frozenset({"ramen"})}, "missing", "ignored"),
        (("shoyu",), {"in_context": False}, "guessed", "cut_by_budget"),
        (("shoyu",), {"in_context": False, "retrieved": False}, "guessed", "not_retrieved"),
        (("shoyu",), dict.fromkeys(FLAGS), "correct", None),
        (("miso",), dict.fromkeys(FLAGS), "stale", "stale"),
        (("miso",), {"written": False, "kept": False}, "stale", "never_written"),
        ((), {"kept": False, "retrieved": False}, "missing", "compressed_away"),
        ((), {"written": None, "kept": None, "retrieved": False}, "missing", "not_retrieved"),
        ((), {"told": False, "told_to_colleague": True, "written": False}, "missing", "told_to_colleague"),
        ((), {"told": False}, "missing", None),
    ],
)
def test_an_answer_gets_the_outcome_and_the_loss_of_the_first_failed_stage(
    values: tuple[str, ...], changes: dict[str, object], outcome: str, loss: str | None
) -> None:
    verdict = judged(values, **changes)
    assert (verdict.outcome, verdict.loss) == (outcome, loss)


@pytest.mark.parametrize(
    ("values", "outcome"), [((), "correct"), (("miso",), "correct"), (("shoyu", "miso"), "wrong")]
)
def test_a_value_taken_back_must_be_absent(values: tuple[str, ...], outcome: str) -> None:
    assert judged(values, polarity=-1).outcome == outcome


def test_a_value_taken_back_and_still_given_is_stale_when_this_agent_was_told_it() -> None:
    assert judged(("shoyu",), polarity=-1, earlier=frozenset({"shoyu"})).outcome == "stale"


def test_every_combination_of_flags_obeys_the_rules_of_loss() -> None:
    three = (True, False, None)
    answers = ((), ("shoyu",), ("miso",), ("udon",), ("ramen",))
    combinations = itertools.product(answers, (1, -1), (True, False), (True, False), *[three] * 4)
    for values, polarity, told, colleague, *seen in combinations:
        flags = dict(zip(FLAGS, seen, strict=True))
        verdict = judged(values, polarity=polarity, told=told, told_to_colleague=colleague, **flags)
        assert verdict.outcome in OUTCOMES
        assert verdict.answered == (verdict.outcome == "correct")
        assert (verdict.loss is None) == (verdict.answered or not (told or colleague))
        if verdict.loss is not None:
            assert_first_failed(verdict.loss, told, flags)
        if verdict.outcome == "guessed":
            assert flags["in_context"] is False


def assert_first_failed(loss: str, told: bool, flags: dict[str, bool | None]) -> None:
    if flags == {"written": None, "kept": None, "retrieved": None, "in_context": False}:
        assert loss == ("never_written" if told else "told_to_colleague")  # it keeps nothing at all
        return
    passed = [told, *flags.values()]
    place = LOSSES.index(loss)
    assert all(flag is not False for flag in passed[:place])
    if place < len(passed):
        assert passed[place] is False


# --- intervals


def test_wilson_gives_the_published_interval() -> None:
    # Newcombe (1998), table I: 81 of 263 gives .2553 to .3662, 15 of 148 gives .0624 to .1605.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)


def test_t_quantile_agrees_with_tables() -> None:
    assert t_quantile(5) == pytest.approx(2.5706, abs=5e-3)
    assert t_quantile(30) == pytest.approx(2.0423, abs=1e-4)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=30))
def test_a_rate_lies_in_its_interval_and_clusters_never_add_information(rows: list[tuple[int, int]]) -> None:
    sizes = [size for _, size in rows]
    hits = [min(hit, size) for hit, size in rows]
    flags = [place < hit for hit, size in zip(hits, sizes, strict=True) for place in range(size)]
    clusters = [number for number, size in enumerate(sizes) for _ in range(size)]
    rate = clustered_rate(flags, clusters)
    assert 0 <= rate.low <= rate.rate <= rate.high <= 1
    assert rate.rate == pytest.approx(sum(hits) / sum(sizes))
    assert 1 <= effective_size(hits, sizes) <= sum(sizes)


def test_no_questions_are_no_data_and_one_customer_is_worth_one_question() -> None:
    assert math.isnan(clustered_rate([], []).rate)
    assert clustered_rate([True] * 50, ["a"] * 50).low == pytest.approx(wilson(1, 1)[0])


def test_identical_answers_within_customers_count_once_per_customer() -> None:
    hits, sizes = [10, 0] * 20, [10] * 40
    assert effective_size(hits, sizes) == pytest.approx(39, rel=0.08)


def clustered_flags(generator: np.random.Generator, share: float) -> tuple[list[bool], list[int]]:
    """Forty customers whose own rates scatter widely around ``share``."""
    own = generator.beta(2 * share, 2 * (1 - share), size=40)
    customers = np.repeat(np.arange(40), generator.integers(2, 12, size=40))
    return list(generator.random(customers.size) < own[customers]), list(customers)


def test_the_clustered_interval_covers_the_true_rate_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(11)
    found = [clustered_rate(*clustered_flags(generator, 0.7)) for _ in range(300)]
    covered = np.mean([rate.low <= 0.7 <= rate.high for rate in found])
    unclustered = [wilson(rate.rate * rate.n, rate.n) for rate in found]
    naive = np.mean([low <= 0.7 <= high for low, high in unclustered])
    assert 0.90 <= covered <= 0.99
    assert naive < 0.85


def test_the_paired_interval_covers_a_known_difference_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(5)
    hits = 0
    for trial in range(200):
        customers = np.repeat(np.arange(40), 6)
        shift = generator.normal(0.2, 0.3, size=40)[customers]
        first = generator.normal(0, 1, size=customers.size)
        second = first + shift + generator.normal(0, 0.5, size=customers.size)
        found = paired_difference(list(first), list(second), list(customers), seed=trial, resamples=400)
        hits += found.low <= 0.2 <= found.high
    assert 0.89 <= hits / 200 <= 0.99


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
@settings(max_examples=50)
def test_swapping_the_arms_turns_the_difference_round(rows: list[tuple[bool, bool, int]]) -> None:
    first, second, customers = (list(column) for column in zip(*rows, strict=True))
    there = paired_difference(first, second, customers, resamples=100)
    back = paired_difference(second, first, customers, resamples=100)
    assert there.mean == pytest.approx(-back.mean)
    if len(set(customers)) > 1:
        assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    else:
        assert math.isnan(there.low)


def test_pairs_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="equal lengths"):
        paired_difference([1.0], [1.0, 0.0], ["a", "b"])


# --- summary


def some_probes() -> list:
    answered = [probe(customer=f"c-{number:03d}") for number in range(6)]
    lost = [missed(customer="c-000"), missed(customer="c-001", language="ru")]
    never = {"told": False, "written": False, "kept": False, "lag_days": None}
    beside = [missed(told_to_colleague=True, loss="told_to_colleague", **never), missed(loss=None, **never)]
    return [*answered, *lost, *beside, probe(kind="exam"), missed(kind="exam")]


def some_summary() -> dict:
    visits = [visit(), visit(visit="c-001/2"), visit(customer="c-002", outcome="reneged", right=None)]
    calls = [call(), call(outcome="recovered"), call(outcome="timeout", role="cook", completion_tokens=0)]
    extra = {"regular_treated_as_new": 3, "incidents": 0, "events_digest": "ab" * 32}
    return summary(visits, some_probes(), calls, extra)


def test_all_stages_share_the_denominator_of_what_was_told() -> None:
    found = some_summary()
    assert {row["n"] for row in found["recall"].values()} == {8}
    assert found["recall"]["told"]["rate"] == 1.0
    assert found["recall"]["answered"]["rate"] == 0.75
    assert found["questions"] == {"asked": 10, "told": 8, "told_to_colleague": 1, "never_told": 1}
    assert found["recall_exam"]["answered"]["n"] == 2


def test_outcomes_and_losses_account_for_every_told_question() -> None:
    found = some_summary()
    assert set(found["outcomes"]) == set(OUTCOMES)
    assert set(found["losses"]) == set(LOSSES)
    assert sum(row["count"] for row in found["outcomes"].values()) == 8
    lost = sum(row["count"] for name, row in found["losses"].items() if name != "told_to_colleague")
    assert lost + found["outcomes"]["correct"]["count"] == 8
    assert found["losses"]["told_to_colleague"] == {"count": 1, "rate": round(1 / 9, 6)}


def test_the_summary_counts_visits_calls_and_what_it_was_handed() -> None:
    found = some_summary()
    assert (found["visits"], found["returns"]) == (3, 1)
    assert found["business"]["reneged"] == 1
    assert found["llm"]["failures"] == {"timeout": 1}
    assert found["llm"]["tokens"] == 340
    assert found["llm"]["by_role"]["cook"]["calls"] == 1
    assert found["recall_by_language"]["ru"]["rate"] == 0.0
    assert found["regular_treated_as_new"] == 3


def test_what_was_asked_for_nothing_costs_and_is_no_failure() -> None:
    found = summary([], [], [call(), call(outcome="timeout"), call(outcome="cancelled")], {})["llm"]
    assert (found["calls"], found["cancelled"]) == (2, 1)
    assert (found["failures"], found["failure_rate"]) == ({"timeout": 1}, 0.5)
    assert found["tokens"] == 3 * 120
    assert found["by_role"]["order"]["cancelled"] == 1


def test_an_empty_run_has_no_data_rather_than_zeros_and_stays_json() -> None:
    found = summary([], [], [], {})
    assert found["recall"]["written"] == {"rate": None, "low": None, "high": None, "n": 0}
    assert found["outcomes"]["correct"] == {"count": 0, "rate": None}
    assert found["incidents"] is None
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_stage_that_never_applied_is_not_applicable() -> None:
    absent = dict.fromkeys(FLAGS)
    found = summary([], [probe(**absent), probe(**absent)], [], {})
    assert [found["recall"][stage] for stage in FLAGS] == [NOT_APPLICABLE] * 4
    assert found["recall"]["answered"]["rate"] == 1.0


def test_replications_add_up_and_keep_people_apart() -> None:
    extra = {"incidents": 2, "events_digest": "d"}
    rows = Rows(visits=[visit()], probes=[probe()], calls=[call()], extra=extra)
    found = pooled({7: rows, 8: rows})
    assert (found["visits"], found["returns"], found["incidents"]) == (2, 0, 4)
    assert found["regular_treated_as_new"] is None
    assert found["recall"]["answered"]["n"] == 2
    assert set(found["by_seed"]) == {"7", "8"}
    assert len(found["events_digest"]) == 64


# --- text and picture


def manifest(**scenario: object) -> dict:
    named = {"name": "noodle_shop", "weeks": 8} | scenario
    return {"seed": 1, "config": {"scenario": named, "memory": {"name": "flat"}}}


def test_the_page_for_the_terminal_is_short_and_ends_with_the_path(tmp_path: Path) -> None:
    lines = text(some_summary(), manifest(), tmp_path).splitlines()
    assert len(lines) <= 30
    assert all(len(line) <= WIDTH for line in lines[:-1])
    assert lines[-1].endswith(str(tmp_path))
    assert lines[0] == "noodle_shop, memory flat, seed 1, 8 weeks"
    assert any("answered right" in line and "75.0 %" in line for line in lines)


def test_the_page_says_no_data_and_not_applicable(tmp_path: Path) -> None:
    assert text(summary([], [], [], {}), manifest(), tmp_path).count("no data") >= len(STAGES)
    page = text(summary([], [probe(**dict.fromkeys(FLAGS))], [], {}), manifest(), tmp_path)
    assert page.count("not applicable") == 4


def test_the_page_names_the_models_that_answered(tmp_path: Path) -> None:
    calls = [call(model="", outcome="timeout"), call(model="glm"), call(model="qwen")]
    table = summary([], [], calls, {})
    assert list(table["llm"]["by_model"]) == ["glm", "qwen", "unanswered"]
    (line,) = [line for line in text(table, manifest(), tmp_path).splitlines() if line.startswith("models")]
    assert line.startswith("models         glm (1), qwen (1), 3 decisions, 360 tokens")
    old = table | {"llm": table["llm"] | {"by_model": {"": {}}}}
    assert "models         3 decisions" in text(old, manifest(), tmp_path)


def test_the_page_stays_narrow_with_every_outcome_loss_and_language(tmp_path: Path) -> None:
    kinds = enumerate(itertools.product(OUTCOMES, LOSSES))
    probes = [missed(outcome=outcome, loss=loss, language=f"l{n % 4}") for n, (outcome, loss) in kinds]
    table = summary([visit()] * 99, probes * 40, [call(model="m" * 30)], {})
    lines = text(table, manifest(), tmp_path).splitlines()
    assert len(lines) <= 30
    assert all(len(line) <= WIDTH for line in lines[:-1])


def test_the_funnel_is_drawn_even_without_data_or_with_a_dollar_in_the_title(tmp_path: Path) -> None:
    for name, table in (("some", some_summary()), ("empty", summary([], [], [], {}))):
        path = tmp_path / f"{name}.png"
        save_funnel(table, path, funnel_title(manifest(name="$x_{")["config"], 1, 3))
        assert path.read_bytes().startswith(b"\x89PNG")


def test_one_week_is_no_weeks() -> None:
    assert funnel_title(manifest(weeks=1)["config"], 0).endswith(", 1 week")


def test_no_funnel_without_recall(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no recall"):
        save_funnel({"visits": 1}, tmp_path / "f.png", "t")


def test_the_probe_of_these_tests_has_every_stage() -> None:
    assert set(STAGES) <= {field.name for field in fields(probe())}
