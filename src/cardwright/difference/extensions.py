"""Protocol extensions, and what those say whose terms are known here: Beach and MCP.

Of any other extension, only the extension knows what its parameters mean, so that one which changes
or goes is taken as breaking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright import BEACH_EXTENSION_URI
from cardwright.difference.comparators import (
    Comparator,
    Verdict,
    between,
    by,
    fixed,
    flag,
    keyed,
    listed,
    members,
    names,
    nothing,
    text,
    told,
)
from cardwright.difference.pair import Pair, holds, member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

MCP_EXTENSION_URI: Final = "https://cardwright.dev/extensions/mcp/v1"
# What a conversion could not say in the card itself: no meaning, only the way back.
_CARRIED: Final = "https://cardwright.dev/extensions/carried/v1"

_ADDED: Final = Verdict("extension-added", "minor", "one more extension, which callers need not follow")
_DEMANDED: Final = Verdict(
    "extension-demanded", "major", "callers that do not follow the extension are refused now"
)
_RELEASED: Final = Verdict("extension-released", "minor", "callers need not follow the extension any more")
_REMOVED: Final = Verdict("extension-removed", "major", "callers that use the extension find it no more")
_PARAM_ADDED: Final = Verdict("param-added", "minor", "one more setting; callers of before did without")
_PARAM_CHANGED: Final = Verdict(
    "param-changed", "major", "only the extension says what this means: taken as breaking"
)
_PARAM_REMOVED: Final = Verdict("param-removed", "major", "callers that read this setting find it no more")


def _param(pair: Pair) -> Iterator[Change]:
    if not pair.alike:
        gone = pair.new is None
        yield told(pair, _PARAM_ADDED if pair.old is None else _PARAM_REMOVED if gone else _PARAM_CHANGED)


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
    if member(argument, "required") is True:
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
_MCP: Final = members(
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
    _param,
)

_transport: Final = members(
    {
        "requiredScopes": names(
            Verdict("scope-added", "major", "tokens without this scope were enough and are not now"),
            Verdict("scope-removed", "minor", "tokens need this scope no longer"),
        ),
        "description": text,
    },
    fixed(
        Verdict("transport-changed", "major", "callers go by what it said before"),
        added=Verdict("transport-changed", "major", "callers have to go by this now"),
        removed=Verdict("transport-changed", "major", "callers that go by this find it no more"),
    ),
)
_BEACH: Final = members(
    {
        "envelopeConsumes": names(
            Verdict("part-added", "minor", "one more part type is understood; none must be sent"),
            Verdict("part-removed", "major", "peers that send this part are not understood any more"),
        ),
        "envelopeParts": names(
            Verdict("part-added", "minor", "one more part type is produced, for those who understand it"),
            Verdict("part-removed", "major", "peers that wait for this part get it no more"),
        ),
        "transports": keyed(
            _transport,
            by("protocol", "endpoint", "tool"),
            by("protocol", "endpoint"),
            added=Verdict("transport-added", "minor", "one more way to reach the agent"),
            removed=Verdict("transport-removed", "major", "peers that come this way reach nobody"),
        ),
        "displayName": text,
        "contact": text,
        # The registry of peers knows an agent by it (Beach card seed, Discovering a peer).
        "id": fixed(
            Verdict("identity-changed", "major", "peers that know the agent by its id find it no more"),
            added=Verdict("identity-added", "minor", "the agent can be known by its id"),
            removed=Verdict(
                "identity-removed", "major", "peers that know the agent by its id find it no more"
            ),
        ),
        "a2uiCatalog": fixed(
            Verdict("catalog-changed", "major", "surfaces use components that peers may not have"),
            added=Verdict("catalog-changed", "minor", "peers are told which components surfaces use"),
            removed=Verdict(
                "catalog-changed", "major", "peers that check surfaces by the catalogue find none"
            ),
        ),
        "llmContextLanguage": fixed(
            Verdict("language-changed", "major", "peers that read the context in its language do not get it"),
            added=Verdict("language-changed", "minor", "peers are told the language of the context"),
            removed=Verdict("language-changed", "major", "peers that translate by the language find none"),
        ),
        "respondToolSchemaVersion": fixed(
            Verdict(
                "respond-tool-changed", "major", "peers that read traces by the tool's schema misread them"
            ),
            added=Verdict("respond-tool-changed", "minor", "peers are told by which schema to read traces"),
            removed=Verdict(
                "respond-tool-changed", "major", "peers that read traces find no schema to go by"
            ),
        ),
        # Declared versions are judged apart, and a time is for caches.
        "version": nothing,
        "schemaVersion": nothing,
        "generatedAt": nothing,
        # One list under two names: see below.
        "turnStates": nothing,
        "conversationStates": nothing,
    },
    _param,
)
_STATE_ADDED: Final = Verdict(
    "state-added", "minor", "one more state, which peers handle by the list (Beach card seed, Extensions)"
)
_STATE_REMOVED: Final = Verdict("state-removed", "major", "peers that wait for this state never see it")
_STATES: Final = ("turnStates", "conversationStates")


def _beach(pair: Pair) -> Iterator[Change]:
    yield from _BEACH(pair)
    states = [pair.member(name).given() for name in _STATES]
    odd = [one for one in states if not holds(list, one.old, one.new)]
    yield from (one.unreadable() for one in odd if not one.alike)
    if not odd:
        first, second = states
        old = listed(second.old, second.old_at) | listed(first.old, first.old_at)
        new = listed(second.new, second.new_at) | listed(first.new, first.new_at)
        yield from between(old, new, _STATE_ADDED, _STATE_REMOVED)


_PARAMS: Final[dict[str, Comparator]] = {BEACH_EXTENSION_URI: _beach, MCP_EXTENSION_URI: _MCP}


def _extension(pair: Pair) -> Iterator[Change]:
    params = _PARAMS.get(str(member(pair.new, "uri")), members({}, _param))
    compare = members(
        {
            "uri": nothing,
            "description": text,
            "required": flag(_RELEASED, _DEMANDED),
            "params": params,
        }
    )
    yield from compare(pair)


extensions: Final = keyed(
    _extension,
    by("uri"),
    added=lambda extension: _DEMANDED if member(extension, "required") is True else _ADDED,
    removed=_REMOVED,
    skip=lambda extension: member(extension, "uri") == _CARRIED,
)
"""The comparator of `capabilities.extensions`."""
