"""The two ways of sending a request, behind one face.

All else of the client is written once, as coroutines. Over `WaitingWire` these never wait for anything, so
that `run` can take them from their start to their end without an event loop.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import httpx

T = TypeVar("T")

ApiKey: TypeAlias = str | Callable[[], str] | None
"""An API key, or a token of the service's identity provider; a function is asked before each request."""

AsyncApiKey: TypeAlias = str | Callable[[], str | Awaitable[str]] | None
"""The same, where the function may also be a coroutine's."""


class Wire(Protocol):
    """What the core needs of the network and of the clock."""

    def build(self, method: str, url: str, **request: Any) -> httpx.Request:
        """Make a request, with what the `httpx` client adds to each."""
        ...

    async def key(self) -> str | None:
        """What the request is authorised by."""
        ...

    async def send(self, request: httpx.Request) -> httpx.Response:
        """Give the answer as soon as its head is there."""
        ...

    async def read(self, response: httpx.Response) -> None:
        """Read the rest of it."""
        ...

    def chunks(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """Read the rest of it as it comes."""
        ...

    async def close(self, response: httpx.Response) -> None:
        """Let its connection go."""
        ...

    async def pause(self, seconds: float) -> None:
        """Wait."""
        ...


class WaitingWire:
    """Sends with an `httpx.Client`, and waits."""

    def __init__(self, client: httpx.Client, api_key: ApiKey) -> None:
        self.client = client
        self._api_key = api_key

    def build(self, method: str, url: str, **request: Any) -> httpx.Request:
        return self.client.build_request(method, url, **request)

    async def key(self) -> str | None:
        return self._api_key() if callable(self._api_key) else self._api_key

    async def send(self, request: httpx.Request) -> httpx.Response:
        return self.client.send(request, stream=True)

    async def read(self, response: httpx.Response) -> None:
        response.read()

    async def chunks(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        for chunk in response.iter_bytes():
            yield chunk

    async def close(self, response: httpx.Response) -> None:
        response.close()

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)  # noqa: ASYNC251


class AwaitingWire:
    """Sends with an `httpx.AsyncClient`."""

    def __init__(self, client: httpx.AsyncClient, api_key: AsyncApiKey) -> None:
        self.client = client
        self._api_key = api_key

    def build(self, method: str, url: str, **request: Any) -> httpx.Request:
        return self.client.build_request(method, url, **request)

    async def key(self) -> str | None:
        key = self._api_key() if callable(self._api_key) else self._api_key
        return await key if inspect.isawaitable(key) else key

    async def send(self, request: httpx.Request) -> httpx.Response:
        return await self.client.send(request, stream=True)

    async def read(self, response: httpx.Response) -> None:
        await response.aread()

    async def chunks(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        async for chunk in response.aiter_bytes():
            yield chunk

    async def close(self, response: httpx.Response) -> None:
        await response.aclose()

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as end:
        return cast("T", end.value)
    raise RuntimeError("a coroutine over a wire that waits has been suspended")


def run_all(items: AsyncGenerator[T, None]) -> Generator[T, None, None]:
    """Give the items of a generator that waits for nothing; whoever leaves it early ends it."""
    try:
        while True:
            try:
                item = run(_next(items))
            except StopAsyncIteration:
                return
            yield item
    finally:
        run(items.aclose())


async def _next(items: AsyncGenerator[T, None]) -> T:
    return await items.__anext__()
