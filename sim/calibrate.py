"""``noodle calibrate``: how often the models of a run really erred and how long they took, as a surrogate."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

from sim.config.llm import Rates
from sim.errors import ConfigError, JournalError
from sim.journal import Entry, Journal
from sim.llm.ladder.structured import read
from sim.llm.protocol import Reply
from sim.metrics.evidence import memory_rows
from sim.metrics.instrument import ignored, made_up, squeezed_out, unwritten
from sim.metrics.intervals import Rate, clustered_rate
from sim.metrics.load import load
from sim.records import Probe, Telling
from sim.tables import read_records

_COUNTED = {
    "missed_extraction": "tellings",
    "ignored_context": "questions with the fact in the prompt",
    "confabulation": "questions with nothing to go by",
    "lost_in_compression": "statements squeezed into summaries",
    "malformed_json": "first replies",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Latency:
    """Real seconds of the answers to one role."""

    mean_s: float
    median_s: float
    p95_s: float
    n: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """What was measured on one run.

    Args:
        rates: by the surrogate's name of each; NaN where the run says nothing of it.
        latencies: by role.
        models: that answered.
    """

    rates: Mapping[str, Rate]
    latencies: Mapping[str, Latency] = field(default_factory=dict)
    models: Sequence[str] = ()


def calibrated(folder: Path) -> Calibration:
    """Measures a finished run whose models kept a journal.

    Raises:
        ConfigError: it has replications, or no journal.
        RecordError: it is no run, or did not end.
    """
    run = load(folder)
    if run.runs:
        raise ConfigError(f"{folder}: holds {len(run.runs)} runs; name one of them, {run.runs[0].path}")
    entries = _entries(folder / "journal.sqlite")
    records = list(memory_rows(folder))
    probes = read_records(folder / "recall.parquet", Probe)
    tellings = read_records(folder / "facts.parquet", Telling)
    rates = {
        "missed_extraction": _missed(tellings, records),
        "ignored_context": ignored(probes),
        "confabulation": made_up(probes),
        "lost_in_compression": squeezed_out(records),
        "malformed_json": _malformed(entries),
    }
    models = sorted({str(entry.reply["model"]) for entry in entries if entry.reply})
    return Calibration(rates=rates, latencies=_latencies(entries), models=models)


def written(found: Calibration, folder: Path, into: Path, name: str) -> Path:
    """Writes ``<into>/llm/<name>.yaml``, which ``--config-dir`` makes a choice of models.

    Raises:
        ConfigError: it is there already, or cannot be written.
    """
    if not name.isidentifier():
        raise ConfigError(f"--name: {name!r} cannot be the name of a file of settings: letters, digits and _")
    path = into / "llm" / f"{name}.yaml"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(_yaml(found, folder, name))
    except FileExistsError:
        raise ConfigError(f"--name: there is {path} already; take another name") from None
    except OSError as error:
        raise ConfigError(f"--into: cannot write {path} ({error.strerror})") from None
    return path


def table(found: Calibration) -> list[str]:
    """The measured rates with their 95 % intervals, and the seconds of each role."""
    lines = [f"{'rate':<21}{'measured':>9}  {'95 % interval':<17} of"]
    lines += [_row(name, rate) for name, rate in found.rates.items()]
    lines += ["", f"{'role':<21}{'mean s':>9} {'median':>8} {'95 %':>8}  answers"]
    return lines + [
        f"{role:<21}{one.mean_s:>9.2f} {one.median_s:>8.2f} {one.p95_s:>8.2f}  {one.n}"
        for role, one in found.latencies.items()
    ]


def _row(name: str, rate: Rate) -> str:
    if isnan(rate.rate):
        return f"{name:<21}{'no data':>9}  {'':<17} the default is kept"
    interval = f"[{rate.low:.4f}, {rate.high:.4f}]"
    return f"{name:<21}{rate.rate:>9.4f}  {interval:<17} {rate.n} {_COUNTED[name]}"


def _entries(path: Path) -> list[Entry]:
    try:
        with Journal.open(path, mode="replay") as journal:
            return list(journal.entries())
    except JournalError as error:
        raise ConfigError(str(error)) from error


def _missed(tellings: Iterable[Telling], records: Sequence[Mapping[str, Any]]) -> Rate:
    if not any(record["claims"] for record in records if not record["replaces"]):
        return clustered_rate([], [])  # a memory of bare words: nothing was extracted
    return unwritten(tellings, records)


def _malformed(entries: Iterable[Entry]) -> Rate:
    """Share of first replies that were not the JSON asked for, as they came."""
    first = [
        entry
        for entry in entries
        if entry.place.attempt == 0 and entry.reply is not None and entry.wire.get("schema") is not None
    ]
    flags = [read(Reply(**entry.reply or {}), entry.wire["schema"]).kind != "ok" for entry in first]
    # Each reply fails by itself.
    return clustered_rate(flags, [str(entry.place) for entry in first])


def _latencies(entries: Iterable[Entry]) -> dict[str, Latency]:
    seconds: dict[str, list[float]] = {}
    for entry in entries:
        if entry.reply is not None:
            seconds.setdefault(str(entry.wire["role"]), []).append(float(entry.reply["seconds"]))
    return {role: _latency(seconds[role]) for role in sorted(seconds)}


def _latency(seconds: list[float]) -> Latency:
    cuts = quantiles(seconds, n=20, method="inclusive") if len(seconds) > 1 else seconds * 19
    return Latency(mean_s=mean(seconds), median_s=cuts[9], p95_s=cuts[18], n=len(seconds))


def _yaml(found: Calibration, folder: Path, name: str) -> str:
    usual = Rates().model_dump()
    rates = {
        one: usual[one] if isnan(rate.rate) else round(rate.rate, 4) for one, rate in found.rates.items()
    }
    means = {role: round(one.mean_s, 3) for role, one in found.latencies.items()}
    total = sum(one.n for one in found.latencies.values())
    overall = sum(one.mean_s * one.n for one in found.latencies.values()) / total if total else 0.0
    lines = [
        f"# The surrogate, erring and waiting as {', '.join(found.models) or 'nobody'} did in {folder}.",
        *(f"# {line}".rstrip() for line in table(found)),
        "defaults:",
        "  - /parts/llm@_here_",
        "",
        f"name: {name}",
        "models:",
        "  surrogate:",
        "    kind: surrogate",
        f"    rates: {json.dumps(rates)}",
        "roles:",
        "  default: surrogate",
        "# simulated seconds, as the real ones were on average",
        f"latency_s: {json.dumps({'default': round(overall, 3)} | means)}",
    ]
    return "\n".join(lines) + "\n"
