"""Comparators of the parameters of the MCP extension: protocol, capabilities, resources, prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import by, fields, fixed, flag, keyed, param, text
from cardwright.difference.pair import Pair, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change
    from cardwright_rules.changes import ChangeCase


def capability(pair: Pair) -> Iterator[Change]:
    """Compare an MCP capability: an object of booleans, whose presence alone declares the capability."""
    before, after = (side is not None and side is not False for side in (pair.old, pair.new))
    if before != after:
        yield pair.change("capability-offered/mcp" if after else "capability-withdrawn/mcp")
    elif type(pair.old) is dict and type(pair.new) is dict:
        yield from fields({}, capability)(pair)
    elif before and not pair.equal:
        yield pair.unreadable()


def _argument_added(argument: Any) -> ChangeCase:
    if field(argument, "required"):  # a value that is not a boolean may mean true
        return "argument-demanded"
    return "argument-added"


_argument: Final = fields(
    {
        "title": text,
        "description": text,
        "required": flag("argument-released", "argument-demanded"),
    }
)
_prompt: Final = fields(
    {
        "title": text,
        "description": text,
        "arguments": keyed(_argument, by("name"), added=_argument_added, removed="argument-removed"),
    }
)
_TYPE: Final = fixed("resource-changed", "resource-changed/added", "resource-changed/removed", fold=True)
params: Final = fields(
    {
        "protocolVersion": fixed("interface-version-changed/mcp"),
        "capabilities": capability,
        "resources": keyed(
            fields({"name": text, "title": text, "description": text, "mimeType": _TYPE, "size": text}),
            by("uri"),
            added="resource-added",
            removed="resource-removed",
        ),
        "prompts": keyed(_prompt, by("name"), added="prompt-added", removed="prompt-removed"),
    },
    param,
)
"""The comparator of the parameters of the MCP extension."""
