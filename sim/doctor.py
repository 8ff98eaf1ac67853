"""``noodle doctor``: are the models of a configuration there, how fast are they, and what will a run take?"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sim.build import scenario_of, thinking_of
from sim.build.estimate import Load, asked, estimated, short
from sim.config import Settings
from sim.errors import ConfigError
from sim.llm.ladder.structured import Ladder
from sim.llm.probe import Counting, Probed, Served
from sim.llm.protocol import LanguageModel, Outcome, Request
from sim.llm.thinking import Thinking
from sim.llm.tokens import estimate_tokens
from sim.llm.wrappers.limiter import Limiter

Say = Callable[[str], None]

_ALONE, _TOGETHER = 2, 8
_DONE, _BAD_INPUT = 0, 2


@dataclass(kw_only=True, slots=True)
class Finding:
    """What was found of one model.

    Args:
        lines: what is so.
        wrong: what keeps a run from working, each with what to do.
        advice: what could be better.
        hours: real hours its calls will take; None where it could not be measured.
        tokens: that it will read and write, counted by itself where it can.
    """

    lines: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)
    hours: float | None = None
    tokens: int = 0


def doctor(settings: Settings, say: Say) -> int:
    """Examines the models of a configuration and says in plain words what is wrong and what to do.

    Returns:
        0 when a run would work, 2 when it would not.
    """
    names = asked(settings.llm)
    if not names:
        say(f"llm={settings.llm.name}: nothing to check, no server or model is asked; just run it")
        return _DONE
    loads = estimated(settings)
    findings = asyncio.run(_examined(settings, loads))
    for name, finding in findings.items():
        _tell(name, finding, say)
    _tell_run(settings, loads, findings, say)
    return _BAD_INPUT if any(finding.wrong for finding in findings.values()) else _DONE


async def _examined(settings: Settings, loads: Mapping[str, Load]) -> dict[str, Finding]:
    thinking = thinking_of(settings.llm, scenario_of(settings).skills)
    models = thinking.models(settings.seed)
    try:
        return {
            name: await _Visit(name, models, thinking, settings, load).finding()
            for name, load in loads.items()
        }
    finally:
        for model in models.values():
            await model.close()


class _Visit:
    """The examination of one model."""

    def __init__(
        self,
        name: str,
        models: Mapping[str, LanguageModel],
        thinking: Thinking,
        settings: Settings,
        load: Load,
    ) -> None:
        self._name = name
        self._model = models[name]
        self._ask = Ladder(thinking.router(models, Limiter(thinking.max_in_flight), None, "doctor")).ask
        self._at_once = min(_TOGETHER, thinking.max_in_flight)
        self._settings = settings
        self._load = load
        self._found = Finding(tokens=load.tokens)

    async def finding(self) -> Finding:
        """What is to be said."""
        try:
            served = await self._model.probe() if isinstance(self._model, Probed) else []
        except ConfigError as error:
            self._found.wrong.append(str(error))
            return self._found
        for one in served:
            self._found.lines.append(_described(one))
            self._found.advice += one.warnings
        if not served:
            self._found.lines.append("cannot be looked at, only asked")
        await self._count(served)
        await self._measure()
        return self._found

    async def _count(self, served: Sequence[Served]) -> None:
        """Counts the longest prompts with the model's own tokenizer, and sees whether they fit."""
        longest = sorted(self._load.asked, key=_estimate, reverse=True)[:3]
        if not longest or not isinstance(self._model, Counting):
            return
        counts = [await self._model.tokens(request) for request in longest]
        share = sum(counts) / max(1, sum(map(_estimate, longest)))
        self._found.tokens = round(self._load.prompt_tokens * share) + self._load.completion_tokens
        windows = [one.window_tokens for one in served if one.window_tokens is not None]
        room = min(windows) * self._settings.llm.context_share if windows else float("inf")
        if max(counts) > room:
            self._found.advice.append(
                f"the longest prompt of the first week has {max(counts)} tokens and {room:.0f} fit: serve it"
                " with a longer window, or lower memory.budget_tokens"
            )

    async def _measure(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._load.asked:
            self._found.advice.append("the first week asks it nothing, so its speed was not measured")
            return
        began_s = loop.time()
        alone = [await self._ask(request) for request in _spread(self._load.asked, _ALONE)]
        alone_s, began_s = loop.time() - began_s, loop.time()
        together = await asyncio.gather(*map(self._ask, _spread(self._load.asked, self._at_once)))
        together_s = loop.time() - began_s
        self._judge([*alone, *together], alone_s / len(alone))
        self._found.lines.append(
            f"{_rate(alone, alone_s)} tokens/s alone ({alone_s / len(alone):.1f} s an answer),"
            f" {_rate(together, together_s)} tokens/s with {len(together)} calls at once"
        )
        self._found.hours = self._load.calls * together_s / len(together) / 3_600

    def _judge(self, outcomes: Sequence[Outcome], answer_s: float) -> None:
        deadline_s = self._settings.llm.deadline_s
        if 2 * answer_s > deadline_s:
            self._found.advice.append(
                f"an answer takes {answer_s:.1f} s and llm.deadline_s is {deadline_s:g}: raise it"
            )
        failed = [outcome for outcome in outcomes if outcome.value is None]
        if not failed:
            return
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(Counter(one.kind for one in failed).items()))
        line = f"{len(failed)} of {len(outcomes)} answers were of no use ({kinds}): {failed[0].error}"
        (self._found.wrong if len(failed) == len(outcomes) else self._found.advice).append(line)


def _spread(asked: Sequence[Request], count: int) -> list[Request]:
    """So many requests, evenly over the week, which has all roles in their shares."""
    return [asked[number * len(asked) // count] for number in range(count)]


def _estimate(request: Request) -> int:
    return estimate_tokens(request.system) + estimate_tokens(request.user)


def _rate(outcomes: Sequence[Outcome], seconds: float) -> str:
    return f"{sum(outcome.completion_tokens for outcome in outcomes) / max(seconds, 1e-9):.0f}"


def _described(served: Served) -> str:
    where = served.endpoint or "in this process"
    window = "window unknown" if served.window_tokens is None else f"window {served.window_tokens}"
    schemas = "keeps JSON schemas" if served.schema_enforced else "does not enforce JSON schemas"
    return ", ".join(filter(None, (f"{served.model} {where}", served.version, window, schemas)))


def _tell(name: str, finding: Finding, say: Say) -> None:
    say(f"{name}: {'does not work' if finding.wrong else 'works'}")
    for line in finding.lines:
        say(f"  {line}")
    for line in finding.wrong:
        say(f"  WRONG: {line}")
    for line in dict.fromkeys(finding.advice):
        say(f"  better: {line}")


def _tell_run(
    settings: Settings, loads: Mapping[str, Load], findings: Mapping[str, Finding], say: Say
) -> None:
    calls = sum(load.calls for load in loads.values())
    tokens = sum(finding.tokens for finding in findings.values())
    hours = [finding.hours for finding in findings.values() if finding.hours is not None]
    most, took = settings.llm.max_in_flight, ""
    if len(hours) == len(findings):
        took = f", {_duration(sum(hours))} with {min(_TOGETHER, most)} calls at once"
        took += f" (up to {most} will be; on a GPU that is quicker)" if most > _TOGETHER else ""
    say(f"the run: about {calls} calls and {short(tokens)} tokens{took}")
    for line in _against_limits(settings, calls, tokens, sum(hours)):
        say(f"  {line}")


def _duration(hours: float) -> str:
    return f"about {hours:.1f} hours" if hours >= 1 else f"about {hours * 60:.0f} minutes"


def _against_limits(settings: Settings, calls: int, tokens: int, hours: float) -> list[str]:
    limits = settings.llm.limits
    needs = (("max_calls", calls), ("max_tokens", tokens), ("max_hours", hours))
    return [
        f"it will stop at llm.limits.{name}={getattr(limits, name)} before its end"
        for name, need in needs
        if getattr(limits, name) is not None and need > getattr(limits, name)
    ]
