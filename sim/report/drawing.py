"""A figure as SVG inside the page: it takes the page's colours, light or dark, and can be read out."""

import re
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from sim.metrics.plots.canvas import FAINT, INK
from sim.report.markup import Html, element, folded_up, table, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FRAME = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>", re.DOTALL)
_OPENED = re.compile(r"<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>", re.DOTALL)
# An inch of a picture at its largest, so that small ones do not fill the page.
_REM_PER_INCH = 8
_TAG = re.compile(r"<[^<>]*>")
_USED = re.compile(r"(?:url\(#|href=\"#)([^)\"]+)")
_ID = re.compile(r' id="([^"]*)"')
_REFERENCE = re.compile(r"(url\(#|href=\"#)")
# Colours of the pictures that are those of the page: its ink, its lines and its paper.
_THEME = {
    INK.lower(): "currentColor",
    "#000000": "currentColor",
    FAINT.lower(): "var(--faint)",
    "#ffffff": "var(--paper)",
}
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")


def drawn(
    figure: "Figure",
    name: str,
    *,
    alternative: str,
    caption: str,
    head: Sequence[str] = (),
    rows: Iterable[Sequence[object]] = (),
) -> Html:
    """A figure with what it says in words, and its numbers as a table.

    Args:
        figure: the picture.
        name: unique in the page.
        alternative: what a reader would see, for those who do not.
        caption: how to read it.
        head: names of the columns of its numbers.
        rows: its numbers.
    """
    body = [svg(figure, name, alternative), element("figcaption", caption)]
    if head:
        body.append(folded_up("The numbers", table(alternative, head, rows)))
    return element("figure", *body, id=name)


def svg(figure: "Figure", name: str, alternative: str) -> Html:
    """The picture as inline SVG with a title, in the colours of the page."""
    picture = _FRAME.sub("", _saved(figure, name))
    used = frozenset(_USED.findall(picture))
    # In tags alone: what stands between them is text, and may look like anything.
    picture = _TAG.sub(lambda tag: _adapted(tag[0], name, used), picture)
    widest = figure.get_size_inches()[0] * _REM_PER_INCH
    opened = (
        f'<svg \\1 role="img" aria-labelledby="{name}-title" style="max-width: {widest:.0f}rem">'
        f'<title id="{name}-title">'
    )
    title = text(alternative).replace("\\", r"\\")
    return Html(_OPENED.sub(f"{opened}{title}</title>", picture, count=1).strip())


def _adapted(tag: str, name: str, used: frozenset[str]) -> str:
    """A tag with the page's colours, and with an id only if it is referred to: one no other figure has."""
    tag = _ID.sub(lambda id_: f' id="{name}-{id_[1]}"' if id_[1] in used else "", tag)
    tag = _REFERENCE.sub(lambda start: f"{start[1]}{name}-", tag)
    return _COLOUR.sub(lambda colour: _THEME.get(colour[0], colour[0]), tag)


def _saved(figure: "Figure", name: str) -> str:
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    file = StringIO()
    figure.patch.set_alpha(0)
    for axes in figure.axes:
        axes.patch.set_alpha(0)
    # Text stays text: it can be found, enlarged and read out. The salt makes equal pictures equal files.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        FigureCanvasSVG(figure).print_svg(file, metadata={"Date": None})  # type: ignore[no-untyped-call]
    return file.getvalue()
