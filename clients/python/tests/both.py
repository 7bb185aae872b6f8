"""Tests that are written once, and run with either client."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Any, cast

import httpx
import pytest

from forge_client import AsyncForge, Forge

Test = Callable[..., Coroutine[Any, Any, None]]


class _Awaited:
    """A client that waits, as one that is awaited."""

    def __init__(self, forge: Forge) -> None:
        self._forge = forge

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._forge, name)

        def call(*args: Any, **rest: Any) -> Any:
            result = method(*args, **rest)
            if isinstance(result, Generator):
                return _each(result)
            return _entered(result) if isinstance(result, AbstractContextManager) else _given(result)

        return call


async def _given(result: Any) -> Any:
    return result


async def _each(items: Generator[Any, None, None]) -> AsyncGenerator[Any, None]:
    try:
        for item in items:
            yield item
    finally:
        items.close()


@asynccontextmanager
async def _entered(context: AbstractContextManager[Any]) -> AsyncGenerator[Any, None]:
    with context as value:
        yield value


def clients(
    base_url: str, kind: str, transport: httpx.MockTransport | None = None, **options: Any
) -> AsyncForge:
    """Make the client that waits, or the one that is awaited; either is used with `await`."""
    if kind == "AsyncForge":
        client = httpx.AsyncClient(transport=transport, timeout=60)
        return AsyncForge(base_url, http_client=client, **options)
    waiting = Forge(base_url, http_client=httpx.Client(transport=transport, timeout=60), **options)
    return cast("AsyncForge", _Awaited(waiting))


def both(test: Test) -> Callable[..., None]:
    """Run a test with either client: it is told which by `kind`."""

    @pytest.mark.parametrize("kind", ["Forge", "AsyncForge"])
    def run(kind: str, **fixtures: Any) -> None:
        asyncio.run(test(kind, **fixtures))

    names = [name for name in inspect.signature(test).parameters if name != "kind"]
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in ["kind", *names]]
    run.__signature__ = inspect.Signature(parameters)
    run.__name__ = test.__name__
    return cast("Callable[..., None]", run)
