"""The memory ladder over paired seeds: recall of every preset, and the differences with intervals.

``python benchmarks/recall.py [SEEDS] [override …]`` (20 seeds by default). The presets are those of
``conf/memory``; ``presets=flat,window`` takes only some.
"""

import sys
from collections.abc import Iterator, Sequence
from statistics import variance

from benchmarks._table import percent, show
from sim.build import plan_of
from sim.door import conf_folder, configured
from sim.metrics.intervals import Difference, paired_difference
from sim.metrics.pairing import pair
from sim.records import Probe
from sim.runs import RunResult, run

# what everything else is compared with: the baseline, and the plainest memory that works
REFERENCES = ("flat", "window", "diary", "full")
CHOSEN = "presets="


def presets() -> list[str]:
    """All presets but those of others, which want installing: the floor first, the ceiling last."""
    names = {path.stem for path in (conf_folder() / "memory").glob("*.yaml")}
    return ["none", *sorted(names - {"none", "oracle", "mem0"}), "oracle"]


def compared(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each preset with each reference, every two of them once."""
    here = [name for name in REFERENCES if name in names]
    for place, reference in enumerate(here):
        yield from ((reference, name) for name in names if name not in here[: place + 1])


def arm(memory: str, seeds: int, overrides: list[str]) -> RunResult:
    """All seeds of one preset on one loop."""
    settings = configured(f"memory={memory}", f"replications={seeds}", "probes.enabled=false", *overrides)
    return run(plan_of(settings, None, resume=False))


def asked(result: RunResult) -> list[tuple[str, Probe]]:
    """The natural questions whose fact was told to the agent, with their seed."""
    return [
        (str(seed), probe)
        for seed, rows in result.rows.items()
        for probe in rows.probes
        if probe.kind == "natural" and probe.told
    ]


def difference(first: RunResult, second: RunResult) -> Difference:
    """Answered of the second minus the first arm, paired by question, clustered by seed."""
    paired = pair(asked(first), asked(second)).pairs
    return paired_difference(
        [one.first.answered for one in paired],
        [one.second.answered for one in paired],
        [one.customer.split("/")[0] for one in paired],
    )


def main(arguments: list[str]) -> None:
    """Runs the ladder and prints both tables."""
    seeds = int(arguments[0]) if arguments and arguments[0].isdigit() else 20
    overrides = [argument for argument in arguments if "=" in argument and not argument.startswith(CHOSEN)]
    chosen = [argument.removeprefix(CHOSEN) for argument in arguments if argument.startswith(CHOSEN)]
    names = chosen[-1].split(",") if chosen else presets()
    arms = {memory: arm(memory, seeds, overrides) for memory in names}
    stages = ("written", "kept", "retrieved", "in_context", "answered")
    rows = [[memory, *(stage_text(result, stage) for stage in stages)] for memory, result in arms.items()]
    show(f"recall of natural questions, {seeds} seeds", ["memory", *stages], rows)
    found = [[f"{b} - {a}", *difference_text(difference(arms[a], arms[b]))] for a, b in compared(names)]
    show("answered, paired differences over common seeds", ["arms", "points", "95 %", "pairs"], found)
    spreads = [[f"{b} - {a}", *spread(arms[a], arms[b])] for a, b in compared(names)]
    show("variance of the difference per seed, in points squared", ["arms", "paired", "unpaired"], spreads)


def spread(first: RunResult, second: RunResult) -> list[str]:
    """Variance over seeds of the difference with common random numbers, and of independent arms."""
    rates = [answered(first), answered(second)]
    paired = variance([100 * (b - a) for a, b in zip(*rates, strict=True)])
    unpaired = sum(variance([100 * rate for rate in arm]) for arm in rates)
    return [f"{paired:.2f}", f"{unpaired:.2f}"]


def answered(result: RunResult) -> list[float]:
    """Share answered of the natural questions of each seed."""
    shares = []
    for _, rows in sorted(result.rows.items()):
        told = [probe.answered for probe in rows.probes if probe.kind == "natural" and probe.told]
        shares.append(sum(told) / len(told))
    return shares


def stage_text(result: RunResult, stage: str) -> str:
    """A stage as percent, or n/a."""
    rate = result.summary["recall"][stage]
    return percent(rate["rate"]) if isinstance(rate, dict) else "n/a"


def difference_text(found: Difference) -> list[str]:
    """Mean, interval and number of pairs."""
    return [
        f"{100 * found.mean:+.1f}",
        f"[{100 * found.low:+.1f}, {100 * found.high:+.1f}]",
        str(found.pairs),
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
