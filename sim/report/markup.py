"""HTML from parts: whatever is not markup already is escaped, so text from a run stays text."""

from collections.abc import Iterable
from html import escape

from sim.metrics.wording import harmless

_VOID = ("br", "input", "meta")


class Html(str):
    """Markup that is ready to stand in a page; a plain string is text and gets escaped."""

    __slots__ = ()


def element(name: str, /, *children: object, **attributes: object) -> Html:
    """An element with its children.

    Args:
        name: of the element.
        children: markup as `Html`; everything else is shown as text.
        attributes: with ``class_`` for ``class`` and ``_`` for ``-``; None and False are left out.
    """
    opened = f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}>"
    return Html(opened if name in _VOID else f"{opened}{together(children)}</{name}>")


def together(children: Iterable[object]) -> Html:
    """Several pieces one after the other."""
    return Html("".join(child if isinstance(child, Html) else text(child) for child in children))


def text(value: object) -> Html:
    """Any value as text that no browser obeys."""
    return Html(escape(harmless(value)))


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(value)}"'


def items(children: Iterable[object], **attributes: object) -> Html:
    """An unordered list."""
    return element("ul", *(element("li", child) for child in children), **attributes)


def folded_up(summary: object, *children: object, **attributes: object) -> Html:
    """A part that opens when its summary is pressed."""
    return element("details", element("summary", summary), *children, **attributes)


def table(caption: str, head: Iterable[object], rows: Iterable[Iterable[object]]) -> Html:
    """A table with a caption; the first cell of a row is its heading."""
    heads = (element("th", name, scope="col") for name in head)
    body = (_row(list(row)) for row in rows)
    parts = (
        element("caption", caption),
        element("thead", element("tr", *heads)),
        element("tbody", *body),
    )
    # Wide tables scroll by themselves; who uses the keyboard must be able to reach them.
    return element(
        "div", element("table", *parts), class_="wide", role="region", aria_label=caption, tabindex="0"
    )


def _row(cells: list[object]) -> Html:
    head, *rest = cells
    return element("tr", element("th", head, scope="row"), *(element("td", cell) for cell in rest))
