"""What a card synthesised from an MCP session says beyond A2A: protocol, capabilities, resources, prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import (
    Verdict,
    by,
    fixed,
    flag,
    keyed,
    members,
    param,
    text,
    told,
)
from cardwright.difference.pair import Pair, member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_OFFERED: Final = Verdict("capability-offered", "minor", "one more thing to use, which nobody must")
_WITHDRAWN: Final = Verdict("capability-withdrawn", "major", "callers that use this find it no more")


def _promise(pair: Pair) -> Iterator[Change]:
    """Compare an MCP capability: an object of switches, in which to stand there says something itself."""
    before, after = (side is not None and side is not False for side in (pair.old, pair.new))
    if before != after:
        yield told(pair, _OFFERED if after else _WITHDRAWN)
    elif type(pair.old) is dict and type(pair.new) is dict:
        yield from members({}, _promise)(pair)
    elif before and not pair.alike:
        yield pair.unreadable()


def _argument_added(argument: Any) -> Verdict:
    if member(argument, "required"):  # what is no boolean may well mean yes
        return _ARGUMENT_DEMANDED
    return Verdict("argument-added", "minor", "one more argument, which callers may leave out")


_ARGUMENT_DEMANDED: Final = Verdict(
    "argument-demanded", "major", "callers that leave this argument out are refused now"
)
_argument: Final = members(
    {
        "title": text,
        "description": text,
        "required": flag(
            Verdict("argument-released", "minor", "callers may leave this argument out now"),
            _ARGUMENT_DEMANDED,
        ),
    }
)
_prompt: Final = members(
    {
        "title": text,
        "description": text,
        "arguments": keyed(
            _argument,
            by("name"),
            added=_argument_added,
            removed=Verdict("argument-removed", "major", "callers that send this argument are not heard"),
        ),
    }
)
_TYPE: Final = fixed(
    Verdict("resource-changed", "major", "callers that read this media type get another"),
    added=Verdict("resource-changed", "minor", "callers are told the media type"),
    removed=Verdict("resource-changed", "major", "callers that go by the media type find none"),
)
_PROTOCOL: Final = Verdict(
    "interface-version-changed", "major", "another version of MCP is spoken here than callers speak"
)
params: Final = members(
    {
        "protocolVersion": fixed(_PROTOCOL, added=_PROTOCOL, removed=_PROTOCOL),
        "capabilities": _promise,
        "resources": keyed(
            members({"name": text, "title": text, "description": text, "mimeType": _TYPE, "size": text}),
            by("uri"),
            added=Verdict("resource-added", "minor", "one more resource, which nobody must read"),
            removed=Verdict("resource-removed", "major", "callers that read this resource find it no more"),
        ),
        "prompts": keyed(
            _prompt,
            by("name"),
            added=Verdict("prompt-added", "minor", "one more prompt, which nobody must use"),
            removed=Verdict("prompt-removed", "major", "callers that use this prompt find it no more"),
        ),
    },
    param,
)
"""The comparator of the parameters of the MCP extension."""
