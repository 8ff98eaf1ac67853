"""Ground truth: every fact the world made true, and every time it was said to an agent.

Agents never read it (the ``oracle`` preset excepted); scoring reads nothing else.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sim.errors import OrderError
from sim.records import Telling


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One value of one slot of one customer; polarity -1 means the value was taken back."""

    id: str
    customer: str
    slot: str
    value: str
    polarity: int
    valid_from_ms: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One telling as it happened; what superseded the fact is looked up when rows are made."""

    fact: Fact
    agent: str
    at_ms: int
    visit: str
    utterance: str
    first: bool


class Ledger:
    """Facts by customer and slot in the order they became true, and who was told what.

    Args:
        hears: maps an agent to the store it shares; agents of one store hear each other.
    """

    def __init__(self, hears: Callable[[str], str] = lambda agent: agent) -> None:
        self._hears = hears
        self._facts: dict[str, Fact] = {}
        self._history: dict[tuple[str, str], list[Fact]] = {}
        self._said: list[Said] = []
        self._told: dict[tuple[str, str], list[Said]] = {}
        self._echoes: dict[tuple[str, str], list[tuple[int, str]]] = {}
        self._anyone: dict[str, int] = {}
        self._in: dict[str, list[Fact]] = {}
        self._visits: dict[str, list[int]] = {}
        self._visitor: dict[str, str] = {}

    def make_true(self, *, customer: str, slot: str, value: str, at_ms: int, polarity: int = 1) -> Fact:
        """Makes a fact true from ``at_ms`` on; the slot's previous fact is superseded."""
        history = self._history.setdefault((customer, slot), [])
        if history and history[-1].valid_from_ms > at_ms:
            raise OrderError(f"{customer}'s {slot} changed later than {at_ms} ms already")
        fact = Fact(
            id=":".join((_plain(customer), _plain(slot), str(len(history)))),
            customer=customer,
            slot=slot,
            value=value,
            polarity=polarity,
            valid_from_ms=at_ms,
        )
        history.append(fact)
        self._facts[fact.id] = fact
        return fact

    def fact(self, fact_id: str) -> Fact:
        """The fact with this id."""
        return self._facts[fact_id]

    def current(self, customer: str, slot: str, at_ms: int) -> Fact | None:
        """What was true of the slot at ``at_ms``, or None."""
        for fact in reversed(self._history.get((customer, slot), ())):
            if fact.valid_from_ms <= at_ms:
                return fact
        return None

    def earlier(self, fact: Fact) -> Iterator[Fact]:
        """The facts the given one superseded, newest first."""
        history = self._history[fact.customer, fact.slot]
        return reversed(history[: int(fact.id.rsplit(":", 1)[1])])

    def tell(self, *, fact_id: str, agent: str, at_ms: int, visit: str, utterance: str) -> None:
        """Notes that the fact was said to the agent; called in the order of the log."""
        fact, store = self._facts[fact_id], self._hears(agent)
        told = self._told.setdefault((store, fact_id), [])
        said = Said(fact=fact, agent=agent, at_ms=at_ms, visit=visit, utterance=utterance, first=not told)
        told.append(said)
        self._said.append(said)
        self._anyone.setdefault(fact_id, at_ms)
        self._in.setdefault(utterance, []).append(fact)

    def echo(self, fact_id: str, *, agent: str, at_ms: int, utterance: str) -> None:
        """Notes an exchange in which the agent itself repeated the fact, rightly; not a telling."""
        self._echoes.setdefault((self._hears(agent), fact_id), []).append((at_ms, utterance))

    def told(self, fact_id: str, agent: str, until_ms: int) -> list[Said]:
        """Tellings by ``until_ms`` to the agent or to those it shares a memory with, oldest first."""
        said = self._told.get((self._hears(agent), fact_id), ())
        return [one for one in said if one.at_ms <= until_ms]

    def utterances(self, fact_id: str, agent: str, until_ms: int) -> list[str]:
        """Ids of all exchanges by ``until_ms`` in which the agent could have learnt the fact."""
        told = [said.utterance for said in self.told(fact_id, agent, until_ms)]
        echoes = self._echoes.get((self._hears(agent), fact_id), ())
        return told + [utterance for at_ms, utterance in echoes if at_ms <= until_ms]

    def told_to_anyone(self, fact_id: str, until_ms: int) -> bool:
        """Whether the fact was said to any agent by ``until_ms``."""
        return fact_id in self._anyone and self._anyone[fact_id] <= until_ms

    def said_in(self, utterance: str) -> list[Fact]:
        """The facts an utterance stated."""
        return self._in.get(utterance, [])

    def visited(self, customer: str, at_ms: int, visit: str = "") -> None:
        """Notes that a visit of the customer began; called in order of time."""
        self._visits.setdefault(customer, []).append(at_ms)
        if visit:
            self._visitor[visit] = customer

    def visitor(self, visit: str) -> str:
        """Whose visit it was; empty for one that never began."""
        return self._visitor.get(visit, "")

    def visits_between(self, customer: str, after_ms: int, until_ms: int) -> int:
        """Visits of the customer that began after one time and not after another."""
        began = self._visits.get(customer, [])
        return bisect_right(began, until_ms) - bisect_right(began, after_ms)

    def known_to(self, agent: str) -> Iterator[Fact]:
        """Facts told to the agent so far, in the order they were first told."""
        store = self._hears(agent)
        return (self._facts[fact] for holder, fact in list(self._told) if holder == store)

    def rows(self) -> list[Telling]:
        """All tellings as flat records, in the order of the log."""
        return [self._row(said) for said in self._said]

    def _row(self, said: Said) -> Telling:
        fact = said.fact
        history = self._history[fact.customer, fact.slot]
        place = int(fact.id.rsplit(":", 1)[1]) + 1
        later = history[place] if place < len(history) else None
        return Telling(
            fact=fact.id,
            customer=fact.customer,
            slot=fact.slot,
            value=fact.value,
            polarity=fact.polarity,
            said_at_ms=said.at_ms,
            said_to=said.agent,
            visit=said.visit,
            utterance=said.utterance,
            first=said.first,
            valid_from_ms=fact.valid_from_ms,
            valid_to_ms=None if later is None else later.valid_from_ms,
            superseded_by=None if later is None else later.id,
        )


def _plain(part: str) -> str:
    # Escaped, so that the facts of a customer called "a:b" are nobody else's.
    return part.replace("%", "%25").replace(":", "%3A")
