import pytest

from forge_client._events import EventReader, Message, ends_feed, ends_file, ends_work

STREAM = (
    "retry: 1000\nid: 7\n\n"
    ": ping\n\n"
    'id: 8\nevent: answer.delta\ndata: {"text":"Größe"}\n\n'
    'id: 9\r\nevent: turn.completed\r\ndata: {"a":\r\ndata: 1}\r\n\r\n'
    "id: 10\nevent: lost\n"
).encode()
MESSAGES = [
    Message(id=7),
    Message(),
    Message(8, "answer.delta", {"text": "Größe"}),
    Message(9, "turn.completed", {"a": 1}),
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_reads_messages_wherever_the_bytes_are_cut(size: int) -> None:
    reader = EventReader()
    pieces = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    assert [message for piece in pieces for message in reader.feed(piece)] == MESSAGES
    assert [message.is_comment for message in MESSAGES] == [False, True, False, False]


@pytest.mark.parametrize(
    ("is_last", "going_on", "last"),
    [
        (
            ends_work,
            ["turn.created", "run.created", "answer.delta"],
            ["turn.cancelled", "run.step_limit_reached"],
        ),
        (ends_file, ["file.progress"], ["file.completed", "file.failed", "file.deleted"]),
        (ends_feed, ["file.deleted", "turn.completed"], ["project.deleted"]),
    ],
)
def test_knows_the_last_event(is_last: object, going_on: list[str], last: list[str]) -> None:
    assert callable(is_last)
    assert not any(is_last(event) for event in going_on)
    assert all(is_last(event) for event in last)
