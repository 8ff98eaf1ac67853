"""What stands in the journal: a place, the question asked there, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.errors import ModelError
from sim.journal.packing import packed

Answer = Mapping[str, Any] | ModelError


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where an entry hangs.

    Args:
        namespace: keeps kinds of questions apart, as ``run`` and ``exam``.
        act: text of the act's identity.
        ask: place of the question within the act, from 0.
        attempt: 0, then 1 for the re-ask.
    """

    namespace: str
    act: str
    ask: int = 0
    attempt: int = 0

    def __str__(self) -> str:
        return f"{self.namespace} {self.act}, ask {self.ask}, attempt {self.attempt}"

    def key(self) -> tuple[str, str, int, int]:
        """The primary key of the entry."""
        return (self.namespace, self.act, self.ask, self.attempt)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One question and what came of it: a reply, or the class and message of a failure."""

    place: Place
    wire: dict[str, Any]
    reply: dict[str, Any] | None
    failure: str | None
    message: str | None


def result_of(answer: Answer) -> tuple[bytes | None, str | None, bytes | None]:
    """Reply, failure and message of an entry; the message as bytes, for it may hold half a character."""
    if isinstance(answer, ModelError):
        return None, type(answer).__name__, str(answer).encode("utf-8", "surrogatepass")
    return packed(answer), None, None


def message_of(stored: str | bytes | None) -> str | None:
    """The message of a failure as it was."""
    return stored.decode("utf-8", "surrogatepass") if isinstance(stored, bytes) else stored
