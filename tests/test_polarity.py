"""Likes and hates, allergic and not allergic, "no longer": what a memory makes of pairs that look alike.

Embeddings cannot tell these apart (the cosine of "likes" and "hates" is near .9), so nothing here may hang on
nearness. The reader stands for an extraction without error; `benchmarks/polarity.py` asks a real model.
"""

import pytest

from benchmarks._pairs import MENU, PEOPLE, entry, pair, truth, words_of
from scenarios.noodle_shop.events import plain
from scenarios.noodle_shop.profiles import NOODLE_SLOTS
from scenarios.noodle_shop.reader import Reader
from sim.clock import DAY_MS
from sim.memory.diary import Diary
from sim.memory.diary.presets import PRESETS
from sim.memory.domain import Domain
from sim.memory.protocol import Owner, Query
from sim.streams import Stream

PAIRS = 200


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_two_hundred_pairs_are_neither_merged_nor_turned_round(language: str) -> None:
    reader, preset = Reader(language, MENU), PRESETS["full"]
    for number in range(PAIRS):
        draw = Stream.root(number).of("pair", language)
        said = pair(draw)
        owner = Owner(store="waiter-1")
        # Ranking has no part in who somebody is, so no embedder either.
        memory = Diary(owner, domain=Domain(slots=NOODLE_SLOTS), parts=preset.parts)
        for day, one in enumerate(said, 1):
            claims = tuple(map(plain, reader.claims(words_of(language, one, day, draw))))
            memory.write(owner, entry(language, one, claims, day))
        for who in PEOPLE:
            query = Query(text="the usual", customer=who, at_ms=9 * DAY_MS)
            hits = [hit.record for hit in memory.recall(owner, query)]
            known = {claim for record in hits if record.kind == "profile" for claim in record.claims}
            assert known == truth(who, said), said
            found = {claim for record in hits for claim in record.claims_of(who)}
            assert found == truth(who, said), said
