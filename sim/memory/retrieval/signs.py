"""The signs of what a record has to do with a question: one function for each, over all records at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.clock import DAY_MS, Calendar
from sim.memory.protocol import Query
from sim.memory.retrieval.columns import Flags, Floats, Places
from sim.memory.retrieval.entities import shared
from sim.memory.retrieval.fusion import standard
from sim.memory.retrieval.indexes import Indexes
from sim.memory.retrieval.neighbours import View
from sim.memory.retrieval.question import Question
from sim.memory.retrieval.timeline import closeness, latest
from sim.memory.retrieval.traits import NOBODY
from sim.memory.retrieval.weights import Weights

PerRecord = Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Outside:
    """What others know of records, by their ids, from 0 to 1; as of the time of the query.

    Args:
        centrality: in the graph of knowledge.
        uses: how often a record was used, by what acts wrote about their use.
    """

    centrality: PerRecord = field(default_factory=dict)
    uses: PerRecord = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Search:
    """One question to the indexes as of one time; every array has shape (view.seen,)."""

    indexes: Indexes
    weights: Weights
    calendar: Calendar | None
    query: Query
    question: Question
    view: View
    outside: Outside

    def signs(self) -> dict[str, Floats]:
        """Every sign that has a weight, weighed; their sum is the score."""
        found = self._relevance()
        for name, make in SIGNS.items():
            if weight := getattr(self.weights, name):
                found[name] = weight * make(self)
        return found

    def total(self) -> Floats:
        """The score of each record."""
        total = np.zeros(self.view.seen)
        for values in self.signs().values():
            total += values
        return total

    def _relevance(self) -> dict[str, Floats]:
        """Words and meaning in common, and what of it goes to the neighbours."""
        weights, view = self.weights, self.view
        found: dict[str, Floats] = {}
        if weights.lexical:
            scores = self.indexes.lexical(view, weights).of_records(self.question.words)
            found["lexical"] = weights.lexical * standard(scores, view)
        if weights.dense and self.indexes.dense is not None:
            cosines = self.indexes.dense.nearness(self.query.text, view.seen)
            found["dense"] = weights.dense * self._nearness(cosines)
        fused = np.where(view.alive, sum(found.values(), np.zeros(view.seen)), 0.0)
        if weights.answers:
            # To what somebody else says after a question goes a part of what the question has.
            answers = self.indexes.traits.answers.upto(view.seen)
            found["answers"] = weights.answers * np.where(answers, view.before(fused), 0.0)
        if weights.neighbours:
            found["neighbours"] = weights.neighbours * (view.before(fused) + view.after(fused))
        return found

    def _nearness(self, cosines: Floats) -> Floats:
        view, share = self.view, self.weights.window
        own = standard(cosines, view)
        if not share:
            return own
        shown = np.where(view.alive, own, 0.0)
        return (1 - share) * own + share * standard(own + view.before(shown) + view.after(shown), view)

    def sessions(self) -> Floats:
        """Words in common with the whole session."""
        scores = self.indexes.lexical(self.view, self.weights).of_sessions(self.question.words)
        return standard(scores, self.view)

    def entities(self) -> Floats:
        """Names and things in common."""
        return shared(self.indexes.entities, self.question.words, self.view)

    def speaker(self) -> Flags:
        """The question names the person, and no other."""
        return self._of(self.indexes.traits.named(self.question.said, self.view.seen))

    def customer(self) -> Flags:
        """The person is in front of the agent."""
        return self._of(self.indexes.traits.person_of(self.query.customer))

    def dates(self) -> Floats:
        """Near to a time that is named; "the last time" is the last day with the one who asks."""
        if self.calendar is None:
            return np.zeros(self.view.seen)
        days, spans = self.indexes.traits.day.upto(self.view.seen), list(self.question.spans)
        if self.question.latest and not spans:
            mine = self.customer() if self.query.customer else self.view.alive
            spans = latest(days, mine & self.view.alive, self.calendar.start)
        return closeness(days, spans, self.calendar.start)

    def times(self) -> Any:
        """Tells a time when one is asked for."""
        return self.indexes.traits.tells_time.upto(self.view.seen) * float(self.question.kind == "when")

    def preference(self) -> Any:
        """States a preference when one is asked for."""
        return self.indexes.traits.claims.upto(self.view.seen) * float(self.question.kind == "preference")

    def information(self) -> Any:
        """Logarithm of the number of words."""
        return self.indexes.traits.information.upto(self.view.seen)

    def asking(self) -> Any:
        """Only asks: counts against it."""
        return self.indexes.traits.asks.upto(self.view.seen) * -1.0

    def recency(self) -> Any:
        """1 today, half after each half-life."""
        today = self.query.at_ms // DAY_MS
        ago = np.maximum(0, today - self.indexes.traits.day.upto(self.view.seen))
        # By whole days, for a table is read faster than a power is taken; of equals the newer comes first.
        table = np.exp2(-np.arange(int(ago.max()) + 1) / self.weights.half_life_days)
        return table[ago]

    def centrality(self) -> Floats:
        """How central it is in the graph."""
        return self._known(self.outside.centrality)

    def uses(self) -> Floats:
        """How often it was used."""
        return self._known(self.outside.uses)

    def _of(self, person: int) -> Flags:
        mine: Flags = self.indexes.traits.person.upto(self.view.seen) == person
        return mine if person != NOBODY else np.zeros(self.view.seen, dtype=np.bool_)

    def _known(self, values: PerRecord) -> Floats:
        known = np.zeros(self.view.seen)
        places = {self.indexes.places.get(record, self.view.seen): value for record, value in values.items()}
        within: Places = np.array([place for place in places if place < self.view.seen], dtype=np.int64)
        known[within] = [places[place] for place in within.tolist()]
        return known


# Each by the weight of its name.
SIGNS: Mapping[str, Callable[[Search], Any]] = {
    "sessions": Search.sessions,
    "entities": Search.entities,
    "speaker": Search.speaker,
    "customer": Search.customer,
    "dates": Search.dates,
    "times": Search.times,
    "preference": Search.preference,
    "information": Search.information,
    "asking": Search.asking,
    "recency": Search.recency,
    "centrality": Search.centrality,
    "uses": Search.uses,
}
