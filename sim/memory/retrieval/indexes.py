"""All indexes over the records of one memory, filled together and read as of one time."""

from collections.abc import Collection, Mapping

from sim.embed.protocol import Embedder
from sim.memory.protocol import Record
from sim.memory.retrieval.dense import Dense
from sim.memory.retrieval.entities import entities
from sim.memory.retrieval.lexical import Lengths, Lexical, lengths
from sim.memory.retrieval.lexicon import Lexicon
from sim.memory.retrieval.neighbours import Sessions, View
from sim.memory.retrieval.terms import words
from sim.memory.retrieval.thesaurus import Thesaurus
from sim.memory.retrieval.traits import Traits
from sim.memory.retrieval.weights import Weights


class Indexes:
    """Words, entities, vectors, sessions and traits of records, all by the place of a record.

    Args:
        embedder: gives vectors; None for none.
        synonyms: gives words of nearly the same meaning; None for none.
        things: terms that name things in the scenario.
    """

    def __init__(
        self, *, embedder: Embedder | None, synonyms: Embedder | None, things: Collection[str]
    ) -> None:
        self.lexicon = Lexicon()
        self.entities = Lexicon()
        self.thesaurus = None if synonyms is None else Thesaurus(synonyms, self.lexicon)
        self.dense = None if embedder is None else Dense(embedder)
        self.sessions = Sessions()
        self.traits = Traits()
        self.places: dict[str, int] = {}
        self._things = frozenset(things)
        # Of the last search: what the next one needs again as long as nothing has changed.
        self._lengths: tuple[View, Weights, Lengths] | None = None

    @property
    def nbytes(self) -> Mapping[str, int]:
        """About how many bytes each index takes."""
        return {
            "lexical": self.lexicon.nbytes,
            "entities": self.entities.nbytes,
            "thesaurus": self.thesaurus.nbytes if self.thesaurus else 0,
            "dense": self.dense.nbytes if self.dense else 0,
        }

    def add(self, record: Record) -> None:
        """Takes in the next record; see `sim.memory.retrieval.retriever.Retriever.add`."""
        self._check(record)
        # Keywords are searched by like words of the text.
        found = words(" ".join((record.text, *record.keywords)))
        self.traits.add(record, spoken=len(found), previous=self.sessions.add(record.visit))
        self.places[record.id] = len(self.places)
        self.lexicon.add(found)
        self.entities.add(entities(record.text, found, record.claims, self._things))
        if self.dense is not None:
            self.dense.add(record.text)
        for replaced in record.replaces:
            self.retire(replaced, record.visible_at_ms)

    def _check(self, record: Record) -> None:
        """All that can be wrong, before anything is changed."""
        if record.id in self.places:
            raise ValueError(f"record {record.id!r} is here already")
        if unknown := [replaced for replaced in record.replaces if replaced not in self.places]:
            raise ValueError(f"record {record.id!r} replaces {unknown[0]!r}, which never came")
        self.traits.check(record)

    def retire(self, record: str, at_ms: int) -> None:
        """From ``at_ms`` on the record with this id is found no more.

        Raises:
            ValueError: no such record came.
        """
        if record not in self.places:
            raise ValueError(f"record {record!r} never came, so it cannot be retired")
        self.traits.retire(self.places[record], at_ms)

    def view(self, at_ms: int) -> View:
        """The records that can be seen at a time."""
        return self.sessions.view(self.traits.alive(at_ms))

    def lexical(self, view: View, weights: Weights) -> Lexical:
        """Scores by words over a view."""
        if self._lengths is None or self._lengths[:2] != (view, weights):
            self._lengths = view, weights, lengths(self.lexicon, view, weights)
        return Lexical(
            lexicon=self.lexicon,
            thesaurus=self.thesaurus,
            view=view,
            lengths=self._lengths[2],
            weights=weights,
        )
