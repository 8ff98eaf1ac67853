"""Finds the same question in two runs of one world."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sim.records import Probe

Key = tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """The same question in two runs."""

    customer: str
    first: Probe
    second: Probe


@dataclass(frozen=True, kw_only=True, slots=True)
class Pairing:
    """What could be paired, and how many questions of each run found no partner."""

    pairs: tuple[Pair, ...]
    only_first: int
    only_second: int


def pair(first: Iterable[tuple[str, Probe]], second: Iterable[tuple[str, Probe]]) -> Pairing:
    """Matches the probes of two runs, each given with its seed, that ask for the same fact.

    Two probes match by kind, customer, visit, slot, question and expected value (examinations by their
    time as well); equal ones match in the order in which they were asked.
    """
    left, right = _keyed(first), _keyed(second)
    shared = [key for key in left if key in right]
    pairs = tuple(Pair(customer=_person(key), first=left[key], second=right[key]) for key in shared)
    return Pairing(pairs=pairs, only_first=len(left) - len(pairs), only_second=len(right) - len(pairs))


def _keyed(probes: Iterable[tuple[str, Probe]]) -> dict[Key, Probe]:
    repeats: Counter[Key] = Counter()
    table: dict[Key, Probe] = {}
    for seed, probe in probes:
        key = _key(seed, probe)
        repeats[key] += 1
        table[(*key, repeats[key])] = probe
    return table


def _key(seed: str, probe: Probe) -> Key:
    when = probe.time_ms if probe.kind == "exam" else 0
    what = (probe.slot, probe.question, probe.expected, probe.polarity, when)
    return (seed, probe.customer, probe.kind, probe.visit, *what)


def _person(key: Key) -> str:
    return f"{key[0]}/{key[1]}"
