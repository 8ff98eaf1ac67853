"""The gateway: all signs of what a record has to do with a question, weighed against one another."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.clock import DAY_MS, Calendar
from sim.embed.protocol import Embedder
from sim.memory.protocol import Hit, Query, Record
from sim.memory.retrieval.columns import Flags, Floats, Places
from sim.memory.retrieval.dense import Dense
from sim.memory.retrieval.entities import entities, shared
from sim.memory.retrieval.fusion import DIGITS, broad, order, standard
from sim.memory.retrieval.lexical import Lengths, Lexical, lengths
from sim.memory.retrieval.lexicon import Lexicon
from sim.memory.retrieval.neighbours import Sessions, View
from sim.memory.retrieval.question import Question, read
from sim.memory.retrieval.terms import words
from sim.memory.retrieval.thesaurus import Thesaurus
from sim.memory.retrieval.timeline import closeness, latest
from sim.memory.retrieval.traits import NOBODY, Traits
from sim.memory.retrieval.weights import Weights

Signs = Mapping[str, Floats]
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


NOTHING_OUTSIDE = Outside()


class Retriever:
    """Finds the records that a question is about.

    Records come one at a time in the order in which they become visible, and are never erased:
    a search for an earlier time gives what it would have given then. Searching changes nothing.

    Args:
        weights: how much each sign counts.
        embedder: gives nearness of meaning; None leaves it out.
        words: gives words of nearly the same meaning, quickly; None leaves them out.
        calendar: tells dates; None leaves out the times that questions name.
        things: terms that name things in the scenario, such as dishes.
    """

    def __init__(
        self,
        *,
        weights: Weights | None = None,
        embedder: Embedder | None = None,
        words: Embedder | None = None,
        calendar: Calendar | None = None,
        things: Collection[str] = (),
    ) -> None:
        self.weights = weights or Weights()
        self.records: list[Record] = []
        self.dense = None if embedder is None else Dense(embedder)
        self._calendar = calendar
        self._things = frozenset(things)
        self._places: dict[str, int] = {}
        self._lexicon = Lexicon()
        self._entities = Lexicon()
        self._thesaurus = None if words is None else Thesaurus(words, self._lexicon)
        self._sessions = Sessions()
        self._traits = Traits()
        # Of the last search: what the next one needs again as long as nothing has changed.
        self._lengths: tuple[View, Weights, Lengths] | None = None

    def __len__(self) -> int:
        return len(self.records)

    @property
    def nbytes(self) -> Mapping[str, int]:
        """About how many bytes each index takes."""
        return {
            "lexical": self._lexicon.nbytes,
            "entities": self._entities.nbytes,
            "thesaurus": self._thesaurus.nbytes if self._thesaurus else 0,
            "dense": self.dense.nbytes if self.dense else 0,
        }

    def add(self, record: Record) -> None:
        """Takes in the next record; those it replaces are retired from its own time on.

        Raises:
            ValueError: its id is here already, or what it replaces never came, or it comes
                out of order.
        """
        if record.id in self._places:
            raise ValueError(f"record {record.id!r} is here already")
        if unknown := [replaced for replaced in record.replaces if replaced not in self._places]:
            raise ValueError(f"record {record.id!r} replaces {unknown[0]!r}, which never came")
        self._traits.check(record)
        found = words(record.text)
        self._traits.add(record, spoken=len(found), previous=self._sessions.add(record.visit))
        self._places[record.id] = len(self.records)
        self.records.append(record)
        self._lexicon.add(found)
        self._entities.add(entities(record.text, found, record.claims, self._things))
        if self.dense is not None:
            self.dense.add(record.text)
        for replaced in record.replaces:
            self.retire(replaced, record.visible_at_ms)

    def retire(self, record: str, at_ms: int) -> None:
        """From ``at_ms`` on the record with this id is found no more.

        Raises:
            ValueError: no such record came.
        """
        if record not in self._places:
            raise ValueError(f"record {record!r} never came, so it cannot be retired")
        self._traits.retire(self._places[record], at_ms)

    def search(self, query: Query, count: int, outside: Outside = NOTHING_OUTSIDE) -> list[Hit]:
        """The ``count`` records that have most to do with the query as of ``query.at_ms``, best first.

        Of equal scores the newer record comes first. ``query.limit``, where given, is the count.
        """
        view = self._view(query)
        wanted = count if query.limit is None else query.limit
        if not view.count or wanted < 1:
            return []
        question = self._read(query)
        scores = self._total(question, query, view, outside)
        if question.kind == "list" and self.weights.breadth:
            places = broad(scores, view, wanted, self.weights.breadth)
        else:
            places = order(scores, view, wanted)
        return [
            Hit(record=self.records[place], score=round(float(scores[place]), DIGITS)) for place in places
        ]

    def explain(self, query: Query, outside: Outside = NOTHING_OUTSIDE) -> dict[str, dict[str, float]]:
        """What each sign adds to the score of each record that can be seen, by record and sign."""
        view = self._view(query)
        signs = self._signs(self._read(query), query, view, outside) if view.count else {}
        return {
            self.records[place].id: {name: float(values[place]) for name, values in signs.items()}
            for place in np.flatnonzero(view.alive)
        }

    def _view(self, query: Query) -> View:
        return self._sessions.view(self._traits.alive(query.at_ms))

    def _read(self, query: Query) -> Question:
        calendar = self._calendar
        return read(query.text, None if calendar is None else calendar.moment(query.at_ms).date())

    def _total(self, question: Question, query: Query, view: View, outside: Outside) -> Floats:
        total = np.zeros(view.seen)
        for values in self._signs(question, query, view, outside).values():
            total += values
        return total

    def _signs(self, question: Question, query: Query, view: View, outside: Outside) -> Signs:
        """Every sign that has a weight and something to say, weighed."""
        relevance = self._relevance(question, query, view)
        others = {name: make(question, query, view) for name, make in self._makers().items()}
        weighed = {name: getattr(self.weights, name) * values for name, values in others.items()}
        named = {"centrality": outside.centrality, "uses": outside.uses}
        known = {name: self._known(values, view) for name, values in named.items() if values}
        weighed |= {name: getattr(self.weights, name) * values for name, values in known.items()}
        return relevance | weighed

    def _relevance(self, question: Question, query: Query, view: View) -> dict[str, Floats]:
        """Words and meaning in common, and what of it goes to the neighbours."""
        weights = self.weights
        found: dict[str, Floats] = {}
        if weights.lexical:
            scores = self._lexical(view).of_records(question.words)
            found["lexical"] = weights.lexical * standard(scores, view)
        if weights.dense and self.dense is not None:
            found["dense"] = weights.dense * self._nearness(self.dense.nearness(query.text, view.seen), view)
        fused = np.where(view.alive, sum(found.values(), np.zeros(view.seen)), 0.0)
        if weights.answers:
            found["answers"] = weights.answers * self._answers(fused, view)
        if weights.neighbours:
            found["neighbours"] = weights.neighbours * (view.before(fused) + view.after(fused))
        return found

    def _lexical(self, view: View) -> Lexical:
        if self._lengths is None or self._lengths[:2] != (view, self.weights):
            self._lengths = view, self.weights, lengths(self._lexicon, view, self.weights)
        return Lexical(
            lexicon=self._lexicon,
            thesaurus=self._thesaurus,
            view=view,
            lengths=self._lengths[2],
            weights=self.weights,
        )

    def _nearness(self, cosines: Floats, view: View) -> Floats:
        own = standard(cosines, view)
        if not self.weights.window:
            return own
        shown = np.where(view.alive, own, 0.0)
        window = standard(own + view.before(shown) + view.after(shown), view)
        return (1 - self.weights.window) * own + self.weights.window * window

    def _answers(self, fused: Floats, view: View) -> Floats:
        """The score of the record before, where that asks and somebody else speaks now."""
        answers = self._traits.answers.upto(view.seen)
        return np.where(answers, view.before(fused), 0.0)

    def _makers(self) -> dict[str, Callable[[Question, Query, View], Any]]:
        """Which function gives which sign; those of weight 0 are not asked."""
        makers = {
            "sessions": self._in_session,
            "entities": self._in_entities,
            "speaker": self._of_speaker,
            "customer": self._of_customer,
            "dates": self._near_dates,
            "times": self._tells_time,
            "preference": self._states_preference,
            "information": self._informs,
            "asking": self._only_asks,
            "recency": self._recent,
        }
        return {name: make for name, make in makers.items() if getattr(self.weights, name)}

    def _in_session(self, question: Question, _: Query, view: View) -> Floats:
        return standard(self._lexical(view).of_sessions(question.words), view)

    def _in_entities(self, question: Question, _: Query, view: View) -> Floats:
        return shared(self._entities, question.words, view)

    def _of_speaker(self, question: Question, _: Query, view: View) -> Floats:
        return self._of(self._traits.named(question.said, view.seen), view).astype(np.float64)

    def _of_customer(self, question: Question, query: Query, view: View) -> Floats:
        del question
        return self._of(self._traits.person_of(query.customer), view).astype(np.float64)

    def _near_dates(self, question: Question, query: Query, view: View) -> Floats:
        if self._calendar is None:
            return np.zeros(view.seen)
        days, spans = self._traits.day.upto(view.seen), list(question.spans)
        if question.latest and not spans:
            mine = self._of(self._traits.person_of(query.customer), view) if query.customer else view.alive
            spans = latest(days, mine & view.alive, self._calendar.start)
        return closeness(days, spans, self._calendar.start)

    def _tells_time(self, question: Question, _: Query, view: View) -> Floats:
        return self._traits.tells_time.upto(view.seen) * float(question.kind == "when")

    def _states_preference(self, question: Question, _: Query, view: View) -> Floats:
        return self._traits.claims.upto(view.seen) * float(question.kind == "preference")

    def _informs(self, question: Question, query: Query, view: View) -> Floats:
        del question, query
        return self._traits.information.upto(view.seen)

    def _only_asks(self, question: Question, query: Query, view: View) -> Floats:
        del question, query
        return -self._traits.asks.upto(view.seen).astype(np.float64)

    def _recent(self, question: Question, query: Query, view: View) -> Floats:
        del question
        today = query.at_ms // DAY_MS
        ago = np.maximum(0, today - self._traits.day.upto(view.seen))
        # By whole days, for a table is read faster than a power is taken; of equals the newer comes first.
        table = np.exp2(-np.arange(int(ago.max()) + 1) / self.weights.half_life_days)
        recent: Floats = table[ago]
        return recent

    def _of(self, person: int, view: View) -> Flags:
        mine: Flags = self._traits.person.upto(view.seen) == person
        return mine if person != NOBODY else np.zeros(view.seen, dtype=np.bool_)

    def _known(self, values: PerRecord, view: View) -> Floats:
        known = np.zeros(view.seen)
        places: list[int] = [self._places[record] for record in values if record in self._places]
        within: Places = np.array([place for place in places if place < view.seen], dtype=np.int64)
        known[within] = [values[self.records[place].id] for place in within]
        return known
