"""The timeline of the shop, and what an agent knows about one customer, for a report of one run."""

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from sim.clock import DAY_MS
from sim.metrics import plots
from sim.metrics.business import Day, daily
from sim.metrics.timeline import WHATS, Span, day_of
from sim.metrics.wording import calendar_of, clock_text, counted, day_text
from sim.records import Visit
from sim.report.drawing import drawn
from sim.report.markup import Html, element
from sim.report.members import Member


def timeline(member: Member, title: str) -> Iterator[Html]:
    """Every day of a run, and the busiest of them table by table."""
    visits = member.visits
    if not visits:
        yield element("p", "Nobody came.")
        return
    rows = daily(visits)
    yield _days(member, rows, title)
    busiest = max(rows, key=lambda row: (row.arrivals, -row.day))
    yield _busiest(member, busiest, title)


def _days(member: Member, rows: Sequence[Day], title: str) -> Html:
    calendar = calendar_of(member.run.config)
    total, most = sum(row.arrivals for row in rows), max(rows, key=lambda row: row.arrivals)
    return drawn(
        plots.days(rows, title),
        "days",
        alternative=f"Bars of visits per day: {counted(total, 'visit')} on {counted(len(rows), 'day')},"
        f" most on {day_text(most.day * DAY_MS, calendar)} with {most.arrivals}.",
        caption="Visits by the day of their arrival.",
        head=("day", "arrivals", "served", "gave up waiting", "revenue", "mean wait for a table, s"),
        rows=[
            (day_text(row.day * DAY_MS, calendar), row.arrivals, row.served, row.reneged, *_maybe(row))
            for row in rows
        ],
    )


def _maybe(row: Day) -> tuple[str, str]:
    revenue = "no data" if row.revenue is None else f"{row.revenue:.2f}"
    return revenue, "no data" if row.wait_s is None else f"{row.wait_s:.1f}"


def _busiest(member: Member, busiest: Day, title: str) -> Html:
    spans = day_of(member.run, busiest.day)
    when = day_text(busiest.day * DAY_MS, calendar_of(member.run.config))
    by_visit: dict[str, list[Span]] = {}
    for span in spans:
        by_visit.setdefault(span.visit, []).append(span)
    return drawn(
        plots.day(spans, f"{title}, {when}"),
        "day",
        alternative=f"The busiest day, {when}, table by table: {counted(busiest.arrivals, 'visit')},"
        f" {busiest.served} served, {busiest.reneged} gave up waiting.",
        caption=f"The busiest day, {when}: who sat where and for how long, and when which waiter was busy.",
        head=("visit", "customer", *(f"{what} from" for what in WHATS), "left"),
        rows=[_span_row(visit, one) for visit, one in by_visit.items()],
    )


def _span_row(visit: str, spans: Sequence[Span]) -> tuple[str, ...]:
    starts = {span.what: clock_text(span.start_ms) for span in spans}
    return visit, spans[0].customer, *(starts.get(what, "") for what in WHATS), clock_text(spans[-1].end_ms)


def knowledge(member: Member, title: str) -> Iterator[Html]:
    """What the agent that noted most about the most frequent customer knows; nothing without a graph."""
    who = _most_often(member.visits)
    files = {path: _named(path, who) for path in sorted(member.run.path.glob("memory/*/graph.graphml"))}
    path = max(files, key=lambda one: files[one], default=None)
    if path is None or not files[path] or not who:
        return
    graph, store = plots.graph_in(path), path.parent.name
    claims = [str(graph.nodes[node].get("content", node)) for node in plots.known_about(graph, who)]
    yield drawn(
        plots.knowledge(graph, who, f"{title}, as {store} has it at the end"),
        "knowledge",
        alternative=f"Graph of what {store} knows about {who}, who came most often:"
        f" {counted(max(0, len(claims) - 1), 'thing')} around the customer.",
        caption="Around the customer what they like and reject, and further out what that is about;"
        " the three newest of each kind. Large means weighty.",
        head=("known",),
        rows=[(claim,) for claim in sorted(claims)],
    )


def _named(path: Path, who: str) -> int:
    """How often a file names a customer: cheaper than reading every graph."""
    return path.read_text(encoding="utf-8", errors="replace").count(escape(f"customer:{who}"))


def _most_often(visits: Sequence[Visit]) -> str:
    counts = Counter(visit.customer for visit in visits)
    return min(counts, key=lambda name: (-counts[name], name), default="")
