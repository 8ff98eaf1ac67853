"""The search over dialogues: a form, a place for what is found, and the dialogues as data."""

from sim.metrics.wording import counted
from sim.report.dialogues import Dialogues
from sim.report.markup import Html, element, together


def search_box(said: Dialogues) -> Html:
    """A form that works without a network; the script of the page answers it."""
    if not said.visits:
        return element("p", "There is no dialogue that can be read.")
    here = f"{counted(len(said.visits), 'visit')} can be searched."
    if len(said.visits) < said.of:
        here = (
            f"{len(said.visits)} of {said.of} visits can be searched, so that the page stays small: those in"
            " which something was lost, and an even part of the others. noodle show tells any of the rest."
        )
    field = element("input", type="search", id="words", autocomplete="off", spellcheck="false")
    form = element(
        "form",
        element("label", "Words, a customer or a date; all of them must occur", for_="words"),
        field,
        element("button", "Search", type="submit"),
        id="form",
        role="search",
    )
    parts = (
        element("p", here),
        element("noscript", element("p", "The search needs the script of this page to be allowed.")),
        form,
        element("p", role="status", id="status"),
        element("ol", id="hits"),
        element("button", "Show more", type="button", id="more", hidden=True),
        element("script", Html(said.data()), type="application/json", id="dialogues"),
    )
    return together(parts)
