"""``memory=diary``, ``graph`` and ``full``: records of reflection, and what is made of them.

One class: the presets differ in its parts and weights alone, so that whatever one of them does better can be
traced to a part by switching it off.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from sim.embed.protocol import Embedder
from sim.memory.archive import Archived
from sim.memory.diary.files import export, learnt
from sim.memory.diary.manners import DIALOGUE, Manners
from sim.memory.diary.parts import Parts
from sim.memory.diary.rows import row_records
from sim.memory.domain import Domain
from sim.memory.experience.choosing import Limits
from sim.memory.experience.rule import Rule
from sim.memory.forgetting.holdings import holdings
from sim.memory.forgetting.policies import Compression, Forgetting, Holding, Never
from sim.memory.forgetting.uses import USE, Uses
from sim.memory.graph.graph import Graph
from sim.memory.graph.knowledge import record_node
from sim.memory.profile.profile import Profile
from sim.memory.protocol import Capabilities, Claim, Hit, Kept, Owner, Query, Record
from sim.memory.retrieval.retriever import Retriever
from sim.memory.retrieval.signs import Outside
from sim.memory.retrieval.weights import Weights

NIGHT = "night"
_LINKS = frozenset({"states", "mentions", "of"})
"""Edges along which one record leads to another that shares a wish or a thing with it."""
_HOPS = 2
_ABOVE_ALL = 1e6
"""What stands above every score of the retriever: what is known for certain is never left out for a guess."""


class Diary(Archived):
    """Records of reflection in four indexes, with a profile, a graph, rules and forgetting as parts.

    Args:
        owner: whose memory it is.
        domain: what the scenario tells of its world.
        embedder: gives vectors; None leaves them out.
        synonyms: gives words of nearly the same meaning; None leaves them out.
        top_k: records recalled, beside what is known of the customer.
        history: summaries recalled beside those.
        verbatim: ``searched`` finds the words of exchanges as well; ``kept`` only keeps them.
        squeeze_above: records beyond which the oldest become one.
        squeeze_count: how many become one.
        parts: what is switched on.
        weights: of the signs by which records are ranked.
        forgetting: what is let go of after closing.
        rules: manners to begin with.
        rule_confidence: rules trusted less are not used.
    """

    capabilities = Capabilities(
        ingests=frozenset({"exchange", "diary", "summary", USE, DIALOGUE, NIGHT}),
        searches=True,
        compresses=True,
        stages=frozenset({"told", "written", "kept", "retrieved", "in_context", "answered"}),
        uses=frozenset(
            {
                *("top_k", "history", "verbatim", "squeeze_above", "squeeze_count", "reflection"),
                *("working_exchanges", "working_tokens", "parts", "weights", "forgetting"),
                *("rule_confidence", "patterns_dir"),
            }
        ),
    )

    def __init__(
        self,
        owner: Owner,
        *,
        domain: Domain | None = None,
        embedder: Embedder | None = None,
        synonyms: Embedder | None = None,
        top_k: int = 3,
        history: int = 2,
        verbatim: Literal["kept", "searched"] = "kept",
        squeeze_above: int = 20,
        squeeze_count: int = 10,
        parts: Parts | None = None,
        weights: Weights | None = None,
        forgetting: Forgetting | None = None,
        rules: Iterable[Rule] = (),
        rule_confidence: float = 0.5,
    ) -> None:
        super().__init__(owner)
        self.parts, self.weights = parts or Parts(), weights or Weights()
        self.forgetting: Forgetting = forgetting or Never()
        domain = domain or Domain()
        self._top_k, self._history = top_k, history
        self._searched = {"diary", "summary"} | ({"exchange"} if verbatim == "searched" else set())
        self._compression = Compression(above=squeeze_above, count=squeeze_count)
        self._retriever = Retriever(
            weights=self.weights,
            embedder=embedder if self.weights.dense else None,
            synonyms=synonyms if self.weights.thesaurus else None,
            calendar=domain.calendar,
            things=domain.things,
        )
        self.profile = Profile(domain.slots)
        self.graph = Graph(domain.types)
        self.manners = Manners(rules, Limits(confidence_threshold=rule_confidence))
        self._uses = Uses()
        self.capabilities = replace(
            self.capabilities, ingests=self._wanted(), compresses=self.parts.compression or self._nightly()
        )

    def _wanted(self) -> frozenset[str]:
        """The kinds of record that these parts have a use for."""
        wanted = {"exchange", "diary", "summary"}
        if self.weights.uses or self.forgetting.name != "none":
            wanted.add(USE)
        if self.parts.experience:
            wanted.add(DIALOGUE)
        if self._nightly():
            wanted.add(NIGHT)
        return frozenset(wanted)

    def _nightly(self) -> bool:
        return self.parts.graph or self.forgetting.name != "none"

    @staticmethod
    def export(folder: Path, memories: Sequence["Diary"], at_ms: int) -> None:
        """Writes profile, graph and rules of one store; see `sim.memory.diary.files`."""
        export(folder, memories, at_ms)

    @staticmethod
    def learnt(memories: Sequence["Diary"], at_ms: int) -> Mapping[str, Rule]:
        """The rules of one store by id, as of a time."""
        return learnt(memories, at_ms)

    def write(self, owner: Owner, record: Record) -> None:
        """Takes in a record; what it replaces is retired, and so is what it contradicts."""
        self.archive.add(owner, record, self.capabilities.ingests)
        if record.kind in self._searched:
            self._index(record)
        elif record.kind == USE:
            self._uses.add(record)
        elif record.kind == DIALOGUE:
            self.manners.add(record)
        elif record.kind == NIGHT:
            self._consolidate(record)

    def recall(self, owner: Owner, query: Query) -> Sequence[Hit]:
        """Rules, who the customer is, the records that fit best, and the summaries that fit best.

        Best first in each layer; only the scores of the last two compare.
        """
        self.archive.check(owner)
        hits = [*self._known(query), *self._found(query)]
        if query.limit is not None:
            return hits[: query.limit]
        return [*self._rules(query), *hits]

    def lineage(self, owner: Owner, utterance: str) -> Sequence[Kept]:
        """Records that rest on the utterance, as far as a recall could show them."""
        shown = super().lineage(owner, utterance)
        return [kept for kept in shown if kept.record.kind in self._searched]

    def overflow(self, owner: Owner, at_ms: int) -> Sequence[Sequence[Record]]:
        """The oldest records beyond the limit in full batches, as far as they hold; never what is pinned.

        Where there is a diary its entries are squeezed, and never the words they rest on: cut out of their
        quotation marks those would lose who said them.
        """
        self.archive.check(owner)
        policy = self._compression if self.parts.compression else self.forgetting
        held = self._holdings(at_ms)
        entries = [one for one in held if one.record.kind != "exchange"]
        batches = policy.squeezing(entries or held, at_ms)
        return [[self._standing(record, at_ms) for record in batch] for batch in batches]

    def forgettable(self, owner: Owner, at_ms: int) -> Sequence[Record]:
        """What the policy lets go of."""
        self.archive.check(owner)
        if self.forgetting.name == "none":
            return ()
        return [one.record for one in self.forgetting.retiring(self._holdings(at_ms), at_ms)]

    def explain(self, query: Query) -> dict[str, dict[str, float]]:
        """What each sign adds to the score of each record that can be seen."""
        query = self._searched_by(query)
        return self._retriever.explain(query, self._outside(query))

    @property
    def nbytes(self) -> dict[str, int]:
        """About how many bytes each index takes."""
        return dict(self._retriever.nbytes)

    def _index(self, record: Record) -> None:
        self._retriever.add(replace(record, text=self._unnamed(record.text, record.customer)))
        if self.parts.graph:
            self.graph.add(record)
        if self.parts.profile:
            ended = self.profile.add(record)
            self._retire_outdated({*ended, *record.sources}, record.visible_at_ms)

    def _retire_outdated(self, utterances: Iterable[str], at_ms: int) -> None:
        """Takes out of the search whatever rests on these utterances and holds no more."""
        for utterance in sorted(utterances):
            for kept in self.lineage(self.owner, utterance):
                if not self.profile.current(kept.record, at_ms):
                    self._retriever.retire(kept.record.id, at_ms)

    def _consolidate(self, night: Record) -> None:
        for forgotten in night.replaces:
            self._retriever.retire(forgotten, night.visible_at_ms)
        if self.parts.profile:
            self.profile.forget(night)
        if self.parts.graph:
            self.graph.recompute(night.visible_at_ms)

    def _rules(self, query: Query) -> list[Hit]:
        return self.manners.hits(query) if self.parts.experience else []

    def _known(self, query: Query) -> list[Hit]:
        """Who the customer is."""
        if not self.parts.profile:
            return []
        rows = row_records(self.profile, self.owner, query.customer, query.at_ms)
        return [Hit(record=record, score=_ABOVE_ALL - place) for place, record in enumerate(rows)]

    def _found(self, query: Query) -> Iterator[Hit]:
        """The best records, then the best summaries; of a record only what still holds."""
        query = self._searched_by(query)
        ranked = self._retriever.search(query, len(self._retriever), self._outside(query))
        summaries = [hit for hit in ranked if hit.record.kind == "summary"]
        others = [hit for hit in ranked if hit.record.kind != "summary"]
        for hit in (*others[: self._top_k], *summaries[: self._history]):
            yield replace(hit, record=self._standing(self.archive[hit.record.id], query.at_ms))

    def _searched_by(self, query: Query) -> Query:
        return replace(query, limit=None, text=self._unnamed(query.text, query.customer))

    def _unnamed(self, text: str, customer: str) -> str:
        """Without the name before the words, where all is about one person: it would say nothing.

        Worse, the shortest records would come first, for they have hardly a word beside it.
        """
        name, colon, words = text.partition(": ")
        return words if self.owner.customer is not None and colon and customer in name else text

    def _standing(self, record: Record, at_ms: int) -> Record:
        """A record without the claims that hold no more; its text goes with them."""
        if not self.parts.profile or not record.claims:
            return record
        holds = set(self.profile.standing(record, at_ms))
        pairs = [
            (claim, who)
            for claim, who in zip(record.claims, record.about, strict=True)
            if self._lasts(claim, holds)
        ]
        if len(pairs) == len(record.claims):
            return record
        claims, about = tuple(claim for claim, _ in pairs), tuple(who for _, who in pairs)
        return replace(record, text="", claims=claims, claimants=about if record.claimants else ())

    def _lasts(self, claim: Claim, holds: set[Claim]) -> bool:
        slots = self.profile.slots
        return not slots.knows(claim.slot) or claim.slot in slots.episodic or slots.plain(claim) in holds

    def _outside(self, query: Query) -> Outside:
        """What the graph and the uses know of records; asked for only where it counts."""
        weights, at_ms = self.weights, query.at_ms
        central = self.graph.of_records(at_ms) if self.parts.graph and weights.centrality else {}
        uses = self._uses.shares(at_ms) if weights.uses else {}
        outside = Outside(centrality=central, uses=uses)
        if not (self.parts.graph and weights.linked):
            return outside
        best = self._retriever.search(query, 1, outside)
        return replace(outside, linked=self._linked(best[0].record, at_ms) if best else {})

    def _linked(self, record: Record, at_ms: int) -> dict[str, float]:
        near = self.graph.neighbours(record_node(record.id), hops=_HOPS, at_ms=at_ms, kinds=_LINKS)
        # The best one too, so that what it leads to does not pass it.
        return {record.id: 1.0} | {name: 1 / hops for name, hops in self.graph.records_among(near).items()}

    def _holdings(self, at_ms: int) -> list[Holding]:
        """What can be recalled at a time, oldest first, with what speaks for keeping it."""
        records = [
            record
            for place in self.archive.live(at_ms)
            if (record := self.archive.records[place]).kind in self._searched
        ]
        importance = self.graph.of_records(at_ms) if self.parts.graph else {}
        return holdings(
            sorted(records, key=lambda record: record.at_ms),
            at_ms,
            uses=self._uses,
            importance={record.id: importance.get(record.id, record.importance) for record in records},
            pinned=self._pinned,
        )

    def _pinned(self, record: Record) -> bool:
        return self.profile.slots.pins(record) or (self.parts.profile and self.profile.pinned(record))
