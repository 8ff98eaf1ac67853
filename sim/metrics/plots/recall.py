"""The funnel: what was told, written, kept, retrieved, in the prompt and answered."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import RecordError
from sim.metrics.plots.canvas import BLUE, EDGE, FAINT, INK, SKY, bare, canvas, in_percent, save
from sim.metrics.recall_table import NOT_APPLICABLE
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
_NUMBERS_AT = 1.03


def funnel_title(config: Mapping[str, Any], seed: object, replications: int = 1) -> str:
    """The line that says which run a picture shows: scenario, memory, seeds and weeks."""
    plain = dict(config)
    seeds = f"seed {seed}" if replications <= 1 else f"{replications} seeds from {seed}"
    weeks = setting(plain, "scenario.weeks")
    parts = [name_of(plain, "scenario"), f"memory {name_of(plain, 'memory')}", seeds]
    return ", ".join([*parts, counted(weeks, "week")] if weeks is not None else parts)


def funnel(summary: Mapping[str, Any], title: str) -> "Figure":
    """The recall of natural questions, told to answered, with 95 % intervals.

    Raises:
        RecordError: the summary has no recall.
    """
    stages = summary.get("recall")
    if not isinstance(stages, Mapping) or any(stage not in stages for stage in STAGES):
        raise RecordError("the summary has no recall by stage")
    figure, axes = canvas(8.6, 3.9, "What the agent still knew", title)
    for row, stage in enumerate(STAGES):
        _draw_stage(axes, row, stage, stages[stage])
    _dress(axes, stages)
    return figure


def save_funnel(summary: Mapping[str, Any], path: Path, title: str) -> None:
    """Writes `funnel` as a PNG.

    Raises:
        RecordError: the summary has no recall.
    """
    try:
        figure = funnel(summary, title)
    except RecordError as error:
        raise RecordError(f"no funnel for {path}: {error}") from None
    save(figure, path)


def _draw_stage(axes: "Axes", row: int, stage: str, seen: Any) -> None:
    if seen == NOT_APPLICABLE or seen["rate"] is None:
        _draw_absent(axes, row, absent=seen == NOT_APPLICABLE)
        return
    axes.barh(row, 1.0, height=0.62, color=FAINT)
    axes.barh(row, seen["rate"], height=0.62, color=BLUE if stage == "answered" else SKY)
    if stage != "told":
        below, above = seen["rate"] - seen["low"], seen["high"] - seen["rate"]
        axes.errorbar(seen["rate"], row, xerr=[[below], [above]], color=INK, capsize=3, linewidth=1.2)
    axes.text(_NUMBERS_AT, row, _numbers(stage, seen), va="center", fontsize=9, color=INK)


def _draw_absent(axes: "Axes", row: int, *, absent: bool) -> None:
    note = "not applicable: this memory has no such stage" if absent else "no data"
    hatch = "////" if absent else ""
    axes.barh(row, 1.0, height=0.62, color="white", edgecolor=EDGE, hatch=hatch, linewidth=0.8)
    box = {"facecolor": "white", "edgecolor": "none", "pad": 2.5}
    axes.text(0.5, row, note, va="center", ha="center", fontsize=9, color=INK, bbox=box)


def _numbers(stage: str, seen: Mapping[str, Any]) -> str:
    if stage == "told":
        return f"n = {seen['n']}"
    return f"{100 * seen['rate']:.1f} %  [{100 * seen['low']:.1f}, {100 * seen['high']:.1f}]"


def _dress(axes: "Axes", stages: Mapping[str, Any]) -> None:
    told: int = stages["told"]["n"]
    axes.set_yticks(range(len(STAGES)), [LABELS[stage] for stage in STAGES])
    axes.invert_yaxis()
    in_percent(axes, "x", f"share of the {told} natural questions whose fact was told to the agent")
    axes.tick_params(axis="y", length=0)
    bare(axes, "top", "right", "left")
    if told:
        axes.text(_NUMBERS_AT, -0.62, "rate  [95 % interval]", fontsize=8, color=INK)
