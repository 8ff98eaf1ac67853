"""The arms of a sweep side by side, each paired with the first by question over common seeds."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sim.errors import RecordError
from sim.metrics.arms import Arm
from sim.metrics.gather import Found
from sim.metrics.intervals import Difference, Rate, clustered_rate, paired_difference
from sim.metrics.pairing import pair
from sim.metrics.wording import harmless
from sim.records import Probe
from sim.tables import read_records

_WIDEST = 60
Asked = list[tuple[str, Probe]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One arm: how much it answered right, and how much more than the first.

    Args:
        name: the arm.
        seeds: how many of its runs could be read.
        answered: share of the natural questions told to the agent.
        difference: to the first arm, paired by question; None for that arm itself.
    """

    name: str
    seeds: int
    answered: Rate
    difference: Difference | None


def arm_table(arms: Sequence[Arm], against: str | None = None) -> list[str]:
    """The table as lines, one for each world; what could not be read stands before it.

    Raises:
        RecordError: no arm is called as ``against`` says.
    """
    if against is not None and not any(against in arm.name for arm in arms):
        names = ", ".join(arm.name for arm in arms)
        raise RecordError(f"--against: no arm is called {against!r}; there are {names}")
    lines: list[str] = []
    for world in dict.fromkeys(arm.world for arm in arms):
        here = [arm for arm in arms if arm.world == world and arm.by_seed]
        chosen = [arm for arm in here if against is not None and against in arm.name]
        ordered = [*chosen[:1], *(arm for arm in here if arm not in chosen[:1])]
        lines += _section(ordered, world) if ordered else []
    return lines


def _section(arms: Sequence[Arm], world: str) -> list[str]:
    rows, unread = compared(arms)
    title = "answered right, natural questions; 95 % intervals by customer"
    lines = [*unread, "", f"{title}{f'; {world}' if world else ''}"]
    width = min(_WIDEST, max(len(row.name) for row in rows))
    head = f"  {'':<{width}}  seeds  {'answered':<23}"
    lines += [f"{head} {'minus the first arm, points':<29}  pairs" if len(rows) > 1 else head.rstrip()]
    return [*lines, *(_line(row, width) for row in rows), *_footnote(rows)]


def compared(arms: Sequence[Arm]) -> tuple[list[Row], list[str]]:
    """The first arm and the others against it; and a line for each run that could not be read."""
    unread: list[str] = []
    first = _asked(arms[0], unread)
    rows = [_row(arms[0], first, None)]
    rows += [_row(arm, _asked(arm, unread), first) for arm in arms[1:]]
    return rows, unread


def _asked(arm: Arm, unread: list[str]) -> Asked:
    asked: Asked = []
    for found in arm.by_seed.values():
        try:
            asked += [(str(found.seed), probe) for probe in _natural(found)]
        except RecordError as error:
            unread.append(f"not paired: {found.name}: {harmless(str(error).replace(f'{found.path}/', ''))}")
    return asked


def _natural(found: Found) -> Iterator[Probe]:
    for probe in read_records(found.path / "recall.parquet", Probe):
        if probe.kind == "natural":
            # only what a pair is made of is kept: a sweep has many questions
            yield replace(probe, context="")


def _row(arm: Arm, asked: Asked, first: Asked | None) -> Row:
    told = [(f"{seed}/{probe.customer}", probe.answered) for seed, probe in asked if probe.told]
    rate = clustered_rate([answered for _, answered in told], [customer for customer, _ in told])
    seeds = len({seed for seed, _ in asked})
    difference = None if first is None else _difference(first, asked)
    return Row(name=arm.name, seeds=seeds, answered=rate, difference=difference)


def _difference(first: Asked, second: Asked) -> Difference:
    both = [one for one in pair(first, second).pairs if one.first.told and one.second.told]
    flags = [float(one.first.answered) for one in both], [float(one.second.answered) for one in both]
    return paired_difference(*flags, [one.customer for one in both])


def _line(row: Row, width: int) -> str:
    answered, found = row.answered, row.difference
    text = f"  {_cut(row.name):<{width}}  {row.seeds:>5}  "
    if not answered.n:
        return text + "no data"
    text += f"{100 * answered.rate:5.1f} %  [{100 * answered.low:5.1f}, {100 * answered.high:5.1f}]"
    if found is None:
        return text
    if not found.pairs:
        return f"{text}  no common seed, or no common question"
    return f"{text}  {_interval(found):<29}{found.pairs:>7}"


def _cut(name: str) -> str:
    return name if len(name) <= _WIDEST else f"{name[: _WIDEST - 1]}…"


def _interval(found: Difference) -> str:
    if math.isnan(found.low):
        return f"{100 * found.mean:+6.1f}  (one customer)"
    mark = " *" if found.low > 0 or found.high < 0 else ""
    return f"{100 * found.mean:+6.1f}  [{100 * found.low:+6.1f}, {100 * found.high:+6.1f}]{mark}"


def _footnote(rows: Sequence[Row]) -> list[str]:
    if len(rows) < 2:
        return []
    return [f"first arm: {rows[0].name}; * the interval does not hold 0, more than chance for one comparison"]
