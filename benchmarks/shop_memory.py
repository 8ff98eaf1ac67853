"""What the whole memory gets wrong in the shop, with and without errors of the reader; and its manners.

``python benchmarks/shop_memory.py [SEEDS] [override …]`` (20 seeds by default). All regulars are easily taken
for one another. Manners are measured on the replies of visits after "shorter, please", paired by exchange
with the same run without rules.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._table import percent, show
from benchmarks.recall import difference_text
from sim.build import plan_of
from sim.door import configured
from sim.metrics.intervals import paired_difference
from sim.records import Event, Probe, Telling
from sim.runs import RunResult, run
from sim.tables import part_paths, read_records

RATES = ("missed_extraction", "ignored_context", "confabulation", "lost_in_compression", "malformed_json")
NO_ERRORS = tuple(f"llm.models.surrogate.rates.{name}=0" for name in RATES)
ARMS = {"full, a reader without error": NO_ERRORS, "full, the reader's usual errors": ()}


def arm(folder: Path | None, seeds: int, *overrides: str) -> RunResult:
    """All seeds of one arm on one loop."""
    keys = ("memory=full", "scenario.confusable=1", "probes.enabled=false", f"replications={seeds}")
    return run(plan_of(configured(*keys, *overrides), folder, resume=False))


def natural(result: RunResult) -> list[Probe]:
    """Natural questions whose fact this agent was told."""
    return [probe for rows in result.rows.values() for probe in rows.probes if probe.told]


def mistakes(name: str, result: RunResult) -> list[str]:
    """One row: what was stale, taken for somebody else's, or served against an allergy."""
    probes = natural(result)
    last = [probe for probe in probes if probe.question == "last_visit"]
    memory = result.summary["memory"]
    return [
        name,
        str(len(probes)),
        _share(probe.answered for probe in probes),
        _share(probe.outcome == "stale" for probe in probes),
        _share(probe.stale_in_context for probe in probes if probe.slot != "visit"),
        str(result.summary["incidents"]),
        f"{_share(probe.answered for probe in last)} of {len(last)}",
        _share(probe.outcome != "confused_customer" for probe in probes),
        f"{percent(memory['of_others_share'] or 0)} / {percent(memory['of_other_agents_share'] or 0)}",
    ]


def replies(folder: Path, result: RunResult) -> dict[tuple[int, str, int], int]:
    """Words of each reply given on a visit after the customer had asked for short ones."""
    return {
        (seed, event.visit, payload["exchange"]): len(payload["text"].split())
        for seed, told in result.tellings.items()
        for event, payload in _replied(folder / f"seed-{seed}")
        if _asked_before(event, told)
    }


def _replied(folder: Path) -> Iterator[tuple[Event, dict]]:
    for path in part_paths(folder / "events"):
        for event in read_records(path, Event):
            if event.kind == "replied":
                yield event, json.loads(event.payload)


def _asked_before(event: Event, told: Sequence[Telling]) -> bool:
    return any(
        (one.slot, one.value) == ("style", "short")
        and (one.customer, one.said_to) == (event.customer, event.agent)
        and one.said_at_ms < event.time_ms
        and one.visit != event.visit
        for one in told
    )


def manners(seeds: int, overrides: Sequence[str]) -> list[list[str]]:
    """Mean words of those replies with rules and without, and the paired difference."""
    found = []
    with TemporaryDirectory() as name:
        for place, rules in enumerate(("false", "true")):
            folder = Path(name) / str(place)
            result = arm(folder, seeds, f"memory.parts.experience={rules}", "plots=false", *overrides)
            found.append(replies(folder, result))
    without, having = found
    keys = sorted(without.keys() & having.keys())
    words = [[float(side[key]) for key in keys] for side in (without, having)]
    change = paired_difference(
        [one / 100 for one in words[0]], [one / 100 for one in words[1]], [key[0] for key in keys]
    )
    rows = [
        [name, f"{sum(side) / len(side):.1f}"]
        for name, side in zip(("without rules", "with rules"), words, strict=True)
    ]
    return [*rows, ["difference", " ".join(difference_text(change))]]


def _share(flags: Iterator[bool]) -> str:
    given = list(flags)
    return percent(sum(given) / len(given), 2) if given else "no data"


def main(arguments: list[str]) -> None:
    """Runs the arms and prints the tables."""
    seeds = int(arguments[0]) if arguments and arguments[0].isdigit() else 20
    overrides = [argument for argument in arguments if "=" in argument]
    rows = [mistakes(name, arm(None, seeds, *keys, *overrides)) for name, keys in ARMS.items()]
    header = ["arm", "questions", "answered", "stale", "stale in prompts", "allergens served"]
    header += ["last visit", "not confused", "in prompts: of others / of other agents"]
    show(f"what memory=full gets wrong, {seeds} seeds", header, rows)
    show('words of a reply after "shorter, please"', ["arm", "words"], manners(seeds, overrides))


if __name__ == "__main__":
    main(sys.argv[1:])
