"""What a customer says: one utterance that states exactly the claims it is given."""

import re
from collections.abc import Mapping, Sequence

from scenarios.noodle_shop.menu import SLOTS
from scenarios.noodle_shop.speech import Talk, speech
from sim.memory.protocol import Claim
from sim.streams import Stream

MOVES = (
    "order",
    "usual",
    "last_visit",
    "new_wish",
    "reversal",
    "allergy",
    "style",
    "clarify",
    "feedback_right",
    "feedback_wrong",
    "greeting",
    "thanks",
)
_HABITS = 3
_FIELD = re.compile(r"\{(\w+?)(?:_(nom|acc|gen|ins))?\}")
Groups = dict[str, tuple[Claim, ...]]


class Phrases:
    """The phrases of one language."""

    def __init__(self, language: str) -> None:
        self._talk = speech(language).talk

    def say(
        self, move: str, claims: Sequence[Claim], stream: Stream, form: Mapping[str, str] | None = None
    ) -> str:
        """One utterance of a customer.

        Args:
            move: one of `MOVES`.
            claims: what it states, no more and no less.
            stream: decides the wording.
            form: all optional: ``old`` (id of the dish given up), ``name`` (of the speaker), and
                ``habit`` (any text; one habit keeps to the same few phrasings of each move).
        """
        if move not in self._talk.moves:
            raise ValueError(f"no phrases for the move {move!r}; moves are {', '.join(MOVES)}")
        form, groups = form or {}, grouped(claims)
        template = self._template(move, groups, stream, form)
        text, left = self._filled(template, groups, stream, form)
        parts = [text, *(self._sentence(key, left[key], stream) for key in left)]
        said = " ".join(part[0].upper() + part[1:] for part in parts if part)
        if not said:
            raise ValueError(f"the move {move!r} needs claims to state")
        return said

    def _template(self, move: str, groups: Groups, stream: Stream, form: Mapping[str, str]) -> str:
        fits = [text for text in self._talk.moves[move] if self._fits(text, groups, form)]
        if "habit" in form:
            fits = Stream.root(0).of("habit", form["habit"], move).sample(fits, _HABITS)
        return stream.of("wording", move).choice(fits) if fits else ""

    def _fits(self, template: str, groups: Groups, form: Mapping[str, str]) -> bool:
        fields = {name for name, _ in _FIELD.findall(template)}
        stated = {name for name in fields if name in SLOTS}
        if not all(f"{slot}+" in groups for slot in stated):
            return False
        if not all(name in form for name in fields & {"old", "name"}):
            return False
        free = [key for key in groups if key[:-1] not in stated and self._has_fragment(key, groups[key])]
        return bool(free) or "wishes" not in fields

    def _has_fragment(self, key: str, claims: tuple[Claim, ...]) -> bool:
        return bool(wordings(self._talk.fragments, key, claims))

    def _filled(
        self, template: str, groups: Groups, stream: Stream, form: Mapping[str, str]
    ) -> tuple[str, Groups]:
        """The template with its fields filled, and the claims that are still unsaid."""
        fields = _FIELD.findall(template)
        left = {key: groups[key] for key in groups if key not in {f"{name}+" for name, _ in fields}}
        fragments: list[str] = []
        if {"mods", "wishes"} & {name for name, _ in fields}:
            inside = [key for key in left if self._has_fragment(key, left[key])]
            fragments = [self._fragment(key, left.pop(key), stream) for key in inside]

        def fill(match: re.Match[str]) -> str:
            return self._field(match[1], match[2] or "nom", groups, fragments, form)

        return _FIELD.sub(fill, template), left

    def _field(
        self, name: str, case: str, groups: Groups, fragments: list[str], form: Mapping[str, str]
    ) -> str:
        if name == "wishes":
            return ", ".join(fragments)
        if name == "mods":
            return attached(self._talk, fragments)
        if name == "old":
            return self._talk.name("dish", form["old"], case)
        if name == "name":
            return form["name"]
        return named(self._talk, groups[f"{name}+"], case)

    def _fragment(self, key: str, claims: tuple[Claim, ...], stream: Stream) -> str:
        choices = wordings(self._talk.fragments, key, claims)
        return worded(self._talk, stream.of("fragment", key).choice(choices), claims)

    def _sentence(self, key: str, claims: tuple[Claim, ...], stream: Stream) -> str:
        choices = wordings(self._talk.sentences, key, claims)
        if not choices:
            raise ValueError(f"no customer can say {claims[0]}")
        return worded(self._talk, stream.of("sentence", key).choice(choices), claims)


def grouped(claims: Sequence[Claim]) -> Groups:
    """Claims by slot and polarity (``extra+``), in the order of the slots."""
    ordered = sorted(dict.fromkeys(claims), key=lambda claim: (SLOTS.index(claim.slot), -claim.polarity))
    groups: Groups = {}
    for claim in ordered:
        key = claim.slot + ("+" if claim.polarity == 1 else "-")
        groups[key] = (*groups.get(key, ()), claim)
    return groups


def named(talk: Talk, claims: Sequence[Claim], case: str) -> str:
    """The names of the values of some claims, as a list."""
    return talk.listed([talk.name(claim.slot, claim.value, case) for claim in claims], talk.conjunction)


def worded(talk: Talk, template: str, claims: Sequence[Claim]) -> str:
    """A wording with the names put in at ``{nom}`` and the other cases; ``{either}`` is "a or b"."""
    either = talk.listed([talk.name(claim.slot, claim.value) for claim in claims], talk.disjunction)
    text = template.replace("{either}", either)
    return re.sub(r"\{(nom|acc|gen|ins)\}", lambda match: named(talk, claims, match[1]), text)


def attached(talk: Talk, fragments: Sequence[str]) -> str:
    """Fragments as an addition to a dish: " with egg, hot"."""
    text = ", ".join(fragments)
    if not text:
        return ""
    return f" {text}" if text.startswith(talk.attach) else f", {text}"


def wordings(table: Mapping[str, tuple[str, ...]], key: str, claims: tuple[Claim, ...]) -> tuple[str, ...]:
    """The wordings of a group of claims: those of its value if there are any, else those of its key."""
    return table.get(f"{key}:{claims[0].value}") or table.get(key, ())
