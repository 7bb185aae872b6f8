import pytest

from forge_client._address import address, place


def test_fills_a_path_and_leaves_out_what_is_none() -> None:
    path = {"project_id": "a b", "name": "Q3/plan ä.md"}
    assert (
        address("/projects/{project_id}/files/{name}", path) == "/projects/a%20b/files/Q3%2Fplan%20%C3%A4.md"
    )
    query = {"limit": 5, "after": None, "dry_run": True, "order": "desc", "types": ["a", "b"]}
    assert address("/x", query=query) == "/x?limit=5&dry_run=true&order=desc&types=a&types=b"


def test_tells_what_is_missing() -> None:
    with pytest.raises(KeyError, match="project_id"):
        address("/projects/{project_id}", {})


def test_knows_the_library() -> None:
    assert place(None) == "/library"
    assert place("a/b") == "/projects/a%2Fb"
