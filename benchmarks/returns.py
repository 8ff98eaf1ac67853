"""Does a better memory bring customers back? Visits under ``returns=adaptive``, paired by seed.

``python benchmarks/returns.py [SEEDS] [override …]`` (20 seeds by default).
"""

import sys

from benchmarks._table import show
from benchmarks.recall import difference_text
from sim.build import plan_of
from sim.door import configured
from sim.metrics.intervals import Difference, paired_difference
from sim.runs import RunResult, run

COMPARED = (("none", "flat"), ("flat", "window"), ("none", "window"))


def arm(memory: str, seeds: int, overrides: list[str]) -> RunResult:
    """All seeds of one preset on one loop."""
    keys = ["scenario.returns=adaptive", "probes.enabled=false", f"replications={seeds}"]
    return run(plan_of(configured(f"memory={memory}", *keys, *overrides), None, resume=False))


def visits(result: RunResult) -> list[float]:
    """Visits of people who had been there before, by seed."""
    return [float(sum(visit.number > 0 for visit in rows.visits)) for _, rows in sorted(result.rows.items())]


def difference(first: RunResult, second: RunResult) -> Difference:
    """Return visits per seed, second minus first."""
    return paired_difference(visits(first), visits(second), sorted(first.rows))


def main(arguments: list[str]) -> None:
    """Runs the arms and prints means and paired differences."""
    seeds = int(arguments[0]) if arguments and arguments[0].isdigit() else 20
    overrides = [argument for argument in arguments if "=" in argument]
    arms = {memory: arm(memory, seeds, overrides) for memory in ("none", "flat", "window")}
    rows = [[memory, f"{sum(visits(one)) / seeds:.1f}"] for memory, one in arms.items()]
    show(f"return visits under returns=adaptive, {seeds} seeds", ["memory", "mean per seed"], rows)
    found = [[f"{b} - {a}", *_text(difference(arms[a], arms[b]))] for a, b in COMPARED]
    show("return visits, paired differences over common seeds", ["arms", "visits", "95 %", "pairs"], found)


def _text(found: Difference) -> list[str]:
    # In visits, not in percentage points.
    return difference_text(
        Difference(mean=found.mean / 100, low=found.low / 100, high=found.high / 100, pairs=found.pairs)
    )


if __name__ == "__main__":
    main(sys.argv[1:])
