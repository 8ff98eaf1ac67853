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
    "recommended",
    "liked",
    "new_wish",
    "reversal",
    "allergy",
    "style",
    "clarify",
    "feedback_right",
    "feedback_wrong",
    "greeting",
    "mood",
    "small_talk",
    "praise",
    "accept",
    "decline",
    "thanks",
)
HELD_OUT = ("only", "never", "mixed")
_IMPLIED = {
    "feedback_right": (Claim(slot="liked", value="good"),),
    "feedback_wrong": (Claim(slot="liked", value="bad"),),
}
_HABITS = 3
_FIELD = re.compile(r"\{(\w+?)(?:_(nom|acc|gen|ins))?\}")
Groups = dict[str, tuple[Claim, ...]]
Form = Mapping[str, str]


def implied(move: str) -> tuple[Claim, ...]:
    """What a move says whether or not it is among the claims: feedback tells how a meal was liked."""
    return _IMPLIED.get(move, ())


class Phrases:
    """The phrases of one language."""

    def __init__(self, language: str) -> None:
        self._talk = speech(language).talk

    def say(self, move: str, claims: Sequence[Claim], stream: Stream, form: Form | None = None) -> str:
        """One utterance of a customer.

        Args:
            move: one of `MOVES`.
            claims: what it states, no more and no less but for what the move implies (see `implied`).
            stream: decides the wording.
            form: all optional: ``old`` (id of the dish given up), ``name`` (of the speaker), ``mood``
                (one of `speech.MOODS`, for the move mood), ``habit`` (any text; one habit keeps to the
                same few phrasings of each move), and ``held_out``: ``only`` takes held-out wordings
                where there are any, ``never`` none of them, ``mixed`` (the default) both.
        """
        if move not in MOVES:
            raise ValueError(f"no phrases for the move {move!r}; moves are {', '.join(MOVES)}")
        form, groups = form or {}, grouped([claim for claim in claims if claim not in implied(move)])
        if form.get("held_out", "mixed") not in HELD_OUT:
            raise ValueError(f"held_out is one of {', '.join(HELD_OUT)}, not {form['held_out']!r}")
        template = self._template(move, groups, stream, form)
        text, left = self._filled(template, groups, stream, form)
        parts = [text, *(self._sentence(key, left[key], stream, form) for key in left)]
        said = self._talk.space.join(part[0].upper() + part[1:] for part in parts if part)
        if not said:
            raise ValueError(f"the move {move!r} needs claims to state")
        return said

    def _template(self, move: str, groups: Groups, stream: Stream, form: Form) -> str:
        fits = [text for text in self._phrasings(move, groups, form) if self._fits(text, groups, form)]
        if "habit" in form:
            fits = Stream.root(0).of("habit", form["habit"], move).sample(fits, _HABITS)
        return stream.of("wording", move).choice(fits) if fits else ""

    def _phrasings(self, move: str, groups: Groups, form: Form) -> tuple[str, ...]:
        keys = [move]
        if move == "mood":
            keys = [key for key in self._talk.moves if key.startswith("mood:")]
            keys = [f"mood:{form['mood']}"] if f"mood:{form.get('mood')}" in keys else keys
        seen = tuple(text for key in keys for text in self._talk.moves[key])
        held_out = tuple(text for key in keys for text in self._talk.held_out.get(key, ()))
        return _chosen(seen, tuple(text for text in held_out if self._fits(text, groups, form)), form)

    def _fits(self, template: str, groups: Groups, form: Form) -> bool:
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

    def _filled(self, template: str, groups: Groups, stream: Stream, form: Form) -> tuple[str, Groups]:
        """The template with its fields filled, and the claims that are still unsaid."""
        fields = _FIELD.findall(template)
        left = {key: groups[key] for key in groups if key not in {f"{name}+" for name, _ in fields}}
        fragments: list[str] = []
        if {"mods", "wishes"} & {name for name, _ in fields}:
            inside = [key for key in left if self._has_fragment(key, left[key])]
            fragments = [self._fragment(key, left.pop(key), stream, form) for key in inside]

        def fill(match: re.Match[str]) -> str:
            return self._field(match[1], match[2] or "nom", groups, fragments, form)

        return _FIELD.sub(fill, template), left

    def _field(self, name: str, case: str, groups: Groups, fragments: list[str], form: Form) -> str:
        if name == "wishes":
            return self._talk.pause.join(fragments)
        if name == "mods":
            return attached(self._talk, fragments)
        if name == "old":
            return self._talk.name("dish", form["old"], case)
        if name == "name":
            return form["name"]
        return named(self._talk, groups[f"{name}+"], case)

    def _fragment(self, key: str, claims: tuple[Claim, ...], stream: Stream, form: Form) -> str:
        seen = wordings(self._talk.fragments, key, claims)
        choices = _chosen(seen, wordings(self._talk.held_out, f"fragment {key}", claims), form)
        return worded(self._talk, stream.of("fragment", key).choice(choices), claims)

    def _sentence(self, key: str, claims: tuple[Claim, ...], stream: Stream, form: Form) -> str:
        seen = wordings(self._talk.sentences, key, claims)
        if not seen:
            raise ValueError(f"no customer can say {claims[0]}")
        choices = _chosen(seen, wordings(self._talk.held_out, f"sentence {key}", claims), form)
        return worded(self._talk, stream.of("sentence", key).choice(choices), claims)


def _chosen(seen: tuple[str, ...], held_out: tuple[str, ...], form: Form) -> tuple[str, ...]:
    """The wordings to choose from: where nothing is held out, those that are not."""
    which = form.get("held_out", "mixed")
    if which == "only":
        return held_out or seen
    return seen if which == "never" else seen + held_out


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
    text = talk.pause.join(fragments)
    if not text:
        return ""
    return f" {text}" if text.startswith(talk.attach) else f"{talk.pause}{text}"


def wordings(table: Mapping[str, tuple[str, ...]], key: str, claims: tuple[Claim, ...]) -> tuple[str, ...]:
    """The wordings of a group of claims: those of its value if there are any, else those of its key."""
    return table.get(f"{key}:{claims[0].value}") or table.get(key, ())
