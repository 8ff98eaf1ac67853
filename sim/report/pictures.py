"""The figures of a report, each with what it says in words and the numbers behind it."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sim.metrics import plots
from sim.metrics.losing import RIGHT, shares
from sim.metrics.plots.curves import Curve
from sim.metrics.plots.grid import Cells
from sim.metrics.recall_table import NOT_APPLICABLE
from sim.metrics.retention import Point, by_lag, by_tokens, fitted
from sim.metrics.wording import percent
from sim.records import STAGES, Probe
from sim.report.drawing import drawn
from sim.report.markup import Html

Groups = Mapping[str, Sequence[Probe]]
_OF_CURVES = 8


def funnel(summary: Mapping[str, Any], title: str) -> Html:
    """The stages of recall.

    Raises:
        RecordError: the summary has none.
    """
    figure, stages = plots.funnel(summary, title), summary["recall"]
    rows = [(plots.LABELS[stage], *_cells(stage, stages[stage])) for stage in STAGES]
    said = "; ".join(f"{row[0]} {row[1]}" for row in rows)
    return drawn(
        figure,
        "funnel",
        alternative=f"Bars for the six stages of recall: {said}.",
        caption="Read from the top: the step from one bar to the next is what that stage lost. A hatched bar"
        " is a stage this memory does not have. Lines are 95 % intervals; customers count as independent.",
        head=("stage", "rate", "95 % interval", "questions"),
        rows=rows,
    )


def _cells(stage: str, seen: Any) -> tuple[str, str, str]:
    if seen == NOT_APPLICABLE:
        return "not applicable", "", ""
    if seen["rate"] is None:
        return "no data", "", "0"
    # All are told by the choice of what is counted, so that this share has no interval.
    interval = "" if stage == "told" else f"{percent(seen['low'])} to {percent(seen['high'])}"
    return percent(seen["rate"]), interval, str(seen["n"])


def retention(groups: Groups, title: str) -> Html:
    """Recall against days, with the strength of each memory."""
    chosen = dict(list(groups.items())[:_OF_CURVES])
    curves: dict[str, Curve] = {name: (by_lag(probes), fitted(probes)) for name, probes in chosen.items()}
    said = "; ".join(f"{name}: {plots.strength_text(fit)}" for name, (_, fit) in curves.items())
    return drawn(
        plots.retention(curves, title),
        "retention",
        alternative=f"Recall against days since the fact was last told. {said or 'No data'}.",
        caption="Points: share answered right, in bins of equal numbers of questions. Dashed: R = e^(-t/S)"
        " with the most likely S; where points lie off the curve, time alone is not what makes them forget."
        f"{_more(groups)}",
        head=("series", "days", "answered right", "95 % interval", "questions"),
        rows=_point_rows({name: points for name, (points, _) in curves.items()}),
    )


def tokens(groups: Groups, title: str, bins: int) -> Html:
    """Recall against tokens of memory in the prompt."""
    series = {name: by_tokens(probes, bins) for name, probes in list(groups.items())[: 2 * _OF_CURVES]}
    rows = _point_rows(series)
    said = "; ".join(f"{name} {size} tokens {rate}" for name, size, rate, *_ in rows)
    return drawn(
        plots.tokens(series, title),
        "tokens",
        alternative=f"Recall against tokens of memory in the prompt: {said or 'no data'}.",
        caption="How much is answered right for how much memory in the prompt; up and to the left is better.",
        head=("series", "tokens", "answered right", "95 % interval", "questions"),
        rows=rows,
    )


def _more(groups: Groups) -> str:
    left = len(groups) - _OF_CURVES
    return f" The first {_OF_CURVES} of {len(groups)} are drawn." if left > 0 else ""


def _point_rows(series: Mapping[str, Sequence[Point]]) -> list[tuple[str, ...]]:
    return [
        (
            name,
            f"{point.at:.1f}",
            percent(point.rate.rate),
            f"{percent(point.rate.low)} to {percent(point.rate.high)}",
            str(point.rate.n),
        )
        for name, points in series.items()
        for point in points
    ]


def losses(groups: Groups, title: str, by: str) -> Html:
    """Where facts were lost, group by group."""
    table = shares(groups)
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    said = "; ".join(f"{group}: {_said(row)}" for group, row in table.items())
    return drawn(
        plots.losses(table, title),
        "losses",
        alternative=f"Stacked bars by {by}: {said or 'no data'}.",
        caption=f"One bar for each {by}. Every question that was not answered right is charged to the first"
        " stage that failed.",
        head=(by, *(name.replace("_", " ") for name in names)),
        rows=[(group, *(percent(row.get(name, 0.0)) for name in names)) for group, row in table.items()],
    )


def _said(row: Mapping[str, float]) -> str:
    lost = sorted((name for name in row if name != RIGHT), key=lambda name: -row[name])[:2]
    named = [name for name in (RIGHT, *lost) if name in row]
    return ", ".join(f"{name.replace('_', ' ')} {percent(row[name])}" for name in named)


def heat_map(cells: Cells, name: str, *, down: str, across: str, title: str) -> Html:
    """A rate for every pair of settings."""
    columns = list(dict.fromkeys(column for _, column in cells))
    lines = list(dict.fromkeys(line for line, _ in cells))
    known = {pair: rate for pair, rate in cells.items() if not math.isnan(rate)}
    best = max(known, key=lambda pair: known[pair], default=None)
    said = "no data" if best is None else f"highest for {best[0]}, {best[1]} with {percent(known[best])}"
    return drawn(
        plots.heat_map(cells, title, across=across, down=down),
        name,
        alternative=f"Grid of rates, {down} by {across}: {said}.",
        caption="Lighter is more. Pooled over the seeds of each arm.",
        head=(down, *columns),
        rows=[(line, *(_cell(cells.get((line, column))) for column in columns)) for line in lines],
    )


def _cell(rate: float | None) -> str:
    return "" if rate is None else "no data" if math.isnan(rate) else percent(rate)
