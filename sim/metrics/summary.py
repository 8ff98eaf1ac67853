"""The summary of a run: what ``summary.json`` holds, computed from flat records only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from sim.metrics.business import COUNTED_EVENTS, business, returns, revenue
from sim.metrics.cost import llm
from sim.metrics.recall_table import (
    answered_by,
    asked,
    lag_group,
    losses,
    outcomes,
    per_thousand_tokens,
    recall,
)
from sim.metrics.remembering import rated, together
from sim.records import SCHEMA_VERSION, LlmCall, Probe, Visit

_COUNTED = ("regular_treated_as_new", "incidents", *COUNTED_EVENTS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """The records of one run that a summary counts, and what only the run itself knows.

    Args:
        visits: every visit.
        probes: natural questions and examinations.
        calls: every decision asked of a model.
        extra: ``regular_treated_as_new``, ``incidents``, the names of ``COUNTED_EVENTS``,
            ``events_digest`` and what else to carry over.
    """

    visits: Sequence[Visit]
    probes: Sequence[Probe]
    calls: Sequence[LlmCall]
    extra: Mapping[str, Any] = field(default_factory=dict)


def summary(
    visits: Sequence[Visit],
    probes: Sequence[Probe],
    calls: Sequence[LlmCall],
    extra: Mapping[str, Any],
) -> dict[str, Any]:
    """Counts a run.

    Recall, outcomes and losses are those of natural questions; ``recall_exam`` stands apart. A rate
    without data is None; a stage that the memory does not have is ``not_applicable``.

    Args:
        visits: every visit.
        probes: natural questions and examinations.
        calls: every decision asked of a model.
        extra: entries that records do not tell (``regular_treated_as_new``, ``incidents``,
            ``offers_made``, ``events_digest``, …); they are put in as they are.
    """
    natural = [probe for probe in probes if probe.kind == "natural"]
    exams = [probe for probe in probes if probe.kind == "exam"]
    table: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "visits": len(visits),
        "returns": returns(visits),
        "business": business(visits),
        **_natural(natural),
        "questions_exam": asked(exams),
        "recall_exam": recall(exams),
        "outcomes_exam": outcomes(exams),
        "losses_exam": losses(exams),
        "retention_exam": answered_by(exams, lag_group),
        "llm": llm(calls),
    }
    missing = dict.fromkeys((*_COUNTED, "memory", "events_digest"))
    memory = {"memory": rated(extra["memory"])} if "memory" in extra else {}
    return table | missing | dict(extra) | memory


def _natural(natural: Sequence[Probe]) -> dict[str, Any]:
    return {
        "questions": asked(natural),
        "recall": recall(natural),
        "recall_by_language": answered_by(natural, lambda probe: probe.language),
        "recall_by_slot": answered_by(natural, lambda probe: probe.slot),
        "recall_by_question": answered_by(natural, lambda probe: probe.question),
        "retention": answered_by(natural, lag_group),
        "answered_per_1000_context_tokens": per_thousand_tokens(natural),
        "outcomes": outcomes(natural),
        "losses": losses(natural),
    }


def pooled(runs: Mapping[int, Rows]) -> dict[str, Any]:
    """One summary over the replications of a run, given by seed.

    The same customer id under two seeds is two people. Counts are added; the digest is the sha256 of
    the single digests, one per line, in order of seed.
    """
    ordered = sorted(runs.items())
    visits = [_visit_of(seed, visit) for seed, rows in ordered for visit in rows.visits]
    probes = [_probe_of(seed, probe) for seed, rows in ordered for probe in rows.probes]
    calls = [call for _, rows in ordered for call in rows.calls]
    table = summary(visits, probes, calls, _pooled_extra(ordered))
    singles = {str(seed): _single(rows) for seed, rows in ordered}
    return table | {"replications": len(ordered), "by_seed": singles}


def _visit_of(seed: int, visit: Visit) -> Visit:
    return replace(visit, customer=f"{seed}/{visit.customer}")


def _probe_of(seed: int, probe: Probe) -> Probe:
    return replace(probe, customer=f"{seed}/{probe.customer}")


def _pooled_extra(ordered: Sequence[tuple[int, Rows]]) -> dict[str, Any]:
    extra: dict[str, Any] = {name: _total(ordered, name) for name in _COUNTED}
    memories = [rows.extra["memory"] for _, rows in ordered if "memory" in rows.extra]
    if memories:
        extra["memory"] = together(memories)
    digests = [rows.extra.get("events_digest") for _, rows in ordered]
    if digests and all(digests):
        extra["events_digest"] = sha256("".join(f"{digest}\n" for digest in digests).encode()).hexdigest()
    return extra


def _total(ordered: Sequence[tuple[int, Rows]], name: str) -> int | None:
    counts = [rows.extra[name] for _, rows in ordered if rows.extra.get(name) is not None]
    return sum(counts) if counts and len(counts) == len(ordered) else None


def _single(rows: Rows) -> dict[str, Any]:
    """What differs most between seeds, for the spread between them."""
    natural = [probe for probe in rows.probes if probe.kind == "natural"]
    return {
        "visits": len(rows.visits),
        "returns": returns(rows.visits),
        "revenue": revenue(rows.visits),
        "answered": recall(natural)["answered"],
        "events_digest": rows.extra.get("events_digest"),
    }
