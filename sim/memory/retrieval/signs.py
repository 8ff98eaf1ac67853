"""The signs of what a record has to do with a question: one function for each, over all records at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.clock import DAY_MS, Calendar
from sim.memory.protocol import Query
from sim.memory.retrieval.columns import Flags, Floats
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
        linked: how near it is in the graph to the record that fits best.
    """

    centrality: PerRecord = field(default_factory=dict)
    uses: PerRecord = field(default_factory=dict)
    linked: PerRecord = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Search:
    """One question to the indexes as of one time; every array has shape (view.seen,).

    A sign that has nothing to say about any record is None.
    """

    indexes: Indexes
    weights: Weights
    calendar: Calendar | None
    query: Query
    question: Question
    view: View
    outside: Outside

    def signs(self) -> dict[str, Floats]:
        """Every sign that has a weight and something to say, weighed; their sum is the score."""
        found = self._relevance()
        for name, make in SIGNS.items():
            weight = getattr(self.weights, name)
            values = make(self) if weight else None
            if values is not None:
                found[name] = weight * values
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
        fused = view.shown(sum(found.values(), np.zeros(view.seen)))
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
        shown = view.shown(own)
        return (1 - share) * own + share * standard(own + view.before(shown) + view.after(shown), view)

    def sessions(self) -> Floats:
        """Words in common with the whole session."""
        scores = self.indexes.lexical(self.view, self.weights).of_sessions(self.question.words)
        return standard(scores, self.view)

    def entities(self) -> Floats | None:
        """Names and things in common."""
        return shared(self.indexes.entities, self.question.words, self.view)

    def speaker(self) -> Flags | None:
        """The question names the person, and no other."""
        return self._of(self.indexes.traits.named(self.question.said, self.view.seen))

    def customer(self) -> Flags | None:
        """The person is in front of the agent."""
        return self._of(self.indexes.traits.person_of(self.query.customer))

    def dates(self) -> Floats | None:
        """Near to a time that is named; "the last time" is the last day with the one who asks."""
        if self.calendar is None:
            return None
        days, spans = self.indexes.traits.day.upto(self.view.seen), list(self.question.spans)
        if self.question.latest and not spans:
            mine = self.customer() if self.query.customer else self.view.alive
            spans = [] if mine is None else latest(days, mine & self.view.alive, self.calendar.start)
        return closeness(days, spans, self.calendar.start) if spans else None

    def times(self) -> Flags | None:
        """Tells a time when one is asked for."""
        return self.indexes.traits.tells_time.upto(self.view.seen) if self.question.kind == "when" else None

    def preference(self) -> Flags | None:
        """States a preference when one is asked for."""
        return self.indexes.traits.claims.upto(self.view.seen) if self.question.kind == "preference" else None

    def information(self) -> Floats:
        """Logarithm of the number of words."""
        return self.indexes.traits.information.upto(self.view.seen)

    def asking(self) -> Floats:
        """Only asks: counts against it."""
        against: Floats = self.indexes.traits.asks.upto(self.view.seen) * -1.0
        return against

    def importance(self) -> Floats:
        """How important its writer thought it."""
        return self.indexes.traits.importance.upto(self.view.seen)

    def recency(self) -> Floats:
        """1 today, half after each half-life."""
        today = self.query.at_ms // DAY_MS
        ago = np.maximum(0, today - self.indexes.traits.day.upto(self.view.seen))
        # By whole days, for a table is read faster than a power is taken; of equals the newer comes first.
        table: Floats = np.exp2(-np.arange(int(ago.max()) + 1) / self.weights.half_life_days)
        recent: Floats = table[ago]
        return recent

    def centrality(self) -> Floats | None:
        """How central it is in the graph."""
        return self._known(self.outside.centrality)

    def uses(self) -> Floats | None:
        """How often it was used."""
        return self._known(self.outside.uses)

    def linked(self) -> Floats | None:
        """How near it is to the best one in the graph."""
        return self._known(self.outside.linked)

    def _of(self, person: int) -> Flags | None:
        if person == NOBODY:
            return None
        mine: Flags = self.indexes.traits.person.upto(self.view.seen) == person
        return mine

    def _known(self, values: PerRecord) -> Floats | None:
        if not values:
            return None
        known = np.zeros(self.view.seen)
        for record, value in values.items():
            place = self.indexes.places.get(record, self.view.seen)
            if place < self.view.seen:
                known[place] = value
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
    "importance": Search.importance,
    "recency": Search.recency,
    "centrality": Search.centrality,
    "uses": Search.uses,
    "linked": Search.linked,
}
