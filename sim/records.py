"""The flat, final records of a run: one frozen dataclass per kind of happening.

Everything else is analysis of these. The canonical log (`Event`) holds no wall-clock value
and no floating score; those belong to `LlmCall` and `Probe`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any

from sim.errors import OrderError

SCHEMA_VERSION = 3


def canonical(payload: Any) -> str:
    """JSON with sorted keys, no spaces and plain Unicode: equal content, equal bytes.

    Raises:
        ValueError: a number is not finite, which JSON cannot say.
    """
    return json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def refuse_floats(kind: str, payload: Mapping[str, Any]) -> None:
    """Keeps floats, however deep, out of the canonical log: their last digits hang on the machine.

    Raises:
        OrderError: the payload of a line of this kind holds one.
    """
    if _holds_float((payload,)):
        place, value = next(_floats(payload, "payload"))
        raise OrderError(
            f"a line {kind!r} of the log holds the float {value!r} ({place}):"
            " give whole units, such as percent or milliseconds, or text"
        )


def _holds_float(values: Iterable[Any]) -> bool:
    for value in values:
        kind = type(value)
        if kind is str or kind is int or value is None:  # nearly all there is; the rest costs more to tell
            continue
        if isinstance(value, Mapping):
            if _holds_float(value) or _holds_float(value.values()):
                return True
        elif isinstance(value, float) or (isinstance(value, list | tuple) and _holds_float(value)):
            return True
    return False


def _floats(value: Any, place: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, float):
        yield place, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _floats(name, f"{place}, a key")
            yield from _floats(inner, f"{place}.{name}")
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _floats(inner, f"{place}.{number}")


def _column(name: str, default: Any = MISSING) -> Any:
    """A field whose column has another name."""
    return field(default=default, metadata={"column": name})


@dataclass(frozen=True, kw_only=True, slots=True)
class ActId:
    """Who thinks about whom, when and why; seeds, errors and the journal hang on it.

    Args:
        agent: the agent that thinks.
        customer: whom it is about; empty for housekeeping.
        visit: identity of the visit, stable across the arms of a sweep; empty for none.
        exchange: place of the exchange within the visit, from 0.
        purpose: ``reply``, ``reflect``, ``cook``, ``compress``, ``exam:…`` and so on.
        attempt: counts retries of the same act, from 0.
    """

    agent: str
    customer: str = ""
    visit: str = ""
    exchange: int = 0
    purpose: str
    attempt: int = 0

    def __str__(self) -> str:
        parts = (self.agent, self.customer, self.visit, self.exchange, self.purpose, self.attempt)
        # Escaped, so that a customer called "a|b" cannot share a name with another act.
        return "|".join(str(part).replace("%", "%25").replace("|", "%7C") for part in parts)


def utterance_of(act: ActId) -> str:
    """The id of what is said in the exchange of an act; the same for all acts of that exchange."""
    # Escaped, so that no visit and agent can share the id of another exchange.
    agent = act.agent.replace("%", "%25").replace("@", "%40")
    return f"{act.visit}/{act.exchange}@{agent}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One line of the canonical log; ``payload`` is canonical JSON."""

    time_ms: int
    seq: int
    kind: str
    agent: str
    customer: str
    visit: str
    payload: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Visit:
    """One visit from arrival to leaving; times are simulated ms, None where it never came to that.

    ``outcome`` is ``served``, ``reneged`` (patience ended) or ``closed`` (still there at the end
    of the run). ``wanted`` and ``served`` are canonical JSON of what was wanted and what came;
    ``right`` says whether they agree; ``revenue`` is what was paid, None where nothing was or could be.
    """

    visit: str
    customer: str
    number: int
    regular: bool
    language: str
    waiter: str
    outcome: str
    arrived_ms: int
    seated_ms: int | None
    ordered_ms: int | None
    served_ms: int | None
    left_ms: int
    moves: str
    wanted: str
    served: str | None
    right: bool | None
    satisfaction: float | None
    revenue: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Telling:
    """One time one fact was said to one agent: a row of ``facts.parquet``.

    ``polarity`` is 1 while the value holds and -1 when it was taken back ("no more egg").
    ``valid_to_ms`` and ``superseded_by`` are None for what is still true at the end.
    """

    fact: str
    customer: str
    slot: str
    value: str
    polarity: int
    said_at_ms: int
    said_to: str
    visit: str
    utterance: str
    first: bool
    valid_from_ms: int
    valid_to_ms: int | None
    superseded_by: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """One question about one fact, with what each stage was seen to do: a row of ``recall.parquet``.

    Stage flags (``told`` … ``answered``) are raw observations, not derived from one another;
    None is `not applicable`. ``outcome`` is one of `OUTCOMES`, ``loss`` one of `LOSSES` or None.

    Args:
        kind: ``natural`` (asked by a customer) or ``exam`` (a side-effect-free examination).
        question: name of the move that asked, such as ``usual`` or ``last_visit``.
        expected: the value true at the time; with polarity -1 the value that must be absent.
        told_to_colleague: the fact was said, but only to agents that do not share this memory.
        lag_days: days since the fact was last told to this agent.
        visits_since: visits of the customer since then.
        context_tokens: tokens of the memory layers in the prompt.
        retrieval_ms: real milliseconds the recall took.
        context: ids of the records that were in the prompt, as canonical JSON.
        context_records: how many these are.
        of_others: how many of them are about somebody else.
        of_other_agents: how many of them another agent wrote.
    """

    kind: str
    time_ms: int
    agent: str
    customer: str
    visit: str
    slot: str
    question: str
    language: str
    fact: str
    expected: str
    polarity: int
    answer: str | None
    outcome: str
    loss: str | None
    told_to_colleague: bool
    told: bool
    written: bool | None
    kept: bool | None
    retrieved: bool | None
    in_context: bool | None
    answered: bool
    stale_in_context: bool
    lag_days: float | None
    visits_since: int | None
    context_tokens: int
    retrieval_ms: float
    context: str
    context_records: int | None = None
    of_others: int | None = None
    of_other_agents: int | None = None


STAGES = ("told", "written", "kept", "retrieved", "in_context", "answered")
OUTCOMES = ("correct", "stale", "wrong", "confused_customer", "missing", "abstained", "guessed")
LOSSES = (
    "told_to_colleague",
    "never_written",
    "compressed_away",
    "not_retrieved",
    "cut_by_budget",
    "ignored",
    "stale",
    "confused",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class LlmCall:
    """One decision asked of a model, its outcome class and its cost; not part of the canonical log.

    Where OpenTelemetry has a name for something, that is the name of the column in ``llm_calls.parquet``.

    Source: https://opentelemetry.io/docs/specs/semconv/gen-ai

    Args:
        model: what the model that answered calls itself; empty where none did.
        requested: the model that was asked.
        provider: what kind of server or library was asked.
        server: its host, empty for a model in this process, or where none answered.
        port: of the server.
        error: the class of the failure, None where the decision was made.
        seconds: real seconds of all calls for this decision.
    """

    act: str
    ask: int
    time_ms: int
    role: str
    model: str = _column("gen_ai.response.model")
    outcome: str
    step: str
    attempts: int
    prompt_tokens: int = _column("gen_ai.usage.input_tokens")
    completion_tokens: int = _column("gen_ai.usage.output_tokens")
    seconds: float
    replayed: bool
    operation: str = _column("gen_ai.operation.name", "chat")
    provider: str = _column("gen_ai.provider.name", "")
    requested: str = _column("gen_ai.request.model", "")
    server: str = _column("server.address", "")
    port: int | None = _column("server.port", None)
    error: str | None = _column("error.type", None)


def as_payload(**fields: Any) -> str:
    """Canonical JSON of the given fields."""
    return canonical(fields)
