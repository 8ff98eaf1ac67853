"""What the shop needs to know of a language: people, talk, vocabulary, instructions.

A language is a folder with one short file for each of these; nothing else in the scenario
holds words. Forms of a name are keyed by case (``nom``, ``acc``, ``gen``, ``ins`` with its
preposition); a case that is not given falls back to ``nom``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sim.errors import ConfigError

LANGUAGES = ("en", "ru", "zh")
MOODS = ("cheerful", "tired", "sad", "hurried", "neutral")
Forms = Mapping[str, str]


def uninflected(**names: str) -> dict[str, Forms]:
    """Names by id in a language without cases."""
    return {value: {"nom": name} for value, name in names.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class People:
    """Names and looks of people.

    Args:
        women: first names of women.
        men: first names of men.
        last: last names.
        last_women: runs parallel to ``last`` where women's surnames differ.
        pattern: how a full name is put together.
        descriptions: what somebody looks like who is not known by name.
    """

    women: tuple[str, ...]
    men: tuple[str, ...]
    last: tuple[str, ...]
    last_women: tuple[str, ...]
    pattern: str = "{first} {last}"
    descriptions: tuple[str, ...]

    @property
    def first(self) -> tuple[str, ...]:
        """All first names, women's and men's in turn."""
        pairs = zip(self.women, self.men, strict=True)
        return tuple(name for pair in pairs for name in pair)

    def full(self, first: str, last: str) -> str:
        """First and last name, the last one (given as in ``last``) agreeing with the first."""
        if first in self.women:
            last = self.last_women[self.last.index(last)]
        return self.pattern.format(first=first, last=last)


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """How customers and agents put things.

    Args:
        names: by slot and id, the forms of the name.
        moves: by move, whole utterances (moods by ``mood:tired`` and the like). ``{dish_acc}`` and
            the like state a claim, ``{mods}`` takes the other claims as additions, ``{wishes}`` as a
            list, ``{old_acc}`` is the dish given up and ``{name}`` the speaker.
        fragments: by ``slot±`` or ``slot±:id``, a part of a sentence.
        sentences: by the same keys, a sentence that stands alone.
        held_out: by move, and by ``fragment slot±`` or ``sentence slot±``, wordings that were
            written after the reader's vocabulary and without it; nobody may tune the reader on them.
        events: by ``slot±``, the canonical words of an event line.
        replies: what an agent says, by situation.
        openings: remarks without content that may stand before a sentence.
        attach: beginnings of fragments that follow without a comma.
        conjunction: joins the last two of a list ("and").
        disjunction: joins them after a negation ("or").
        comma: parts the items of a list.
        pause: parts clauses.
        space: parts sentences, and a word from the next.
        nothing: the event line of a visit at which nothing was claimed.
    """

    names: Mapping[str, Mapping[str, Forms]]
    moves: Mapping[str, tuple[str, ...]]
    fragments: Mapping[str, tuple[str, ...]]
    sentences: Mapping[str, tuple[str, ...]]
    held_out: Mapping[str, tuple[str, ...]]
    events: Mapping[str, str]
    replies: Mapping[str, str]
    openings: tuple[str, ...]
    attach: tuple[str, ...]
    conjunction: str
    disjunction: str
    comma: str = ", "
    pause: str = ", "
    space: str = " "
    nothing: str

    def name(self, slot: str, value: str, case: str = "nom") -> str:
        """The name of an id; an id this language does not know is spelt out."""
        forms = self.names.get(slot, {}).get(value, {"nom": value.replace("_", " ")})
        return forms.get(case, forms["nom"])

    def listed(self, parts: list[str], last: str) -> str:
        """Joins parts as a list with the word ``last`` before the last one: "egg, corn and tofu"."""
        if len(parts) < 2:
            return "".join(parts)
        return self.space.join((self.comma.join(parts[:-1]), last, parts[-1]))


@dataclass(frozen=True, kw_only=True, slots=True)
class Vocabulary:
    """Regular expressions that find words and cues in lower-case text (see `reader`).

    Args:
        words: by kind (``dish``, ``food``, ``spice``, ``portion``, ``style``, ``visit``, ``liked``) and id.
        cues: by kind of cue (see the table of `scope.Scope`); of two of one length the first one counts.
        offering: the words with which a waiter recommends something.
        asked: by question, the words that ask it.
        tones: by tone (``greeting``, ``praise``, ``small_talk``, ``accept``, ``decline``, ``thanks``),
            its words; the first that fits counts.
        moods: by mood, its words.
        politeness: words that, between commas, part a cue from what it governs.
        spaced: words stand apart; if not, they are found anywhere.
    """

    words: Mapping[str, Mapping[str, str]]
    cues: Mapping[str, str]
    offering: str
    asked: Mapping[str, str]
    tones: Mapping[str, str]
    moods: Mapping[str, str]
    politeness: str
    spaced: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Instructions:
    """What the system part of a prompt says.

    Args:
        roles: by role, the task.
        menu: heads the list of ids.
        offers: what the list says instead of repeating the ids of dishes and extras for ``offer``.
        name: tells an agent its name, ``{agent}``; last, so that all agents of a role share what stands
            before it.
        ticket: heads the ticket of a cook prompt; ``{ticket}`` is filled in.
        ordered: heads the order of an offer prompt; ``{order}`` is filled in.
        persona: says who a customer is; ``{persona}`` is filled in.
        sentence: gives the sentence to be put in other words; ``{text}`` is filled in.
        question: asks for one slot; ``{slot}`` and ``{text}`` are filled in.
        questions: by slot, the question of an examination.
    """

    roles: Mapping[str, str]
    menu: str
    offers: str
    name: str
    ticket: str
    ordered: str
    persona: str
    sentence: str
    question: str
    questions: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Speech:
    """All of one language that the shop uses."""

    code: str
    people: People
    talk: Talk
    vocabulary: Vocabulary
    instructions: Instructions


@cache
def speech(code: str) -> Speech:
    """The shop's words in a language.

    Raises:
        ConfigError: there is no such language.
    """
    if code == "en":
        from scenarios.noodle_shop.english import ENGLISH

        return ENGLISH
    if code == "ru":
        from scenarios.noodle_shop.russian import RUSSIAN

        return RUSSIAN
    if code == "zh":
        from scenarios.noodle_shop.chinese import CHINESE

        return CHINESE
    raise ConfigError(f"scenario.language={code} is not spoken in the shop; choose of {', '.join(LANGUAGES)}")
