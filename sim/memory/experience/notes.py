"""One agent's experience: what it learnt of manners, and what of that a prompt should say."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from sim.memory.experience.brier import Forecast
from sim.memory.experience.choosing import Limits, Occasion, chosen, worded
from sim.memory.experience.edits import wished_by_edit
from sim.memory.experience.feedback import Dialogue, Feedback, Wish, asked_last, wishes_in
from sim.memory.experience.merging import merged, rule_id, structure
from sim.memory.experience.patterns import read, write
from sim.memory.experience.rule import Condition, Rule

ASKED_FOR, SHOWN = 0.8, 0.7
"""The first confidence of a rule that was asked for, and of one that an edit or praise shows."""


class Experience:
    """Rules of manners, learnt from explicit feedback.

    Around any chat model::

        experience = Experience.load("patterns.json")
        manners = experience.lines(question, customer="anna", at_ms=now_ms)
        answer = chat(system=[instructions, *manners], user=question)
        ...
        talk = Dialogue(id="2026-05-03/7", customer="anna", said=(question, "Shorter, please."))
        experience.learn(talk, feedback_in(talk), at_ms=now_ms)
        experience.save("patterns.json")

    `lines` changes nothing. Whoever puts lines into a prompt says so with `used`, which keeps the rules from
    fading, and names them in `Dialogue.used`, so that praise counts for them.

    Args:
        rules: to begin with; near-duplicates are made one.
        limits: how rules are chosen.
    """

    def __init__(self, rules: Iterable[Rule] = (), limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.forecasts: list[Forecast] = []
        self._rules = {rule.id: rule for rule in merged(rules)}
        self._base: dict[str, Rule] = {}

    @classmethod
    def load(cls, path: Path | str, limits: Limits | None = None) -> Self:
        """The experience in a file; empty if there is none.

        Raises:
            ConfigError: the file cannot be read as rules; it is left as it is.
        """
        rules = read(Path(path))
        experience = cls(rules.values(), limits)
        experience._base = rules
        return experience

    def save(self, path: Path | str) -> None:
        """Writes the rules; what was changed in the file by hand since `load` stays, and holds from now on.

        Raises:
            ConfigError: the file there cannot be read, or nothing can be written.
        """
        held = write(Path(path), self._rules, self._base)
        self._base = held
        self._rules = {rule.id: rule for rule in merged(held.values())}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, in the order in which they were learnt."""
        return tuple(self._rules.values())

    def chosen(self, occasion: Occasion) -> list[Rule]:
        """The rules for an occasion, strongest first; see `sim.memory.experience.choosing.chosen`."""
        return chosen(self._rules.values(), occasion, self.limits)

    def lines(self, query: str, customer: str, at_ms: int, language: str = "en") -> tuple[str, ...]:
        """The rules for a query as lines of a system prompt, strongest first; empty for no rule."""
        occasion = Occasion(query=query, customer=customer, at_ms=at_ms, language=language)
        return worded(self.chosen(occasion), language)

    def used(self, rules: Iterable[str], at_ms: int) -> None:
        """Says that rules stood in a prompt at a simulated time."""
        for name in rules:
            if name in self._rules:
                rule = self._rules[name]
                self._rules[name] = replace(rule, last_used_ms=max(rule.last_used_ms, at_ms))

    def learn(self, dialogue: Dialogue, feedback: Sequence[Feedback], at_ms: int) -> list[Rule]:
        """Learns from explicit feedback on a finished dialogue, and returns the rules that changed.

        A wish makes a rule, or confirms the one there is, and contradicts what it opposes. Praise confirms
        the rules that were used. The same dialogue learnt twice changes nothing more.
        """
        before = dict(self._rules)
        asked: list[Wish] = []
        first: dict[Wish, float] = {}
        for piece in feedback:
            for wish in _wishes(piece, dialogue.language):
                asked.append(wish)
                first.setdefault(wish, ASKED_FOR if piece.kind == "correction" else SHOWN)
        for wish in asked_last(asked):
            self._take(wish, first[wish], dialogue, at_ms)
        if any(piece.kind == "praise" for piece in feedback):
            for name in dialogue.used:
                self.confirm(name, dialogue, at_ms)
        return [rule for name, rule in self._rules.items() if rule != before.get(name)]

    def confirm(self, rule: str, dialogue: Dialogue, at_ms: int) -> None:
        """Trusts a rule more; one that is gone, or another customer's, is left alone."""
        self._judge(rule, dialogue, at_ms, right=True)

    def contradict(self, rule: str, dialogue: Dialogue, at_ms: int) -> None:
        """Trusts a rule less; one that is gone, or another customer's, is left alone."""
        self._judge(rule, dialogue, at_ms, right=False)

    def _judge(self, name: str, dialogue: Dialogue, at_ms: int, *, right: bool) -> None:
        rule = self._rules.get(name)
        if rule is None or rule.customer not in ("", dialogue.customer):
            return
        judged = rule.confirmed(dialogue.id, at_ms) if right else rule.contradicted(dialogue.id)
        if judged is not rule:
            trust = rule.trust(at_ms, self.limits.half_life_ms)
            self.forecasts.append(Forecast(rule=name, confidence=trust, confirmed=right))
            self._rules[name] = judged

    def _take(self, wish: Wish, confidence: float, dialogue: Dialogue, at_ms: int) -> None:
        key = structure(wish.condition, wish.action, dialogue.customer)
        same = [rule for rule in self._rules.values() if _structure(rule) == key]
        if any(dialogue.id in rule.evidence for rule in same):
            return
        for rule in tuple(self._rules.values()):
            reach = rule.customer == dialogue.customer and rule.condition == wish.condition
            if reach and rule.action.opposes(wish.action):
                self.contradict(rule.id, dialogue, at_ms)
        for rule in same:
            self.confirm(rule.id, dialogue, at_ms)
            known = self._rules[rule.id]
            # Whoever asks again means it at least as much as whoever asks for the first time.
            trusted = max(known.confidence, confidence)
            self._rules[rule.id] = replace(known, confidence=trusted, learnt_ms=max(known.learnt_ms, at_ms))
        if not same:
            rule = _new(wish, confidence, dialogue, at_ms)
            self._rules[rule.id] = rule


def _wishes(piece: Feedback, language: str) -> list[Wish]:
    if piece.kind != "edited":
        return list(wishes_in(piece.text, language))
    return [
        Wish(condition=Condition(), action=action) for action in wished_by_edit(piece.original, piece.text)
    ]


def _structure(rule: Rule) -> str:
    return structure(rule.condition, rule.action, rule.customer)


def _new(wish: Wish, confidence: float, dialogue: Dialogue, at_ms: int) -> Rule:
    return Rule(
        id=rule_id(wish.condition, wish.action, dialogue.customer),
        condition=wish.condition,
        action=wish.action,
        confidence=confidence,
        last_used_ms=at_ms,
        learnt_ms=at_ms,
        evidence=(dialogue.id,),
        customer=dialogue.customer,
    )
