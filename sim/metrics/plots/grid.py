"""A sweep as a heat map: one rate for each pair of settings, written into its cell."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sim.metrics.plots.canvas import INK, bare, canvas, no_data, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Cells = Mapping[tuple[str, str], float]
_DARK_BELOW = 0.48


def heat_map(cells: Cells, title: str, *, across: str = "", down: str = "") -> "Figure":
    """Rates between 0 and 1 in a grid; a cell without a run stays empty, NaN says ``no data``.

    Args:
        cells: the rate by (row, column), in the order in which rows and columns are to stand.
        title: the line that says what is shown.
        across: what the columns are, with its unit.
        down: what the rows are.
    """
    rows = list(dict.fromkeys(row for row, _ in cells))
    columns = list(dict.fromkeys(column for _, column in cells))
    size = (max(5.0, 2.6 + 1.0 * len(columns)), 1.9 + 0.45 * max(1, len(rows)))
    figure, axes = canvas(*size, "The sweep at a glance", title)
    for (row, column), rate in cells.items():
        _draw_cell(axes, columns.index(column), rows.index(row), rate)
    axes.set_xticks(range(len(columns)), [plain(name) for name in columns])
    axes.set_yticks(range(len(rows)), [plain(name) for name in rows])
    axes.set_xlim(-0.5, max(1, len(columns)) - 0.5)
    axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)
    axes.set_xlabel(plain(across), color=INK)
    axes.set_ylabel(plain(down), color=INK)
    axes.tick_params(length=0)
    bare(axes, "top", "right", "left", "bottom")
    if not cells:
        no_data(axes)
    return figure


def _draw_cell(axes: "Axes", x: int, y: int, rate: float) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    # Light falls steadily through this map, so that it reads in grey and for every eye.
    # Source: Nunez, Anderton and Renslow (2018), https://doi.org/10.1371/journal.pone.0199239
    known = not math.isnan(rate)
    colour = colormaps["cividis"](rate) if known else "none"
    axes.add_patch(
        Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=colour, edgecolor=INK, linewidth=0.3)
    )
    # Near black and near white: these do not change with the theme of a page, as the cell does not.
    ink = INK if not known else "#fefefe" if rate < _DARK_BELOW else "#111111"
    words = f"{100 * rate:.1f} %" if known else "no data"
    axes.text(x, y, words, ha="center", va="center", fontsize=9, color=ink)
