"""Comparator of descriptions of MCP servers: the table of their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.difference.comparators import by, fields, fixed, keyed, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change
    from cardwright.difference.pair import Pair

_version: Final = fixed("server-version-changed")
_release: Final = fixed("package-version-changed")
_SERVER: Final = fields(
    {
        "name": fixed("server-renamed"),
        "version": _version,
        "serverInfo": fields({"version": _version}, text),
        "remotes": keyed(
            fields({}, fixed("endpoint-changed")),
            by("url"),
            added="endpoint-added",
            removed="endpoint-removed",
        ),
        "transport": fixed("endpoint-changed", "endpoint-added", "endpoint-removed"),
        "packages": keyed(
            fields({"version": _release, "fileSha256": _release}, fixed("package-changed")),
            by("registryType", "identifier"),
            by("identifier"),
            added="package-added",
            removed="package-removed",
        ),
        "tools": keyed(
            fields({"description": text, "title": text, "annotations": text}, fixed("tool-changed")),
            by("name"),
            added="tool-added",
            removed="tool-removed",
        ),
    },
    text,
)


def server(pair: Pair) -> Iterator[Change]:
    """Compare two descriptions of MCP servers; endpoints match by URL, packages by kind and name, tools by name."""
    yield from _SERVER(pair)
