"""Pictures of a run: the funnel of recall, where facts were lost, and one day in the shop."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.clock import DAY_MS, HOUR_MS
from sim.errors import RecordError
from sim.metrics.recall_table import NOT_APPLICABLE
from sim.metrics.timeline import WHATS, Span, in_rows
from sim.metrics.wording import counted, name_of, setting
from sim.records import STAGES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS = {
    "told": "told to this agent",
    "written": "written down",
    "kept": "still kept",
    "retrieved": "retrieved",
    "in_context": "in the prompt",
    "answered": "answered right",
}
# Colour-blind safe. Source: Okabe and Ito (2008), https://jfly.uni-koeln.de/color/
_BAR, _LAST_BAR, _ABSENT, _INK = "#56B4E9", "#0072B2", "#E6E6E6", "#333333"
_NUMBERS_AT = 1.03
_OF_SPAN = {
    "waiting": "#999999",
    "table": "#F0E442",
    "ordering": "#D55E00",
    "kitchen": "#E69F00",
    "eating": "#56B4E9",
}
_LABELLED_MS = HOUR_MS // 4


def funnel_title(config: Mapping[str, Any], seed: object, replications: int = 1) -> str:
    """The line that says which run a picture shows: scenario, memory, seeds and weeks."""
    plain = dict(config)
    seeds = f"seed {seed}" if replications <= 1 else f"{replications} seeds from {seed}"
    weeks = setting(plain, "scenario.weeks")
    parts = [name_of(plain, "scenario"), f"memory {name_of(plain, 'memory')}", seeds]
    return ", ".join([*parts, counted(weeks, "week")] if weeks is not None else parts)


def save_funnel(summary: Mapping[str, Any], path: Path, title: str) -> None:
    """Draws the recall of natural questions, told to answered, with 95 % intervals, as a PNG.

    Raises:
        RecordError: the summary has no recall.
    """
    from matplotlib.figure import Figure

    stages = summary.get("recall")
    if not isinstance(stages, Mapping) or any(stage not in stages for stage in STAGES):
        raise RecordError(f"no funnel for {path}: the summary has no recall by stage")
    figure = Figure(figsize=(8.6, 3.9), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    for row, stage in enumerate(STAGES):
        _draw_stage(axes, row, stage, stages[stage])
    _dress(figure, axes, stages, title)
    _save(figure, path)


def _save(figure: "Figure", path: Path) -> None:
    # Figure without pyplot: no window system is asked for and no global state is left.
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    path.parent.mkdir(parents=True, exist_ok=True)
    FigureCanvasAgg(figure).print_png(path)  # type: ignore[no-untyped-call]


def _draw_stage(axes: "Axes", row: int, stage: str, seen: Any) -> None:
    if seen == NOT_APPLICABLE or seen["rate"] is None:
        absent = seen == NOT_APPLICABLE
        note = "not applicable: this memory has no such stage" if absent else "no data"
        hatch = "////" if absent else ""
        axes.barh(row, 1.0, height=0.62, color="white", edgecolor="#BBBBBB", hatch=hatch, linewidth=0.8)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 2.5}
        axes.text(0.5, row, note, va="center", ha="center", fontsize=9, color=_INK, bbox=box)
        return
    axes.barh(row, 1.0, height=0.62, color=_ABSENT)
    axes.barh(row, seen["rate"], height=0.62, color=_LAST_BAR if stage == "answered" else _BAR)
    if stage != "told":
        below, above = seen["rate"] - seen["low"], seen["high"] - seen["rate"]
        axes.errorbar(seen["rate"], row, xerr=[[below], [above]], color=_INK, capsize=3, linewidth=1.2)
    axes.text(_NUMBERS_AT, row, _numbers(stage, seen), va="center", fontsize=9, color=_INK)


def _numbers(stage: str, seen: Mapping[str, Any]) -> str:
    if stage == "told":
        return f"n = {seen['n']}"
    return f"{100 * seen['rate']:.1f} %  [{100 * seen['low']:.1f}, {100 * seen['high']:.1f}]"


def _dress(figure: "Figure", axes: "Axes", stages: Mapping[str, Any], title: str) -> None:
    axes.set_yticks(range(len(STAGES)), [LABELS[stage] for stage in STAGES])
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_xlabel(f"share of the {_asked(stages)} natural questions whose fact was told to the agent")
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.set_title(title, loc="left", fontsize=10, color=_INK, parse_math=False)
    figure.suptitle("What the agent still knew", x=0.01, ha="left", fontsize=13, fontweight="bold")
    if _asked(stages):
        axes.text(_NUMBERS_AT, -0.62, "rate  [95 % interval]", fontsize=8, color=_INK)


def _asked(stages: Mapping[str, Any]) -> int:
    told: int = stages["told"]["n"]
    return told


def save_day(spans: Sequence[Span], path: Path, title: str) -> None:
    """Draws one day of the shop as a PNG: a row per table, a row per waiter, and those who wait.

    Args:
        spans: what `sim.metrics.timeline.day` gives; may be empty.
        path: the file to write.
        title: the line that says which run and which day.
    """
    from matplotlib.figure import Figure

    lanes = _lanes(spans)
    figure = Figure(figsize=(12, 1.6 + 0.3 * max(3, len(lanes))), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    queue = in_rows(spans)
    for span in spans:
        for lane in _lanes_of(span, queue):
            _draw_span(axes, span, lanes[lane])
    _dress_day(figure, axes, spans, list(lanes))
    axes.set_title(title, loc="left", fontsize=10, color=_INK, parse_math=False)
    _save(figure, path)


def _lanes(spans: Sequence[Span]) -> dict[str, int]:
    """The rows of the picture from the top: tables, those who wait, waiters."""
    tables = sorted({span.table for span in spans if span.table is not None})
    waiting = sorted(set(in_rows(spans).values()))
    waiters = sorted({span.waiter for span in spans} - {""})
    names = [f"table {number}" for number in tables] + [_queue_lane(row) for row in waiting] + waiters
    return {name: row for row, name in enumerate(names)}


def _queue_lane(row: int) -> str:
    return f"waiting {row + 1}"


def _lanes_of(span: Span, queue: Mapping[str, int]) -> list[str]:
    if span.what == "waiting":
        return [_queue_lane(queue[span.visit])]
    table = [] if span.table is None else [f"table {span.table}"]
    return [*table, span.waiter] if span.what == "ordering" and span.waiter else table


def _draw_span(axes: "Axes", span: Span, row: int) -> None:
    start, length = span.start_ms / HOUR_MS, (span.end_ms - span.start_ms) / HOUR_MS
    axes.barh(row, length, left=start, height=0.74, color=_OF_SPAN[span.what], linewidth=0)
    if span.what == "waiting" and span.outcome == "reneged":
        axes.plot(start + length, row, marker="x", color=_INK, markersize=5)
    if span.what == "eating" and span.end_ms - span.start_ms >= _LABELLED_MS:
        middle = start + length / 2
        axes.text(middle, row, span.customer, va="center", ha="center", fontsize=6, color=_INK, clip_on=True)


def _dress_day(figure: "Figure", axes: "Axes", spans: Sequence[Span], lanes: Sequence[str]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    first = min((span.start_ms for span in spans), default=0)
    midnight = first // DAY_MS * 24
    last = max((span.end_ms for span in spans), default=DAY_MS)
    hours = range(first // HOUR_MS, -(-last // HOUR_MS) + 1)
    axes.set_xticks(list(hours), [f"{hour - midnight:02d}:00" for hour in hours], fontsize=8)
    axes.set_xlim(hours[0], hours[-1])
    axes.set_yticks(range(len(lanes)), lanes, fontsize=8)
    axes.set_ylim(max(1, len(lanes)) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#E6E6E6", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    seen = {span.what for span in spans}
    key: list[Any] = [Patch(color=_OF_SPAN[what], label=what) for what in WHATS if what in seen]
    if any(span.outcome == "reneged" for span in spans):
        key.append(Line2D([], [], marker="x", color=_INK, linestyle="", label="gave up waiting"))
    if key:
        figure.legend(handles=key, loc="outside lower center", ncols=len(key), fontsize=8, frameon=False)
    figure.suptitle("A day in the shop", x=0.01, ha="left", fontsize=13, fontweight="bold")
