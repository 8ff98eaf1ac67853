"""How much each sign counts when records are ranked."""

from dataclasses import dataclass, fields
from math import isfinite


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """One number per sign; 0 leaves the sign out.

    The defaults were chosen on LoCoMo with two embedders at once and rounded; around them the
    figures hardly change. What LoCoMo does not measure (customer, preference, centrality, uses)
    has a small or a plain default. Signs with a unit of their own count in standard deviations
    over the records that can be seen, so weights compare.

    Args:
        lexical: words in common (BM25), in deviations.
        dense: nearness of meaning (cosine), in deviations.
        window: share of ``dense`` taken from the record together with its neighbours.
        context: share of a record's words that counts for its neighbours in the same session.
        thesaurus: how much a word of nearly the same meaning counts, times its nearness.
        k1: how soon more of the same word stops to count.
        b: how much long records are held back.
        answers: share of a question's score that goes to what another person says next.
        neighbours: share of a record's score that goes to those beside it.
        sessions: words in common with the whole session, in deviations.
        breadth: taken off for each record of the same session that stands above, where the question
            wants a list.
        entities: share of the names and things in the question that the record has, 0 to 1.
        speaker: the question names the person the record is of, and no other.
        customer: the record is of the customer in front of the agent.
        dates: the record is from the time the question names, 0 to 1.
        times: the record tells a time and the question asks for one.
        preference: the record states what somebody wants and the question asks for that.
        information: logarithm of the number of words.
        asking: taken off where the record only asks.
        importance: how important its writer thought it, 0 to 1; plain records are all alike.
        recency: 1 now, half after ``half_life_days``.
        half_life_days: of ``recency``.
        centrality: how central the record is in the graph, 0 to 1.
        uses: how often the record was used, 0 to 1.
        linked: the record shares a thing or a wish with the best one, by the graph, 0 to 1.
    """

    lexical: float = 0.5
    dense: float = 0.5
    window: float = 0.5
    context: float = 1.0
    thesaurus: float = 0.8
    k1: float = 1.2
    b: float = 0.5
    answers: float = 0.4
    neighbours: float = 0.0
    sessions: float = 0.3
    breadth: float = 0.2
    entities: float = 0.2
    speaker: float = 0.8
    customer: float = 1.0
    dates: float = 3.0
    times: float = 1.5
    preference: float = 2.0
    information: float = 0.3
    asking: float = 0.5
    importance: float = 1.0
    recency: float = 0.05
    half_life_days: float = 30.0
    centrality: float = 0.05
    uses: float = 0.05
    linked: float = 0.1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isfinite(value) or value < 0:
                raise ValueError(f"weights.{field.name} is a number from 0 up, not {value}")
        if self.window > 1 or self.b > 1:
            raise ValueError("weights.window and weights.b are shares, at most 1")
        if not self.half_life_days or not self.k1:
            raise ValueError("weights.half_life_days and weights.k1 are above 0")
