"""Words in common: BM25 against an independent implementation, as of any time, in three languages."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.embed.protocol import Vectors
from sim.memory.retrieval.lexical import Lexical, lengths
from sim.memory.retrieval.lexicon import Lexicon
from sim.memory.retrieval.neighbours import Sessions, View
from sim.memory.retrieval.terms import Word, terms, words
from sim.memory.retrieval.thesaurus import Thesaurus
from sim.memory.retrieval.weights import Weights

PLAIN = Weights(context=0, thesaurus=0, k1=1.5, b=0.75)
TEXTS = (
    "the beef noodles were too spicy",
    "no coriander please, and no egg",
    "beef noodles again, beef noodles as always",
    "she painted the garden",
    "",
    "egg noodles with ginger and egg",
)


def all_seen(lexicon: Lexicon, sessions: Sequence[str] | None = None) -> View:
    chain = Sessions()
    for session in sessions or [""] * len(lexicon):
        chain.add(session)
    return chain.view(np.ones(len(lexicon), dtype=np.bool_))


def filled(texts: Sequence[str]) -> Lexicon:
    lexicon = Lexicon()
    for text in texts:
        lexicon.add(words(text))
    return lexicon


def lexical(
    lexicon: Lexicon, view: View, weights: Weights = PLAIN, thesaurus: Thesaurus | None = None
) -> Lexical:
    return Lexical(
        lexicon=lexicon,
        thesaurus=thesaurus,
        view=view,
        lengths=lengths(lexicon, view, weights),
        weights=weights,
    )


def scores(lexicon: Lexicon, query: str, view: View, weights: Weights = PLAIN) -> list[float]:
    return lexical(lexicon, view, weights).of_records(words(query)).tolist()


def by_bm25s(texts: Sequence[str], query: str) -> list[float]:
    bm25s = pytest.importorskip("bm25s")
    model = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    model.index([terms(words(text)) for text in texts], show_progress=False)
    known = [term for term in terms(words(query)) if term in model.vocab_dict]
    return model.get_scores(known).tolist() if known else [0.0] * len(texts)


WORDS = st.sampled_from("beef egg noodle garden ginger painted coriander spicy".split())
TEXT = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=12), TEXT)
def test_scores_are_those_of_bm25s(texts: list[str], query: str) -> None:
    lexicon = filled(texts)
    assert scores(lexicon, query, all_seen(lexicon)) == pytest.approx(
        by_bm25s(texts, query), rel=1e-5, abs=1e-6
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXT, min_size=2, max_size=10), TEXT, st.data())
def test_what_came_later_or_was_retired_does_not_count(
    texts: list[str], query: str, data: st.DataObject
) -> None:
    seen = data.draw(st.integers(1, len(texts)))
    alive = np.array(data.draw(st.lists(st.booleans(), min_size=seen, max_size=seen)))
    lexicon, chain = filled(texts), Sessions()
    for _ in texts:
        chain.add("")
    found = scores(lexicon, query, chain.view(alive))
    shown = [text for text, living in zip(texts, alive, strict=False) if living]
    alone = filled(shown)
    expected = scores(alone, query, all_seen(alone)) if shown else []
    assert [score for score, living in zip(found, alive, strict=True) if living] == pytest.approx(expected)


def test_neighbours_in_the_session_lend_their_words() -> None:
    lexicon = filled(["what is it about", "loss and identity", "the third screenplay", "so hard"])
    view = all_seen(lexicon, ["a", "a", "a", "b"])
    lent = scores(lexicon, "third screenplay", view, Weights(thesaurus=0))
    assert lent[2] > lent[1] > lent[0] > lent[3] == 0
    alone = scores(lexicon, "third screenplay", all_seen(lexicon), Weights(thesaurus=0))
    assert [score > 0 for score in alone] == [False, False, True, False]


def test_a_session_counts_as_one_text() -> None:
    lexicon = filled(["beef", "garden", "beef noodles", "tea"])
    view = all_seen(lexicon, ["a", "a", "b", "c"])
    found = lexical(lexicon, view).of_sessions(words("garden beef"))
    assert found[0] == found[1] > found[2] > found[3] == 0


ROWS = {"pooch": [1.0, 0.0], "dog": [0.8, 0.6], "cat": [0.0, 1.0]}


class Table:
    """Vectors of a few words."""

    fingerprint = "table"
    dimension = 2

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([ROWS.get(text, [0.0, 0.0]) for text in texts], dtype=np.float32).reshape(-1, 2)


def test_a_word_of_nearly_the_same_meaning_counts_less_than_the_word() -> None:
    lexicon = filled(["dog", "cat", "pooch", "собака"])
    made = lexical(lexicon, all_seen(lexicon), Weights(context=0), Thesaurus(Table(), lexicon))
    dog, cat, pooch, foreign = made.of_records(words("pooch"))
    assert pooch > dog > cat == foreign == 0


def test_the_thesaurus_knows_only_words_that_had_come() -> None:
    lexicon = filled(["cat", "dog"])
    thesaurus = Thesaurus(Table(), lexicon)
    word = Word("pooch", "pooch")
    assert [like.number for like in thesaurus.like(word, 2)] == [1]
    assert thesaurus.like(word, 1) == []
    lexicon.add(words("pooch dog"))
    assert [like.number for like in thesaurus.like(Word("dog", "dog"), 3)] == [2, 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Melanie's paintings", ["melani", "paint"]),
        ("Без кинзы, пожалуйста", ["без", "кинз"]),
        ("我不吃香菜", ["不吃", "吃香", "香菜"]),
        ("I said: не люблю 香菜!", ["said", "не", "люб", "香菜"]),
        ("", []),
        ("?!", []),
    ],
)
def test_each_word_goes_to_the_language_of_its_letters(text: str, expected: list[str]) -> None:
    assert terms(words(text)) == expected
