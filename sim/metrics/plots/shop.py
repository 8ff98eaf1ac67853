"""The shop itself: one day table by table, and how many came on every day of a run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.clock import DAY_MS, HOUR_MS
from sim.metrics.business import Day
from sim.metrics.plots.canvas import (
    FAINT,
    GREY,
    INK,
    ORANGE,
    SKY,
    VERMILION,
    YELLOW,
    bare,
    canvas,
    no_data,
    plain,
    save,
)
from sim.metrics.timeline import WHATS, Span, in_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Hatches tell apart what has one brightness in grey.
_LOOKS: dict[str, dict[str, Any]] = {
    "waiting": {"facecolor": GREY, "hatch": "xx"},
    "table": {"facecolor": YELLOW, "hatch": ".."},
    "ordering": {"facecolor": VERMILION, "hatch": ""},
    "kitchen": {"facecolor": ORANGE, "hatch": "////"},
    "eating": {"facecolor": SKY, "hatch": ""},
}
_LABELLED_MS = HOUR_MS // 4
_LONGEST = 14


def day(spans: Sequence[Span], title: str) -> "Figure":
    """One day of the shop: a row per table, a row per waiter, and those who wait.

    Args:
        spans: what `sim.metrics.timeline.day` gives; may be empty.
        title: the line that says which run and which day.
    """
    lanes = _lanes(spans)
    figure, axes = canvas(12, 1.6 + 0.3 * max(3, len(lanes)), "A day in the shop", title)
    queue = in_rows(spans)
    for span in spans:
        for lane in _lanes_of(span, queue):
            _draw_span(axes, span, lanes[lane])
    _dress_day(axes, spans, list(lanes))
    _key_of_day(figure, spans)
    return figure


def save_day(spans: Sequence[Span], path: Path, title: str) -> None:
    """Writes `day` as a PNG."""
    save(day(spans, title), path)


def days(rows: Sequence[Day], title: str) -> "Figure":
    """How many came on each day: who was served, who gave up waiting, and who was neither."""
    figure, axes = canvas(12, 3.2, "Every day of the shop", title)
    numbers = [row.day + 1 for row in rows]
    neither = [row.arrivals - row.served - row.reneged for row in rows]
    floor = [0] * len(rows)
    parts = (
        ("served", [row.served for row in rows], SKY, ""),
        ("gave up waiting", [row.reneged for row in rows], VERMILION, "////"),
        ("still there at the end", neither, GREY, ".."),
    )
    for label, counts, colour, hatch in parts:
        if any(counts):
            look: dict[str, Any] = {"facecolor": colour, "hatch": hatch, "edgecolor": INK, "linewidth": 0.3}
            axes.bar(numbers, counts, bottom=floor, width=0.85, label=label, **look)
        floor = [below + count for below, count in zip(floor, counts, strict=True)]
    axes.locator_params(integer=True)
    axes.set_xlabel("day of the run", color=INK)
    axes.set_ylabel("visits per day", color=INK)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    if any(floor):
        figure.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False, labelcolor=INK)
    else:
        no_data(axes)
    return figure


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
    axes.barh(row, length, left=start, height=0.74, linewidth=0, edgecolor=INK, **_LOOKS[span.what])
    if span.what == "waiting" and span.outcome == "reneged":
        axes.plot(start + length, row, marker="x", color=INK, markersize=5)
    if span.what == "eating" and span.end_ms - span.start_ms >= _LABELLED_MS:
        name = plain(span.customer[:_LONGEST])
        # On its bar, so black in the light and in the dark.
        axes.text(
            start + length / 2, row, name, va="center", ha="center", fontsize=6, color="#111111", clip_on=True
        )


def _dress_day(axes: "Axes", spans: Sequence[Span], lanes: Sequence[str]) -> None:
    first = min((span.start_ms for span in spans), default=0)
    midnight = first // DAY_MS * 24
    last = max((span.end_ms for span in spans), default=DAY_MS)
    hours = range(first // HOUR_MS, -(-last // HOUR_MS) + 1)
    axes.set_xticks(list(hours), [f"{hour - midnight:02d}:00" for hour in hours], fontsize=8)
    axes.set_xlim(hours[0], hours[-1])
    axes.set_xlabel("time of day", color=INK)
    axes.set_yticks(range(len(lanes)), [plain(lane) for lane in lanes], fontsize=8)
    axes.set_ylim(max(1, len(lanes)) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    bare(axes, "top", "right", "left")


def _key_of_day(figure: "Figure", spans: Sequence[Span]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    seen = {span.what for span in spans}
    key: list[Any] = [
        Patch(label=what, edgecolor=INK, linewidth=0, **_LOOKS[what]) for what in WHATS if what in seen
    ]
    if any(span.outcome == "reneged" for span in spans):
        key.append(Line2D([], [], marker="x", color=INK, linestyle="", label="gave up waiting"))
    if key:
        figure.legend(
            handles=key, loc="outside lower center", ncols=len(key), fontsize=8, frameon=False, labelcolor=INK
        )
