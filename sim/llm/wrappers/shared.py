"""One model used by several runs at once, and closed when the last of them is done with it."""

from typing import Protocol

from sim.llm.probe import Counting, Probed, Served, Windowed
from sim.llm.protocol import LanguageModel, Reply, Request


class Embedded(LanguageModel, Probed, Counting, Windowed, Protocol):
    """A model in this process: it can be asked, looked at, and counts with its own tokenizer."""


class Shared:
    """A model too large to be loaded for every seed; each run takes a `Lease` of it.

    Args:
        model: opens by itself when it is used, again after it was closed.
    """

    def __init__(self, model: Embedded) -> None:
        self.model = model
        self._users: set[Lease] = set()

    def lease(self) -> "Lease":
        """The model as one run has it."""
        return Lease(self)

    def enter(self, lease: "Lease") -> Embedded:
        """The model, kept open for this lease."""
        self._users.add(lease)
        return self.model

    async def leave(self, lease: "Lease") -> None:
        """Closes the model if no other lease uses it."""
        if lease in self._users:
            self._users.remove(lease)
            if not self._users:
                await self.model.close()


class Lease:
    """One run's part in a shared model; it may be used again after it was closed."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    async def complete(self, request: Request) -> Reply:
        """Answers one request."""
        return await self._shared.enter(self).complete(request)

    async def close(self) -> None:
        """Ends this run's use."""
        await self._shared.leave(self)

    async def probe(self) -> list[Served]:
        """What is there; see `Probed.probe`."""
        return await self._shared.enter(self).probe()

    async def tokens(self, request: Request) -> int:
        """Tokens of a prompt; see `Counting.tokens`."""
        return await self._shared.enter(self).tokens(request)

    @property
    def window_tokens(self) -> int | None:
        """Its window; see `Windowed.window_tokens`."""
        return self._shared.model.window_tokens
