"""Rules of manners as one memory holds them: learnt from dialogues in order, read as of any time."""

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter

from sim.memory.experience import Dialogue, Experience, Forecast, Rule, feedback_in
from sim.memory.experience.choosing import Limits, Occasion, chosen, line_of
from sim.memory.protocol import Hit, Query, Record
from sim.records import ActId, canonical

DIALOGUE, RULE = "dialogue", "rule"


def dialogue_of(
    act: ActId, *, at_ms: int, customer: str, language: str, said: Sequence[str], used: Sequence[str] = ()
) -> Record:
    """The record of a finished dialogue from which manners are learnt.

    It has no place for what was recalled or answered, so neither is ever learnt from.

    Args:
        act: the act that writes it.
        at_ms: simulated time.
        customer: whose manners, as the agent knows them.
        language: code of the language.
        said: what the customer said, in order.
        used: ids of the rules that stood in a prompt.
    """
    return Record(
        id=f"{act.visit}/{act.agent}/{DIALOGUE}",
        at_ms=at_ms,
        visible_at_ms=0,
        agent=act.agent,
        customer=customer,
        visit=act.visit,
        kind=DIALOGUE,
        text=canonical({"language": language, "said": list(said), "used": list(used)}),
    )


class Manners:
    """The rules of one memory as of any simulated time.

    Args:
        rules: to begin with.
        limits: how rules are chosen.
    """

    def __init__(self, rules: Iterable[Rule] = (), limits: Limits | None = None) -> None:
        self._experience = Experience(rules, limits)
        self._versions: list[tuple[int, tuple[Rule, ...]]] = [(-1, self._experience.rules)]

    def add(self, record: Record) -> None:
        """Learns from a record that `dialogue_of` made; they come in order of visibility."""
        told = json.loads(record.text)
        dialogue = Dialogue(
            id=record.id,
            customer=record.customer,
            language=told["language"],
            said=tuple(told["said"]),
            used=tuple(told["used"]),
        )
        self._experience.used(dialogue.used, record.at_ms)
        self._experience.learn(dialogue, feedback_in(dialogue), record.at_ms)
        self._versions.append((record.visible_at_ms, self._experience.rules))

    @property
    def forecasts(self) -> Sequence[Forecast]:
        """How far each rule was trusted when it was judged, and how it was judged."""
        return self._experience.forecasts

    def rules(self, at_ms: int) -> tuple[Rule, ...]:
        """All rules as of a time."""
        version = bisect_right(self._versions, at_ms, key=itemgetter(0))
        return self._versions[version - 1][1]

    def hits(self, query: Query) -> list[Hit]:
        """The rules for a query as records of kind ``rule``, strongest first, as lines of a prompt."""
        occasion = Occasion(
            query=query.text, customer=query.customer, at_ms=query.at_ms, language=query.language
        )
        limits = self._experience.limits
        strongest = chosen(self.rules(query.at_ms), occasion, limits)
        return [Hit(record=_shown(rule, query), score=rule.confidence) for rule in strongest]


def _shown(rule: Rule, query: Query) -> Record:
    return Record(
        id=rule.id,
        at_ms=rule.learnt_ms,
        visible_at_ms=rule.learnt_ms,
        agent="",
        customer=rule.customer,
        visit="",
        kind=RULE,
        text=line_of(rule, query.language),
    )
