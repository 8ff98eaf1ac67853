"""The one place that speaks HTTP: JSON out, an answer back, every fault of transport as a `ModelError`."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sim.errors import ModelDisconnected, ModelError, ModelRefused
from sim.llm.ladder.schema import one_line

if TYPE_CHECKING:
    from aiohttp import ClientSession

_KEEP_ALIVE_S = 4.0  # servers of uvicorn close after 5 s; whoever reuses a connection later meets its end
_LONGEST = 16 << 20  # bytes of an answer; none of ours comes near, and a server gone wild must end somewhere
_CHUNK = 1 << 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a server sent, whatever its status.

    Args:
        url: who was asked.
        status: of HTTP.
        headers: names in any case.
        body: the bytes, complete.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text; what is no UTF-8 is replaced."""
        return self.body.decode("utf-8", "replace")

    def json(self) -> dict[str, Any]:
        """The body as a JSON object, whatever content type is claimed for it.

        Raises:
            ModelError: it is none.
        """
        data = self.data()
        if not isinstance(data, dict):
            kind = self.headers.get("Content-Type", "no content type")
            raise ModelError(f"{self.url} answers with {kind} and not with a JSON object: {self.excerpt()!r}")
        return data

    def data(self) -> Any:
        """The body as JSON, None where it is none."""
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    def excerpt(self) -> str:
        """The beginning of the body in one line, for an error."""
        return one_line(self.text[:2_000])[:120]


class HttpClient:
    """A client that keeps its connections; opened in the loop that first uses it, and in each later one.

    It waits for an answer as long as it is let: deadlines belong to whoever calls. A cancelled call
    closes its connection, by which servers learn that nobody waits any more.

    Args:
        connect_s: real seconds to wait for a connection.
        api_key: sent as a bearer token; empty sends none.
    """

    def __init__(self, *, connect_s: float = 5.0, api_key: str = "") -> None:
        self._connect_s = connect_s
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._session: ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def post(self, url: str, payload: Mapping[str, Any]) -> Answer:
        """Sends a JSON object.

        Raises:
            ModelDisconnected: the connection was lost or never made.
            ModelError: what came back is no HTTP, or has no end.
        """
        # Half a surrogate pair would make the whole request unreadable to the server.
        body = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
        return await self._ask("POST", url, body)

    async def get(self, url: str) -> Answer:
        """Asks for a page; raises as `post` does."""
        return await self._ask("GET", url, None)

    async def close(self) -> None:
        """Closes all connections; the next call opens new ones."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _ask(self, method: str, url: str, body: bytes | None) -> Answer:
        import aiohttp

        try:
            return await self._sent(method, url, body)
        except aiohttp.InvalidURL as error:
            raise ModelRefused(f"{url} is no address: mend base_urls") from error
        except aiohttp.ClientResponseError as error:
            raise ModelError(f"{url} answers with something that is no HTTP ({error.message})") from error
        except aiohttp.ClientConnectorError as error:
            # A wrong certificate is one of these too, and has no such word.
            why = getattr(error, "strerror", None) or one_line(str(error))
            raise ModelDisconnected(f"no connection to {url} ({why}): is it up?") from error
        except TimeoutError as error:
            # Only that of making a connection: no other time is measured here.
            waited = f"within {self._connect_s:g} s"
            raise ModelDisconnected(f"no connection to {url} {waited}: is it up?") from error
        except (aiohttp.ClientError, OSError) as error:
            what = one_line(str(error)) or type(error).__name__
            raise ModelDisconnected(f"the connection to {url} was lost ({what})") from error

    async def _sent(self, method: str, url: str, body: bytes | None) -> Answer:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        # Not followed: a redirect would send prompts to where nobody configured.
        request = self._opened().request(method, url, data=body, headers=headers, allow_redirects=False)
        async with request as response:
            content = bytearray()
            async for chunk in response.content.iter_chunked(_CHUNK):
                content += chunk
                if len(content) > _LONGEST:
                    raise ModelError(f"{url} sends more than {_LONGEST >> 20} MiB: that is no answer")
            return Answer(url=url, status=response.status, headers=response.headers, body=bytes(content))

    def _opened(self) -> "ClientSession":
        import aiohttp

        loop = asyncio.get_running_loop()
        if self._session is None or self._session.closed or self._loop is not loop:
            # No limit and no deadline of its own: those that matter are counted and set elsewhere.
            connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP_ALIVE_S)
            timeout = aiohttp.ClientTimeout(total=None, connect=self._connect_s)
            self._session = aiohttp.ClientSession(
                connector=connector, timeout=timeout, headers=self._headers, trust_env=False
            )
            self._loop = loop
        return self._session
