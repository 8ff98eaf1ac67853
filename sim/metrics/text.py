"""The summary of a run as a page for the terminal: at most 30 lines of 90 columns, and the path last."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from sim.metrics.cost import UNANSWERED
from sim.metrics.plots import LABELS, funnel_title
from sim.metrics.recall_table import NOT_APPLICABLE
from sim.metrics.wording import harmless, percent
from sim.records import STAGES

WIDTH = 90
_BAR = 30


def text(summary: Mapping[str, Any], manifest: Mapping[str, Any], folder: Path | str) -> str:
    """Puts a summary into words; entries that are not there are left out."""
    config = manifest.get("config", {})
    seed = manifest.get("seed", config.get("seed", "?"))
    lines = [
        funnel_title(config, seed, summary.get("replications", 1)),
        *_visits(summary),
        "",
        *_recall(summary),
        "",
        *_counted("outcomes", summary.get("outcomes")),
        *_counted("lost at", _without(summary.get("losses"), "told_to_colleague")),
        *_beside(summary),
        *_memory(summary.get("memory")),
        *_exams(summary),
        *_languages(summary),
        "",
        *_models(summary.get("llm")),
        f"events digest  {harmless(summary.get('events_digest') or 'none')}",
    ]
    # The path is never broken: it is there to be copied.
    return "\n".join([*(line[:WIDTH].rstrip() for line in lines), f"the run is in  {folder}"])


def _visits(summary: Mapping[str, Any]) -> list[str]:
    shop = summary.get("business", {})
    line = f"visits         {summary.get('visits', 0)} (returns {summary.get('returns', 0)})"
    if not shop:
        return [line]
    line += f" by {shop['customers']} customers, served {shop['served']}, gave up waiting {shop['reneged']}"
    right = shop["right_dish"]["rate"]
    mood = _plain(shop["satisfaction"])
    service = f"service        right dish {percent(right)}, satisfaction {mood} (0 to 1)"
    return [line, service, *_money(shop, summary)]


def _money(shop: Mapping[str, Any], summary: Mapping[str, Any]) -> list[str]:
    """Waiting, takings, people who stay away, offers: what there is of it."""
    wait, slow = shop.get("wait_for_table_s"), shop.get("wait_for_table_p95_s")
    waits = None if wait is None else f"waited {wait:.0f} s for a table (95 % at most {slow:.0f} s)"
    taken = shop.get("revenue")
    lost = f"lost regulars {shop['lost_regulars']} of {shop['regulars']}" if shop.get("regulars") else None
    items = (waits, None if taken is None else f"revenue {taken:.2f}", lost, *_offers(summary))
    return _listed("business", filter(None, items)) if any(items) else []


def _offers(summary: Mapping[str, Any]) -> list[str]:
    made, remakes = summary.get("offers_made"), summary.get("remakes")
    offers = [f"offers {made}, accepted {summary.get('offers_accepted') or 0}"] if made else []
    return [*offers, f"remakes {remakes}"] if remakes else offers


def _plain(value: float | None) -> str:
    return "no data" if value is None else f"{value:.2f}"


def _recall(summary: Mapping[str, Any]) -> list[str]:
    stages = summary.get("recall", {})
    asked = summary.get("questions", {}).get("told", 0)
    head = f"recall         {asked} natural questions whose fact was told to this agent (95 % intervals)"
    return [head, *(_stage(stage, stages[stage]) for stage in STAGES if stage in stages)]


def _stage(stage: str, seen: Any) -> str:
    label = f"  {LABELS[stage]:<17}  "
    if seen == NOT_APPLICABLE:
        return f"{label}not applicable"
    if seen["rate"] is None:
        return f"{label}no data"
    bar = "#" * round(_BAR * seen["rate"])
    interval = "" if stage == "told" else f"[{100 * seen['low']:.1f}, {100 * seen['high']:.1f}]"
    return f"{label}{percent(seen['rate']):>8}  {interval:<15} {bar}"


def _without(table: Any, name: str) -> dict[str, Any] | None:
    return {key: row for key, row in table.items() if key != name} if table else None


def _counted(title: str, table: Mapping[str, Any] | None) -> list[str]:
    rows = table or {}
    some = [f"{name} {row['count']} ({percent(row['rate'])})" for name, row in rows.items() if row["count"]]
    return _listed(title, some) if rows else []


def _listed(title: str, items: Iterable[str]) -> list[str]:
    """Items after a title, broken between items only and hanging under the first."""
    glued = [item.replace(" ", "\u00a0") for item in items]
    lines = wrap(", ".join(glued) or "none", WIDTH - 15, break_long_words=False, break_on_hyphens=False)
    heads = [f"{title:<15}", *[" " * 15] * (len(lines) - 1)]
    return [head + line.replace("\u00a0", " ") for head, line in zip(heads, lines, strict=True)]


def _beside(summary: Mapping[str, Any]) -> list[str]:
    asked = summary.get("questions", {})
    items = (
        ("told to a colleague only", asked.get("told_to_colleague")),
        ("regulars treated as new", summary.get("regular_treated_as_new")),
        ("incidents", summary.get("incidents")),
    )
    return _listed("beside", [f"{name} {count}" for name, count in items if count is not None])


def _memory(memory: Mapping[str, Any] | None) -> list[str]:
    """What the memories did by themselves: what there is of it."""
    if not memory:
        return []
    items = []
    if memory["compressions"]:
        smaller = memory["times_smaller"]
        # flat says neither how small its summaries are nor what they lost
        told = (
            "" if smaller is None else f", {smaller:.1f} times smaller, {memory['claims_lost']} claims lost"
        )
        items.append(f"{memory['compressions']} compressions{told}")
    if memory["forgotten_records"]:
        asked = percent(memory["forgotten_asked_share"])
        items.append(
            f"forgot {memory['forgotten_records']} records (asked for later: {asked} of their facts)"
        )
    if memory["rules"]:
        items.append(f"{memory['rules']} rules of manners")
    return _listed("memory", items) if items else []


def _exams(summary: Mapping[str, Any]) -> list[str]:
    answered = summary.get("recall_exam", {}).get("answered", NOT_APPLICABLE)
    if answered == NOT_APPLICABLE or not answered["n"]:
        return ["examinations   none"]
    interval = f"[{100 * answered['low']:.1f}, {100 * answered['high']:.1f}]"
    return [f"examinations   answered right {percent(answered['rate'])} {interval} of {answered['n']} facts"]


def _languages(summary: Mapping[str, Any]) -> list[str]:
    rows = summary.get("recall_by_language", {})
    if len(rows) < 2:
        return []
    items = [f"{harmless(name)} {percent(row['rate'])} of {row['n']}" for name, row in rows.items()]
    return _listed("by language", items)


def _models(llm: Mapping[str, Any] | None) -> list[str]:
    if not llm:
        return []
    failed = ", ".join(f"{harmless(kind)} {count}" for kind, count in llm["failures"].items())
    cost = [f"{llm['calls']} decisions", f"{llm['tokens']:,} tokens".replace(",", " ")]
    cost += [f"{llm['seconds']:.1f} s in models"]
    failures = f"failed {sum(llm['failures'].values())}" + (f" ({failed})" if failed else "")
    # Before there was a name for it, what no model answered stood under an empty one.
    by = {name: row for name, row in llm.get("by_model", {}).items() if name not in ("", UNANSWERED)}
    # Who really answered, and where there are several, how often each.
    names = [harmless(name) + (f" ({row['calls']})" if len(by) > 1 else "") for name, row in by.items()]
    return _listed("models", [*names, *cost, f"recovered {llm['recovered']}", failures])
