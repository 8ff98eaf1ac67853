"""What agents learn of who stands there, in which language, and whether a good memory brings people back."""

import pytest
from shops import SMALL, shop_plan

from benchmarks.returns import arm, difference
from sim.errors import ConfigError
from sim.runs import RunResult, run

CONFUSABLE = (
    "scenario.confusable=0.8",
    "scenario.regulars=30",
    "scenario.weeks=2",
    "scenario.rhythm_days=3",
    "scenario.walk_ins_per_day=0",
)


def confused(*overrides: str) -> float:
    result = run(shop_plan("probes.enabled=false", *CONFUSABLE, *overrides))
    return float(result.summary["outcomes"]["confused_customer"]["rate"])


def test_people_known_by_name_or_looks_get_confused_under_flat() -> None:
    given = confused("memory=flat")
    assert confused("memory=flat", "scenario.identity=name") > given + 0.02
    assert confused("memory=flat", "scenario.identity=described") > given + 0.02


def test_nobody_is_confused_where_the_id_is_known_and_the_memory_is_theirs() -> None:
    for memory in ("window", "flat"):
        assert confused(f"memory={memory}", "memory.scope=customer", "scenario.identity=given") == 0


def test_a_memory_per_customer_needs_somebody_to_tell_apart() -> None:
    with pytest.raises(ConfigError, match=r"memory.scope.*identity"):
        shop_plan("memory.scope=customer", "scenario.identity=described")


def test_a_mixed_shop_reports_recall_by_language() -> None:
    result = run(shop_plan("memory=window", "scenario.language={en: 0.4, ru: 0.3, zh: 0.3}", *CONFUSABLE))
    by_language = result.summary["recall_by_language"]
    assert by_language.keys() == {"en", "ru", "zh"}
    assert all(rate["rate"] > 0.85 for rate in by_language.values())


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_other_languages_are_understood_as_well_as_english(language: str) -> None:
    rates = [
        run(shop_plan("memory=oracle", f"scenario.language={code}", *CONFUSABLE)).summary["recall"][
            "answered"
        ]["rate"]
        for code in ("en", language)
    ]
    assert abs(rates[0] - rates[1]) < 0.03


def test_better_memory_means_more_returns() -> None:
    # With what is at stake raised, few seeds suffice; benchmarks/returns.py has the defaults and 20 seeds.
    stakes = [
        "scenario.returning.leave=1",
        "scenario.returning.stretch=3",
        "scenario.weeks=4",
        "scenario.regulars=15",
        "scenario.rhythm_days=3",
        "scenario.walk_ins_per_day=0",
    ]
    found = difference(arm("none", 3, stakes), arm("window", 3, stakes))
    assert found.low > 0, found


def test_a_plate_sent_back_comes_right_and_takes_time() -> None:
    keys = (
        "memory=none",
        "probes.enabled=false",
        *SMALL,
        "llm.models.surrogate.rates.ignored_context=0.5",
        "llm.models.surrogate.rates.confabulation=0.4",
    )
    plain, remade = run(shop_plan(*keys)), run(shop_plan(*keys, "scenario.kitchen.remake=content"))
    assert right_share(remade) > right_share(plain)
    assert kitchen_ms(remade) > kitchen_ms(plain)


def right_share(result: RunResult) -> float:
    served = [visit for visit in result.rows[0].visits if visit.right is not None]
    return sum(bool(visit.right) for visit in served) / len(served)


def kitchen_ms(result: RunResult) -> int:
    served = [visit for visit in result.rows[0].visits if visit.served_ms and visit.ordered_ms]
    return sum((visit.served_ms or 0) - (visit.ordered_ms or 0) for visit in served)


def test_offers_and_how_it_was_liked_are_asked_about_and_remembered() -> None:
    keys = ("scenario.talk.recommended=0.8", "scenario.talk.liked=0.8", "scenario.talk.offer=1")
    result = run(shop_plan("memory=window", *SMALL, *keys))
    asked = {
        probe.slot: probe for probe in result.rows[0].probes if probe.question in ("recommended", "liked")
    }
    assert asked.keys() == {"offer", "liked"}
    for slot in ("offer", "liked"):
        told = [p for p in result.rows[0].probes if p.slot == slot and p.kind == "natural" and p.told]
        assert sum(probe.answered for probe in told) / len(told) > 0.8


def test_a_model_may_reword_customers_and_the_facts_stay() -> None:
    result = run(shop_plan("memory=window", "scenario.wording=model", *SMALL, "probes.enabled=false"))
    assert result.summary["llm"]["by_role"]["customer"]["calls"] > 20
    assert result.summary["recall"]["answered"]["rate"] > 0.9
