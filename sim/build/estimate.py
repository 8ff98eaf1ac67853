"""What a run will ask of its models: counted on the surrogate's first week of the same world, and scaled."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.build.plan import plan_of
from sim.clock import DAY_MS
from sim.config import LlmSettings, Settings
from sim.config.llm import OwnModel, RealModel
from sim.engine.scenario import Scenario
from sim.llm.protocol import LanguageModel, Reply, Request
from sim.llm.surrogate import Rates, Surrogate
from sim.llm.wrappers.limits import CallLimits
from sim.runs import RunPlan, run

_WEEK_MS = 7 * DAY_MS


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """What one model will be asked; tokens are estimates that err high.

    Args:
        calls: in the whole run.
        prompt_tokens: likewise, of what it reads.
        completion_tokens: likewise, of what it writes.
        asked: the requests of the first week, in the order of asking.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    asked: Sequence[Request] = ()

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.prompt_tokens + self.completion_tokens


def estimated(settings: Settings) -> Mapping[str, Load]:
    """The load of each model that has to be asked, by name; empty where none has.

    Memories grow, and their prompts with them, so a long run asks for somewhat more than this.
    """
    names = asked(settings.llm)
    if not names:
        return {}
    plan = plan_of(settings, None, resume=False)
    seen = {name: _Seen() for name in plan.thinking.in_use}
    first = _first_week(plan, seen)
    run(first)
    share = plan.replications * plan.scenario.duration_ms / first.scenario.duration_ms
    return {name: seen[name].load(share) for name in names}


def asked(llm: LlmSettings) -> list[str]:
    """Names of the models in use that cost somebody time or money."""
    return [name for name in llm.in_use if isinstance(llm.models[name], RealModel | OwnModel)]


def announced(loads: Mapping[str, Load]) -> str:
    """One line for whoever begins a run; empty where there is nothing to tell."""
    if not loads:
        return ""
    calls = sum(load.calls for load in loads.values())
    each = ", ".join(f"{name} {load.calls}" for name, load in loads.items())
    tokens = short(sum(load.tokens for load in loads.values()))
    return f"about {calls} calls ({each}) and {tokens} tokens, by the surrogate's first week; prompts grow"


def short(tokens: int) -> str:
    """A number of tokens as one reads it."""
    return f"{tokens / 1e6:.1f} M" if tokens >= 1_000_000 else f"{tokens / 1e3:.0f} k"


class _Seen:
    """What the surrogate was asked in the place of one model."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.tokens: Counter[str] = Counter()

    def note(self, request: Request, reply: Reply) -> None:
        self.asked.append(request)
        self.tokens["prompt"] += reply.prompt_tokens
        self.tokens["completion"] += reply.completion_tokens

    def load(self, share: float) -> Load:
        return Load(
            calls=round(len(self.asked) * share),
            prompt_tokens=round(self.tokens["prompt"] * share),
            completion_tokens=round(self.tokens["completion"] * share),
            asked=self.asked,
        )


class _Noted:
    """The surrogate, with every request noted."""

    def __init__(self, surrogate: Surrogate, seen: _Seen) -> None:
        self._surrogate = surrogate
        self._seen = seen

    async def complete(self, request: Request) -> Reply:
        reply = self._surrogate.answer(request)
        self._seen.note(request, reply)
        return reply

    async def close(self) -> None:
        """Has nothing to release."""


class _Shortened:
    """A scenario that ends earlier."""

    def __init__(self, scenario: Scenario, duration_ms: int) -> None:
        self._scenario = scenario
        self.duration_ms = duration_ms

    def __getattr__(self, name: str) -> Any:
        return getattr(self._scenario, name)


def _first_week(plan: RunPlan, seen: Mapping[str, _Seen]) -> RunPlan:
    skills = plan.scenario.skills

    def models(seed: int) -> Mapping[str, LanguageModel]:
        return {name: _Noted(Surrogate(skills, Rates(), seed, name), one) for name, one in seen.items()}

    thinking = replace(
        plan.thinking, models=models, services={}, recomputed=frozenset(seen), limits=CallLimits()
    )
    shortened: Any = _Shortened(plan.scenario, min(_WEEK_MS, plan.scenario.duration_ms))
    return replace(plan, scenario=shortened, thinking=thinking, replications=1, progress=False)
