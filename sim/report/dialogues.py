"""The dialogues of a report as data: what was said on each visit, as many as a page can carry."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.metrics.evidence import read_payload
from sim.metrics.wording import calendar_of, harmless, when_text
from sim.report.members import Member

if TYPE_CHECKING:
    import pandas as pd

# A page of 10 MB is the most; figures and losses take a part of it.
MOST_BYTES = 5_000_000
_OF_CUSTOMER = ("said", "accepted", "declined")


@dataclass(frozen=True, kw_only=True)
class Dialogues:
    """What the search looks through.

    Args:
        visits: each a dict with ``v`` visit, ``c`` customer and name, ``t`` time, ``a`` arm or seed, and
            ``l`` lines of who and what.
        of: how many visits with words there were.
    """

    visits: Sequence[dict[str, Any]]
    of: int

    def data(self) -> str:
        """JSON that can stand in a page: no sign in it ends a script or begins a tag."""
        raw = json.dumps(self.visits, ensure_ascii=False, separators=(",", ":"))
        for sign in "<>&\u2028\u2029":
            raw = raw.replace(sign, f"\\u{ord(sign):04x}")
        return raw


def dialogues(members: Sequence[Member], most_bytes: int = MOST_BYTES) -> Dialogues:
    """The dialogues of all members; of too many those with a loss, and an even part of the rest."""
    visits = [visit for member in members for visit in _of_member(member, len(members) > 1)]
    return Dialogues(visits=_fitting(visits, _with_losses(members), most_bytes), of=len(visits))


def _of_member(member: Member, several: bool) -> Iterator[dict[str, Any]]:
    calendar = calendar_of(member.run.config)
    where = "" if not several else member.label
    for visit, rows in _by_visit(member.run.events):
        lines = list(_lines(rows))
        if lines:
            customer = harmless(rows[0]["customer"])
            name = next(_names(rows), "")
            who = customer if name in ("", customer) else f"{customer} ({name})"
            at = when_text(rows[0]["time_ms"], calendar)
            yield {"v": harmless(visit), "c": who, "t": at, "a": where, "l": lines}


def _by_visit(events: "pd.DataFrame") -> Iterator[tuple[str, list[dict[Any, Any]]]]:
    told = events[(events["visit"] != "") & events["payload"].str.contains('"text"|"name"', regex=True)]
    for visit, rows in told.groupby("visit", sort=False):
        yield str(visit), rows.to_dict("records")


def _names(rows: Iterable[dict[Any, Any]]) -> Iterator[str]:
    for row in rows:
        if name := read_payload(row["payload"]).get("name"):
            yield harmless(name)


def _lines(rows: Iterable[dict[Any, Any]]) -> Iterator[list[str]]:
    for row in rows:
        words = read_payload(row["payload"]).get("text")
        if isinstance(words, str) and words:
            speaker = row["customer"] if row["kind"] in _OF_CUSTOMER else row["agent"]
            yield [harmless(speaker), harmless(words)]


def _with_losses(members: Sequence[Member]) -> set[tuple[str, str]]:
    several = len(members) > 1
    lost = set()
    for member in (one for one in members if one.asked):
        where = member.label if several else ""
        lost |= {(where, harmless(probe.visit)) for probe in member.probes if probe.loss and probe.told}
    return lost


def _fitting(
    visits: Sequence[dict[str, Any]], lost: set[tuple[str, str]], most_bytes: int
) -> list[dict[str, Any]]:
    sizes = [len(json.dumps(visit, ensure_ascii=False).encode("utf-8", "replace")) for visit in visits]
    if sum(sizes) <= most_bytes:
        return list(visits)
    # Those with a loss first, then evenly over time: the fractions of the golden ratio fill any range so.
    order = sorted(
        range(len(visits)), key=lambda n: ((visits[n]["a"], visits[n]["v"]) not in lost, n * 0.618034 % 1)
    )
    chosen, used = [], 0
    for number in order:
        used += sizes[number]
        if used > most_bytes:
            break
        chosen.append(number)
    return [visits[number] for number in sorted(chosen)]
