"""What the operations of the contract are made of, for either client."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any, TypeAlias

import httpx

from ._body import Content

__all__ = ["AsyncCalls", "Calls", "Content", "Headers", "Path", "Query"]

Headers: TypeAlias = Mapping[str, str]
Path: TypeAlias = Mapping[str, object]
Query: TypeAlias = Mapping[str, Any]


class Calls(ABC):
    """Calls that wait."""

    @abstractmethod
    def send(
        self,
        method: str,
        template: str,
        *,
        path: Path | None = None,
        query: Query | None = None,
        body: object = None,
        content: Content | None = None,
        media_type: str | None = None,
        headers: Headers | None = None,
        expects: int | None = None,
    ) -> httpx.Response:
        """Give the answer of an operation as it comes, read, with its headers.

        `expects` is a status that is an answer although it is no success.

        Raises:
            ForgeError: what the service refuses
            ConnectionError: it cannot be reached

        """

    @abstractmethod
    def iterate(
        self,
        template: str,
        *,
        path: Path | None = None,
        query: Query | None = None,
        headers: Headers | None = None,
    ) -> Generator[Any, None, None]:
        """Give all items of a list, page after page, as they are asked for."""

    def call(
        self,
        method: str,
        template: str,
        *,
        path: Path | None = None,
        query: Query | None = None,
        body: object = None,
        content: Content | None = None,
        media_type: str | None = None,
        headers: Headers | None = None,
        expects: int | None = None,
    ) -> Any:
        """Give what an operation answers as JSON; None: nothing."""
        response = self.send(
            method,
            template,
            path=path,
            query=query,
            body=body,
            content=content,
            media_type=media_type,
            headers=headers,
            expects=expects,
        )
        return response.json() if response.content else None


class AsyncCalls(ABC):
    """Calls that are awaited."""

    @abstractmethod
    async def send(
        self,
        method: str,
        template: str,
        *,
        path: Path | None = None,
        query: Query | None = None,
        body: object = None,
        content: Content | None = None,
        media_type: str | None = None,
        headers: Headers | None = None,
        expects: int | None = None,
    ) -> httpx.Response:
        """Give the answer of an operation as it comes, read, with its headers.

        `expects` is a status that is an answer although it is no success.

        Raises:
            ForgeError: what the service refuses
            ConnectionError: it cannot be reached

        """

    @abstractmethod
    def iterate(
        self,
        template: str,
        *,
        path: Path | None = None,
        query: Query | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[Any, None]:
        """Give all items of a list, page after page, as they are asked for."""

    async def call(
        self,
        method: str,
        template: str,
        *,
        path: Path | None = None,
        query: Query | None = None,
        body: object = None,
        content: Content | None = None,
        media_type: str | None = None,
        headers: Headers | None = None,
        expects: int | None = None,
    ) -> Any:
        """Give what an operation answers as JSON; None: nothing."""
        response = await self.send(
            method,
            template,
            path=path,
            query=query,
            body=body,
            content=content,
            media_type=media_type,
            headers=headers,
            expects=expects,
        )
        return response.json() if response.content else None
