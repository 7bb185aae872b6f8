"""What the service refuses, or fails at."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import cast

import httpx

from . import types as t


class ForgeError(Exception):
    """What the service refuses, or fails at, as it says it."""

    def __init__(self, problem: t.Problem) -> None:
        super().__init__(problem["detail"])
        self.problem = problem
        """The whole problem document, whose further members depend on its code."""

    def __reduce__(self) -> tuple[type[ForgeError], tuple[t.Problem]]:
        return ForgeError, (self.problem,)

    @property
    def code(self) -> str:
        """The stable name of the kind of problem."""
        return self.problem["code"]

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.problem["status"]

    @property
    def detail(self) -> str:
        """What happened, and what to do about it, for people."""
        return self.problem["detail"]

    @property
    def request_id(self) -> str:
        """The name of the request in the service's log."""
        return self.problem.get("request_id", "")

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.problem.get("retryable", False)

    @property
    def retry_after(self) -> float | None:
        """In how many seconds; None: the service does not say."""
        return self.problem.get("retry_after_s")


def _seconds(header: str) -> float | None:
    """Read `Retry-After`, which is a number of seconds or a date."""
    if header.isdigit():
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())


def problem_of(response: httpx.Response) -> ForgeError:
    """Make an error of an answer; one that is no problem document, as of a proxy, is told in its terms."""
    try:
        said = json.loads(response.content)
    except ValueError:
        said = None
    if isinstance(said, dict):
        members = cast("dict[str, object]", said)
        if isinstance(members.get("code"), str) and isinstance(members.get("detail"), str):
            return ForgeError(cast("t.Problem", {**members, "status": response.status_code}))
    status = response.status_code
    url = str(response.request.url)
    foreign: t.Problem = {
        "type": "about:blank",
        "title": response.reason_phrase,
        "status": status,
        "detail": f"{url} answered {status}, and not as Forge does.",
        "instance": url,
        "code": "internal_error",
        "request_id": response.headers.get("x-request-id", ""),
        "retryable": status in (502, 503, 504),
    }
    seconds = _seconds(response.headers.get("retry-after", ""))
    if seconds is not None:
        foreign["retry_after_s"] = seconds
    return ForgeError(foreign)
