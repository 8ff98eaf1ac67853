"""Several servers of one model: a customer's calls stay with one of them, and leave it when it is gone."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from sim.errors import ModelDisconnected
from sim.llm.protocol import LanguageModel, Reply, Request
from sim.llm.wrappers.adaptive import AdaptiveLimit

_REST_S = 10.0  # an endpoint that lost a connection is passed over so long, unless there is no other


def ranked(urls: Sequence[str], key: str) -> list[str]:
    """The addresses in the order in which this key prefers them; adding one moves few keys.

    Source: Thaler and Ravishankar (1998), https://doi.org/10.1109/90.663936
    """
    return sorted(urls, key=lambda url: blake2b(f"{url}\n{key}".encode(), digest_size=8).digest())


@dataclass(eq=False, kw_only=True, slots=True)
class Endpoint:
    """One address with what its server bears, and since when it is not there."""

    url: str
    limit: AdaptiveLimit
    lost_at_s: float = field(default=float("-inf"))


class Endpoints:
    """The endpoints of one model, shared by all runs that ask it.

    Args:
        urls: addresses, at least one.
        max_in_flight: calls at one time per endpoint.
    """

    def __init__(self, urls: Sequence[str], max_in_flight: int) -> None:
        self._by_url = {url: Endpoint(url=url, limit=AdaptiveLimit(max_in_flight)) for url in urls}

    def __iter__(self) -> Iterator[Endpoint]:
        return iter(self._by_url.values())

    def of(self, request: Request, now_s: float) -> Endpoint:
        """Where a request goes: the customer's own endpoint, or the next one while that one is gone."""
        order = [self._by_url[url] for url in ranked(list(self._by_url), _key(request))]
        there = [one for one in order if now_s - one.lost_at_s >= _REST_S]
        # With all of them gone, the one that went first has had the longest time to come back.
        return there[0] if there else min(order, key=lambda one: one.lost_at_s)


def _key(request: Request) -> str:
    act = request.act
    # What is alike in the prompts of one customer lies in the cache of one server.
    return act.customer or f"{act.agent}/{act.visit}"


class Paced:
    """A model behind its endpoints: it says where each request goes, and waits until there is room.

    It belongs outside the limit of the run: who waits here holds no slot there.
    """

    def __init__(self, model: LanguageModel, endpoints: Endpoints) -> None:
        self._model = model
        self._endpoints = endpoints

    async def complete(self, request: Request) -> Reply:
        """Answers from one endpoint."""
        loop = asyncio.get_running_loop()
        endpoint = self._endpoints.of(request, loop.time())
        async with endpoint.limit.slot():
            try:
                reply = await self._model.complete(replace(request, endpoint=endpoint.url))
                return replace(reply, endpoint=endpoint.url)
            except ModelDisconnected:
                endpoint.lost_at_s = loop.time()
                raise

    async def close(self) -> None:
        """Closes the model behind."""
        await self._model.close()
