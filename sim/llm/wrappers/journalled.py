"""A model whose answers go through a journal: found there, or asked and stored before use."""

from typing import Any

from sim.errors import JournalError, ModelError
from sim.journal import Journal, Place
from sim.llm.protocol import LanguageModel, Reply, Request


class Journalled:
    """Wraps a model so that a run can be resumed or replayed without asking again.

    It belongs outside the limiter: an answer from the journal takes no slot. A slot is free again only
    when what came back is in the journal, see `Limiter.slot`. A cancelled call leaves nothing behind, so a
    resume asks it again.

    Args:
        model: who answers what the journal does not know; `Nobody` where everything is replayed.
        journal: where answers and failures are kept.
        namespace: keeps this use of the journal apart from others, as ``run`` from ``exam``.
    """

    def __init__(self, model: LanguageModel, journal: Journal, namespace: str = "run") -> None:
        self._model = model
        self._journal = journal
        self._namespace = namespace

    async def complete(self, request: Request) -> Reply:
        """The stored answer, or a new one that is stored first; failures are stored alike."""
        place, wire = self._place(request), request.wire()
        found = self._journal.find(place, wire)
        if found is not None:
            return _reply(found, place)
        try:
            reply = await self._model.complete(request)
        except ModelError as error:
            await self._journal.keep(place, wire, error)
            raise
        await self._journal.keep(place, wire, _as_data(reply))
        return reply

    async def close(self) -> None:
        """Closes the model; the journal belongs to whoever opened it."""
        await self._model.close()

    def _place(self, request: Request) -> Place:
        return Place(
            namespace=self._namespace, act=str(request.act), ask=request.ask, attempt=request.attempt
        )


def _as_data(reply: Reply) -> dict[str, Any]:
    return {
        "text": reply.text,
        "model": reply.model,
        "finish": reply.finish,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "seconds": reply.seconds,
        "endpoint": reply.endpoint,
    }


def _reply(data: dict[str, Any], place: Place) -> Reply:
    try:
        return Reply(**data, replayed=True)
    except TypeError as error:
        raise JournalError(f"the journal's answer for {place} is damaged: start a new run") from error


class Nobody:
    """Answers nothing: it stands behind a journal that is only replayed."""

    async def complete(self, request: Request) -> Reply:
        """Never answers.

        Raises:
            JournalError: always; the journal was to answer.
        """
        raise JournalError(f"nobody answers for role {request.role}: only a journal does, llm.journal=RUN")

    async def close(self) -> None:
        """Has nothing to release."""
