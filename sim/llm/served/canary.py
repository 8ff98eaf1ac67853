"""What every look at a server has in common: the question it is tried with, and how its faults are told."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from sim.errors import ConfigError, ModelDisconnected, ModelError
from sim.llm.ladder.structured import read
from sim.llm.probe import CANARY
from sim.llm.protocol import Reply, Request
from sim.records import ActId

T = TypeVar("T")


def canary(url: str, *, thinking: bool) -> Request:
    """A question to one endpoint whose schema no model would keep by chance."""
    return Request(
        role="canary",
        system="You are a helpful assistant.",
        user="Name a colour of the sky and how many legs a dog has.",
        act=ActId(agent="doctor", purpose="canary"),
        schema=CANARY,
        temperature=0.0,
        max_tokens=2_048 if thinking else 128,
        time_ms=1_000,  # priority 0 is taken also by servers that take no other
        endpoint=url,
    )


def check_kept(reply: Reply, key: str, url: str, cure: str) -> None:
    """Lets an answer to the canary pass that keeps its schema.

    Raises:
        ConfigError: it does not; ``cure`` says what to do.
    """
    if read(reply, CANARY).value is None:
        raise ConfigError(f"{key}: {url} ignores JSON schemas (it said {reply.text[:60]!r}): {cure}")


async def usable(asked: Awaitable[T], key: str, url: str, longest_s: float, start: str) -> T:
    """The answer, with every failure put as what is wrong with the settings.

    Args:
        asked: what is awaited.
        key: of the settings it belongs to.
        url: the endpoint.
        longest_s: real seconds to wait.
        start: how a server is started that is not there.

    Raises:
        ConfigError: there is no answer.
    """
    try:
        async with asyncio.timeout(longest_s):
            return await asked
    except TimeoutError:
        raise ConfigError(
            f"{key}: {url} does not answer within {longest_s:g} s: is the server well?"
        ) from None
    except ModelDisconnected as error:
        raise ConfigError(f"{key}.base_urls: {error} {start}, or mend the address") from error
    except ModelError as error:
        raise ConfigError(f"{key}: {error}") from error
