"""What the memories of a run did by themselves: compress, forget, learn manners, keep apart what is apart.

Plain numbers, so that those of several runs can be added up; `sim.metrics.remembering` makes rates of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.memory.experience.brier import Forecast
from sim.memory.forgetting.forgotten import Forgotten, asked_later
from sim.memory.protocol import Record
from sim.records import Probe, Telling

LOOKED_AFTER = ("compressed", "not_compressed", "forgot")
"""Kinds of event that tell what a memory did after closing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Happening:
    """One such event, its payload read.

    Args:
        store: whose memory it was.
    """

    time_ms: int
    kind: str
    store: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """What one memory holds at the end.

    Args:
        store: whose it is.
        living: records that a recall could still find.
        index_bytes: by index.
        forecasts: the confidences of rules when they were judged.
        rules: how many rules there are.
    """

    store: str
    living: Sequence[Record]
    index_bytes: Mapping[str, int]
    forecasts: Sequence[Forecast] = ()
    rules: int = 0


def counts(
    happenings: Sequence[Happening],
    held: Sequence[Held],
    probes: Sequence[Probe],
    tellings: Sequence[Telling],
) -> dict[str, Any]:
    """Plain numbers, all of which may be added over runs."""
    return {
        "records": dict(Counter(record.kind for one in held for record in one.living)),
        "index_bytes": _added(one.index_bytes for one in held),
        **_compression([one.payload for one in happenings if one.kind == "compressed"]),
        "not_compressed": sum(one.kind == "not_compressed" for one in happenings),
        **_forgetting(happenings, held, probes, tellings),
        **_rules(held),
        **_apart(probes),
    }


def _added(tables: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for table in tables:
        total.update(table)
    return dict(sorted(total.items()))


def _compression(payloads: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    return {
        "compressions": len(payloads),
        "tokens_before": sum(one.get("tokens_before", 0) for one in payloads),
        "tokens_after": sum(one.get("tokens_after", 0) for one in payloads),
        "claims_lost": sum(len(one.get("claims_lost", ())) for one in payloads),
        "abstracts_refused": sum(bool(one.get("refused")) for one in payloads),
    }


def _forgetting(
    happenings: Sequence[Happening],
    held: Sequence[Held],
    probes: Sequence[Probe],
    tellings: Sequence[Telling],
) -> dict[str, int]:
    """Facts and questions belong to the agents of a store, which without sharing is the agent itself."""
    records = facts = asked = 0
    for store in dict.fromkeys(one.store for one in held):
        gone = [record for one in happenings if one.store == store for record in _gone(one)]
        later = asked_later(
            gone,
            (record for one in held if one.store == store for record in one.living),
            [one for one in tellings if one.said_to == store],
            [one for one in probes if one.agent == store],
        )
        records, facts, asked = records + len(gone), facts + later.forgotten, asked + later.asked
    return {"forgotten_records": records, "forgotten_facts": facts, "forgotten_asked_later": asked}


def _gone(happening: Happening) -> Iterable[Forgotten]:
    if happening.kind != "forgot":
        return
    for one in happening.payload["forgotten"]:
        yield Forgotten(
            record=one["record"],
            store=happening.store,
            customer="",
            at_ms=happening.time_ms,
            policy="",
            utterances=tuple(one["utterances"]),
        )


def _rules(held: Sequence[Held]) -> dict[str, float]:
    forecasts = [forecast for one in held for forecast in one.forecasts]
    errors = [(one.confidence - one.confirmed) ** 2 for one in forecasts]
    return {
        "rules": sum(one.rules for one in held),
        "rules_judged": len(forecasts),
        "rules_squared_error": round(sum(errors), 6),
    }


def _apart(probes: Sequence[Probe]) -> dict[str, int]:
    return {
        "context_records": sum(one.context_records or 0 for one in probes),
        "context_of_others": sum(one.of_others or 0 for one in probes),
        "context_of_other_agents": sum(one.of_other_agents or 0 for one in probes),
    }
