"""Whether and when a request is sent again."""

from __future__ import annotations

import random
from dataclasses import dataclass

import httpx

from ._problem import ForgeError

FIRST_PAUSE = 0.5
_CONFLICT = 409
# nothing of the request can have arrived
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
# the request is not one that could be sent
_HOPELESS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


def pause_before(attempt: int, longest: float) -> float:
    """Seconds: longer each time.

    By chance between a half and all of it, so that clients do not come back together.
    """
    # the exponent is bounded, the pause is anyway
    return min(longest, FIRST_PAUSE * 2.0 ** min(attempt - 1, 30)) * random.uniform(0.5, 1)


@dataclass(frozen=True)
class Patience:
    """How often and how long something is tried."""

    attempts: int = 5
    longest_pause: float = 30.0

    def pause_after(
        self, error: ForgeError | httpx.TransportError, is_repeatable: bool, attempt: int
    ) -> float | None:
        """Seconds until the next attempt; None: there is none."""
        if attempt >= self.attempts:
            return None
        if isinstance(error, ForgeError):
            return self._pause_after_problem(error, attempt)
        # what is behind a connection that broke may have been done
        if isinstance(error, _HOPELESS) or not (is_repeatable or isinstance(error, _NEVER_SENT)):
            return None
        return pause_before(attempt, self.longest_pause)

    def _pause_after_problem(self, error: ForgeError, attempt: int) -> float | None:
        # somebody else's turn runs: that is for the caller to know
        is_others = error.status == _CONFLICT and error.code != "idempotency_in_progress"
        if not error.retryable or is_others:
            return None
        asked = error.retry_after
        if asked is None:
            return pause_before(attempt, self.longest_pause)
        return asked if asked <= self.longest_pause else None
