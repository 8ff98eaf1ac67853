"""Names and things: an index of its own, for they tell more than the words around them."""

import re
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from sim.memory.protocol import Claim
from sim.memory.retrieval.bm25 import rarity
from sim.memory.retrieval.columns import Floats
from sim.memory.retrieval.lexicon import Lexicon
from sim.memory.retrieval.neighbours import View
from sim.memory.retrieval.terms import Word, words

# A capital within a sentence makes a name (in a language that has capitals) ...
_NAME = re.compile(r"(?<=[\w,;)] )[^\W\d_]\w+(?:[ -](?=[^\W\d_])\w+)*")
# ... and so do quotation marks.
_QUOTED = re.compile(r"[\"“«„「『]([^\"”»“」』]{2,60})[\"”»“」』]")


def entities(
    text: str, spoken: Sequence[Word], claims: Iterable[Claim], things: Collection[str]
) -> list[Word]:
    """The words of a record that name something: names, what is quoted, what is claimed, known things.

    Args:
        text: of the record.
        spoken: its words.
        claims: their slots and values name things.
        things: terms that a scenario knows to be things, such as dishes and moods.
    """
    named = [match[1] for match in _QUOTED.finditer(text)]
    named += [word for match in _NAME.finditer(text) for word in match[0].split() if word[0].isupper()]
    named += [part for claim in claims for part in (claim.slot.replace("_", " "), claim.value)]
    found = [word for part in named for word in words(part)]
    found += [word for word in spoken if word.term in things]
    return list(dict.fromkeys(found))


def shared(index: Lexicon, asked: Sequence[Word], view: View) -> Floats | None:
    """For each record which share of the things in a question it has, by how rare they are: 0 to 1.

    None when there is nothing in the question that any record names.
    """
    scores, total = np.zeros(view.seen), 0.0
    for term in dict.fromkeys(word.term for word in asked):
        places = index.posting(index.number(term), view.seen).places
        places = places if view.all_alive else places[view.alive[places]]
        if len(places):
            rare = rarity(len(places), view.count)
            scores[places] += rare
            total += rare
    return scores / total if total else None
