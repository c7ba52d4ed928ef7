"""Comparator of descriptions of MCP servers: the table of their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.difference.comparators import ChangeKind, by, fields, fixed, keyed, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change
    from cardwright.difference.pair import Pair

_NAME: Final = ChangeKind("server-renamed", "major", "registries know it as another server")
_REMOTE_ADDED: Final = ChangeKind("endpoint-added", "minor", "a new endpoint; the earlier ones still exist")
_REMOTE_REMOVED: Final = ChangeKind(
    "endpoint-removed", "major", "clients that use this endpoint cannot reach the server"
)
_REMOTE: Final = ChangeKind(
    "endpoint-changed", "major", "clients must connect to the endpoint in another way"
)
_PACKAGE_ADDED: Final = ChangeKind("package-added", "minor", "another way to install the server")
_PACKAGE_REMOVED: Final = ChangeKind("package-removed", "major", "users of this package find no newer one")
_PACKAGE: Final = ChangeKind(
    "package-changed", "major", "users must install or start the package in another way"
)
_RELEASE: Final = ChangeKind("package-version-changed", "patch", "another release of the same package")
_VERSION: Final = ChangeKind("server-version-changed", "patch", "another version of the server")
_TOOL_ADDED: Final = ChangeKind("tool-added", "minor", "a new tool, which clients do not have to use")
_TOOL_REMOVED: Final = ChangeKind("tool-removed", "major", "clients that call this tool are refused")
_TOOL: Final = ChangeKind(
    "tool-changed", "major", "the arguments of the tool may differ: assumed to be breaking"
)

_version: Final = fixed(_VERSION, added=_VERSION, removed=_VERSION)
_release: Final = fixed(_RELEASE, added=_RELEASE, removed=_RELEASE)
_SERVER: Final = fields(
    {
        "name": fixed(_NAME, added=_NAME, removed=_NAME),
        "version": _version,
        "serverInfo": fields({"version": _version}, text),
        "remotes": keyed(
            fields({}, fixed(_REMOTE, added=_REMOTE, removed=_REMOTE)),
            by("url"),
            added=_REMOTE_ADDED,
            removed=_REMOTE_REMOVED,
        ),
        "transport": fixed(_REMOTE, added=_REMOTE_ADDED, removed=_REMOTE_REMOVED),
        "packages": keyed(
            fields(
                {"version": _release, "fileSha256": _release},
                fixed(_PACKAGE, added=_PACKAGE, removed=_PACKAGE),
            ),
            by("registryType", "identifier"),
            by("identifier"),
            added=_PACKAGE_ADDED,
            removed=_PACKAGE_REMOVED,
        ),
        "tools": keyed(
            fields(
                {"description": text, "title": text, "annotations": text},
                fixed(_TOOL, added=_TOOL, removed=_TOOL),
            ),
            by("name"),
            added=_TOOL_ADDED,
            removed=_TOOL_REMOVED,
        ),
    },
    text,
)


def server(pair: Pair) -> Iterator[Change]:
    """Compare two descriptions of MCP servers; endpoints match by URL, packages by kind and name, tools by name."""
    yield from _SERVER(pair)
