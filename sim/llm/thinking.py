"""How a run thinks: which models, for which roles, within which limits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sim.journal import Journal
from sim.llm.deadline import Deadline
from sim.llm.journalled import Journalled
from sim.llm.limiter import Limited, Limiter
from sim.llm.protocol import LanguageModel, Request
from sim.llm.router import Router
from sim.llm.surrogate import Rates, Skill, Surrogate
from sim.records import ActId


class Question(Protocol):
    """What a request is made of; `sim.agents.effects.Ask` is one."""

    @property
    def role(self) -> str:
        """Decides which model answers."""
        ...

    @property
    def system(self) -> str:
        """Stable part of the prompt."""
        ...

    @property
    def user(self) -> str:
        """Changing part of the prompt."""
        ...

    @property
    def schema(self) -> Mapping[str, object] | None:
        """JSON schema of the reply."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Thinking:
    """Models and limits of a run.

    Args:
        models: makes the models of one seed, by name.
        roles: name of the model for each role; ``default`` answers the others.
        recomputed: models that are cheaper to ask again than to journal; they are pure functions
            of the request.
        max_in_flight: calls at one time over all replications.
        temperature: sampling temperature of every role.
        max_tokens: limit of an answer, in tokens.
        deadline_s: real seconds after which an answer no longer counts.
        latency_s: mean simulated seconds of a call, by role, with ``default``.
        confidence_threshold: an order below it is asked back.
    """

    models: Callable[[int], Mapping[str, LanguageModel]]
    roles: Mapping[str, str] = field(default_factory=dict)
    recomputed: frozenset[str] = frozenset()
    max_in_flight: int = 64
    temperature: float = 0.1
    max_tokens: int = 1024
    deadline_s: float = 30.0
    latency_s: Mapping[str, float] = field(default_factory=lambda: {"default": 2.0})
    confidence_threshold: float = 0.5

    @classmethod
    def of_surrogate(cls, skills: Mapping[str, Skill], rates: Rates | None = None) -> "Thinking":
        """Every role answered by the surrogate: the shortest way to a run from ordinary code."""
        errs = rates or Rates()
        return cls(
            models=lambda seed: {"surrogate": Surrogate(skills, errs, seed)},
            roles={"default": "surrogate"},
            recomputed=frozenset({"surrogate"}),
        )

    @property
    def journals(self) -> bool:
        """Whether any role is answered by a model whose answers must be kept."""
        return any(name not in self.recomputed for name in self.roles.values())

    def router(
        self,
        models: Mapping[str, LanguageModel],
        limiter: Limiter,
        journal: Journal | None,
        namespace: str,
    ) -> Router:
        """The models behind limits, deadlines and the journal, one for each role."""
        stacked = {
            name: model if name in self.recomputed else _stack(model, limiter, journal, namespace)
            for name, model in models.items()
        }
        return Router(stacked, self.roles)

    def request(self, act: ActId, ask: int, question: Question, time_ms: int) -> Request:
        """The request of one question of an act."""
        return Request(
            role=question.role,
            system=question.system,
            user=question.user,
            schema=question.schema,
            act=act,
            ask=ask,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            deadline_s=self.deadline_s,
            time_ms=time_ms,
        )


def _stack(model: LanguageModel, limiter: Limiter, journal: Journal | None, namespace: str) -> LanguageModel:
    limited = Limited(Deadline(model), limiter)
    return limited if journal is None else Journalled(limited, journal, namespace)
