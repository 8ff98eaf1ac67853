"""A token budget before sending: a prompt that would leave the answer no room is refused here."""

from functools import lru_cache

from sim.errors import ContextOverflow
from sim.llm.probe import Counting, Windowed
from sim.llm.protocol import LanguageModel, Reply, Request
from sim.llm.tokens import HIGHEST, TEMPLATE_TOKENS, TokenRates, estimate_tokens
from sim.records import canonical


class Budgeted:
    """A model that is never sent more than its share of the window.

    Servers treat such a prompt in ways of their own: refuse it, cut it in silence, or shorten the answer.
    The quick estimate errs high, so what it lets pass fits; only where it says no is the model asked to
    count, which may cost a call to its server.

    Args:
        model: a model of which the window may be known, and which may know how to count.
        share: of the window that a prompt may fill.
        rates: of the model's family of tokenizers, for the estimate.
        window_tokens: what was found at start-up; None takes what the model says itself. Where neither
            knows, everything is sent.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        share: float,
        rates: TokenRates = HIGHEST,
        window_tokens: int | None = None,
    ) -> None:
        self._model = model
        self._share = share
        self._rates = rates
        self._window_tokens = window_tokens

    async def complete(self, request: Request) -> Reply:
        """Answers one request whose prompt fits.

        Raises:
            ContextOverflow: it does not, and was not sent.
        """
        window = self._window()
        if window is not None:
            await self._check(request, window)
        return await self._model.complete(request)

    async def close(self) -> None:
        """Closes the model behind."""
        await self._model.close()

    def _window(self) -> int | None:
        if self._window_tokens is not None:
            return self._window_tokens
        return self._model.window_tokens if isinstance(self._model, Windowed) else None

    async def _check(self, request: Request, window: int) -> None:
        room = int(window * self._share)
        tokens = prompt_tokens(request, self._rates)
        if tokens > room and isinstance(self._model, Counting):
            tokens = await self._model.tokens(request)
        if tokens > room:
            raise ContextOverflow(
                f"a prompt of {tokens} tokens for role {request.role} was not sent: llm.context_share leaves"
                f" it {room} of a window of {window}"
            )


def prompt_tokens(request: Request, rates: TokenRates) -> int:
    """Tokens of a whole prompt, estimated; its schema counts, since some models are shown it in words."""
    schema = "" if request.schema is None else canonical(request.schema)
    stable = _remembered(request.system, rates) + _remembered(schema, rates)
    return stable + estimate_tokens(request.user, rates) + TEMPLATE_TOKENS


# The same few come with every call.
_remembered = lru_cache(maxsize=512)(estimate_tokens)
