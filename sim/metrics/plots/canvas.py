"""What all pictures share: colours, a figure with a heading, axes in per cent, and a PNG on the disk."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colour-blind safe. Source: Okabe and Ito (2008), https://jfly.uni-koeln.de/color/
ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, VERMILION, PURPLE, GREY = "#0072B2", "#D55E00", "#CC79A7", "#999999"
INK, FAINT, EDGE = "#333333", "#E6E6E6", "#BBBBBB"
# So that series stay apart in grey and for every eye, each has a shape as well as a colour.
SERIES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, GREY, INK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_TICKS = [0.0, 0.25, 0.5, 0.75, 1.0]


def canvas(width: float, height: float, heading: str, title: str) -> "tuple[Figure, Axes]":
    """A figure (inches) with one pair of axes, a heading, and the line that says what is shown."""
    # Figure without pyplot: no window system is asked for and no global state is left.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    figure.suptitle(heading, x=0.01, ha="left", fontsize=13, fontweight="bold", color=INK)
    axes.set_title(plain(title), loc="left", fontsize=10, color=INK)
    bare(axes, "top", "right")
    axes.tick_params(colors=INK, labelsize=9)
    return figure, axes


def bare(axes: "Axes", *sides: Literal["top", "right", "bottom", "left"]) -> None:
    """Takes away the lines at these sides and paints the others in ink."""
    for name, line in axes.spines.items():
        line.set_color(INK)
        if name in sides:
            line.set_visible(False)


def plain(text: object) -> str:
    """A text whose dollar signs are no mathematics."""
    return str(text).replace("$", r"\$")


def in_percent(axes: "Axes", along: Literal["x", "y"], label: str) -> None:
    """Makes an axis run from 0 to 100 %."""
    names = [f"{100 * tick:.0f} %" for tick in _TICKS]
    if along == "x":
        axes.set_xlim(0, 1)
        axes.set_xticks(_TICKS, names)
        axes.set_xlabel(label, color=INK)
    else:
        axes.set_ylim(0, 1.02)
        axes.set_yticks(_TICKS, names)
        axes.set_ylabel(label, color=INK)


def no_data(axes: "Axes") -> None:
    """Says in the middle that there is nothing to show."""
    axes.text(0.5, 0.5, "no data", ha="center", va="center", color=INK, transform=axes.transAxes)


def save(figure: "Figure", path: Path) -> None:
    """Writes a figure as a PNG; folders are made as needed."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    path.parent.mkdir(parents=True, exist_ok=True)
    FigureCanvasAgg(figure).print_png(path)  # type: ignore[no-untyped-call]
