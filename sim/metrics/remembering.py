"""What a summary says of the memories of a run: the counts of `sim.memory.figures`, added up and rated."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def rated(counted: Mapping[str, Any]) -> dict[str, Any]:
    """The counts with the rates that follow from them; None where there is no data."""
    rates = {
        "times_smaller": _ratio(counted["tokens_before"], counted["tokens_after"]),
        "forgotten_asked_share": _ratio(counted["forgotten_asked_later"], counted["forgotten_facts"]),
        "rules_brier": _ratio(counted["rules_squared_error"], counted["rules_judged"]),
        "of_others_share": _ratio(counted["context_of_others"], counted["context_records"]),
        "of_other_agents_share": _ratio(counted["context_of_other_agents"], counted["context_records"]),
    }
    return {name: value for name, value in counted.items() if name != "rules_squared_error"} | rates


def together(several: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The counts of several runs as one."""
    names = several[0]
    return {
        name: _added(one[name] for one in several)
        if isinstance(names[name], Mapping)
        else sum(one[name] for one in several)
        for name in names
    }


def _added(tables: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for table in tables:
        total.update(table)
    return dict(sorted(total.items()))


def _ratio(part: float, whole: float) -> float | None:
    return round(part / whole, 6) if whole else None
