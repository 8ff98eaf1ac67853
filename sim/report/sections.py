"""The sections of a report: what a run, its replications or a sweep have to show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.errors import RecordError
from sim.metrics import plots
from sim.metrics.losing import grouped
from sim.metrics.recall_table import lag_group, recall, told
from sim.metrics.wording import counted, percent
from sim.records import Probe
from sim.report import pictures, shop
from sim.report.cards import card
from sim.report.dialogues import Dialogues
from sim.report.markup import Html, element, together
from sim.report.members import Member, Shown
from sim.report.searching import search_box
from sim.report.sweeps import arms_table, grids
from sim.report.worst import worst

MOST_LOSSES = 18
KINDS = {"natural": "natural questions", "exam": "examinations"}


@dataclass(frozen=True, kw_only=True)
class Section:
    """One part of the page.

    Args:
        id: to link to.
        heading: of the part.
        body: what it shows.
    """

    id: str
    heading: str
    body: Html


def sections(shown: Shown, title: str, said: Dialogues) -> list[Section]:
    """Every section that has something to show; a figure that cannot be made says why."""
    makers = _of_sweep if shown.run is None else _of_run
    parts = [*makers(shown, title), _losses(shown), _search(said)]
    return [part for part in parts if part.body]


def _of_run(shown: Shown, title: str) -> Iterator[Section]:
    probes = _pooled(shown.members)
    yield _section("recall", "Recall by stage", _funnel(shown, probes, title))
    if probes:
        yield from _of_questions(probes, title)
    first = shown.members[0]
    name = title if len(shown.members) == 1 else f"{title}; {first.label}"
    if first.opened:
        yield _section("shop", "A timeline of the shop", shop.timeline(first, name))
        yield _section("known", "What an agent knows", _tried(shop.knowledge, first, name))


def _of_questions(probes: Sequence[Probe], title: str) -> Iterator[Section]:
    kinds = {name: [one for one in probes if one.kind == kind] for kind, name in KINDS.items()}
    kinds = {name: some for name, some in kinds.items() if told(some)}
    curves = [pictures.retention(kinds, title), pictures.tokens(kinds, title, 8)]
    yield _section("curves", "Time and room", curves)
    by_lag = grouped([one for one in told(probes) if one.kind == "natural"], lag_group)
    yield _section("lost", "Losses by stage", [pictures.losses(by_lag, title, "age of the fact")])


def _funnel(shown: Shown, probes: Sequence[Probe], title: str) -> Iterator[Html]:
    assert shown.run is not None
    natural = [probe for probe in probes if probe.kind == "natural"]
    try:
        yield pictures.funnel(shown.run.summary, title)
    except RecordError:
        # A killed run has no summary; where its questions are there they are counted here.
        if probes:
            yield pictures.funnel({"recall": recall(natural)}, title)


def _of_sweep(shown: Shown, title: str) -> Iterator[Section]:
    arms = {arm: _pooled(members) for arm, members in shown.arms.items()}
    natural = {arm: [one for one in probes if one.kind == "natural"] for arm, probes in arms.items()}
    yield _section("arms", "The arms", [arms_table(shown, natural)])
    yield _section("grid", "The arms by stage and setting", grids(shown, natural, title))
    curves = [pictures.retention(natural, title), pictures.tokens(natural, title, 1)]
    yield _section("curves", "Time and room", curves)
    yield _section("lost", "Losses by stage", [pictures.losses(natural, title, "arm")])


def _section(id_: str, heading: str, body: Iterator[Html] | Sequence[Html]) -> Section:
    return Section(id=id_, heading=heading, body=together(body))


def _tried(maker: Any, member: Member, title: str) -> Iterator[Html]:
    try:
        yield from maker(member, title)
    except RecordError as error:
        yield element("p", f"Cannot be shown: {str(error).replace(f'{member.run.path}/', '')}")


def _pooled(members: Sequence[Member]) -> list[Probe]:
    """The questions that can be read; the same customer id under two seeds is two people."""
    found: list[Probe] = []
    for member in (one for one in members if one.asked):
        seed = member.run.seed
        alone = len(members) == 1
        found += (
            member.probes
            if alone
            else [replace(one, customer=f"{seed}/{one.customer}") for one in member.probes]
        )
    return found


def _losses(shown: Shown) -> Section:
    chosen = worst(shown.members, MOST_LOSSES)
    probes = _pooled(shown.members)
    lost = sum(bool(probe.told and probe.loss) for probe in probes)
    if not chosen:
        why = (
            f"None of {counted(len(told(probes)), 'fact')} asked for was lost." if probes and not lost else ""
        )
        body = element("p", why or "Cannot be shown: see what could not be read.")
        return _section("worst", "The worst losses", [body])
    intro = (
        f"{len(chosen)} of {lost} losses: from every stage in turn, the most recently told first,"
        " questions of customers before examinations. NO marks a stage at which the fact was not there."
    )
    several = len(shown.members) > 1
    cards = (card(number, loss, several) for number, loss in enumerate(chosen, 1))
    return _section("worst", "The worst losses", [element("p", intro), *cards])


def _search(said: Dialogues) -> Section:
    return Section(id="search", heading="Search the dialogues", body=search_box(said))


def key_figures(shown: Shown) -> list[tuple[str, str]]:
    """What to know at first sight: name and value; what cannot be read is left out."""
    probes = _pooled(shown.members)
    natural = [probe for probe in probes if probe.kind == "natural"]
    pairs = [("runs", str(len(shown.members)))] if len(shown.members) > 1 else []
    opened = [member for member in shown.members if member.opened]
    if opened:
        pairs.append(("visits", str(sum(len(member.visits) for member in opened))))
    if not probes:
        return pairs
    pairs.append(("questions whose fact was told", str(len(told(natural)))))
    answered: Any = recall(natural)["answered"]
    if shown.run is None or answered["rate"] is None:
        return pairs
    interval = f"{percent(answered['low'])} to {percent(answered['high'])}"
    return [*pairs, ("answered right", f"{percent(answered['rate'])} ({interval})")]


def title_of(shown: Shown) -> str:
    """The line that says what is shown."""
    if shown.run is None:
        size = f"{counted(len(shown.arms), 'arm')}, {counted(len(shown.members), 'run')}"
        return f"sweep {shown.path.resolve().name}: {size}"
    return plots.funnel_title(shown.run.config, shown.run.seed, max(1, len(shown.run.runs)))
