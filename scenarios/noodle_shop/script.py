"""What a customer is going to say on a visit: decided before it begins, whatever is answered."""

from collections.abc import Mapping
from dataclasses import dataclass

from scenarios.noodle_shop.customers import ORDERED, Customer
from scenarios.noodle_shop.settings import Talk
from sim.ledger import Fact
from sim.memory.protocol import Claim
from sim.streams import Stream


@dataclass(frozen=True, kw_only=True, slots=True)
class Cue:
    """One thing the customer will say.

    Args:
        move: name of the move.
        states: the facts it states.
        asks: the slots whose memory it puts to the test.
    """

    move: str
    states: tuple[Fact, ...] = ()
    asks: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of the utterance."""
        return tuple(Claim(slot=f.slot, value=f.value, polarity=f.polarity) for f in self.states)


QUESTIONS = {"last_visit": "visit", "recommended": "offer", "liked": "liked"}
CHATTER = ("mood", "small_talk", "praise")


def script(
    customer: Customer,
    served: int,
    facts: Mapping[str, Fact],
    said: set[str],
    talk: Talk,
    *,
    at_risk: bool = False,
) -> list[Cue]:
    """The cues of one visit up to the order: talk, questions, warnings, news, and the order itself.

    Args:
        customer: who comes.
        served: earlier visits on which they were served.
        facts: what is true of each slot now.
        said: ids of the facts they have stated on earlier visits.
        talk: shares of the moves.
        at_risk: what they want holds what makes them ill, unless somebody leaves it out.
    """
    draw = customer.stream.of("script", served)
    cues = [*_chatter(served, draw, talk), *_questions(served, draw, talk)]
    cues += [*_warnings(customer, served, facts, said, at_risk), *_news(served, facts, said)]
    stated = {fact.slot for cue in cues for fact in cue.states}
    if served and draw.of("usual").chance(talk.usual):
        cues.append(Cue(move="usual", asks=tuple(slot for slot in ORDERED if slot not in stated)))
    else:
        cues.append(Cue(move="order", states=_wanted(facts)))
    return cues


def _chatter(served: int, draw: Stream, talk: Talk) -> list[Cue]:
    """A greeting, and what people say besides; praise is for those who have been served before."""
    shares = talk.model_dump()
    moves = ("greeting", *(move for move in CHATTER if served or move != "praise"))
    return [Cue(move=move) for move in moves if draw.of(move.replace("_", " ")).chance(shares[move])]


def _questions(served: int, draw: Stream, talk: Talk) -> list[Cue]:
    """Questions about earlier visits, asked by those who have some."""
    shares = talk.model_dump()
    asked = [move for move in QUESTIONS if served and draw.of(move.replace("_", " ")).chance(shares[move])]
    return [Cue(move=move, asks=(QUESTIONS[move],)) for move in asked]


def _wanted(facts: Mapping[str, Fact]) -> tuple[Fact, ...]:
    return tuple(facts[slot] for slot in ORDERED if slot in facts and facts[slot].polarity > 0)


def _warnings(
    customer: Customer, served: int, facts: Mapping[str, Fact], said: set[str], at_risk: bool
) -> list[Cue]:
    """Allergies come up on the first visit or, with nothing at risk, the second; manners on the second."""
    late = customer.stream.of("allergy told late").chance(0.5) and customer.regular and not at_risk
    cues = []
    for slot, due in (("allergy", int(late)), ("style", 1)):
        if slot in facts and facts[slot].id not in said and served >= due:
            cues.append(Cue(move=slot, states=(facts[slot],)))
    return cues


def _news(served: int, facts: Mapping[str, Fact], said: set[str]) -> list[Cue]:
    """What has changed since it was last stated."""
    if not served:
        return []
    news = tuple(facts[slot] for slot in ORDERED if slot in facts and facts[slot].id not in said)
    if not news:
        return []
    reverses = any(fact.slot == "dish" or fact.polarity < 0 or _replaces(fact) for fact in news)
    return [Cue(move="reversal" if reverses else "new_wish", states=news)]


def _replaces(fact: Fact) -> bool:
    return not fact.id.endswith(":0")
