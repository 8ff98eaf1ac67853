"""The page around the sections: one file that opens from the disk and asks nothing of any network."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.resources import files

from sim.metrics.wording import counted
from sim.report.markup import Html, element, folded_up, items
from sim.report.members import Shown
from sim.report.sections import Section

_MOST_LINES = 40


def page(shown: Shown, title: str, figures: Sequence[tuple[str, str]], parts: Sequence[Section]) -> str:
    """The whole document."""
    script = _asset("report.js")
    body = element(
        "body",
        element("a", "Skip to the report", href="#main", class_="skip"),
        element("header", *_top(shown, title, figures)),
        element("nav", items(_links(parts)), aria_label="Sections"),
        element("main", *(_section(part) for part in parts), id="main", tabindex="-1"),
        element("script", script),
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"Noodle Shop: {title}"),
        element("style", _asset("report.css")),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _asset(name: str) -> Html:
    return Html(files("sim.report").joinpath(name).read_text(encoding="utf-8"))


def _policy(script: str) -> str:
    """Nothing may be fetched, and of scripts only ours may run, whatever a run has put into the page."""
    digest = b64encode(sha256(script.encode("utf-8")).digest()).decode("ascii")
    allowed = f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _top(shown: Shown, title: str, figures: Sequence[tuple[str, str]]) -> Iterator[Html]:
    yield element("h1", title)
    pairs = (element("div", element("dt", name), element("dd", value)) for name, value in figures)
    yield element("dl", *pairs, class_="figures")
    if shown.run is not None and (digest := _digest(shown)):
        yield element("p", "events digest ", element("code", digest))
    if shown.left_out:
        lines = list(shown.left_out[:_MOST_LINES])
        more = len(shown.left_out) - len(lines)
        lines += [f"and {counted(more, 'more line')}"] if more > 0 else []
        summary = f"Left out: {counted(len(shown.left_out), 'thing')} could not be read"
        yield folded_up(summary, items(lines), open=True, class_="warning")


def _digest(shown: Shown) -> str:
    assert shown.run is not None
    if not (shown.run.path / "summary.json").is_file():
        return ""
    return str(shown.run.summary.get("events_digest") or "")


def _links(parts: Sequence[Section]) -> Iterator[Html]:
    yield from (element("a", part.heading, href=f"#{part.id}") for part in parts)


def _section(part: Section) -> Html:
    heading = element("h2", part.heading, id=f"{part.id}-heading")
    return element("section", heading, part.body, id=part.id, aria_labelledby=f"{part.id}-heading")
