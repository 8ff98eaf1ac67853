"""The story of one customer in one run: what was said, what stood in the prompts, where facts were lost."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from sim.clock import Calendar
from sim.errors import RecordError
from sim.metrics.evidence import Row, evidence, read_payload
from sim.metrics.load import Run, load
from sim.metrics.plots import funnel_title
from sim.metrics.questions import Teller
from sim.metrics.story import Moment, of_events
from sim.metrics.wording import COLUMNS, calendar_of, counted, day_text, folded, harmless

if TYPE_CHECKING:
    import pandas as pd

_MARGIN = " " * 15


def show(path: Path, customer: str) -> str:
    """Tells chronologically what one customer and the agents said, and how their memory did.

    Raises:
        RecordError: no run is there, it has several seeds, or the customer is not in it.
    """
    run = load(path)
    if run.runs:
        names = ", ".join(single.path.name for single in run.runs[:5])
        raise RecordError(f"{path}: holds {len(run.runs)} runs; give the folder of one of them: {names}")
    events, probes = run.events, _probes(run)
    _require(customer, events, probes, path)
    happened, asked = list(_rows(events, customer)), list(_rows(probes, customer))
    found, calendar = evidence(run, happened, customer), calendar_of(run.config)
    teller = Teller(found=found, calendar=calendar, events=happened)
    moments = [*of_events(happened, found, calendar), *teller.moments(asked)]
    moments.sort(key=lambda moment: (moment.time_ms, moment.order))
    return "\n".join([*_head(run, customer, happened, asked), *_story(moments, calendar)])


def _probes(run: Run) -> "pd.DataFrame":
    """The probes, or none of them where the run was killed before they were written."""
    import pandas as pd

    try:
        return run.recall
    except RecordError:
        return pd.DataFrame({"customer": pd.Series(dtype="str")})


def _rows(frame: "pd.DataFrame", customer: str) -> Iterator[Row]:
    import pandas as pd

    for row in frame[frame["customer"] == customer].to_dict("records"):
        yield {str(name): None if pd.isna(value) else value for name, value in row.items()}


def _require(customer: str, events: "pd.DataFrame", probes: "pd.DataFrame", path: Path) -> None:
    known = sorted({*events["customer"].unique(), *probes["customer"].unique()} - {""})
    if customer in known:
        return
    if not known:
        raise RecordError(f"{path}: no customer came in this run")
    near = get_close_matches(customer, known, n=5, cutoff=0.4) or known[:5]
    hint = ", ".join(map(harmless, near))
    raise RecordError(f"{path}: no customer {customer!r} among {len(known)}; near names: {hint}")


def _head(run: Run, customer: str, events: Sequence[Row], probes: Sequence[Row]) -> list[str]:
    visits = len({row["visit"] for row in events} - {""})
    names = [read_payload(row["payload"]).get("name") for row in events if row["kind"] == "arrived"]
    who = f"{customer} ({names[0]})" if names and names[0] else customer
    lines = [f"{harmless(who)}: {counted(visits, 'visit')}"]
    lines += [funnel_title(run.config, run.seed), str(run.path)]
    for kind, title in (("natural", "questions"), ("exam", "examinations")):
        lines += _fates(title, [row for row in probes if row["kind"] == kind])
    if any(row["loss"] for row in probes):
        lines += ["LOST AT names the first stage at which a fact was no longer there."]
    return [*lines, *(f"left out: {line}" for line in run.left_out)]


def _fates(title: str, probes: Sequence[Row]) -> list[str]:
    """How many facts were asked for, and where those were lost that were not answered."""
    if not probes:
        return []
    lost = Counter(row["loss"] or row["outcome"] for row in probes if row["outcome"] != "correct")
    right = len(probes) - lost.total()
    items = [f"{harmless(name)} {count}" for name, count in lost.most_common()]
    line = f"{counted(len(probes), 'fact')} asked for, {right} right"
    return folded(f"{line}; lost at {', '.join(items)}" if items else line, f"{title:<15}", _MARGIN)


def _story(moments: Iterable[Moment], calendar: Calendar | None) -> Iterator[str]:
    def section(moment: Moment) -> tuple[str, str]:
        return day_text(moment.time_ms, calendar), moment.section

    for (day, name), group in groupby(moments, key=section):
        yield ""
        yield f"{day}  {name}"
        yield "-" * COLUMNS
        for moment in group:
            yield from moment.lines
