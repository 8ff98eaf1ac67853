"""Whether an answer is right, and whether words still say what a turn told; for scoring alone.

LoCoMo's own measure is the F1 of stemmed words (of several answers parted by commas the mean of the best
of each; of an open-domain answer what stands before its semicolon). An answer counts as right where that is
0.5 or more *and* it has every number of the right answer, since "8 May 2023" has an F1 of 0.67 with
"7 May 2023". An adversarial question asks for what was never said: right is to say so.

Source: ``task_eval/evaluation.py`` of https://github.com/snap-research/locomo
"""

import re
from collections import Counter
from functools import lru_cache

from sim.bench.locomo import Question
from sim.language.packs import pack

ADVERSARIAL = "adversarial"
NOT_MENTIONED = "not mentioned"
"""What stands in the place of a right answer where there is none."""

ENOUGH_F1 = 0.5
ENOUGH_WORDS = 0.5
_NO_ANSWER = (NOT_MENTIONED, "no information available")
_LEFT_OUT = re.compile(r"\b(?:a|an|the|and)\b")
_MARKS = re.compile(r"[^\w\s]|_")


def gold(question: Question) -> str:
    """The right answer as the ledger has it."""
    return NOT_MENTIONED if question.category == ADVERSARIAL else question.answer


def says_none(answer: str) -> bool:
    """Whether an answer says that there is none."""
    return not answer.strip() or any(words in answer.lower() for words in _NO_ANSWER)


def right(question: Question, answer: str) -> bool:
    """Whether an answer is right."""
    if question.category == ADVERSARIAL and says_none(answer):
        return True
    numbers = set(re.findall(r"\d+", question.answer))
    return f1(question, answer) >= ENOUGH_F1 and numbers <= set(re.findall(r"\d+", answer))


def f1(question: Question, answer: str) -> float:
    """LoCoMo's measure, from 0 to 1; an adversarial question has 1 for silence or its own answer."""
    wanted = question.answer
    if question.category == ADVERSARIAL and says_none(answer):
        return 1.0
    if question.category == "open_domain":
        wanted = wanted.partition(";")[0]
    if question.category != "multi_hop":
        return _f1(answer, wanted)
    parts = wanted.split(",")
    return sum(max(_f1(one, part) for one in answer.split(",")) for part in parts) / len(parts)


def still_says(words: str, turn: str, answer: str) -> bool:
    """Whether words made of a turn still say what it told of an answer.

    At least half of the words that turn and answer share must be there; where they share none (an answer
    that must be concluded, a date told by "yesterday"), half of all words of the turn.
    """
    told = set(_content(turn))
    wanted = told.intersection(_content(answer)) or told
    return len(wanted.intersection(_content(words))) >= ENOUGH_WORDS * len(wanted)


def _f1(answer: str, wanted: str) -> float:
    said, right_words = _stems(answer), _stems(wanted)
    common = (Counter(said) & Counter(right_words)).total()
    return 2 * common / (len(said) + len(right_words)) if common else 0.0


def _stems(text: str) -> list[str]:
    plain = _LEFT_OUT.sub(" ", _MARKS.sub("", text.lower()))
    return [pack("en").stem(word) for word in plain.split()]


@lru_cache(maxsize=4096)
def _content(text: str) -> tuple[str, ...]:
    return tuple(pack("en").tokens(text))
