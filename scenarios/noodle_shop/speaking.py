"""How a customer puts things: from a template, or in a model's words if those state the same facts."""

from collections.abc import Generator
from typing import Any

from scenarios.noodle_shop.desk import Desk, Moment
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.phrases import Phrases
from scenarios.noodle_shop.prompts import customer_prompt
from scenarios.noodle_shop.reader import reader_of
from scenarios.noodle_shop.schemas import customer_schema
from scenarios.noodle_shop.script import Cue
from sim.agents.effects import Ask, Effect, Note


def spoken(desk: Desk, at: Moment, cue: Cue, which: str = "") -> Generator[Effect, Any, str]:
    """The customer's words for a cue.

    With ``wording=model`` the role ``customer`` rewords the template. The facts stay fixed: words
    that state anything else, or ask anything else, are dropped for the template, and counted.
    """
    template = from_template(desk, at, cue, which)
    if desk.wording == "template":
        return template
    language = at.customer.language
    system, user = customer_prompt(template, language, at.customer.name)
    outcome = yield Ask(
        role="customer", system=system, user=user, schema=customer_schema(), language=language
    )
    words = str(outcome.value["text"]) if outcome.value else ""
    same = bool(words.strip()) and says_the_same(desk.menu, language, template, words)
    yield Note(kind="reworded" if same else "template_kept", payload={"move": cue.move, "words": words})
    return words if same else template


def from_template(desk: Desk, at: Moment, cue: Cue, which: str = "") -> str:
    """The template's words for a cue."""
    form = {"habit": at.customer.id, "name": at.customer.introduced, "held_out": desk.held_out}
    return Phrases(at.customer.language).say(cue.move, cue.claims, at.wording.of(which), form)


def says_the_same(menu: Menu, language: str, template: str, words: str) -> bool:
    """Whether two sentences state the same claims and ask the same."""
    reader = reader_of(language, menu)
    stated = set(reader.claims(words)) == set(reader.claims(template))
    return stated and reader.asked(words) == reader.asked(template)
