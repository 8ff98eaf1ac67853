"""The effects an act may yield. An agent does no I/O: it says what it wants and gets an answer.

An act is a generator. Each ``yield`` hands one of these to whoever runs the act and receives the
answer named in its docstring. A list of answers therefore tests an agent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.memory.protocol import Hit, Owner, Query, Record
from sim.records import ActId, Visit, refuse_floats


@dataclass(frozen=True, kw_only=True, slots=True)
class Recall:
    """Asks a memory; answered with `Recalled`. The time of asking is the act's submission."""

    owner: Owner
    query: Query


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """Answer to `Recall`: hits, best first, and the real milliseconds it took."""

    hits: tuple[Hit, ...]
    milliseconds: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Overflow:
    """Asks a memory what a summary should replace; answered with batches of records, oldest first."""

    owner: Owner


@dataclass(frozen=True, kw_only=True, slots=True)
class Forgettable:
    """Asks a memory what it would let go of; answered with records, oldest first."""

    owner: Owner


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """Asks a model; answered with `sim.llm.protocol.Outcome`, whose value may be None.

    Args:
        role: decides which model answers.
        system: stable part of the prompt.
        user: changing part of the prompt.
        schema: JSON schema of the reply, None for free text (answered as ``{"text": …}``).
        language: code of the language of the conversation; an answer in a foreign script is refused.
    """

    role: str
    system: str
    user: str
    schema: Mapping[str, Any] | None = None
    language: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Write:
    """Puts a record into a memory; answered with None.

    The record becomes visible at the act's declared time, whatever ``visible_at_ms`` says here.
    """

    owner: Owner
    record: Record


@dataclass(frozen=True, kw_only=True, slots=True)
class Tell:
    """The world's side of an utterance: these facts were said in it; answered with None.

    It feeds the ledger, which only scoring (and the ``oracle`` preset) reads.
    """

    utterance: str
    facts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Became:
    """Something became true of the customer by what was said or done in this act; answered with None.

    Unlike what the world decides beforehand, such facts hang on answers (an offer, how a meal was
    liked), so they enter the ledger when the act's lines enter the log, and count as told by it.
    """

    utterance: str
    customer: str
    slot: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class After:
    """Waits for another act of lower sequence, declared at submission; answered with its result."""

    act: ActId


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """Adds a line to the canonical log at the act's due time; answered with None.

    The payload holds no float, however deep; `sim.records.refuse_floats` says why.
    """

    kind: str
    payload: Mapping[str, Any]

    def __post_init__(self) -> None:
        refuse_floats(self.kind, self.payload)


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """Hands over the row of a finished visit; answered with None."""

    visit: Visit


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """One slot of an answer.

    Args:
        slot: what it is about.
        values: what was answered; empty for nothing.
        abstained: the agent said that it does not know.
        single: the slot has one value at a time, so a second value beside the right one is a fault.
        restated: the words of the reply say it too, so that a verbatim record of them holds it.
    """

    slot: str
    values: tuple[str, ...] = ()
    abstained: bool = False
    single: bool = True
    restated: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Observed:
    """A probe as it was seen inside an act; scored against the ledger later; answered with None.

    Args:
        customer: who it is about, in truth.
        known_as: whom the agent takes them for; empty when it knows their id.
        question: name of the move that asked.
        truth_at_ms: the time whose truth was asked for.
        slots: the slots asked about.
        answers: what the agent answered, one per slot it touched.
        retrieved: what the recall returned, best first.
        in_context: the records that stood in the prompt.
        this_visit: ids of utterances of the running visit that stood in the prompt.
        context_tokens: tokens of the memory layers.
        milliseconds: real time of the recall.
    """

    owner: Owner
    customer: str
    known_as: str = ""
    question: str
    truth_at_ms: int
    slots: tuple[str, ...]
    answers: tuple[Given, ...]
    retrieved: tuple[Record, ...] = ()
    in_context: tuple[Record, ...] = ()
    this_visit: tuple[str, ...] = ()
    context_tokens: int = 0
    milliseconds: float = 0.0
    language: str = "en"


Effect = Recall | Overflow | Forgettable | Ask | Write | Tell | Became | After | Note | Report | Observed
