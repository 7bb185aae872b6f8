"""The client of coroutines."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Literal

import httpx

from . import types as t
from ._address import address, place, segment
from ._body import Content, OnProgress, UploadFile
from ._calls import Headers, Path, Query
from ._core import TIMEOUT, Core, Outgoing, outgoing_of, verdicts
from ._events import ends_feed, ends_file, ends_work
from ._follow import Stream, follow, follow_data
from ._operations import AsyncOperations
from ._retry import Patience
from ._wire import AsyncApiKey, AwaitingWire


class AsyncForge(AsyncOperations):
    """A client of a Forge service for asyncio.

    Events are given by asynchronous generators: close one that you leave early (`contextlib.aclosing`).
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: AsyncApiKey = None,
        attempts: int = 5,
        longest_pause: float = 30.0,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Connect to nothing yet.

        Args:
            base_url: address of the service, with the path below which it is, if any
            api_key: an API key, or a token of the service's identity provider; a function is asked before
                each request
            attempts: requests that are made for one call at most, the first included
            longest_pause: between two of them, in seconds; what the service has wait for longer fails at once
            http_client: with timeouts, a proxy or certificates of yours; you close it

        """
        client = httpx.AsyncClient(timeout=TIMEOUT) if http_client is None else http_client
        self._own = client if http_client is None else None
        wire = AwaitingWire(client, api_key)
        self._core = Core(wire, base_url, Patience(attempts, longest_pause))

    async def aclose(self) -> None:
        """Let the connections go."""
        if self._own is not None:
            await self._own.aclose()

    async def __aenter__(self) -> AsyncForge:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

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
        outgoing = outgoing_of(
            method,
            template,
            address(template, path, query),
            headers,
            media_type,
            body=body,
            content=content,
            expects=expects,
        )
        return await self._core.send(outgoing)

    @asynccontextmanager
    async def open(
        self,
        template: str,
        *,
        path: Path | None = None,
        query: Query | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[httpx.Response, None]:
        """Get what is large, as an original or an archive, to be read as it comes."""
        outgoing = Outgoing("GET", address(template, path, query), headers or {}, is_streamed=True)
        response = await self._core.send(outgoing)
        try:
            yield response
        finally:
            await response.aclose()

    def iterate(
        self,
        template: str,
        *,
        path: Path | None = None,
        query: Query | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[Any, None]:
        return self._core.pages(template, path, query, headers)

    async def upload(
        self,
        project: str | None,
        file: UploadFile,
        *,
        wait: int | None = None,
        fields: Mapping[str, str] | None = None,
        on_progress: OnProgress | None = None,
    ) -> t.StoredFile:
        """Upload a file, which is read while it is sent.

        Args:
            project: None: into the library
            file: the file at a path, or a name and what is in it
            wait: seconds to wait for the file to be searchable; 0: the answer comes as soon as it is stored;
                left out: as the service does
            fields: of the form, as `on_duplicate`
            on_progress: told how many bytes of how many were handed to the network

        Raises:
            ForgeError: what is refused: nothing is stored then

        """
        response = await self._core.upload(project, [file], wait, fields, on_progress)
        stored: t.StoredFile = response.json()
        return stored

    async def upload_several(
        self,
        project: str | None,
        files: Sequence[UploadFile],
        *,
        wait: int | None = None,
        fields: Mapping[str, str] | None = None,
        on_progress: OnProgress | None = None,
    ) -> t.UploadList:
        """Upload files in one request, as `upload` does, with a verdict for each."""
        return verdicts(await self._core.upload(project, files, wait, fields, on_progress))

    def turn(self, project: str, message: t.CreateTurnBody) -> AsyncGenerator[t.TurnEvent, None]:
        """Say something, and give the turn's events to its last one, whatever breaks in between.

        Whoever leaves the loop ends the listening, not the turn: `cancel_turn` does that.
        """
        return follow(self._core, Stream(ends_work, begin=f"{place(project)}/turns", body=message))

    def follow_turn(self, project: str, turn: int, *, after: int = 0) -> AsyncGenerator[t.TurnEvent, None]:
        """Give the events of a turn that was begun before, those there are and those that come."""
        events = f"{place(project)}/turns/{turn}/events"
        return follow(self._core, Stream(ends_work, events, last=after))

    def research(self, project: str, question: t.StartResearchBody) -> AsyncGenerator[t.ResearchEvent, None]:
        """Ask the research agent, and give the run's events to its last one."""
        return follow(self._core, Stream(ends_work, begin=f"{place(project)}/research", body=question))

    def follow_research(
        self, project: str, run: str, *, after: int = 0
    ) -> AsyncGenerator[t.ResearchEvent, None]:
        """Give the events of a run that was begun before."""
        events = f"{place(project)}/research/{segment(run)}/events"
        return follow(self._core, Stream(ends_work, events, last=after))

    def follow_file(self, project: str | None, name: str) -> AsyncGenerator[t.FileEvent, None]:
        """Give what happens to a file until it is searchable and summarised, has failed or is deleted."""
        events = f"{place(project)}/files/{segment(name)}/events"
        return follow(self._core, Stream(ends_file, events))

    def follow_events(
        self, project: str | None, *, after: int | Literal["now"] = "now"
    ) -> AsyncGenerator[t.ProjectEvent, None]:
        """Give what changes in a project, or in the library, without an end until the project is deleted.

        Args:
            project: None: the library
            after: the number of the last event that you have; 0: from the oldest that is kept

        """
        events = address(f"{place(project)}/events", query={"after": after})
        return follow_data(self._core, Stream(ends_feed, events))
