"""What the retriever's default weights bring on LoCoMo, sign by sign, and weights chosen without the data.

``python benchmarks/locomo.py DATA [embedder=wordllama] [embedder.cache=DIR] [fit]``. Three tables: some
known arms and the shipped weights; the shipped weights without one sign at a time; and, with ``fit``,
weights chosen by climbing from the published recipe on all conversations but one and measured on that
one. Differences are paired by question, with intervals from drawing questions anew.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from benchmarks._table import show
from sim.bench.evidence import Answered, Asking, remembered
from sim.bench.held import HELD
from sim.bench.locomo import read
from sim.bench.settings import NOTHING, maker, settings_of
from sim.memory.retrieval.weights import Weights
from sim.metrics.intervals import paired_difference

SHIPPED = Weights()
# z-score fusion, neighbours, speaker and session, as in the note this project began with
RECIPE = replace(NOTHING, lexical=0.5, dense=0.5, neighbours=0.3, speaker=0.5, sessions=1.0, k1=1.5, b=0.75)
ARMS: Mapping[str, Weights] = {
    "cosine (flat)": replace(NOTHING, dense=1.0),
    "BM25": replace(NOTHING, lexical=1.0, k1=1.5, b=0.75),
    "the recipe": RECIPE,
    "the recipe with dates": replace(RECIPE, dates=SHIPPED.dates),
    "shipped": SHIPPED,
}
SIGNS = (
    "dense window context thesaurus answers sessions breadth entities speaker dates times information asking"
    " recency"
).split()
GRID: Mapping[str, Sequence[float]] = {
    "context": (0, 1),
    "thesaurus": (0, 0.8),
    "neighbours": (0, 0.3),
    "window": (0, 0.25, 0.5, 0.75),
    "answers": (0, 0.2, 0.4, 0.6),
    "sessions": (0, 0.15, 0.3, 0.6, 1),
    "speaker": (0, 0.5, 0.8, 1.1),
    "dates": (0, 1.5, 3, 4.5),
    "times": (0, 0.75, 1.5, 2.25),
    "information": (0, 0.3, 0.6),
    "asking": (0, 0.25, 0.5, 0.75),
    "breadth": (0, 0.2, 0.4),
}
FIGURES = ("", "R@5", "R@10", "nDCG@10", "multi-hop R@10", "adversarial R@10")
# less than this is chance; climbing after it would fit the noise
_GAIN = 0.001


def ask(talks: Sequence[Asking], weights: Weights) -> list[Answered]:
    """Every question, with these weights."""
    answers = []
    for talk in talks:
        talk.retriever.weights = weights
        answers += [talk.answer(number) for number in range(len(talk.conversation.questions))]
    return answers


def mean(answers: Sequence[Answered], measure: str, category: str = "") -> float:
    """The mean of a measure, over one category or all."""
    return fmean(one.value(measure) for one in answers if category in ("", one.question.category))


def figures(answers: Sequence[Answered]) -> list[str]:
    """Recall over all, and where it is hardest and where a name misleads."""
    values = [mean(answers, "recall_at_5"), mean(answers, "recall_at_10"), mean(answers, "ndcg_at_10")]
    values += [mean(answers, "recall_at_10", category) for category in ("multi_hop", "adversarial")]
    return [f"{value:.3f}" for value in values]


def against(first: Sequence[Answered], second: Sequence[Answered]) -> list[str]:
    """Second minus first in points of recall: over all with its interval, and in each conversation."""
    told = []
    for measure in ("recall_at_5", "recall_at_10"):
        a, b = ([one.value(measure) for one in answers] for answers in (first, second))
        found = paired_difference(a, b, [one.id for one in first])
        told.append(f"{100 * found.mean:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]")
        by_talk: dict[str, list[float]] = {}
        for one, before, after in zip(first, a, b, strict=True):
            by_talk.setdefault(one.conversation, []).append(100 * (after - before))
        told.append(" ".join(f"{fmean(values):+.1f}" for values in by_talk.values()))
    return told


def climbed(talks: Sequence[Asking]) -> Weights:
    """From the recipe upwards, one weight at a time and twice around, as long as recall grows."""
    weights, best = RECIPE, worth(ask(talks, RECIPE))
    for name, value in 2 * [(name, value) for name, values in GRID.items() for value in values]:
        tried = replace(weights, **{name: value})
        if tried != weights and (found := worth(ask(talks, tried))) > best + _GAIN:
            weights, best = tried, found
    return weights


def worth(answers: Sequence[Answered]) -> float:
    """What is climbed: recall at 5 and at 10."""
    return (mean(answers, "recall_at_5") + mean(answers, "recall_at_10")) / 2


def left_out(talks: Sequence[Asking]) -> tuple[list[Answered], list[list[str]]]:
    """Answers of each conversation with weights chosen on the others, and those weights."""
    answers, rows = [], []
    for talk in talks:
        weights = climbed([other for other in talks if other is not talk])
        answers += ask([talk], weights)
        rows.append([talk.conversation.id, *(f"{getattr(weights, name):g}" for name in GRID)])
    return answers, rows


def main(arguments: list[str]) -> None:
    """Prints the tables."""
    data, *rest = arguments
    settings = settings_of([argument for argument in rest if "=" in argument])
    make = maker(settings)
    talks = [remembered(talk, make, HELD[settings.held]) for talk in read(Path(data))]
    asked = {name: ask(talks, weights) for name, weights in ARMS.items()}
    show(
        f"arms, {settings.embedder}", FIGURES, [[name, *figures(answers)] for name, answers in asked.items()]
    )
    header = ["", "R@5, 95 %", "by conversation", "R@10, 95 %", "by conversation "]
    show("shipped against the recipe", header, [["points", *against(asked["the recipe"], asked["shipped"])]])
    rows = [
        [f"without {sign}", *against(asked["shipped"], ask(talks, replace(SHIPPED, **{sign: 0.0})))]
        for sign in SIGNS
    ]
    show("one sign left out, against shipped, in points", header, rows)
    if "fit" in rest:
        answers, weights = left_out(talks)
        show("weights chosen on the other conversations", ["for", *GRID], weights)
        show("measured on the one left out", FIGURES, [["left out", *figures(answers)]])


if __name__ == "__main__":
    main(sys.argv[1:])
