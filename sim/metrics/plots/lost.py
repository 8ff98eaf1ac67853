"""Where facts were lost: for each group of questions a bar that the answered and every loss fill."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sim.metrics.losing import RIGHT
from sim.metrics.plots.canvas import (
    BLUE,
    EDGE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    YELLOW,
    bare,
    canvas,
    in_percent,
    no_data,
    plain,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LOOKS: dict[str, dict[str, Any]] = {
    RIGHT: {"facecolor": BLUE},
    "never_written": {"facecolor": YELLOW, "hatch": ".."},
    "compressed_away": {"facecolor": PURPLE, "hatch": "xx"},
    "not_retrieved": {"facecolor": VERMILION, "hatch": ""},
    "cut_by_budget": {"facecolor": ORANGE, "hatch": "////"},
    "ignored": {"facecolor": GREY, "hatch": "\\\\\\\\"},
    "stale": {"facecolor": GREEN, "hatch": "--"},
    "confused": {"facecolor": SKY, "hatch": "oo"},
}
_OTHER: dict[str, Any] = {"facecolor": EDGE, "hatch": "++"}


def losses(groups: Mapping[str, Mapping[str, float]], title: str) -> "Figure":
    """Stacked bars, one per group: the shares of its questions answered right and lost at each stage.

    Args:
        groups: for each group the share by stage, as `sim.metrics.losing.shares` gives them.
        title: the line that says what is shown.
    """
    figure, axes = canvas(8.6, 1.9 + 0.42 * max(1, len(groups)), "Where facts were lost", title)
    for row, shares in enumerate(groups.values()):
        left = 0.0
        for name, share in shares.items():
            look = _LOOKS.get(name, _OTHER)
            axes.barh(row, share, left=left, height=0.7, edgecolor=INK, linewidth=0.4, **look)
            left += share
    axes.set_yticks(range(len(groups)), [plain(name) for name in groups])
    axes.set_ylim(max(1, len(groups)) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    in_percent(axes, "x", "share of the natural questions whose fact was told to the agent")
    bare(axes, "top", "right", "left")
    if groups:
        _key(figure, groups)
    else:
        no_data(axes)
    return figure


def _key(figure: "Figure", groups: Mapping[str, Mapping[str, float]]) -> None:
    from matplotlib.patches import Patch

    seen = {name for shares in groups.values() for name, share in shares.items() if share}
    names = [name for name in _LOOKS if name in seen] + sorted(seen - set(_LOOKS))
    key = [
        Patch(label=name.replace("_", " "), edgecolor=INK, linewidth=0.4, **_LOOKS.get(name, _OTHER))
        for name in names
    ]
    figure.legend(handles=key, loc="outside lower center", ncols=4, fontsize=8, frameon=False, labelcolor=INK)
