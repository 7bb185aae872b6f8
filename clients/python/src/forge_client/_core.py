"""What both clients do, over either wire."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any
from uuid import uuid4

import httpx

from . import types as t
from ._address import address, place
from ._body import Content, CountedBody, OnProgress, UploadFile, named, opened
from ._problem import ForgeError, problem_of
from ._repeatable import DONE_EACH_TIME
from ._retry import Patience
from ._wire import Wire

PAGE_SIZE = 100
TIMEOUT = httpx.Timeout(600.0, connect=10.0)
"""A turn that is not streamed is answered when it has ended."""


@dataclass(frozen=True)
class Outgoing:
    """A request as it is sent, once or several times."""

    method: str
    path: str
    """With its query, below the base."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: object = None
    """As JSON."""
    content: Content | None = None
    """As it is."""
    fields: Mapping[str, str] | None = None
    """Of a form, before its files."""
    files: Sequence[UploadFile] = ()
    on_progress: OnProgress | None = None
    timeout: httpx.Timeout | None = None
    """None: that of the `httpx` client."""
    is_repeatable: bool = True
    """Whether it may be done twice, or is known by its key to have been done."""
    expects: int | None = None
    """A status that is an answer although it is no success."""
    is_streamed: bool = False
    """The answer is given when its head is there, and is to be closed."""


class Core:
    """Requests that are sent again where that is safe and worth it, and what is built of them."""

    def __init__(self, wire: Wire, base_url: str, patience: Patience) -> None:
        self.wire = wire
        self._base_url = base_url.rstrip("/")
        self.patience = patience

    async def send(self, outgoing: Outgoing) -> httpx.Response:
        """Send what the service calls retryable, and what broke on the way, again; a POST is done once.

        Raises:
            ForgeError: what the service refuses
            ConnectionError: it cannot be reached

        """
        if outgoing.method == "POST":
            keyed = {"idempotency-key": str(uuid4()), **_lower(outgoing.headers)}
            outgoing = replace(outgoing, headers=keyed)
        for attempt in count(1):
            try:
                return await self._send_once(outgoing)
            except (ForgeError, httpx.TransportError) as error:
                seconds = self.patience.pause_after(error, outgoing.is_repeatable, attempt)
                if seconds is None and isinstance(error, ForgeError):
                    raise
                if seconds is None:
                    raise ConnectionError(f"{self._base_url} cannot be reached: {error}") from error
            await self.wire.pause(seconds)
        raise AssertionError("attempts are counted without an end")

    async def _send_once(self, outgoing: Outgoing) -> httpx.Response:
        with ExitStack() as files:
            request = await self._request(outgoing, files)
            response = await self.wire.send(request)
        is_answer = response.is_success or response.status_code == outgoing.expects
        try:
            if not is_answer or not outgoing.is_streamed:
                await self.wire.read(response)
        except BaseException:
            await self.wire.close(response)
            raise
        if is_answer:
            return response
        raise problem_of(response)

    async def _request(self, outgoing: Outgoing, files: ExitStack) -> httpx.Request:
        key = await self.wire.key()
        authorization = {} if key is None else {"authorization": f"Bearer {key}"}
        body: dict[str, Any] = {}
        if outgoing.files:
            parts = [(name, opened(content, files)) for name, content in map(named, outgoing.files)]
            body = {"data": dict(outgoing.fields or {}), "files": [("file", part) for part in parts]}
        elif outgoing.content is not None:
            body = {"content": opened(outgoing.content, files)}
        elif outgoing.body is not None:
            body = {"json": outgoing.body}
        if outgoing.timeout is not None:
            body["timeout"] = outgoing.timeout
        request = self.wire.build(
            outgoing.method,
            f"{self._base_url}{outgoing.path}",
            headers={**authorization, **outgoing.headers},
            **body,
        )
        is_own = bool(outgoing.files) or outgoing.content is not None
        if is_own and isinstance(request.stream, httpx.SyncByteStream):
            total = int(request.headers.get("content-length", "0"))
            request.stream = CountedBody(request.stream, total, outgoing.on_progress)
        return request

    async def pages(
        self,
        template: str,
        path: Mapping[str, object] | None,
        query: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None,
    ) -> AsyncGenerator[Any, None]:
        """Give the items of a list, page after page."""
        asked = {"limit": PAGE_SIZE, **{name: one for name, one in (query or {}).items() if one is not None}}
        while True:
            response = await self.send(Outgoing("GET", address(template, path, asked), headers or {}))
            page = response.json()
            for item in page["data"]:
                yield item
            if not page["has_more"]:
                return
            asked["after"] = page["last_id"]

    async def upload(
        self,
        project: str | None,
        files: Sequence[UploadFile],
        wait: int | None,
        fields: Mapping[str, str] | None,
        on_progress: OnProgress | None,
    ) -> httpx.Response:
        """Send files in one request."""
        prefer = {} if wait is None else {"prefer": f"wait={wait}" if wait > 0 else "respond-async"}
        path = f"{place(project)}/files"
        return await self.send(
            Outgoing("POST", path, prefer, fields=fields, files=files, on_progress=on_progress)
        )


def outgoing_of(
    method: str,
    template: str,
    path: str,
    headers: Mapping[str, str] | None,
    media_type: str | None,
    **rest: Any,
) -> Outgoing:
    """Make a request of what an operation takes."""
    verb = method.upper()
    typed = {} if media_type is None else {"content-type": media_type}
    is_repeatable = verb != "PATCH" and not (verb == "POST" and template in DONE_EACH_TIME)
    return Outgoing(verb, path, {**typed, **_lower(headers or {})}, is_repeatable=is_repeatable, **rest)


def verdicts(response: httpx.Response) -> t.UploadList:
    """What became of each file of an upload; the service answers a single one by the file itself."""
    answer = response.json()
    if answer["object"] == "upload_list":
        several: t.UploadList = answer
        return several
    file: t.StoredFile = answer
    result: Any = response.headers.get("upload-result")
    return {
        "object": "upload_list",
        "data": [
            {
                "name": file["name"],
                "status": response.status_code,
                "result": result,
                "file": file,
                "problem": None,
            }
        ],
    }


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
