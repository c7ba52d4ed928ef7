"""Comparators of the parameters of the MCP extension: protocol, capabilities, resources, prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import (
    ChangeKind,
    by,
    change_of,
    fields,
    fixed,
    flag,
    keyed,
    param,
    text,
)
from cardwright.difference.pair import Pair, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_OFFERED: Final = ChangeKind("capability-offered", "minor", "a new feature, which callers do not have to use")
_WITHDRAWN: Final = ChangeKind(
    "capability-withdrawn", "major", "callers that use this feature do not find it"
)


def _capability(pair: Pair) -> Iterator[Change]:
    """Compare an MCP capability: an object of booleans, whose presence alone declares the capability."""
    before, after = (side is not None and side is not False for side in (pair.old, pair.new))
    if before != after:
        yield change_of(pair, _OFFERED if after else _WITHDRAWN)
    elif type(pair.old) is dict and type(pair.new) is dict:
        yield from fields({}, _capability)(pair)
    elif before and not pair.equal:
        yield pair.unreadable()


def _argument_added(argument: Any) -> ChangeKind:
    if field(argument, "required"):  # a value that is not a boolean may mean true
        return _ARGUMENT_REQUIRED
    return ChangeKind("argument-added", "minor", "a new optional argument")


_ARGUMENT_REQUIRED: Final = ChangeKind(
    "argument-demanded", "major", "callers that omit this argument are refused"
)
_argument: Final = fields(
    {
        "title": text,
        "description": text,
        "required": flag(
            ChangeKind("argument-released", "minor", "callers may omit this argument"), _ARGUMENT_REQUIRED
        ),
    }
)
_prompt: Final = fields(
    {
        "title": text,
        "description": text,
        "arguments": keyed(
            _argument,
            by("name"),
            added=_argument_added,
            removed=ChangeKind("argument-removed", "major", "callers that send this argument are ignored"),
        ),
    }
)
_TYPE: Final = fixed(
    ChangeKind("resource-changed", "major", "callers that read this media type receive another one"),
    added=ChangeKind("resource-changed", "minor", "the card now states the media type"),
    removed=ChangeKind("resource-changed", "major", "callers that rely on the media type do not find it"),
)
_PROTOCOL: Final = ChangeKind(
    "interface-version-changed", "major", "the interface uses another version of MCP than before"
)
params: Final = fields(
    {
        "protocolVersion": fixed(_PROTOCOL, added=_PROTOCOL, removed=_PROTOCOL),
        "capabilities": _capability,
        "resources": keyed(
            fields({"name": text, "title": text, "description": text, "mimeType": _TYPE, "size": text}),
            by("uri"),
            added=ChangeKind("resource-added", "minor", "a new resource, which callers do not have to read"),
            removed=ChangeKind("resource-removed", "major", "callers that read this resource do not find it"),
        ),
        "prompts": keyed(
            _prompt,
            by("name"),
            added=ChangeKind("prompt-added", "minor", "a new prompt, which callers do not have to use"),
            removed=ChangeKind("prompt-removed", "major", "callers that use this prompt do not find it"),
        ),
    },
    param,
)
"""The comparator of the parameters of the MCP extension."""
