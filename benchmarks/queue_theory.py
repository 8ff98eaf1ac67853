"""Mean waits of the simulation against queueing theory: M/M/c, and M/M/c+M where people give up.

``python benchmarks/queue_theory.py [THOUSANDS] [SHOP_THOUSANDS]``: thousands of customers per case, 300 for
the engine alone and 10 for the whole shop by default. Waits scatter: 3 % take 30 to 400 thousand.
"""

import math
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import simpy

from benchmarks._table import percent, show
from scenarios.noodle_shop.settings import DAYS
from sim.agents.effects import Report
from sim.build import plan_of
from sim.clock import milliseconds
from sim.door import configured
from sim.engine.act import Steps
from sim.engine.scenario import Cast
from sim.engine.simulation import Process, Simulation
from sim.llm.thinking import Thinking
from sim.memory.none import NoMemory
from sim.memory.plan import MemoryPlan
from sim.metrics.intervals import t_quantile
from sim.metrics.queueing import Queue, erlang_a, littles_law
from sim.records import ActId, Visit
from sim.runs import RunPlan, run

REPLICATIONS = 20
WARM_UP = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class House:
    """Tables, and people who want one: exponential in everything; a scenario, see `sim.engine.scenario`.

    Args:
        tables: how many there are.
        between_s: mean seconds between two arrivals.
        stay_s: mean seconds at a table.
        patience_s: mean seconds before giving up; infinite where nobody does.
        customers: how many come.
    """

    tables: int
    between_s: float
    stay_s: float
    patience_s: float = math.inf
    customers: int = 1000
    name: str = "house"
    cast: Cast = field(default_factory=Cast)
    skills: dict[str, Any] = field(default_factory=dict)

    @property
    def duration_ms(self) -> int:
        """Far longer than anybody stays: a run ends when nothing is left to happen."""
        return milliseconds(100 * self.customers * (self.between_s + self.stay_s))

    @property
    def theory(self) -> Queue:
        """What Erlang says."""
        return erlang_a(
            rate=1 / self.between_s,
            service_s=self.stay_s,
            servers=self.tables,
            patience_s=self.patience_s,
        )

    def open(self, simulation: Simulation) -> None:
        """Opens the door."""
        simulation.process(self._arrivals(simulation))

    def _arrivals(self, simulation: Simulation) -> Process:
        tables = simpy.Resource(simulation.env, capacity=self.tables)
        at_s = 0.0
        for number in range(self.customers):
            at_s += simulation.streams.of("between", number).exponential(self.between_s)
            yield simulation.until(milliseconds(at_s))
            simulation.process(self._visit(simulation, tables, number))

    def _visit(self, simulation: Simulation, tables: simpy.Resource, number: int) -> Process:
        chance, arrived_ms = simulation.streams.of("customer", number), simulation.now
        with tables.request() as table:
            patience_s = chance.of("patience").exponential(min(self.patience_s, 1e12))
            yield table | simulation.timeout(milliseconds(patience_s))
            seated_ms = simulation.now if table.triggered else None
            if seated_ms is not None:
                yield simulation.timeout(milliseconds(chance.of("stay").exponential(self.stay_s)))
        act = ActId(agent="house", customer=str(number), visit=str(number), purpose="leave")
        row = _row(act.visit, arrived_ms, seated_ms, simulation.now)
        simulation.submit(act, _report(row), due_ms=simulation.now)


def _report(row: Visit) -> Steps:
    yield Report(visit=row)


def _row(name: str, arrived_ms: int, seated_ms: int | None, left_ms: int) -> Visit:
    return Visit(
        visit=name,
        customer=name,
        number=0,
        regular=False,
        language="en",
        waiter="",
        outcome="reneged" if seated_ms is None else "served",
        arrived_ms=arrived_ms,
        seated_ms=seated_ms,
        ordered_ms=seated_ms,
        served_ms=seated_ms,
        left_ms=left_ms,
        moves="",
        wanted="",
        served=None,
        right=None,
        satisfaction=None,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A mean over independent replications with the half-width of its interval."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float], controls: Sequence[Sequence[float]], z: float = 1.96) -> "Estimate":
        """The mean freed of what known chances explain, with its t interval at the normal quantile ``z``.

        Args:
            values: one per replication.
            controls: per replication, how far draws of known mean were off it.
            z: 1.96 for 95 %.

        Source: Lavenberg and Welch (1981), https://doi.org/10.1287/mnsc.27.3.322
        """
        table = np.column_stack([np.ones(len(values)), np.asarray(controls)])
        fitted, _, _, _ = np.linalg.lstsq(table, np.asarray(values), rcond=None)
        degrees = len(values) - table.shape[1]
        spread = float(np.sum((np.asarray(values) - table @ fitted) ** 2)) / degrees
        error = math.sqrt(spread * float(np.linalg.inv(table.T @ table)[0, 0]))
        return cls(mean=float(fitted[0]), half=t_quantile(degrees, z) * error)

    def holds(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        return abs(value - self.mean) <= self.half


def visits_of(house: House, seed: int) -> list[Visit]:
    """The visits of one run, in order of arrival."""
    memory = MemoryPlan(make=NoMemory, capabilities=NoMemory.capabilities)
    plan = RunPlan(scenario=house, memory=memory, thinking=Thinking.of_surrogate({}), seed=seed)
    return sorted(run(plan).rows[seed].visits, key=lambda visit: visit.arrived_ms)


def wait_s(visit: Visit) -> float:
    """Seconds until a visit got its table or gave up."""
    return ((visit.left_ms if visit.seated_ms is None else visit.seated_ms) - visit.arrived_ms) / 1000


def mean_wait_s(visits: Sequence[Visit]) -> float:
    """Mean wait of all who came once the house had filled."""
    return statistics.fmean(map(wait_s, settled(visits)))


def share_reneged(visits: Sequence[Visit]) -> float:
    """Share of those who gave up once the house had filled."""
    return statistics.fmean(visit.outcome == "reneged" for visit in settled(visits))


def luck(house: House, visits: Sequence[Visit]) -> tuple[float, float]:
    """How much longer people stayed, and came apart, than their means: what makes a run busier or calmer."""
    counted = settled(visits)
    stays = [(visit.left_ms - visit.seated_ms) / 1000 for visit in counted if visit.seated_ms is not None]
    between = (counted[-1].arrived_ms - counted[0].arrived_ms) / 1000 / (len(counted) - 1)
    return statistics.fmean(stays) / house.stay_s - 1, between / house.between_s - 1


def settled(visits: Sequence[Visit]) -> Sequence[Visit]:
    """The visits without the first, which still find the house empty."""
    return visits[int(WARM_UP * len(visits)) :]


def shop_settings(house: House) -> list[str]:
    """Overrides that make the noodle shop such a house: walk-ins only, and all the time at a table random.

    Ordering and cooking take a millisecond or two, so that eating is the stay.
    """
    day_s = 24 * 3600
    weeks = max(1, round(house.customers * house.between_s / (7 * day_s)))
    hours = ",".join(f"{day}:'00:00-24:00'" for day in DAYS)
    dishes = "{tonkotsu_ramen:{price:12.5,cooking_s:0.001,allergens:[]}}"
    lists = "extra:[egg],without:[garlic],allergy:[peanut]"
    nobody = ("extra", "without", "spice", "portion", "allergy", "style")
    return [
        "memory=none",
        "probes.enabled=false",
        f"scenario.weeks={weeks}",
        "scenario.regulars=0",
        "scenario.walk_in_returns=0",
        f"scenario.walk_ins_per_day={day_s / house.between_s}",
        f"scenario.tables={house.tables}",
        f"scenario.opening={{{hours}}}",
        f"scenario.menu={{dishes:{dishes},{lists}}}",
        *(f"scenario.tastes.{slot}=0" for slot in nobody),
        "scenario.talk.greeting=0",
        "scenario.timing.law=exponential",
        "scenario.timing.exchange_s=0.001",
        "scenario.timing.last_arrival_s=0",
        f"scenario.timing.eating_s={house.stay_s}",
        "scenario.timing.patience_spread=0",
        f"scenario.timing.patience_s={min(house.patience_s, 1e9)}",
    ]


def shop_visits(house: House, seed: int) -> list[Visit]:
    """The visits of the noodle shop run as such a house, but for whom its end finds waiting."""
    settings = configured("progress=false", f"seed={seed}", *shop_settings(house))
    rows = run(plan_of(settings, None, resume=False)).rows[seed]
    counted = [visit for visit in rows.visits if visit.seated_ms is not None or visit.outcome == "reneged"]
    return sorted(counted, key=lambda visit: visit.arrived_ms)


CASES = {
    "M/M/1": House(tables=1, between_s=1200, stay_s=600),
    "M/M/2": House(tables=2, between_s=500, stay_s=600),
    "M/M/4": House(tables=4, between_s=600 / 2.4, stay_s=600),
    "M/M/4+M": House(tables=4, between_s=600 / 3.6, stay_s=600, patience_s=450),
    "M/M/4+M, too full": House(tables=4, between_s=600 / 4.8, stay_s=600, patience_s=450),
}
IN_SHOP = ("M/M/1", "M/M/4+M")
Source = Callable[[House, int], list[Visit]]


def row(name: str, house: House, source: Source) -> list[Any]:
    """One case: theory, what was measured, and whether Little's law held in every run."""
    runs = [source(house, seed) for seed in range(REPLICATIONS)]
    controls = [luck(house, visits) for visits in runs]
    wait = Estimate.of([mean_wait_s(visits) for visits in runs], controls)
    gave_up = Estimate.of([share_reneged(visits) for visits in runs], controls)
    theory = house.theory
    return [
        name,
        sum(map(len, runs)),
        f"{theory.wait_s:.2f}",
        f"{wait.mean:.2f}",
        f"+-{percent(wait.half / wait.mean)}",
        "yes" if wait.holds(theory.wait_s) else "NO",
        percent(theory.abandons, 2),
        f"{percent(gave_up.mean, 2)} +-{percent(gave_up.half, 2)}",
        "yes" if all(map(little, runs)) else "NO",
    ]


def little(visits: Sequence[Visit]) -> bool:
    """Whether Little's law holds for a run, to the millisecond."""
    arrivals, departures = [visit.arrived_ms for visit in visits], [visit.left_ms for visit in visits]
    stays = [visit.left_ms - visit.arrived_ms for visit in visits]
    return littles_law(arrivals, departures, stays).holds


HEADER = ["queue", "customers", "wait s", "measured s", "95 %", "agrees", "give up", "gave up", "Little"]


def main(arguments: list[str]) -> None:
    """Runs every case on the engine alone, then some in the noodle shop, and prints both."""
    thousands, in_shop = map(float, [*arguments, *("300", "10")[len(arguments) :]])
    show(
        "the engine", HEADER, [row(name, sized(house, thousands), visits_of) for name, house in CASES.items()]
    )
    if in_shop:
        rows = [row(name, sized(CASES[name], in_shop), shop_visits) for name in IN_SHOP]
        show("the noodle shop", HEADER, rows)


def sized(house: House, thousands: float) -> House:
    """The same house with so many customers over all replications."""
    return replace(house, customers=round(1000 * thousands / REPLICATIONS))


if __name__ == "__main__":
    main(sys.argv[1:])
