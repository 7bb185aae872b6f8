"""The client against a service, over a line that can be made to break.

`npm run test:clients` of the repository starts both, and says in the environment where they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import cast
from uuid import uuid4

import httpx
import pytest

from forge_client import AsyncForge, Forge, ForgeError

from .both import both, clients

URL = os.environ.get("FORGE_TEST_URL", "")
CONTROL = os.environ.get("FORGE_TEST_LINE", "")
README = Path(__file__).parent.parent / "README.md"

pytestmark = pytest.mark.skipif(URL == "", reason="npm run test:clients starts the service")


class Line:
    """What the tests say to the line."""

    def breaks(self, times: int, fault: str) -> None:
        httpx.post(f"{CONTROL}/{times}/{fault}").raise_for_status()

    def heal(self) -> None:
        httpx.delete(CONTROL).raise_for_status()

    def asked(self, method: str) -> list[str]:
        requests = cast("list[str]", httpx.get(CONTROL).json())
        return [one.removeprefix(f"{method} ") for one in requests if one.startswith(method)]


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    line.heal()
    yield line
    line.heal()


@pytest.fixture
def project(line: Line) -> str:
    with Forge(URL) as forge:
        made = forge.create_project({"id": str(uuid4()), "name": "Client"})
    line.heal()
    return made["id"]


def service(kind: str) -> AsyncForge:
    return clients(URL, kind, longest_pause=2.0)


@both
async def test_raises_what_the_service_refuses_and_tries_it_once(kind: str, line: Line) -> None:
    with pytest.raises(ForgeError) as refused:
        await service(kind).get_project("none")
    assert (refused.value.code, refused.value.status) == ("project_not_found", 404)
    assert refused.value.request_id != ""
    assert not refused.value.retryable
    assert len(line.asked("GET")) == 1


@both
async def test_sends_a_post_again_whose_answer_was_lost(kind: str, line: Line) -> None:
    line.breaks(1, "lost answer")
    identity = str(uuid4())
    made = await service(kind).create_project({"id": identity, "name": "Twice"})
    assert made["id"] == identity
    assert line.asked("POST") == ["/projects", "/projects"]


@both
async def test_comes_back_when_it_is_told_to(kind: str, line: Line) -> None:
    line.breaks(1, "overloaded")
    await service(kind).get_version()
    assert len(line.asked("GET")) == 2
    line.breaks(1, "overloaded for long")
    with pytest.raises(ForgeError, match="Too much") as refused:
        await service(kind).get_version()
    assert refused.value.retry_after == 60


@both
async def test_tells_of_what_is_no_forge(kind: str, line: Line) -> None:
    line.breaks(1, "foreign")
    with pytest.raises(ForgeError, match="answered 404, and not as Forge does"):
        await service(kind).get_version()


@both
async def test_streams_a_turn_to_its_end_over_a_line_that_breaks(kind: str, line: Line, project: str) -> None:
    line.breaks(2, "broken stream")
    written, numbers, end = "", [], None
    async for event in service(kind).turn(project, {"message": "Our decision maker is Dana Reyes."}):
        numbers.append(event["id"])
        if event["event"] == "answer.delta":
            written += event["data"]["text"]
        if event["event"] == "turn.completed":
            end = event["data"]
    assert numbers == sorted(set(numbers))
    assert end is not None
    assert end["response"] == written != ""
    assert len(line.asked("POST")) == 1
    assert len(line.asked("GET")) == 2
    again = [event["event"] async for event in service(kind).follow_turn(project, 1)]
    assert again[-1] == "turn.completed"
    later = [event["id"] async for event in service(kind).follow_turn(project, 1, after=numbers[-2])]
    assert later == numbers[-1:]


@both
async def test_joins_the_turn_whose_first_answer_was_lost(kind: str, line: Line, project: str) -> None:
    line.breaks(1, "lost answer")
    forge = service(kind)
    events = [event["event"] async for event in forge.turn(project, {"message": "We ship before 1 March."})]
    assert events[-1] == "turn.completed"
    assert [turn["turn_number"] async for turn in forge.list_turns(project)] == [1]


@both
async def test_stops_listening_and_the_turn_goes_on_until_it_is_cancelled(kind: str, project: str) -> None:
    forge = service(kind)
    async with aclosing(forge.turn(project, {"message": "Take your time."})) as events:
        async for _ in events:
            break
    assert (await forge.get_turn(project, 1))["status"] == "in_progress"
    assert (await forge.cancel_turn(project, 1))["status"] == "cancelled"
    ended = [event["event"] async for event in forge.follow_turn(project, 1)]
    assert ended[-1] == "turn.cancelled"


@both
async def test_streams_a_run_of_the_research_agent(kind: str, line: Line, project: str) -> None:
    line.breaks(1, "broken stream")
    forge = service(kind)
    events = [event["event"] async for event in forge.research(project, {"question": "What is there?"})]
    assert (events[0], events[-1]) == ("run.created", "run.completed")
    run = (await anext(forge.list_research(project)))["id"]
    again = [event["event"] async for event in forge.follow_research(project, run)]
    assert again == events


@both
async def test_uploads_with_progress_and_again(kind: str, line: Line, project: str, tmp_path: Path) -> None:
    plan = tmp_path / "plan.md"
    plan.write_text("# Plan\n\n" + "Dana Reyes signs the budget. " * 4_000)
    told: list[tuple[int, int]] = []
    line.breaks(1, "lost answer")
    forge = service(kind)
    file = await forge.upload(
        project, plan, wait=60, on_progress=lambda sent, all_: told.append((sent, all_))
    )
    assert (file["name"], file["version"], file["status"]) == ("plan.md", 1, "completed")
    assert told[-1][0] == told[-1][1] > plan.stat().st_size
    assert await forge.get_file_content(project, "plan.md") == plan.read_bytes()
    several = await forge.upload_several(project, [("a ä.md", "# A"), ("b.md", b"# B")], wait=0)
    assert [verdict["name"] for verdict in several["data"]] == ["a ä.md", "b.md"]


@both
async def test_waits_for_a_file(kind: str, line: Line, project: str) -> None:
    forge = service(kind)
    await forge.upload(project, ("notes.md", "# Notes\n\nDana Reyes signs the budget."), wait=0)
    line.breaks(1, "broken stream")
    events = [event["event"] async for event in forge.follow_file(project, "notes.md")]
    assert events[-1] == "file.completed"
    assert (await forge.get_file(project, "notes.md", wait=60))["status"] == "completed"
    found = await forge.search(project, {"query": "Who signs the budget?"})
    best = found["data"][0]
    assert best["kind"] == "document"
    assert "Dana Reyes" in best["text"]


@both
async def test_reads_a_list_page_after_page(kind: str, line: Line, project: str) -> None:
    forge = service(kind)
    names = ["a.md", "b.md", "c.md"]
    await forge.upload_several(project, [(name, f"# {name}") for name in names], wait=0)
    line.heal()
    assert [file["name"] async for file in forge.list_files(project, limit=1)] == names
    assert len(line.asked("GET")) == 3


@both
async def test_follows_what_changes_over_a_line_that_is_away(kind: str, line: Line, project: str) -> None:
    forge = service(kind)
    line.breaks(1, "broken stream")
    seen: list[str] = []
    numbers: list[int] = []
    async with aclosing(forge.follow_events(project, after=0)) as events:
        async for event in events:
            seen.append(event["type"])
            numbers.append(event["id"])
            if event["type"] == "project.created":
                await forge.rename_project(project, {"name": "Renamed"})
                line.breaks(3, "away")
            if event["type"] == "project.renamed":
                await forge.delete_project(project)
    assert seen[0] == "project.created"
    assert seen[-1] == "project.deleted"
    assert "project.renamed" in seen
    # the end of a project has no number of its own
    assert numbers[:-1] == sorted(set(numbers))


@pytest.mark.parametrize("example", [0, 1])
def test_the_readme_does_what_it_says(example: int, capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.M | re.S)[example]
    # annotations of this module are not those of the page
    exec(compile(code.replace("http://127.0.0.1:3000", URL), "README.md", "exec", dont_inherit=True), {})
    printed = capsys.readouterr().out
    assert "Dana Reyes signs the budget" in printed
    if example == 0:
        assert "notes.md completed" in printed
        assert 'There is no project "none"' in printed
