"""Bodies that are sent as they are read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, TypeAlias

import httpx

Content: TypeAlias = bytes | str | os.PathLike[str] | BinaryIO
"""What can be sent: bytes, text, the file at a path, or an open one, from its start."""

UploadFile: TypeAlias = os.PathLike[str] | tuple[str, Content]
"""The file at a path, under its own name; or a name and what is in it."""

OnProgress: TypeAlias = Callable[[int, int], None]
"""Told how many bytes of how many were handed to the network, the frame of the form included."""


def opened(content: Content, files: ExitStack) -> BinaryIO:
    """The content from its start: a request may be sent several times."""
    if isinstance(content, str | bytes):
        return BytesIO(content.encode() if isinstance(content, str) else content)
    if isinstance(content, os.PathLike):
        return files.enter_context(Path(content).open("rb"))
    content.seek(0)
    return content


def named(file: UploadFile) -> tuple[str, Content]:
    """The name of a file, and what is in it."""
    return file if isinstance(file, tuple) else (Path(file).name, file)


class CountedBody(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that tells how far it is; for a coroutine, files are read beside the event loop."""

    def __init__(self, chunks: httpx.SyncByteStream, total: int, on_progress: OnProgress | None) -> None:
        self._chunks = chunks
        self._total = total
        self._on_progress = on_progress

    def __iter__(self) -> Iterator[bytes]:
        sent = 0
        for chunk in self._chunks:
            yield chunk
            sent += len(chunk)
            if self._on_progress is not None:
                self._on_progress(sent, self._total)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        sent = 0
        chunks = iter(self._chunks)
        while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
            yield chunk
            sent += len(chunk)
            if self._on_progress is not None:
                self._on_progress(sent, self._total)
