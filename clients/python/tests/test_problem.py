import pickle
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import httpx
import pytest

from forge_client import ForgeError
from forge_client._problem import problem_of

REQUEST = httpx.Request("GET", "http://forge.example/version")


def answer(status: int, headers: dict[str, str] | None = None, **body: object) -> ForgeError:
    text = {"text": "<h1>It works</h1>"} if not body else {"json": body}
    return problem_of(httpx.Response(status, headers=headers, request=REQUEST, **text))


def test_says_what_the_service_says() -> None:
    error = answer(
        503,
        code="overloaded",
        detail="Too much.",
        request_id="r1",
        retryable=True,
        retry_after_s=2.5,
        novelty=1,
    )
    assert str(error) == error.detail == "Too much."
    assert (error.code, error.status, error.request_id) == ("overloaded", 503, "r1")
    assert (error.retryable, error.retry_after) == (True, 2.5)
    assert error.problem["novelty"] == 1  # type: ignore[typeddict-item]
    assert pickle.loads(pickle.dumps(error)).problem == error.problem


def test_needs_no_more_than_a_code_and_a_detail() -> None:
    error = answer(404, code="file_not_found", detail="There is none.")
    assert (error.request_id, error.retryable, error.retry_after) == ("", False, None)


def test_tells_of_what_is_no_forge_in_words() -> None:
    error = answer(404)
    assert "answered 404, and not as Forge does" in error.detail
    assert not error.retryable
    assert answer(502, title="no problem").retryable
    assert answer(200, detail=1).code == "internal_error"


@pytest.mark.parametrize(("header", "seconds"), [("120", 120), ("soon", None), ("", None)])
def test_reads_retry_after(header: str, seconds: float | None) -> None:
    assert answer(503, {"retry-after": header}).retry_after == seconds


def test_reads_dates_of_retry_after() -> None:
    later = format_datetime(datetime.now(timezone.utc) + timedelta(hours=1), usegmt=True)
    seconds = answer(503, {"retry-after": later}).retry_after
    assert seconds is not None
    assert 3500 < seconds <= 3600
    assert answer(503, {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}).retry_after == 0
