"""Streams that go on after a break."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import httpx

from ._core import Core, Outgoing
from ._events import EventReader, IsLast, Message
from ._problem import ForgeError
from ._retry import pause_before

MOST_BREAKS = 8
"""In a row, without a word in between, after which a stream is given up."""
SILENCE = httpx.Timeout(45.0, connect=10.0)
"""The service says something every 15 seconds at least."""
_ACCEPT = {"accept": "text/event-stream"}
_NO_CONTENT = 204
_SERVER_ERROR = 500


@dataclass
class Stream:
    """What is followed, and how far it has come."""

    is_last: IsLast
    events: str | None = None
    """Where it is followed; None: the beginning's `Location` says it."""
    begin: str | None = None
    """Where it is begun; None: it was begun before."""
    body: object = None
    last: int | None = None
    """Number of the last event that came."""

    def request(self) -> Outgoing:
        """What is asked next."""
        if self.events is None and self.begin is not None:
            return Outgoing("POST", self.begin, _ACCEPT, self.body, timeout=SILENCE, is_streamed=True)
        number = {} if self.last is None else {"last-event-id": str(self.last)}
        return Outgoing("GET", self.events or "", {**_ACCEPT, **number}, timeout=SILENCE, is_streamed=True)


async def _messages(core: Core, stream: Stream) -> AsyncGenerator[Message | None, None]:
    """Give what one connection tells; None at last, if there is nothing to be told any more."""
    response = await core.send(stream.request())
    if stream.events is None:
        stream.events = f"{response.headers['location']}/events"
    reader = EventReader()
    try:
        if response.status_code == _NO_CONTENT:
            yield None
            return
        # leaving a generator early does not leave those that it reads
        async with aclosing(core.wire.chunks(response)) as chunks:
            async for chunk in chunks:
                for message in reader.feed(chunk):
                    yield message
    finally:
        await core.wire.close(response)


async def follow(core: Core, stream: Stream) -> AsyncGenerator[Any, None]:
    """Give the events to the last one, however often the connection breaks.

    Whoever leaves ends the listening, not the work.

    Raises:
        ForgeError: what is refused
        ConnectionError: the service stays away, or breaks the stream again and again

    """
    breaks = 0
    while True:
        reason: Exception | None = None
        try:
            async with aclosing(_messages(core, stream)) as messages:
                async for message in messages:
                    if message is None:
                        return
                    stream.last = stream.last if message.id is None else message.id
                    if message.is_comment:
                        breaks = 0
                    if message.event is None:
                        continue
                    breaks = 0
                    yield {"id": message.id, "event": message.event, "data": message.data}
                    if stream.is_last(message.event):
                        return
        except ForgeError as error:
            # the service says no; one that is restarted behind a proxy may be there again in a while
            if stream.events is None or not error.retryable or error.status < _SERVER_ERROR:
                raise
            reason = error
        except (httpx.TransportError, ConnectionError) as error:
            # nothing was begun
            if stream.events is None:
                raise
            reason = error
        breaks += 1
        if breaks > MOST_BREAKS:
            raise ConnectionError("the stream broke again and again") from reason
        await core.wire.pause(pause_before(breaks, core.patience.longest_pause))


async def follow_data(core: Core, stream: Stream) -> AsyncGenerator[Any, None]:
    """Give what the events tell, where it says itself what it is."""
    async with aclosing(follow(core, stream)) as events:
        async for event in events:
            yield event["data"]
