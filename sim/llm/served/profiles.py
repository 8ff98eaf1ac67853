"""What each kind of OpenAI-compatible server wants to be told, and what can be expected of it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sim.clock import SECOND_MS
from sim.llm.ladder.schema import wire_schema
from sim.llm.protocol import Request
from sim.llm.sampling import Sampling
from sim.records import canonical

_HIGHEST_PRIORITY = 2**31 - 1
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")

Fields = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """One kind of server.

    Args:
        name: as the settings have it.
        fields: what a request says besides model, messages, temperature and length.
        enforces: it keeps a schema; otherwise the schema stands in the prompt.
        in_flight: calls at one time where the settings say nothing; None as many as the run.
        since: first version that this was written for, as numbers.
        cure: what to do when it ignores schemas.
    """

    name: str
    fields: Callable[[Request, Sampling, bool], Fields]
    enforces: bool = True
    in_flight: int | None = None
    since: tuple[int, ...] = ()
    cure: str = ""


def payload(profile: Profile, model: str, request: Request, sampling: Sampling, thinking: bool) -> Fields:
    """The body of a chat completion."""
    system = request.system
    if request.schema is not None and not profile.enforces:
        # In the stable part, so that it is cached; the word JSON must stand in the prompt for these servers.
        system += f"\n\n{schema_in_words(request.schema)}"
    return {
        "model": model,
        "messages": messages(system, request.user),
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "stream": False,
        **profile.fields(request, sampling, thinking),
    }


def messages(system: str, user: str) -> list[dict[str, str]]:
    """The two parts of a prompt as a chat has them; an empty one is left out."""
    texts = (("system", system), ("user", user))
    return [{"role": role, "content": text} for role, text in texts if text]


def schema_in_words(schema: Mapping[str, Any]) -> str:
    """What a model is told of a schema that nothing enforces."""
    return f"Answer with one JSON object of this schema: {canonical(wire_schema(schema))}"


def _strict(request: Request) -> Fields:
    if request.schema is None:
        return {}
    name = _NO_NAME.sub("_", request.role)[:64]
    asked = {"name": name, "strict": True, "schema": wire_schema(request.schema)}
    return {"response_format": {"type": "json_schema", "json_schema": asked}}


def _without_none(fields: Fields) -> Fields:
    return {key: value for key, value in fields.items() if value is not None}


def _vllm(request: Request, sampling: Sampling, thinking: bool) -> Fields:
    return _strict(request) | _without_none(
        {
            "top_p": sampling.top_p,
            "top_k": sampling.top_k,
            "repetition_penalty": sampling.repetition_penalty,
            "seed": sampling.seed,
            # Lower comes first: what is asked earlier in simulated time holds up more.
            "priority": min(request.time_ms // SECOND_MS, _HIGHEST_PRIORITY),
            "chat_template_kwargs": {"enable_thinking": thinking},
        }
    )


def _llamacpp(request: Request, sampling: Sampling, thinking: bool) -> Fields:
    fields: Fields = {
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
        "repeat_penalty": sampling.repetition_penalty,
        "seed": sampling.seed,
        "cache_prompt": True,
        "chat_template_kwargs": {"enable_thinking": thinking},
    }
    if request.schema is not None:
        schema = wire_schema(request.schema)
        fields["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
    return _without_none(fields)


def _zai(request: Request, sampling: Sampling, thinking: bool) -> Fields:
    fields: Fields = {
        "top_p": sampling.top_p,
        "thinking": {"type": "enabled" if thinking else "disabled"},
    }
    return fields | ({} if request.schema is None else {"response_format": {"type": "json_object"}})


def _openai(request: Request, sampling: Sampling, thinking: bool) -> Fields:
    del thinking  # no common way to say it
    return _strict(request) | _without_none({"top_p": sampling.top_p, "seed": sampling.seed})


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            name="vllm",
            fields=_vllm,
            since=(0, 29),
            cure='start vLLM 0.29 or newer with --structured-outputs-config \'{"backend":"xgrammar"}\'',
        ),
        Profile(
            name="llamacpp",
            fields=_llamacpp,
            cure="update llama-server: it must know response_format json_schema",
        ),
        Profile(name="zai", fields=_zai, enforces=False, in_flight=1),
        Profile(
            name="openai",
            fields=_openai,
            cure="take a model with structured outputs, or profile: zai, which asks for JSON in words",
        ),
    )
}
