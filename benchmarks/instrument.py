"""The instrument against known errors: each rate set to 20 % and read back from the records.

``python benchmarks/instrument.py [SEEDS] [override …]`` (20 seeds of 200 regulars by default).
"""

import sys
from collections.abc import Callable

from benchmarks._table import percent, show
from sim.build import plan_of
from sim.door import configured
from sim.metrics.instrument import ignored, made_up, unwritten
from sim.metrics.intervals import Rate, clustered_rate
from sim.runs import RunResult, run

SET = 0.2
RATES = ("missed_extraction", "ignored_context", "confabulation", "lost_in_compression", "malformed_json")
# One rate at a time, in the preset that isolates it: nothing else may hide or mimic the error.
CASES = {"missed_extraction": "flat", "ignored_context": "window", "confabulation": "none"}


def settings_of(rate: str, seeds: int, overrides: list[str]) -> list[str]:
    """Overrides that set one rate and clear the others."""
    rates = [f"llm.models.surrogate.rates.{name}={SET if name == rate else 0}" for name in RATES]
    world = [
        "scenario.regulars=200",
        "scenario.weeks=3",
        "scenario.walk_ins_per_day=0",
        "scenario.phrasings=seen",  # or what the reader misses would add to what was set
        "probes.enabled=false",
    ]
    return [f"memory={CASES[rate]}", f"replications={seeds}", *world, *rates, *overrides]


def measured(rate: str, result: RunResult) -> Rate:
    """The share the records show, pooled over seeds."""
    flags: list[bool] = []
    people: list[str] = []
    read: dict[str, Callable[[int], Rate]] = {
        "missed_extraction": lambda seed: unwritten(result.tellings[seed], result.remembered(seed)),
        "ignored_context": lambda seed: ignored(result.rows[seed].probes),
        "confabulation": lambda seed: made_up(result.rows[seed].probes),
    }
    for seed in result.rows:
        found = read[rate](seed)
        hits = round(found.rate * found.n)
        flags += [True] * hits + [False] * (found.n - hits)
        people += [f"{seed}/{n}" for n in range(found.n)]
    return clustered_rate(flags, people)


def main(arguments: list[str]) -> None:
    """Sets each rate, runs, and prints what was read back."""
    seeds = int(arguments[0]) if arguments and arguments[0].isdigit() else 20
    overrides = [argument for argument in arguments if "=" in argument]
    rows = []
    for rate, memory in CASES.items():
        result = run(plan_of(configured(*settings_of(rate, seeds, overrides)), None, resume=False))
        found = measured(rate, result)
        rows.append([rate, memory, percent(SET), percent(found.rate, 2), text_of(found), found.n])
    show(f"rates set and read back, {seeds} seeds", ["rate", "memory", "set", "read", "95 %", "n"], rows)


def text_of(found: Rate) -> str:
    """The interval."""
    return f"[{percent(found.low, 2)}, {percent(found.high, 2)}]"


if __name__ == "__main__":
    main(sys.argv[1:])
