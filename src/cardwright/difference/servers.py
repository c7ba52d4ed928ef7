"""Comparator of descriptions of MCP servers: the table of their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import by, fields, fixed, flag, keyed, names, nothing, text
from cardwright.difference.mcp import capability
from cardwright.difference.pair import field, frozen
from cardwright_runtime.checks import listed

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from cardwright.difference.change import Change
    from cardwright.difference.pair import Pair
    from cardwright_rules.changes import ChangeCase


def _input_added(value: Any) -> ChangeCase:
    """Return the kind of an added input: clients set one with a value or a default themselves."""
    is_set = field(value, "value") is not None or field(value, "default") is not None
    return "setting-demanded" if field(value, "isRequired") and not is_set else "setting-added"


def _argument_added(value: Any) -> ChangeCase:
    """Return the kind of an added argument: a positional one moves those after it."""
    return _input_added(value) if field(value, "type") == "named" else "package-changed"


def _input_name(value: Any) -> Hashable | None:
    name = field(value, "name")
    return name.casefold() if isinstance(name, str) else None


_input: Final = fields(
    {
        "name": nothing,
        "description": text,
        "placeholder": text,
        "isRequired": flag("setting-released", "setting-demanded"),
    },
    fixed("setting-changed"),
)
_headers: Final = keyed(_input, _input_name, added=_input_added, removed="setting-removed")
_environment: Final = keyed(_input, by("name"), added=_input_added, removed="setting-removed")
_PLACE: Final = ("name", "valueHint", "value")
_by_name: Final = keyed(_input, by("name"), by("valueHint"), added=_argument_added, removed="setting-removed")


def _arguments(pair: Pair) -> Iterator[Change]:
    """Compare arguments by name, and positional ones by their order, too."""
    yield from _by_name(pair)
    old, new = (
        [frozen([field(one, name) for name in _PLACE]) for one in listed(side) if field(one, "type") == "positional"]
        for side in (pair.old, pair.new)
    )  # fmt: skip
    both = {*old} & {*new}
    if [one for one in old if one in both] != [one for one in new if one in both]:
        yield pair.change("package-changed")


def _capabilities(pair: Pair) -> Iterator[Change]:
    """Compare the capabilities, a table or a list of names."""
    names_only = type(pair.old) is list or type(pair.new) is list
    compare = names("capability-offered/mcp", "capability-withdrawn/mcp") if names_only else capability
    yield from compare(pair)


_version: Final = fixed("server-version-changed")
_release: Final = fixed("package-version-changed")
server: Final = fields(
    {
        "name": fixed("server-renamed"),
        "version": _version,
        "serverInfo": fields({"version": _version}, text),
        "remotes": keyed(
            fields(
                {
                    "url": nothing,
                    "headers": _headers,
                    "supportedProtocolVersions": names("protocol-version-added", "protocol-version-removed"),
                },
                fixed("endpoint-changed"),
            ),
            by("url"),
            added="endpoint-added",
            removed="endpoint-removed",
        ),
        "protocolVersion": fixed("interface-version-changed/mcp"),
        "capabilities": _capabilities,
        "authentication": fields(
            {
                "required": flag("authentication-dropped", "authentication-demanded"),
                "schemes": names("alternative-added", "alternative-removed"),
            }
        ),
        "transport": fixed("endpoint-changed", "endpoint-added", "endpoint-removed"),
        "packages": keyed(
            fields(
                {
                    **dict.fromkeys(("version", "fileSha256"), _release),
                    **dict.fromkeys(("packageArguments", "runtimeArguments"), _arguments),
                    "environmentVariables": _environment,
                },
                fixed("package-changed"),
            ),
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
"""The comparator of two descriptions of MCP servers; endpoints match by URL, packages by kind and name, tools by name."""
