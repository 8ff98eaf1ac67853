"""Recall as it falls with time, and as it rises with what stands in the prompt."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sim.metrics.plots.canvas import (
    FAINT,
    INK,
    MARKERS,
    SERIES,
    canvas,
    in_percent,
    no_data,
    plain,
)
from sim.metrics.retention import Fit, Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Curve = tuple[Sequence[Point], Fit]
_SMOOTH = 60


def retention(curves: Mapping[str, Curve], title: str) -> "Figure":
    """Recall against days since a fact was last told, with the fitted curve R = e^(-t/S) of each series.

    Args:
        curves: the points and the fit by name (of a run, or of the arms of a sweep).
        title: the line that says what is shown.
    """
    figure, axes = canvas(8.6, 4.2, "What is left after days", title)
    farthest = max((point.at for points, _ in curves.values() for point in points), default=0.0)
    for number, (name, (points, fit)) in enumerate(curves.items()):
        colour = _colour(number)
        _draw_points(axes, points, number, f"{name}, {strength_text(fit)}")
        if farthest and not math.isnan(fit.strength_days):
            lags = [farthest * step / _SMOOTH for step in range(_SMOOTH + 1)]
            axes.plot(lags, [fit.recall_at(lag) for lag in lags], color=colour, linestyle="--", linewidth=1.2)
    _dress(figure, axes, "days since the fact was last told to the agent", empty=not farthest)
    return figure


def strength_text(fit: Fit) -> str:
    """The strength of a memory in words, as in ``S = 21.3 days [18.0, 25.1]``."""
    if math.isnan(fit.strength_days):
        return "no data to fit"
    if math.isinf(fit.strength_days):
        return "nothing forgotten"
    interval = "" if math.isnan(fit.low) else f" [{fit.low:.1f}, {fit.high:.1f}]"
    return f"S = {fit.strength_days:.1f} days{interval}"


def tokens(series: Mapping[str, Sequence[Point]], title: str) -> "Figure":
    """Recall against tokens of memory in the prompt, one series per name; a line joins several points."""
    figure, axes = canvas(8.6, 4.2, "What the room in the prompt buys", title)
    for number, (name, points) in enumerate(series.items()):
        _draw_points(axes, points, number, name)
        if len(points) > 1:
            places, rates = [point.at for point in points], [point.rate.rate for point in points]
            axes.plot(places, rates, color=_colour(number), linewidth=0.9)
    empty = not any(series.values())
    _dress(figure, axes, "tokens of memory in the prompt (mean)", empty=empty)
    return figure


def _colour(number: int) -> str:
    return SERIES[number % len(SERIES)]


def _draw_points(axes: "Axes", points: Sequence[Point], number: int, name: str) -> None:
    rates = [point.rate for point in points]
    below, above = [rate.rate - rate.low for rate in rates], [rate.high - rate.rate for rate in rates]
    axes.errorbar(
        [point.at for point in points],
        [rate.rate for rate in rates],
        yerr=[below, above],
        color=_colour(number),
        marker=MARKERS[number % len(MARKERS)],
        markersize=6,
        linestyle="",
        capsize=3,
        linewidth=1.1,
        label=plain(name),
    )


def _dress(figure: "Figure", axes: "Axes", along: str, *, empty: bool) -> None:
    in_percent(axes, "y", "answered right (95 % interval)")
    axes.set_xlabel(along, color=INK)
    axes.set_xlim(left=0)
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    if empty:
        no_data(axes)
    else:
        figure.legend(loc="outside lower center", ncols=2, fontsize=8, frameon=False, labelcolor=INK)
