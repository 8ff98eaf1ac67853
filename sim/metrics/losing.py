"""What part of the questions was answered right, and what part was lost at which stage, group by group."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from sim.metrics.recall_table import told
from sim.records import LOSSES, Probe

RIGHT = "answered right"


def shares(groups: Mapping[str, Sequence[Probe]]) -> dict[str, dict[str, float]]:
    """For each group the share of its told questions answered right and lost at each stage; sums to 1.

    Groups without a told question are left out.
    """
    counted = {name: told(probes) for name, probes in groups.items()}
    return {name: _shares(probes) for name, probes in counted.items() if probes}


def _shares(probes: Sequence[Probe]) -> dict[str, float]:
    counts = Counter(probe.loss or RIGHT for probe in probes)
    order = [RIGHT, *LOSSES]
    names = [name for name in order if counts[name]] + sorted(set(counts) - set(order))
    return {name: counts[name] / len(probes) for name in names}


def grouped(probes: Sequence[Probe], group: Callable[[Probe], str]) -> dict[str, list[Probe]]:
    """The probes by group, groups in the order of their names."""
    members: dict[str, list[Probe]] = {}
    for probe in probes:
        members.setdefault(group(probe), []).append(probe)
    return {name: members[name] for name in sorted(members)}
