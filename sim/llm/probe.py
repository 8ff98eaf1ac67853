"""What a real model can be asked besides requests: whether it is there, and how long a prompt is."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sim.llm.protocol import Request

CANARY = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["vermilion"]}, "number": {"type": "integer"}},
    "required": ["colour", "number"],
    "additionalProperties": False,
}
"""A schema no model would answer by chance; a reply that keeps it shows that schemas are enforced."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Served:
    """What was found at start-up.

    Args:
        model: the name the model answers by; for the manifest.
        endpoint: where, empty for a model in this process.
        window_tokens: prompt and answer together, None where nobody could say.
        schema_enforced: a canary request came back as its schema says.
        version: of the server or library, as far as it says.
        warnings: what will work but should be known, a plain sentence each.
    """

    model: str
    endpoint: str = ""
    window_tokens: int | None = None
    schema_enforced: bool = False
    version: str = ""
    warnings: tuple[str, ...] = ()


@runtime_checkable
class Probed(Protocol):
    """A model whose server or files can be looked at before simulated time starts."""

    async def probe(self) -> list[Served]:
        """One entry per endpoint: server there, model served, schema enforced, window known.

        Raises:
            ConfigError: it cannot be used; one line that names the model, the address and what to do.
        """
        ...


@runtime_checkable
class Counting(Protocol):
    """A model that can say how long a prompt is in its own tokens, chat template included."""

    async def tokens(self, request: Request) -> int:
        """Tokens of the request's prompt; an estimate that errs high where the tokenizer is not to be had."""
        ...


@runtime_checkable
class Windowed(Protocol):
    """A model that may know its window."""

    @property
    def window_tokens(self) -> int | None:
        """Tokens of prompt and answer together; None while nobody said."""
        ...
