"""Scores by words in common: of records with their neighbours, and of whole sessions.

BM25 with three differences, each of which its weight can switch off. A word also counts where a
word of nearly the same meaning stands, less so; what the neighbours in the session say counts for
a part; and rarity is counted over the records that can be seen at the time of asking, because a
memory that answers for an earlier time must answer as it would have then. (A table of weights
computed when records come in, as bm25s has it, could not: every later record changes it.)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim.memory.retrieval.bm25 import damping, rarity, saturated
from sim.memory.retrieval.columns import Floats, Places
from sim.memory.retrieval.lexicon import Lexicon, Posting
from sim.memory.retrieval.neighbours import View
from sim.memory.retrieval.terms import Word
from sim.memory.retrieval.thesaurus import Thesaurus
from sim.memory.retrieval.weights import Weights

# Sessions differ in length by how much was said, so their length is nearly fully allowed for.
_SESSION_K1, _SESSION_B = 1.5, 0.75


@dataclass(frozen=True, kw_only=True)
class Lengths:
    """What of BM25 hangs on the records alone and not on the question.

    Args:
        records: damping of each record by its length and its neighbours', shape (view.seen,).
        sessions: damping of each session by its length, shape (sessions,).
        spoken: how many sessions have any words.
    """

    records: Floats
    sessions: Floats
    spoken: int


def lengths(lexicon: Lexicon, view: View, weights: Weights) -> Lengths:
    """Damping of records and sessions by their lengths, among those that can be seen."""
    own = np.where(view.alive, lexicon.lengths.upto(view.seen), 0.0)
    around = view.spread(own, weights.context)
    mean = float(around[view.alive].mean()) if view.count else 0.0
    sessions = int(view.session.max()) + 1 if view.seen else 0
    totals = _per_session(view.session, own, sessions)
    spoken = int((totals > 0).sum())
    return Lengths(
        records=damping(around, mean, weights.k1, weights.b),
        sessions=damping(totals, float(totals.sum()) / max(1, spoken), _SESSION_K1, _SESSION_B),
        spoken=spoken,
    )


@dataclass(frozen=True, kw_only=True)
class Lexical:
    """Scores by words in common, over what can be seen as of one time."""

    lexicon: Lexicon
    thesaurus: Thesaurus | None
    view: View
    lengths: Lengths
    weights: Weights

    def of_records(self, words: Sequence[Word]) -> Floats:
        """BM25 of each record for the words, shape (view.seen,)."""
        scores = np.zeros(self.view.seen)
        for word in words:
            own = self._posting(self.lexicon.number(word.term))
            rare = rarity(len(own.places), self.view.count)
            if self.thesaurus is not None and self.weights.thesaurus:
                own = self._joined(own, self._like(self.thesaurus, word, rare))
            counts = self.view.spread_from(own.places, own.counts, self.weights.context)
            scores += rare * saturated(counts, self.lengths.records)
        return scores

    def of_sessions(self, words: Sequence[Word]) -> Floats:
        """For each record the BM25 of its whole session, shape (view.seen,)."""
        damped = self.lengths.sessions
        scores = np.zeros(len(damped))
        for word in words:
            own = self._posting(self.lexicon.number(word.term))
            if len(own.places):
                counts = _per_session(self.view.session[own.places], own.counts, len(damped))
                rare = rarity(int((counts > 0).sum()), self.lengths.spoken)
                scores += rare * saturated(counts, damped)
        return scores[self.view.session]

    def _like(self, thesaurus: Thesaurus, word: Word, rare: float) -> list[Posting]:
        """Where words of nearly the same meaning stand, each counting as far as it stands for the word."""
        found = []
        for like in thesaurus.like(word, self.view.seen):
            posting = self._posting(like.number)
            # A common word that is near to a rare one is no more telling for it.
            telling = min(1.0, rarity(len(posting.places), self.view.count) / rare)
            share = self.weights.thesaurus * like.nearness * telling
            found.append(Posting(places=posting.places, counts=share * posting.counts))
        return found

    def _joined(self, own: Posting, others: Sequence[Posting]) -> Posting:
        """One posting of several: in each record that counts which counts most."""
        if not others:
            return own
        counts = np.zeros(self.view.seen)
        counts[own.places] = own.counts
        for posting in others:
            counts[posting.places] = np.maximum(counts[posting.places], posting.counts)
        places = np.flatnonzero(counts > 0)
        return Posting(places=places, counts=counts[places])

    def _posting(self, number: int | None) -> Posting:
        posting = self.lexicon.posting(number, self.view.seen)
        if self.view.all_alive:
            return posting
        living = self.view.alive[posting.places]
        return Posting(places=posting.places[living], counts=posting.counts[living])


def _per_session(session: Places, values: Floats, sessions: int) -> Floats:
    return np.bincount(session, values, minlength=sessions).astype(np.float64, copy=False)
