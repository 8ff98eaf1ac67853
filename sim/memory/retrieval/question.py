"""A question read for what it asks: its words, its kind, and the times it names."""

from dataclasses import dataclass
from datetime import date

from sim.language.dates import dated
from sim.language.questions import Kind, asks_latest, kind_of
from sim.language.spans import Span
from sim.memory.retrieval.terms import Word, runs, words


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What a question asks for.

    The kind chooses which index is asked first, that is, whose signs join the ranking: ``when`` the
    timeline, ``preference`` what is claimed, ``list`` many sessions. The others are asked always.

    Args:
        words: to search by; those that name a time are left out.
        said: every word as it was said, in lower case, and its term.
        kind: what is asked for.
        spans: the times that are named.
        latest: it asks about the last time.
    """

    words: tuple[Word, ...]
    said: frozenset[str]
    kind: Kind
    spans: tuple[Span, ...] = ()
    latest: bool = False


def read(text: str, today: date | None) -> Question:
    """Reads a question asked today; without a calendar it names no times."""
    times = None if today is None else dated(text, today)
    return Question(
        words=tuple(words(text if times is None else times.rest)),
        said=frozenset(run.lower() for run in runs(text)) | {word.term for word in words(text)},
        kind=kind_of(text),
        spans=() if times is None else times.spans,
        latest=times is not None and asks_latest(text),
    )
