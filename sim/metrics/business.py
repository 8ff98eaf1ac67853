"""How the shop did: visits, waiting, right dishes, satisfaction, money, and who did not come back."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sim.clock import DAY_MS, SECOND_MS
from sim.metrics.intervals import clustered_rate
from sim.metrics.recall_table import rate_row
from sim.records import Visit

VISIT_OUTCOMES = ("served", "reneged", "closed")
# Of events rather than of visits: the run counts these kinds of line and hands them over.
COUNTED_EVENTS = {
    "offers_made": "offered",
    "offers_accepted": "accepted",
    "remakes": "remade",
    "extractions_failed": "not_written",
    "claims_dropped": "claim_dropped",
    "prompts_cut": "cut",
    "customers_reworded": "reworded",
    "templates_kept": "template_kept",
}
LOST_AFTER_INTERVALS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """One day of the shop; a visit belongs to the day of its arrival.

    Args:
        day: days since the start, from 0.
        arrivals: visits, however they ended.
        revenue: what was paid, None where no visit tells.
        wait_s: mean wait for a table, None where nobody's wait ended.
    """

    day: int
    arrivals: int
    served: int
    reneged: int
    revenue: float | None
    wait_s: float | None


def returns(visits: Sequence[Visit]) -> int:
    """Visits of people who had been there before in this run."""
    return len(visits) - len({visit.customer for visit in visits})


def business(visits: Sequence[Visit]) -> dict[str, Any]:
    """Figures of the shop itself; what did not happen is None.

    ``wait_for_table`` counts all whose wait ended, at a table or by giving up.
    """
    judged = [visit for visit in visits if visit.right is not None]
    waited = [visit for visit in visits if _wait_s(visit) is not None]
    counts = Counter(visit.outcome for visit in visits)
    tables = [_wait_s(visit) for visit in waited]
    dishes = [_seconds(visit.ordered_ms, visit.served_ms) for visit in visits]
    return {
        "customers": len({visit.customer for visit in visits}),
        **{outcome: counts[outcome] for outcome in VISIT_OUTCOMES},
        "right_dish": _rate(judged, [bool(visit.right) for visit in judged]),
        "satisfaction": _mean(visit.satisfaction for visit in visits),
        "revenue": revenue(visits),
        "reneging": _rate(waited, [visit.outcome == "reneged" for visit in waited]),
        "wait_for_table_s": _mean(tables),
        "wait_for_table_p95_s": _quantile(tables, 0.95),
        "wait_for_dish_s": _mean(dishes),
        "wait_for_dish_p95_s": _quantile(dishes, 0.95),
        "regulars": len(_arrivals(visits)),
        "lost_regulars": len(lost_regulars(visits)),
    }


def revenue(visits: Iterable[Visit]) -> float | None:
    """What was paid on these visits; None where none of them tells."""
    paid = [visit.revenue for visit in visits if visit.revenue is not None]
    return round(math.fsum(paid), 2) if paid else None


def lost_regulars(visits: Sequence[Visit], end_ms: int | None = None) -> list[str]:
    """The regulars who stayed away for more than three of their own mean intervals before the end.

    Whoever came only once has no interval yet and is judged by the mean over all regulars.

    Args:
        visits: every visit.
        end_ms: the end of the run; by default the last moment at which anybody left.
    """
    end = max((visit.left_ms for visit in visits), default=0) if end_ms is None else end_ms
    times = _arrivals(visits)
    gaps = {customer: _gap(arrivals) for customer, arrivals in times.items() if len(arrivals) > 1}
    usual = sum(gaps.values()) / len(gaps) if gaps else math.inf
    return [
        customer
        for customer, arrivals in sorted(times.items())
        if end - max(arrivals) > LOST_AFTER_INTERVALS * gaps.get(customer, usual)
    ]


def _arrivals(visits: Sequence[Visit]) -> dict[str, list[int]]:
    """Times of arrival of each customer who is a regular, or became one."""
    times: defaultdict[str, list[int]] = defaultdict(list)
    for visit in visits:
        times[visit.customer].append(visit.arrived_ms)
    regular = {visit.customer for visit in visits if visit.regular}
    return {customer: arrivals for customer, arrivals in times.items() if customer in regular}


def _gap(arrivals: Sequence[int]) -> float:
    return (max(arrivals) - min(arrivals)) / (len(arrivals) - 1)


def daily(visits: Iterable[Visit]) -> list[Day]:
    """One row per day from the first of the run to the last with a visit, days without any included."""
    days: defaultdict[int, list[Visit]] = defaultdict(list)
    for visit in visits:
        days[visit.arrived_ms // DAY_MS].append(visit)
    return [_day(number, days.get(number, [])) for number in range(max(days, default=-1) + 1)]


def _day(number: int, visits: Sequence[Visit]) -> Day:
    counts = Counter(visit.outcome for visit in visits)
    return Day(
        day=number,
        arrivals=len(visits),
        served=counts["served"],
        reneged=counts["reneged"],
        revenue=revenue(visits),
        wait_s=_mean(_wait_s(visit) for visit in visits),
    )


def _wait_s(visit: Visit) -> float | None:
    """How long a visit waited for a table; None for those whom the end of the run found waiting."""
    gave_up_ms = visit.left_ms if visit.outcome == "reneged" else None
    return _seconds(visit.arrived_ms, gave_up_ms if visit.seated_ms is None else visit.seated_ms)


def _rate(visits: Sequence[Visit], flags: Sequence[bool]) -> dict[str, Any]:
    return rate_row(clustered_rate(flags, [visit.customer for visit in visits]))


def _seconds(start_ms: int | None, end_ms: int | None) -> float | None:
    return None if start_ms is None or end_ms is None else (end_ms - start_ms) / SECOND_MS


def _mean(values: Iterable[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return round(sum(present) / len(present), 4) if present else None


def _quantile(values: Iterable[float | None], share: float) -> float | None:
    """The smallest value that this share of the values does not exceed."""
    present = sorted(value for value in values if value is not None)
    return round(present[math.ceil(share * len(present)) - 1], 4) if present else None
