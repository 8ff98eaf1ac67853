"""How long a recall takes, and what looking at fewer vectors costs in neighbours missed.

``python benchmarks/retrieval.py [RECORDS] [VECTORS]`` (10,000 and 1,000,000 by default; 0 leaves that
part out). Times are medians over single queries, without the encoding of the question. The records are
sentences made of some hundred words, which is hard on the index of words: each stands in hundreds of
them. The vectors are those of such sentences, mixed in pairs.
"""

import sys
from collections.abc import Callable
from datetime import date
from statistics import median
from time import perf_counter, process_time

import numpy as np

from benchmarks._table import percent, show
from sim.clock import DAY_MS, MINUTE_MS, Calendar
from sim.embed.protocol import Embedder, Vectors
from sim.embed.static import wordllama
from sim.memory.exact import ExactIndex
from sim.memory.faiss_cells import CellIndex
from sim.memory.protocol import Query, Record
from sim.memory.retrieval.retriever import Retriever
from sim.memory.rows import best, cosines
from sim.streams import Stream

START = Calendar(start=date(2026, 1, 5))
WORDS = """
anna boris chen dora emil fatima garden river mountain concert office kitchen market station bridge
noodles broth beef egg coriander ginger garlic tofu dumpling mushroom chilli sesame pepper lime basil
painted cooked visited finished repaired planned promised forgot bought sold watched practised ordered
yesterday weekend birthday holiday winter summer morning evening doctor teacher neighbour cousin friend
guitar violin camera bicycle novel letter recipe ticket umbrella notebook turtle kitten puppy parrot
allergic hungry tired excited worried proud grateful nervous hopeful quiet spicy mild salty sweet fresh
enormous tiny ancient modern broken wooden golden purple orange silver empty crowded distant familiar
""".split()


class Known:
    """An embedder that looks up what it has embedded before: so encoding costs nothing."""

    def __init__(self, embedder: Embedder) -> None:
        self.fingerprint, self.dimension = embedder.fingerprint, embedder.dimension
        self._embedder = embedder
        self._rows: dict[str, Vectors] = {}

    def embed(self, texts: list[str]) -> Vectors:
        """Embeds what is new."""
        new = [text for text in texts if text not in self._rows]
        self._rows |= dict(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([self._rows[text] for text in texts])


def sentence(stream: Stream) -> str:
    """Eight to sixteen words."""
    count = stream.of("length").integer(8, 16)
    return " ".join(stream.of(place).choice(WORDS) for place in range(count))


def filled(count: int, embedder: Embedder) -> Retriever:
    """The memory of one agent: forty customers, eight records a visit."""
    retriever = Retriever(embedder=embedder, synonyms=embedder, calendar=START)
    for number in range(count):
        at_ms = number * 10 * MINUTE_MS
        retriever.add(
            Record(
                id=str(number),
                at_ms=at_ms,
                visible_at_ms=at_ms,
                agent="waiter",
                customer=f"customer {number // 8 % 40}",
                visit=f"visit {number // 8}",
                kind="exchange",
                text=sentence(Stream.root(0).of("record", number)),
            )
        )
    return retriever


def median_ms(work: Callable[[int], object], count: int, clock: Callable[[], float] = perf_counter) -> float:
    """The median of the milliseconds that ``work`` takes for 0, 1, 2 and so on."""
    times = []
    for number in range(count):
        start = clock()
        work(number)
        times.append(1000 * (clock() - start))
    return median(times)


def recall_of_one_agent(count: int) -> None:
    """Time per query, all signs weighed, over the records of one agent."""
    embedder = Known(wordllama())
    retriever = filled(count, embedder)
    asked = [f"when did {sentence(Stream.root(1).of(number))[:40]} last week?" for number in range(300)]
    embedder.embed(asked)
    at_ms = count * 10 * MINUTE_MS + DAY_MS

    def search(number: int) -> object:
        return retriever.search(Query(text=asked[number], customer="customer 3", at_ms=at_ms), 10)

    first, new = median_ms(search, 1), median_ms(search, 300)
    again, processor = median_ms(search, 300), median_ms(search, 300, process_time)
    row = [f"{count:,}", f"{first:.0f}", *(f"{ms:.2f}" for ms in (new, again, processor))]
    row.append(f"{sum(retriever.nbytes.values()) / 1e6:.1f}")
    header = ["records", "first, ms", "p50 of new words, ms", "p50, ms", "p50 of processor time, ms", "MB"]
    show("one recall, encoding apart", header, [row])


def vectors(count: int, embedder: Embedder) -> Vectors:
    """Vectors of sentences: of twenty thousand, and beyond that of two of them together."""
    base = embedder.embed([sentence(Stream.root(2).of(number)) for number in range(min(count, 20_000))])
    chance = np.random.default_rng(0)
    mixed = base[chance.integers(len(base), size=count)]
    mixed += base[chance.integers(len(base), size=count)] * chance.random((count, 1), dtype=np.float32)
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def nearest(rows: Vectors, query: Vectors) -> set[int]:
    """The true nearest ten: of the first fifty by a fast product, those of the highest exact cosine."""
    first = np.argpartition(rows @ query, -50)[-50:]
    return {near.id for near in best(first, cosines(rows[first], query), 10)}


def candidates(count: int) -> None:
    """The index in cells against looking at every vector, in one run."""
    embedder = wordllama()
    rows = vectors(count, embedder)
    asked = embedder.embed([sentence(Stream.root(3).of(number)) for number in range(100)])
    start = perf_counter()
    cells = CellIndex(embedder.dimension)
    cells.add(range(count), rows)
    built_s = perf_counter() - start
    exact = ExactIndex(embedder.dimension)
    exact.add(range(count), rows)
    found = [{near.id for near in cells.search(one, 10)} for one in asked]
    right = [nearest(rows, one) for one in asked]
    recall = sum(len(a & b) for a, b in zip(found, right, strict=True)) / (10 * len(asked))
    times = {
        "in cells": median_ms(lambda number: cells.search(asked[number], 10), 100),
        "numpy product, float32": median_ms(lambda number: np.argpartition(rows @ asked[number], -10), 20),
        "exact reference": median_ms(lambda number: exact.search(asked[number], 10), 3),
    }
    recalls = {"in cells": recall, "numpy product, float32": 1.0, "exact reference": 1.0}
    table = [[name, f"{ms:.1f}", percent(recalls[name])] for name, ms in times.items()]
    show(
        f"nearest 10 of {count:,} vectors (cells built in {built_s:.0f} s)", ["", "p50, ms", "recall"], table
    )


def main(arguments: list[str]) -> None:
    """Runs both parts."""
    records, rows = (int(argument) for argument in (arguments + ["10000", "1000000"][len(arguments) :]))
    if records:
        recall_of_one_agent(records)
    if rows:
        candidates(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
