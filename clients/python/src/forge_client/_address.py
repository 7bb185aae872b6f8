"""Addresses of the service's things."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import quote, urlencode


def segment(value: object) -> str:
    """A value as one segment of a path."""
    return quote(str(value), safe="")


def place(project: str | None) -> str:
    """Where a project is; without one, the library."""
    return "/library" if project is None else f"/projects/{segment(project)}"


def _values(value: object) -> list[str]:
    if value is None:
        return []
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, list | tuple):
        return [text for one in cast("Sequence[object]", value) for text in _values(one)]
    return [str(value)]


def address(
    template: str,
    path: Mapping[str, object] | None = None,
    query: Mapping[str, Any] | None = None,
) -> str:
    """Fill a path of the contract; what is None in the query is left out.

    Raises:
        KeyError: something that stands in the path is missing

    """
    filled = re.sub(r"\{(\w+)\}", lambda name: segment((path or {})[name[1]]), template)
    pairs = [(name, text) for name, value in (query or {}).items() for text in _values(value)]
    return f"{filled}?{urlencode(pairs)}" if pairs else filled
