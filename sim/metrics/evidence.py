"""What a run folder knows of one fact: when it was said, in which words, and the records that rest on it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sim.clock import Calendar
from sim.errors import RecordError
from sim.metrics.load import Run
from sim.metrics.portraits import line_of, portraits
from sim.metrics.wording import day_text, harmless
from sim.records import ActId, utterance_of

Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Tellings, words and records of a run, looked up by fact, utterance and id.

    Args:
        tellings: rows of ``facts.parquet`` by fact, oldest first.
        words: what was said in an exchange, by its id.
        records: rows of the memory snapshots by id; each with the ``store`` it lies in.
        resting: ids of the records that rest on an utterance.
        replaced_by: id of the summary that took a record's place.
        stores: the store an agent writes to.
        people: the customer's id, and what agents call them.
        portraits: rows of profiles, as `sim.metrics.portraits` reads them.
    """

    tellings: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    records: Mapping[str, Row] = field(default_factory=dict)
    resting: Mapping[str, Sequence[str]] = field(default_factory=dict)
    replaced_by: Mapping[str, str] = field(default_factory=dict)
    stores: Mapping[str, str] = field(default_factory=dict)
    people: frozenset[str] = frozenset()
    portraits: Mapping[str, Sequence[Row]] = field(default_factory=dict)

    def told(self, probe: Row) -> list[Row]:
        """The tellings of the asked fact to this agent, or to one of its store, before the question."""
        store = self._store(probe["agent"])
        return [row for row in self.told_to_anyone(probe) if self._store(row["said_to"]) == store]

    def told_to_anyone(self, probe: Row) -> list[Row]:
        """The tellings of the asked fact before the question, whoever heard them."""
        rows = self.tellings.get(probe["fact"], ())
        # Who is asked back answers in the same act, which is after the question.
        return [row for row in rows if row["said_at_ms"] < probe["time_ms"]]

    def _store(self, agent: str) -> str:
        return self.stores.get(agent, agent)

    def written(self, probe: Row) -> list[Row]:
        """The records by the time of the question that rest on a telling to this agent, oldest first."""
        utterances = dict.fromkeys(row["utterance"] for row in self.told(probe))
        ids = dict.fromkeys(id_ for utterance in utterances for id_ in self.resting.get(utterance, ()))
        rows = (self.records[id_] for id_ in ids)
        mine = [row for row in rows if row["store"] == self._store(probe["agent"])]
        return [row for row in mine if _made_ms(row) <= probe["time_ms"]]

    def says(self, record: Row, probe: Row) -> bool:
        """Whether the record still says the asked fact: word for word, or among its claims."""
        if record.get("kind") == "exchange":
            return True
        wanted = (probe["slot"], probe["expected"], probe["polarity"])
        claims = record.get("claims") or ()
        about = record.get("claimants") or [record.get("customer", "")] * len(claims)
        pairs = zip(claims, about, strict=False)
        return any(_triple(claim) == wanted for claim, who in pairs if who in self.people)

    def text(self, id_: object, calendar: Calendar | None, at_ms: int | None = None) -> list[str]:
        """The lines of a record as they stood in a prompt: with its date; a summary brings its own.

        Of a line of a profile, what it said at that time.
        """
        row = self.records.get(str(id_))
        if row is None:
            line = line_of(self.portraits, str(id_), at_ms)
            return [f"(profile) {harmless(line)}" if line else "(text not in the snapshot)"]
        claims = (f"{slot} {value}" for slot, value, _ in map(_triple, row.get("claims") or ()))
        text = row["text"] or ", ".join(claims)
        if row.get("kind") == "summary":
            return [harmless(line) for line in text.split("\n")]
        return [harmless(f"[{day_text(row['at_ms'], calendar)}] {text}" if "at_ms" in row else text)]

    def about(self, lines: Sequence[str]) -> list[str]:
        """Those lines of a record that name the customer; all of them where none does."""
        return [line for line in lines if any(name in line for name in self.people)] or list(lines)


def _made_ms(record: Row) -> int:
    # A summary bears the time of what it sums up; it is there when it can be seen.
    at_ms: int = record.get("visible_at_ms" if record.get("kind") == "summary" else "at_ms", 0)
    return at_ms


def _triple(claim: Row) -> tuple[Any, Any, Any]:
    return claim.get("slot"), claim.get("value"), claim.get("polarity")


@dataclass(frozen=True, kw_only=True)
class Held:
    """What the memories of a run hold, read once for all customers.

    Args:
        records: rows of the snapshots by id.
        portraits: rows of profiles.
    """

    records: Mapping[str, Row]
    portraits: Mapping[str, Sequence[Row]]

    @cached_property
    def resting(self) -> Mapping[str, Sequence[str]]:
        """Ids of the records that rest on an utterance."""
        found: dict[str, list[str]] = {}
        for row in self.records.values():
            for utterance in row.get("sources") or ():
                found.setdefault(utterance, []).append(row["id"])
        return found

    @cached_property
    def replaced_by(self) -> Mapping[str, str]:
        """Id of the summary that took a record's place."""
        return {old: row["id"] for row in self.records.values() for old in row.get("replaces") or ()}

    @cached_property
    def stores(self) -> Mapping[str, str]:
        """The store an agent writes to."""
        return {row["agent"]: row["store"] for row in self.records.values() if row.get("agent")}


def held(folder: Path) -> Held:
    """Reads the memories of a run."""
    return Held(records={row["id"]: row for row in memory_rows(folder)}, portraits=portraits(folder))


def evidence(run: Run, events: Sequence[Row], customer: str, memories: Held | None = None) -> Evidence:
    """Gathers what there is about one customer; what a killed run has not written is left out.

    Args:
        run: the run.
        events: the customer's events.
        customer: the customer's id.
        memories: what `held` gives, for who asks about several customers.
    """
    memories = memories or held(run.path)
    return Evidence(
        tellings=_tellings(run, customer),
        words=dict(_words(events)),
        records=memories.records,
        resting=memories.resting,
        replaced_by=memories.replaced_by,
        stores=memories.stores,
        people=frozenset({customer, *_names(events)}),
        portraits=memories.portraits,
    )


def _tellings(run: Run, customer: str) -> dict[str, list[Row]]:
    try:
        facts = run.facts
    except RecordError:
        return {}
    found: dict[str, list[Row]] = {}
    for row in facts[facts["customer"] == customer].to_dict("records"):
        found.setdefault(row["fact"], []).append({str(name): value for name, value in row.items()})
    return found


def _words(events: Iterable[Mapping[Any, Any]]) -> Iterator[tuple[str, str]]:
    """(utterance, words) of what customers said and agents offered."""
    for row in events:
        if row["kind"] in ("said", "offered"):
            said = read_payload(row["payload"])
            act = ActId(agent=row["agent"], visit=row["visit"], exchange=said.get("exchange", 0), purpose="")
            yield utterance_of(act), harmless(said.get("text", ""))


def _names(events: Iterable[Mapping[Any, Any]]) -> Iterator[str]:
    for row in events:
        if row["kind"] == "arrived" and (name := read_payload(row["payload"]).get("known_as")):
            yield str(name)


def read_payload(text: str) -> dict[str, Any]:
    """The payload of an event; what is no JSON object is one field, ``text``."""
    try:
        found = json.loads(text)
    except ValueError:
        return {"text": text}
    return found if isinstance(found, dict) else {"text": found}


def memory_rows(folder: Path) -> Iterator[Row]:
    """Every record in the memory snapshots of a run, with the ``store`` it lies in."""
    for path in sorted(folder.glob("memory/*/snapshot.json")):
        try:
            rows = list(_rows_in(json.loads(path.read_text(encoding="utf-8"))))
        except ValueError:
            # A run killed while writing: the ids are still shown, only without their text.
            continue
        yield from (row | {"store": path.parent.name} for row in rows)


def _rows_in(data: Any) -> Iterator[Row]:
    """Every record in the data, however deep: each kind of memory lays its snapshot out its own way."""
    if isinstance(data, dict):
        if isinstance(data.get("id"), str) and isinstance(data.get("text"), str):
            yield data
        data = list(data.values())
    if isinstance(data, list):
        for item in data:
            yield from _rows_in(item)
