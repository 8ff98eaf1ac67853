"""The funnel of recall as a picture: where between being told and being answered facts were lost."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import RecordError
from sim.metrics.recall_table import NOT_APPLICABLE
from sim.metrics.wording import name_of, setting
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


def funnel_title(config: Mapping[str, Any], seed: object, replications: int = 1) -> str:
    """The line that says which run a picture shows: scenario, memory, seeds and weeks."""
    plain = dict(config)
    seeds = f"seed {seed}" if replications <= 1 else f"{replications} seeds from {seed}"
    weeks = setting(plain, "scenario.weeks")
    parts = [name_of(plain, "scenario"), f"memory {name_of(plain, 'memory')}", seeds]
    return ", ".join([*parts, f"{weeks} weeks"] if weeks is not None else parts)


def save_funnel(summary: Mapping[str, Any], path: Path, title: str) -> None:
    """Draws the recall of natural questions, told to answered, with 95 % intervals, as a PNG.

    Raises:
        RecordError: the summary has no recall.
    """
    # Figure without pyplot: no window system is asked for and no global state is left.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    stages = summary.get("recall")
    if not isinstance(stages, Mapping) or any(stage not in stages for stage in STAGES):
        raise RecordError(f"no funnel for {path}: the summary has no recall by stage")
    figure = Figure(figsize=(8.6, 3.9), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    for row, stage in enumerate(STAGES):
        _draw_stage(axes, row, stage, stages[stage])
    _dress(figure, axes, stages, title)
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
