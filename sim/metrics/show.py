"""The story of one customer in one run: what was said, what stood in the prompts, what was lost."""

import json
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.clock import Calendar
from sim.errors import RecordError
from sim.metrics.load import Run, load
from sim.metrics.plots import funnel_title
from sim.metrics.story import Moment, of_event, of_probe
from sim.metrics.wording import calendar_of, day_text, harmless

if TYPE_CHECKING:
    import pandas as pd


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
    texts = memory_texts(run.path)
    moments = [of_event(row, texts) for row in _rows(events, customer)]
    moments += [of_probe(row, len(events) + place) for place, row in enumerate(_rows(probes, customer))]
    moments.sort(key=lambda moment: (moment.time_ms, moment.order))
    return "\n".join([*_head(run, customer, moments), *_story(moments, calendar_of(run.config))])


def _probes(run: Run) -> "pd.DataFrame":
    """The probes, or none of them where the run was killed before they were written."""
    import pandas as pd

    try:
        return run.recall
    except RecordError:
        return pd.DataFrame({"customer": pd.Series(dtype="str")})


def _rows(frame: "pd.DataFrame", customer: str) -> Iterator[dict[str, Any]]:
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


def memory_texts(folder: Path) -> dict[str, str]:
    """The text of every record in the memory snapshots of a run, by id; empty without snapshots."""
    texts: dict[str, str] = {}
    for path in sorted(folder.glob("memory/*/snapshot.json")):
        try:
            texts.update(_texts_in(json.loads(path.read_text(encoding="utf-8"))))
        except ValueError:
            # A run killed while writing: the ids are still shown, only without their text.
            continue
    return texts


def _texts_in(data: Any) -> Iterator[tuple[str, str]]:
    """Every (id, text) in the data, however deep: each kind of memory lays its snapshot out its own way."""
    if isinstance(data, dict):
        if isinstance(data.get("id"), str) and isinstance(data.get("text"), str):
            yield data["id"], data["text"]
        data = list(data.values())
    if isinstance(data, list):
        for item in data:
            yield from _texts_in(item)


def _head(run: Run, customer: str, moments: Sequence[Moment]) -> list[str]:
    visits = len({moment.visit for moment in moments} - {""})
    lines = [f"{harmless(customer)}: {visits} visits", f"{funnel_title(run.config, run.seed)}, {run.path}"]
    return [*lines, *(f"left out: {line}" for line in run.left_out)]


def _story(moments: Iterable[Moment], calendar: Calendar | None) -> Iterator[str]:
    def section(moment: Moment) -> tuple[str, str]:
        return day_text(moment.time_ms, calendar), moment.visit

    for (day, visit), group in groupby(moments, key=section):
        yield ""
        yield f"{day}  {f'visit {harmless(visit)}' if visit else 'after closing'}"
        yield "-" * 78
        for moment in group:
            yield from moment.lines
