"""The surrogate: a deterministic reader of prompts with known error rates.

What it reads and how is the scenario's own (`Skill`); here are its errors. Each is drawn from the
seed, the act, the customer as prompted, the slot and the kind of error, never from the words of the
prompt, and each draw is one uniform number compared with the rate. So two arms of a sweep make the
same errors, and an arm with a higher rate makes all errors of the other and some more.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from sim.errors import ConfigError
from sim.llm.ladder.structured import CORRECTION
from sim.llm.protocol import Reply, Request
from sim.llm.tokens import estimate_tokens
from sim.records import ActId
from sim.streams import Stream


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """How often the surrogate errs, each from 0 to 1.

    Args:
        missed_extraction: a fact that was said is not noticed.
        ignored_context: a fact that stands in the prompt is not used.
        confabulation: a fact that stands nowhere is made up.
        malformed_json: the reply is damaged on its way to JSON.
        lost_in_compression: a fact is dropped by a summary.
    """

    missed_extraction: float = 0.0
    ignored_context: float = 0.0
    confabulation: float = 0.0
    malformed_json: float = 0.0
    lost_in_compression: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            rate = getattr(self, field.name)
            if not 0.0 <= rate <= 1.0:
                raise ConfigError(f"llm.rates.{field.name} must lie within 0 and 1, not {rate}")


class Slips:
    """The errors of one act; asking the same twice gives the same answer.

    Args:
        rates: how often each kind happens.
        stream: the surrogate's stream of the run.
        act: whose errors; a retry of the act makes the same ones.
    """

    def __init__(self, rates: Rates, stream: Stream, act: ActId) -> None:
        self._rates = rates
        self._stream = stream.of(str(replace(act, attempt=0)))

    def missed(self, customer: str, slot: str) -> bool:
        """Whether what was said about this slot goes unnoticed."""
        return self._draw("missed", customer, slot).chance(self._rates.missed_extraction)

    def ignored(self, customer: str, slot: str) -> bool:
        """Whether what the prompt says about this slot is not used."""
        return self._draw("ignored", customer, slot).chance(self._rates.ignored_context)

    def confabulated(self, customer: str, slot: str) -> bool:
        """Whether a value is made up for this slot."""
        return self._draw("confabulated", customer, slot).chance(self._rates.confabulation)

    def lost(self, customer: str, slot: str, value: str = "") -> bool:
        """Whether a summary drops this slot, or this one of its values."""
        return self._draw("lost", customer, slot, value).chance(self._rates.lost_in_compression)

    def invented(self, customer: str, slot: str, choices: Sequence[str]) -> str:
        """The value that is made up, one of ``choices``."""
        if not choices:
            raise ValueError(f"nothing to invent for slot {slot}: choices is empty")
        return self._draw("invented", customer, slot).choice(choices)

    def _draw(self, kind: str, *names: str) -> Stream:
        return self._stream.of(kind, *names)


Skill = Callable[[Request, Slips], dict[str, Any]]
"""Reads the words of a request and returns the reply as data (``{"text": …}`` for free text)."""


class Surrogate:
    """A language model made of skills, one per role; the same request always gets the same reply."""

    def __init__(self, skills: Mapping[str, Skill], rates: Rates, seed: int, name: str = "surrogate") -> None:
        self.name = name
        self._skills = dict(skills)
        self._rates = rates
        self._stream = Stream.root(seed).of("surrogate")

    async def complete(self, request: Request) -> Reply:
        """Answers at once; see `answer`."""
        return self.answer(request)

    def answer(self, request: Request) -> Reply:
        """The reply, damaged now and then; a pure function of the request and its act.

        Raises:
            ConfigError: no skill for the role; a failure of the model would hide the mistake.
        """
        if request.role not in self._skills:
            raise ConfigError(f"the surrogate has no skill for role {request.role!r}: add one to its skills")
        slips = Slips(self._rates, self._stream, request.act)
        # What a re-ask adds is for models that learn from it; a skill reads the same prompt again.
        prompt = replace(request, user=request.user.partition(CORRECTION)[0])
        data = self._skills[request.role](prompt, slips)
        return self._reply(request, data)

    async def close(self) -> None:
        """Has nothing to release."""

    def _reply(self, request: Request, data: dict[str, Any]) -> Reply:
        damage = self._damage(request)
        text = str(data["text"]) if request.schema is None else damage(data)
        return Reply(
            text=text,
            model=self.name,
            # A server that cuts an answer says so.
            finish="length" if damage is cut_in_half and request.schema is not None else "stop",
            prompt_tokens=estimate_tokens(request.system) + estimate_tokens(request.user),
            completion_tokens=estimate_tokens(text),
        )

    def _damage(self, request: Request) -> "Damage":
        act = str(replace(request.act, attempt=0))
        draw = self._stream.of(act, "malformed", request.ask, request.attempt)
        return draw.of("way").choice(DAMAGES) if draw.chance(self._rates.malformed_json) else as_json


Damage = Callable[[dict[str, Any]], str]


def as_json(data: dict[str, Any]) -> str:
    """The reply as a model that follows its schema writes it."""
    return json.dumps(data, ensure_ascii=False)


def fenced(data: dict[str, Any]) -> str:
    """In a Markdown fence."""
    return f"```json\n{as_json(data)}\n```"


def chatty(data: dict[str, Any]) -> str:
    """With words around it."""
    return f"Sure! Here is the JSON you asked for:\n{as_json(data)}\nLet me know if you need more."


def unclosed(data: dict[str, Any]) -> str:
    """Without its last brace."""
    return as_json(data)[:-1]


def trailing_comma(data: dict[str, Any]) -> str:
    """With a comma after the last field."""
    return as_json(data)[:-1] + ",}"


def single_quoted(data: dict[str, Any]) -> str:
    """As Python writes it."""
    return repr(data)


def cut_in_half(data: dict[str, Any]) -> str:
    """Ended by the token limit."""
    text = as_json(data)
    return text[: len(text) // 2]


def empty(data: dict[str, Any]) -> str:
    """Nothing at all."""
    return ""


DAMAGES: tuple[Damage, ...] = (
    fenced,
    chatty,
    unclosed,
    trailing_comma,
    single_quoted,
    cut_in_half,
    empty,
)
"""The ways a reply gets damaged, each equally likely."""
