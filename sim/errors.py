"""Every error the project raises on purpose: one line that names what is wrong and what to do."""

from collections.abc import Mapping
from typing import Any


class SimError(Exception):
    """Root of all errors raised on purpose.

    Subclasses take exactly one message: SimPy rebuilds a failed event's exception
    as ``type(error)(*error.args)``.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)


class ConfigError(SimError):
    """The configuration cannot be run; the message names the key or path."""


class JournalError(SimError):
    """The journal cannot be used, or it disagrees with what is asked now."""


class JournalMiss(JournalError):
    """What is asked now is not what the journal has: ``place`` tells where, ``asked`` and ``stored`` how.

    ``stored`` is None where the journal has nothing at that place.
    """

    place: Any = None
    asked: Mapping[str, Any] | None = None
    stored: Mapping[str, Any] | None = None


class LimitReached(SimError):
    """A limit that was set for the run is used up; the run stops and can be resumed with a higher one."""


class ModelError(SimError):
    """A language model gave no usable reply; a failure of this kind is data, never fatal.

    ``spent_s`` is how long the call took in real seconds, the wait for a slot left out.
    """

    kind = "server_error"
    spent_s: float = 0.0


class ModelTimeout(ModelError):
    """The model did not answer within the deadline."""

    kind = "timeout"


class ModelDisconnected(ModelError):
    """The connection to the model was lost or never made."""

    kind = "disconnected"


class ContextOverflow(ModelError):
    """The prompt does not fit the model's window; said by the server, or counted before sending."""

    kind = "context_overflow"


class PromptCut(ModelError):
    """The server cut the prompt without a word: it counted far fewer tokens than were sent."""

    kind = "prompt_truncated_by_server"


class RateLimited(ModelError):
    """The server asks for fewer calls; ``retry_after_s`` is its own word on how long, if it gave one."""

    kind = "rate_limited"
    retry_after_s: float | None = None


class Overloaded(ModelError):
    """The server has no room for another call now; ``retry_after_s`` as with `RateLimited`."""

    kind = "overloaded"
    retry_after_s: float | None = None


class ModelRefused(ModelError):
    """The server refuses the request as it is: sending it again would change nothing."""


class OwnerError(SimError):
    """A memory was asked for an owner that is not its own."""


class EmbedderError(SimError):
    """An embedder cannot be built, or its vectors do not fit what is stored."""


class IndexMismatch(SimError):
    """A vector index and the vectors or ids offered to it do not fit each other."""


class OrderError(SimError):
    """The simulation used an act or the log in a way that would make the result depend on chance."""


class ActFailed(SimError):
    """An act died of a programming error; the message names the act and the first cause."""


class RecordError(SimError):
    """A run folder or a table in it cannot be read as what it claims to be."""
