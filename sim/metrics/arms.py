"""The arms of a sweep: runs that differ in nothing but their seed, named by what sets them apart."""

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.metrics.compare import differing
from sim.metrics.gather import Found
from sim.metrics.wording import harmless, name_of

# One arm has many seeds, alone or as replications of one run.
_OF_THE_SEED = ("seed", "replications")
Table = Mapping[str, Hashable]
_WORLD = ("scenario", "start", "inputs")


@dataclass(frozen=True, kw_only=True, slots=True)
class Arm:
    """Runs that differ in nothing but their seed.

    Args:
        name: the settings that set it apart in its world, as on the command line.
        world: those that set its world apart, empty where there is but one; arms of one world can be paired.
        runs: the runs in order of their seeds, those that have no figures too.
    """

    name: str
    world: str
    runs: tuple[Found, ...]

    @property
    def full_name(self) -> str:
        """Its name, with the world where there are several."""
        return f"{self.name} ({self.world})" if self.world else self.name

    @property
    def by_seed(self) -> dict[int, Found]:
        """The runs that have figures, by seed; the first begun where there are several."""
        return {found.seed: found for found in reversed(self.runs) if found.summary}

    @property
    def doubles(self) -> list[Found]:
        """Further runs of the same seeds."""
        first = {found.path for found in self.by_seed.values()}
        return [found for found in self.runs if found.summary and found.path not in first]


def settings(found: Found) -> dict[str, Any]:
    """All settings of a run that are set, by the key of the command line."""
    return {_key(key): value for key, (_, value) in differing({}, found.config).items()}


def differing_settings(runs: Sequence[Found]) -> list[dict[str, Any]]:
    """For each run the settings in which any of them differ, by the key of the command line."""
    if not runs:
        return []
    tables = [differing(runs[0].config, found.config) for found in runs]
    first = {key: pair[0] for table in tables for key, pair in table.items() if key not in _OF_THE_SEED}
    return [
        {_key(key): table[key][1] if key in table else value for key, value in first.items()}
        for table in tables
    ]


def _key(key: str) -> str:
    """``memory.name`` is called ``memory`` on the command line."""
    group, _, last = key.rpartition(".")
    return group if last == "name" and "." not in group else key


def plain(value: Any) -> Hashable:
    """A setting as a number, a truth or a text."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def arms(runs: Sequence[Found]) -> list[Arm]:
    """The arms in the order in which they were begun, those of one world together."""
    tables = [{key: plain(value) for key, value in table.items()} for table in differing_settings(runs)]
    worlds = [{key: value for key, value in table.items() if _is_of_the_world(key)} for table in tables]
    keys = _telling_apart(worlds)
    made: list[Arm] = []
    for places in _alike(worlds):
        here = [tables[place] for place in places]
        made += _arms_of([runs[place] for place in places], here, _words(worlds[places[0]], keys))
    return made


def _arms_of(runs: Sequence[Found], tables: Sequence[Table], world: str) -> Iterator[Arm]:
    groups = _alike(tables)
    firsts = [tables[places[0]] for places in groups]
    keys = _telling_apart(firsts)
    for table, places in zip(firsts, groups, strict=True):
        members = sorted((runs[place] for place in places), key=lambda found: found.seed)
        name = _name(table, keys, firsts) if keys else f"memory={name_of(members[0].config, 'memory')}"
        yield Arm(name=name, world=world, runs=tuple(members))


def _alike(tables: Sequence[Table]) -> list[list[int]]:
    """The places of equal tables."""
    places: dict[tuple[Hashable, ...], list[int]] = {}
    for place, table in enumerate(tables):
        places.setdefault(tuple(table.values()), []).append(place)
    return list(places.values())


def _is_of_the_world(key: str) -> bool:
    return key.partition(".")[0] in _WORLD


def _telling_apart(tables: Sequence[Table]) -> list[str]:
    """As few keys as tell all arms apart, names of groups before single keys."""
    keys = tables[0] if tables else ()
    kept: list[str] = []
    seen = 1
    for key in sorted(keys, key=lambda key: ("." in key, any(table[key] is None for table in tables), key)):
        parts = len({tuple(table[one] for one in (*kept, key)) for table in tables})
        if parts > seen:
            kept, seen = [*kept, key], parts
    return kept


def _name(table: Table, keys: Sequence[str], tables: Sequence[Table]) -> str:
    """The values of an arm, without those that most arms have."""
    shown = [key for key in keys if "." not in key or not _is_usual(key, table[key], tables)]
    return _words(table, shown) or "as most"


def _words(table: Table, keys: Sequence[str]) -> str:
    return harmless(" ".join(f"{key}={'null' if table[key] is None else table[key]}" for key in keys))


def _is_usual(key: str, value: Hashable, tables: Sequence[Table]) -> bool:
    return 2 * sum(table[key] == value for table in tables) > len(tables)
