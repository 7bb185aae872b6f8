"""Server-sent events, as they come."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Message:
    """A block of a `text/event-stream`; one without anything is a comment."""

    id: int | None = None
    event: str | None = None
    data: Any = None

    @property
    def is_comment(self) -> bool:
        """Whether nothing is said but that the other side is alive."""
        return self == Message()


def _message_of(lines: list[str]) -> Message | None:
    fields: dict[str, list[str]] = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields.setdefault(name, []).append(value.removeprefix(" "))
    number = fields.get("id", [""])[-1]
    event = fields.get("event", [None])[-1]
    if event is None and not number and "" not in fields:
        return None
    data = json.loads("\n".join(fields["data"])) if "data" in fields else None
    return Message(int(number) if number else None, event, data)


class EventReader:
    """Cuts bytes into messages, wherever the bytes were cut."""

    def __init__(self) -> None:
        self._rest = b""
        self._lines: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[Message]:
        """Give the messages that are complete with these bytes."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            text = line.removesuffix(b"\r").decode()
            if text:
                self._lines.append(text)
                continue
            message = _message_of(self._lines)
            self._lines = []
            if message is not None:
                yield message


IsLast = Callable[[str], bool]


def ends_work(event: str) -> bool:
    """Whether a turn or a run has ended: whatever is told of the whole, and is not its beginning."""
    return event.startswith(("turn.", "run.")) and not event.endswith(".created")


def ends_file(event: str) -> bool:
    """Whether there is no more to tell of a file's version."""
    return event.startswith("file.") and event != "file.progress"


def ends_feed(event: str) -> bool:
    """Whether the feed of a project has ended, which it does with the project."""
    return event == "project.deleted"
