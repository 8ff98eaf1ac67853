"""How a run thinks: which models, for which roles, within which limits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from sim.journal import Journal
from sim.llm.protocol import LanguageModel, Request
from sim.llm.router import Router, answering
from sim.llm.surrogate import Rates, Skill, Surrogate
from sim.llm.tokens import HIGHEST, TokenRates
from sim.llm.wrappers.budgeted import Budgeted
from sim.llm.wrappers.deadline import Deadline
from sim.llm.wrappers.endpoints import Endpoints, Paced
from sim.llm.wrappers.journalled import Journalled
from sim.llm.wrappers.limiter import Limited, Limiter
from sim.llm.wrappers.limits import CallLimits, Meter, Metered
from sim.llm.wrappers.retrying import Retrying, RetryPolicy
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

    @property
    def language(self) -> str:
        """Code of the language of the conversation, or nothing."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleLimits:
    """What one role has of its own; None takes what all have."""

    temperature: float | None = None
    max_tokens: int | None = None
    deadline_s: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """What a model is called in the records.

    Args:
        provider: kind of server or library, such as ``vllm``.
        model: its name there.
    """

    provider: str
    model: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Service:
    """How a model behind servers is asked.

    Args:
        endpoints: its servers, with what each bears; shared by all seeds of a run.
        retries: how often a failed call is sent again.
        context_share: share of its window that a prompt may fill.
        rates: of its family of tokenizers.
    """

    endpoints: Endpoints
    retries: RetryPolicy = field(default_factory=RetryPolicy)
    context_share: float = 0.7
    rates: TokenRates = HIGHEST


@dataclass(frozen=True, kw_only=True, slots=True)
class Thinking:
    """Models and limits of a run.

    Args:
        models: makes the models of one seed, by name.
        roles: name of the model for each role; ``default`` answers the others.
        by_language: the same for single languages, where they differ.
        services: how the models that stand behind servers are asked, by name.
        windows: tokens of prompt and answer together, by name, as found at start-up.
        labels: what models are called in the records, by name; without one a model goes by its name.
        recomputed: models that are cheaper to ask again than to journal; they are pure functions
            of the request.
        replayed: folder of a run whose journal answers instead of models; None asks models.
        limits: where the run stops by itself.
        max_in_flight: calls at one time over all replications.
        temperature: sampling temperature of every role.
        max_tokens: limit of an answer, in tokens.
        deadline_s: real seconds after which an answer no longer counts, all tries together.
        role_limits: temperature, length and deadline of single roles.
        latency_s: mean simulated seconds of a call, by role, with ``default``.
        confidence_threshold: an order below it is asked back.
    """

    models: Callable[[int], Mapping[str, LanguageModel]]
    roles: Mapping[str, str] = field(default_factory=dict)
    by_language: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    services: Mapping[str, Service] = field(default_factory=dict)
    windows: Mapping[str, int] = field(default_factory=dict)
    labels: Mapping[str, Label] = field(default_factory=dict)
    recomputed: frozenset[str] = frozenset()
    replayed: Path | None = None
    limits: CallLimits = field(default_factory=CallLimits)
    max_in_flight: int = 64
    temperature: float = 0.1
    max_tokens: int = 1024
    deadline_s: float = 30.0
    role_limits: Mapping[str, RoleLimits] = field(default_factory=dict)
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
    def in_use(self) -> frozenset[str]:
        """Names of the models that some role goes to."""
        tables = (self.roles, *self.by_language.values())
        return frozenset(name for table in tables for name in table.values())

    @property
    def journals(self) -> bool:
        """Whether any role is answered by a model whose answers must be kept."""
        return bool(self.in_use - self.recomputed)

    def router(
        self,
        models: Mapping[str, LanguageModel],
        limiter: Limiter,
        journal: Journal | None,
        namespace: str,
        meter: Meter | None = None,
    ) -> Router:
        """The models behind limits, deadlines, retries and the journal, one for each role.

        Args:
            models: of one seed, by name.
            limiter: of the whole run.
            journal: where answers are kept; None keeps none.
            namespace: of the journal.
            meter: counts calls and tokens over all seeds; None counts nothing and knows no limit.
        """
        count = meter or Meter()
        stacked = {
            name: model
            if name in self.recomputed
            else Metered(_journalled(self._asked(name, model, limiter), journal, namespace), count)
            for name, model in models.items()
        }
        return Router(stacked, self.roles, self.by_language)

    def request(self, act: ActId, ask: int, question: Question, time_ms: int) -> Request:
        """The request of one question of an act."""
        own = self.role_limits.get(question.role, RoleLimits())
        label = self.label(question.role, question.language)
        return Request(
            role=question.role,
            system=question.system,
            user=question.user,
            schema=question.schema,
            act=act,
            ask=ask,
            temperature=_first(own.temperature, self.temperature),
            max_tokens=_first(own.max_tokens, self.max_tokens),
            deadline_s=_first(own.deadline_s, self.deadline_s),
            model=label.model,
            provider=label.provider,
            time_ms=time_ms,
            language=question.language,
        )

    def label(self, role: str, language: str) -> Label:
        """What the model of a role is called in the records."""
        name = answering(role, language, self.roles, self.by_language) or ""
        return self.labels.get(name, Label(provider="", model=name))

    def _asked(self, name: str, model: LanguageModel, limiter: Limiter) -> LanguageModel:
        """A model as it is asked where the journal has no answer; the order is told in DESIGN.md."""
        if (service := self.services.get(name)) is None:
            return Limited(Deadline(model), limiter)
        window = self.windows.get(name)
        budgeted = Budgeted(model, share=service.context_share, rates=service.rates, window_tokens=window)
        limited = Limited(Deadline(budgeted), limiter)
        return Retrying(Paced(limited, service.endpoints), service.retries)


def _journalled(model: LanguageModel, journal: Journal | None, namespace: str) -> LanguageModel:
    return model if journal is None else Journalled(model, journal, namespace)


def _first(own: Any, common: Any) -> Any:
    return common if own is None else own
