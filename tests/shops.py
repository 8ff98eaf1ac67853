"""Runs of the shop for tests: the plan a command line would make, with a model of one's own where wanted."""

from dataclasses import replace
from pathlib import Path

from sim.build import plan_of
from sim.door import configured
from sim.llm.protocol import LanguageModel
from sim.llm.scripted import Scripted, random_delay
from sim.llm.surrogate import Rates, Surrogate
from sim.runs import RunPlan

SMALL = ("scenario.weeks=2", "scenario.regulars=6", "scenario.rhythm_days=3", "scenario.walk_ins_per_day=2")


def shop_plan(*overrides: str, folder: Path | None = None, resume: bool = False) -> RunPlan:
    """The plan of ``noodle run`` with these overrides."""
    return plan_of(configured("progress=false", *overrides), folder, resume=resume)


def sleeping(
    plan: RunPlan, in_flight: int, *, salt: str, longest_s: float = 0.01, trace: Path | None = None
) -> RunPlan:
    """The same plan, with a scripted model that sleeps random real times."""

    def models(seed: int) -> dict[str, LanguageModel]:
        surrogate = Surrogate(plan.scenario.skills, Rates(malformed_json=0.02, missed_extraction=0.05), seed)
        return {"scripted": Scripted(surrogate.answer, random_delay(0, longest_s, salt), trace=trace)}

    thinking = replace(
        plan.thinking,
        models=models,
        roles={"default": "scripted"},
        recomputed=frozenset(),
        max_in_flight=in_flight,
    )
    return replace(plan, thinking=thinking)
