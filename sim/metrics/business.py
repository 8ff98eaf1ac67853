"""How the shop did: visits, returns, waiting, right dishes, satisfaction."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from sim.clock import SECOND_MS
from sim.metrics.intervals import clustered_rate
from sim.metrics.recall_table import rate_row
from sim.records import Visit

VISIT_OUTCOMES = ("served", "reneged", "closed")


def returns(visits: Sequence[Visit]) -> int:
    """Visits of people who had been there before in this run."""
    return len(visits) - len({visit.customer for visit in visits})


def business(visits: Sequence[Visit]) -> dict[str, Any]:
    """Figures of the shop itself; what did not happen is None."""
    judged = [visit for visit in visits if visit.right is not None]
    right = clustered_rate([bool(visit.right) for visit in judged], [visit.customer for visit in judged])
    counts = Counter(visit.outcome for visit in visits)
    return {
        "customers": len({visit.customer for visit in visits}),
        **{outcome: counts[outcome] for outcome in VISIT_OUTCOMES},
        "right_dish": rate_row(right),
        "satisfaction": _mean(visit.satisfaction for visit in visits),
        "wait_for_table_s": _mean(_seconds(visit.arrived_ms, visit.seated_ms) for visit in visits),
        "wait_for_dish_s": _mean(_seconds(visit.ordered_ms, visit.served_ms) for visit in visits),
    }


def _seconds(start_ms: int | None, end_ms: int | None) -> float | None:
    return None if start_ms is None or end_ms is None else (end_ms - start_ms) / SECOND_MS


def _mean(values: Iterable[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return round(sum(present) / len(present), 4) if present else None
