import httpx
import pytest

from forge_client import ForgeError, types
from forge_client._retry import FIRST_PAUSE, Patience, pause_before

PATIENCE = Patience(attempts=3, longest_pause=10.0)


def problem(code: types.ProblemCode, status: int, retryable: bool, after: float | None = None) -> ForgeError:
    said: types.Problem = {
        "type": f"/problems/{code}",
        "title": "",
        "status": status,
        "detail": "No.",
        "instance": "/",
        "code": code,
        "request_id": "r",
        "retryable": retryable,
    }
    if after is not None:
        said["retry_after_s"] = after
    return ForgeError(said)


def test_pauses_grow_and_are_bounded() -> None:
    for attempt in range(1, 200):
        longest = min(10.0, FIRST_PAUSE * 2.0 ** min(attempt - 1, 30))
        assert longest / 2 <= pause_before(attempt, 10.0) <= longest


def test_comes_back_when_it_is_asked_to() -> None:
    assert PATIENCE.pause_after(problem("overloaded", 503, True, 7), True, 1) == 7
    assert PATIENCE.pause_after(problem("overloaded", 503, True), True, 1) is not None


@pytest.mark.parametrize(
    ("error", "attempt"),
    [
        (problem("overloaded", 503, True, 11), 1),
        (problem("overloaded", 503, True), 3),
        (problem("project_not_found", 404, False), 1),
        (problem("turn_in_progress", 409, True, 1), 1),
        (httpx.UnsupportedProtocol("ftp"), 1),
    ],
    ids=["too long", "too often", "in vain", "somebody else's", "no address"],
)
def test_gives_up(error: ForgeError | httpx.TransportError, attempt: int) -> None:
    assert PATIENCE.pause_after(error, True, attempt) is None


def test_waits_for_its_own_request() -> None:
    assert PATIENCE.pause_after(problem("idempotency_in_progress", 409, True, 1), True, 1) == 1


def test_sends_again_what_broke_on_the_way_if_it_may_be_done_twice() -> None:
    assert PATIENCE.pause_after(httpx.ReadError("cut"), True, 1) is not None
    assert PATIENCE.pause_after(httpx.ReadError("cut"), False, 1) is None
    assert PATIENCE.pause_after(httpx.ConnectError("never sent"), False, 1) is not None
