"""The arms of a sweep side by side: a table, and grids of stages and of settings."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from sim.metrics.plots import LABELS, strength_text
from sim.metrics.recall_table import NOT_APPLICABLE, per_thousand_tokens, recall, told
from sim.metrics.retention import fitted
from sim.metrics.wording import harmless, percent
from sim.records import STAGES, Probe
from sim.report import pictures
from sim.report.markup import Html, element, table, together
from sim.report.members import Shown

Arms = Mapping[str, Sequence[Probe]]
_OWN_REPORT = "report.html"
_HEAD = ("arm", "seeds", "questions", "answered right", "95 % interval", "strength", "per 1,000 tokens")


def arms_table(shown: Shown, arms: Arms) -> Html:
    """One row per arm: questions, what was answered right, how strong its memory is and what it costs."""
    links = {arm: _links(shown, arm) for arm in arms}
    more = ("reports",) if any(links.values()) else ()
    rows = (
        (arm, len(shown.arms[arm]), *_figures(arms[arm]), *([links[arm]] if more else [])) for arm in arms
    )
    caption = "Natural questions whose fact was told to the agent, pooled over seeds"
    return table(caption, (*_HEAD, *more), rows)


def _figures(probes: Sequence[Probe]) -> tuple[object, ...]:
    answered: Any = recall(probes)["answered"]
    known = isinstance(answered, dict) and answered["rate"] is not None
    rate = percent(answered["rate"]) if known else "no data"
    interval = f"{percent(answered['low'])} to {percent(answered['high'])}" if known else ""
    dense = per_thousand_tokens(probes)
    spent = "no data" if dense is None else f"{dense:.2f}"
    return len(told(probes)), rate, interval, strength_text(fitted(probes)), spent


def _links(shown: Shown, arm: str) -> Html:
    """Links to the reports of single runs, where there are any; relative, so that a folder can move."""
    own = [one.run for one in shown.arms[arm] if (one.run.path / _OWN_REPORT).is_file()]
    return together(
        element(
            "a",
            f"seed {run.seed}",
            " ",
            href=f"{quote(run.path.relative_to(shown.path).as_posix())}/{_OWN_REPORT}",
            aria_label=f"report of {arm}, seed {run.seed}",
        )
        for run in own
    )


def grids(shown: Shown, arms: Arms, title: str) -> Iterator[Html]:
    """Stages by arm, and where two settings were varied, one by the other."""
    cells = {
        (arm, LABELS[stage]): _rate(seen) for arm, probes in arms.items() for stage, seen in _stages(probes)
    }
    yield pictures.heat_map(cells, "stages", down="arm", across="stage of recall", title=f"{title}: stages")
    varied = _varied(shown)
    if len(varied) != 2:
        return
    down, across = varied
    answered = {
        (_value(shown, arm, down), _value(shown, arm, across)): _rate(recall(probes)["answered"])
        for arm, probes in arms.items()
    }
    if len(answered) == len(arms):
        named = f"{title}: answered right"
        yield pictures.heat_map(answered, "settings", down=down, across=across, title=named)


def _varied(shown: Shown) -> list[str]:
    """The settings that name the arms."""
    parts = [part.partition("=") for arm in shown.arms for part in arm.split(" ")]
    return list(dict.fromkeys(key for key, sign, _ in parts if sign))


def _value(shown: Shown, arm: str, key: str) -> str:
    value = shown.arms[arm][0].settings.get(key)
    return "null" if value is None else harmless(value)


def _stages(probes: Sequence[Probe]) -> Iterator[tuple[str, Any]]:
    stages = recall(probes)
    yield from ((stage, stages[stage]) for stage in STAGES[1:] if stages[stage] != NOT_APPLICABLE)


def _rate(seen: Any) -> float:
    known = isinstance(seen, dict) and seen["rate"] is not None
    return seen["rate"] if known else math.nan
