from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import aclosing
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from forge_client import AsyncForge, ForgeError

from .both import both, clients

BASE = "http://forge.example/below"
BUSY = {"code": "overloaded", "detail": "Too much.", "retryable": True, "retry_after_s": 0}
Answer = httpx.Response | Exception
TURN = {"location": "/projects/p/turns/1"}


def event(number: int, name: str, data: object = None) -> str:
    return f"id: {number}\nevent: {name}\ndata: {json.dumps(data)}\n\n"


def served(kind: str, *answers: Answer, **options: Any) -> tuple[AsyncForge, list[httpx.Request]]:
    """Make a client whose requests are answered with these, one after another, without a pause."""
    asked: list[httpx.Request] = []
    left = iter(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        given = next(left)
        if isinstance(given, Exception):
            raise given
        return given

    transport = httpx.MockTransport(answer)
    return clients(f"{BASE}/", kind, transport, longest_pause=0.0, **options), asked


@both
async def test_sends_a_post_again_under_one_key(kind: str) -> None:
    forge, asked = served(
        kind, httpx.ReadError("cut"), httpx.Response(503, json=BUSY), httpx.Response(201, json={"id": "p"})
    )
    assert (await forge.create_project({"name": "P"}))["id"] == "p"
    assert len(asked) == 3
    assert len({request.headers["idempotency-key"] for request in asked}) == 1
    assert [str(request.url) for request in asked] == [f"{BASE}/projects"] * 3
    assert [json.loads(request.content) for request in asked] == [{"name": "P"}] * 3


@both
async def test_takes_the_key_that_is_given(kind: str) -> None:
    forge, asked = served(kind, httpx.Response(201, json={}))
    await forge.create_project({"name": "P"}, headers={"Idempotency-Key": "mine"})
    assert asked[0].headers.get_list("idempotency-key") == ["mine"]


@both
async def test_gives_up_after_its_attempts(kind: str) -> None:
    forge, asked = served(kind, *[httpx.Response(503, json=BUSY) for _ in range(4)], attempts=4)
    with pytest.raises(ForgeError, match="Too much"):
        await forge.get_version()
    assert len(asked) == 4


@both
async def test_does_not_repeat_what_knows_no_key(kind: str) -> None:
    forge, asked = served(kind, httpx.ReadError("cut"), httpx.ReadError("cut"))
    with pytest.raises(ConnectionError, match="cut"):
        await forge.rename_project("p", {"name": "Q"})
    with pytest.raises(ConnectionError, match=r"forge\.example/below cannot be reached: cut"):
        await forge.rotate_webhook_secret("w")
    assert len(asked) == 2


@both
async def test_gives_what_a_service_that_is_not_ready_says(kind: str) -> None:
    forge, asked = served(kind, httpx.Response(503, json={"object": "readiness", "status": "unavailable"}))
    assert (await forge.get_readiness())["object"] == "readiness"
    assert len(asked) == 1


@both
async def test_asks_for_the_key_before_each_request(kind: str) -> None:
    keys = iter(["first", "second"])
    forge, asked = served(
        kind, httpx.ReadError("cut"), httpx.Response(200, json={}), api_key=lambda: next(keys)
    )
    await forge.get_version()
    assert [request.headers["authorization"] for request in asked] == ["Bearer first", "Bearer second"]


@both
async def test_reads_lists_page_after_page(kind: str) -> None:
    pages = [
        {"data": [{"id": "a"}], "has_more": True, "last_id": "c1"},
        {"data": [{"id": "b"}], "has_more": False, "last_id": "c2"},
    ]
    forge, asked = served(kind, *[httpx.Response(200, json=page) for page in pages])
    assert [project["id"] async for project in forge.list_projects(name="x")] == ["a", "b"]
    assert [request.url.query for request in asked] == [b"limit=100&name=x", b"limit=100&name=x&after=c1"]


@both
async def test_asks_for_no_page_that_nobody_wants(kind: str) -> None:
    page = {"data": [{"id": "a"}], "has_more": True, "last_id": "c1"}
    forge, asked = served(kind, httpx.Response(200, json=page))
    async with aclosing(forge.list_projects(limit=1)) as projects:
        async for _ in projects:
            break
    assert len(asked) == 1


@both
async def test_goes_on_with_a_stream_after_its_last_event(kind: str) -> None:
    forge, asked = served(
        kind,
        httpx.Response(201, headers=TURN, text=event(1, "turn.created") + "id: 2\nevent: answer.del"),
        httpx.ReadError("cut"),
        httpx.Response(200, text=event(2, "answer.delta", {"text": "Dana"})),
        httpx.Response(200, text=event(3, "turn.completed", {"response": "Dana"})),
    )
    events = [one async for one in forge.turn("p", {"message": "Who?"})]
    assert [(one["id"], one["event"]) for one in events] == [
        (1, "turn.created"),
        (2, "answer.delta"),
        (3, "turn.completed"),
    ]
    assert [(one.method, one.url.path, one.headers.get("last-event-id")) for one in asked] == [
        ("POST", "/below/projects/p/turns", None),
        ("GET", "/below/projects/p/turns/1/events", "1"),
        ("GET", "/below/projects/p/turns/1/events", "1"),
        ("GET", "/below/projects/p/turns/1/events", "2"),
    ]


@both
async def test_waits_for_a_service_that_is_restarted(kind: str) -> None:
    away: list[Answer] = [httpx.Response(502, text="Bad Gateway") for _ in range(3)]
    forge, _ = served(
        kind,
        httpx.Response(201, headers=TURN, text=event(1, "turn.created")),
        *away,
        httpx.Response(200, text=event(2, "turn.completed")),
        attempts=2,
    )
    assert [one["id"] async for one in forge.turn("p", {"message": "Who?"})] == [1, 2]


@both
async def test_gives_up_a_stream_that_breaks_again_and_again(kind: str) -> None:
    silent: list[Answer] = [httpx.Response(200, text="retry: 1000\n\n") for _ in range(9)]
    forge, asked = served(kind, *silent)
    with pytest.raises(ConnectionError):
        _ = [one async for one in forge.follow_turn("p", 1)]
    assert len(asked) == 9


@both
async def test_ends_where_there_is_nothing_more(kind: str) -> None:
    forge, asked = served(kind, httpx.Response(204))
    assert [one async for one in forge.follow_turn("p", 1, after=7)] == []
    assert asked[0].headers["last-event-id"] == "7"


@both
async def test_raises_what_is_refused_before_and_within_a_stream(kind: str) -> None:
    refusal = {"code": "turn_in_progress", "detail": "One runs.", "retryable": True, "retry_after_s": 0}
    forge, asked = served(kind, httpx.Response(409, json=refusal))
    with pytest.raises(ForgeError, match="One runs"):
        _ = [one async for one in forge.turn("p", {"message": "Who?"})]
    assert len(asked) == 1


@both
async def test_follows_the_feed_from_the_number_that_it_begins_at(kind: str) -> None:
    forge, asked = served(
        kind,
        httpx.Response(200, text="retry: 1\nid: 41\n\n"),
        httpx.Response(200, text=event(42, "project.deleted", {"id": 42, "type": "project.deleted"})),
    )
    assert [one["type"] async for one in forge.follow_events("p")] == ["project.deleted"]
    assert [str(one.url.query, "ascii") for one in asked] == ["after=now", "after=now"]
    assert [one.headers.get("last-event-id") for one in asked] == [None, "41"]


CONTENT = b"0123456789" * 20_000


def as_path(folder: Path) -> Any:
    (folder / "plan.md").write_bytes(CONTENT)
    return folder / "plan.md"


@pytest.mark.parametrize(
    "file_of",
    [as_path, lambda _: ("plan.md", CONTENT), lambda _: ("plan.md", BytesIO(CONTENT))],
    ids=["a path", "bytes", "an open file"],
)
@both
async def test_uploads_with_progress_and_from_the_start_again(
    kind: str, file_of: Callable[[Path], Any], tmp_path: Path
) -> None:
    stored = {"object": "file", "name": "plan.md"}
    forge, asked = served(kind, httpx.ReadError("cut"), httpx.Response(201, json=stored))
    told: list[tuple[int, int]] = []
    file = await forge.upload(
        "p",
        file_of(tmp_path),
        wait=5,
        fields={"on_duplicate": "skip"},
        on_progress=lambda sent, total: told.append((sent, total)),
    )
    assert file["name"] == "plan.md"
    first, second = (request.content for request in asked)
    assert len(first) == len(second) == int(asked[1].headers["content-length"]) > len(CONTENT)
    assert CONTENT in second
    assert second.index(b"on_duplicate") < second.index(b"plan.md")
    assert asked[1].headers["prefer"] == "wait=5"
    assert told[-1] == (len(second), len(second))
    assert len(told) > 6


@both
async def test_has_a_verdict_for_a_single_file_too(kind: str) -> None:
    stored = {"object": "file", "name": "a.md"}
    forge, _ = served(kind, httpx.Response(201, headers={"upload-result": "created"}, json=stored))
    verdicts = await forge.upload_several(None, [("a.md", "# A")])
    assert verdicts["data"][0]["result"] == "created"


@both
async def test_sends_and_gets_what_is_no_json(kind: str) -> None:
    forge, asked = served(
        kind,
        httpx.Response(201, json={}),
        httpx.Response(200, text="# Plan"),
        httpx.Response(200, content=b"PK"),
        httpx.Response(200, content=b"PK"),
    )
    await forge.put_file_content("p", "a.bin", b"\x00\x01")
    assert asked[0].content == b"\x00\x01"
    assert asked[0].headers["content-type"] == "application/octet-stream"
    assert await forge.get_file_markdown("p", "a.bin") == "# Plan"
    assert await forge.export_project("p", vectors=False) == b"PK"
    assert asked[2].url.query == b"vectors=false"
    async with forge.open("/projects/{project_id}/export", path={"project_id": "p"}) as response:
        assert response.status_code == 200
