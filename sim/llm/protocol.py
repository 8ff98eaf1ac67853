"""What a language model is to the simulator: one request, one reply."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from sim.records import ActId


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One question to a model.

    Args:
        role: what the answer is for (``order``, ``reflect``, …); routing goes by it.
        system: the stable part of the prompt; it comes first, so that servers can cache it.
        user: the part that changes with every request.
        schema: JSON schema of the wanted reply, or None for free text.
        act: identity of the act that asks. Never part of the prompt or of the digest.
        ask: place of this question within its act, from 0.
        attempt: 0, then 1 for the one re-ask that shows the error.
        temperature: sampling temperature.
        max_tokens: limit of the answer, in tokens.
        deadline_s: real seconds after which the answer no longer counts.
        model: name of the model it is meant for, as its server knows it; for the records alone.
        provider: what kind of server that is; for the records alone.
        time_ms: simulated time of asking; servers may use it as priority.
        endpoint: address that a wrapper chose among several; empty leaves the choice to the model.
        language: code of the language of the conversation, for routing and for
            `sim.llm.ladder.foreign`; empty for none. It is no part of the digest: the words of the prompt are
            in it already, and an answer is looked at after it came out of the journal.
    """

    role: str
    system: str
    user: str
    act: ActId
    ask: int = 0
    attempt: int = 0
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.1
    max_tokens: int = 1024
    deadline_s: float = 30.0
    model: str = ""
    provider: str = ""
    time_ms: int = 0
    endpoint: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or self.deadline_s <= 0:
            raise ValueError(f"max_tokens and deadline_s must be positive, not {self}")

    def wire(self) -> dict[str, Any]:
        """The fields that decide the answer, and so the digest; who asks and when are not among them."""
        return {
            "role": self.role,
            "system": self.system,
            "user": self.user,
            "schema": self.schema,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What a model said.

    Args:
        text: the answer, thinking already stripped by the backend where it knows how.
        model: name of the model that really answered.
        finish: ``stop`` or ``length``.
        prompt_tokens: as the server counted them, or an estimate.
        completion_tokens: as the server counted them, or an estimate.
        seconds: real seconds the call took; never used by the simulation.
        endpoint: address that answered, empty for a model in this process.
        replayed: the reply came from a journal.
    """

    text: str
    model: str
    finish: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    endpoint: str = ""
    replayed: bool = False


class LanguageModel(Protocol):
    """A model, or a wrapper around one; open and close belong to the run's own event loop."""

    async def complete(self, request: Request) -> Reply:
        """Answers one request.

        Raises:
            ModelError: or a subclass; the simulation counts it and falls back.
        """
        ...

    async def close(self) -> None:
        """Releases connections; called once, inside the loop that used the model."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What the structured-output ladder made of one question.

    Args:
        value: the validated reply as plain JSON data, or None when every step failed.
        kind: ``ok``, ``recovered``, or the class of the failure; all are in `sim.llm.outcomes`.
        step: the step that saved the reply (``fence``, ``braces``, ``repair``, ``re-ask``) or "".
        attempts: calls made, 1 or 2.
        error: one line for the log when ``value`` is None.
    """

    value: dict[str, Any] | None
    kind: str
    step: str = ""
    attempts: int = 1
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    endpoint: str = ""
    replayed: bool = False
    error: str = field(default="")
