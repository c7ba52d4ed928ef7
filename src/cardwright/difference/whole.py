"""A whole card, member by member: the table, and what more than one member decides together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.difference.comparators import (
    Verdict,
    by,
    fixed,
    flag,
    members,
    nothing,
    text,
    told,
)
from cardwright.difference.extensions import extensions
from cardwright.difference.pair import Pair, holds, item, matched
from cardwright.difference.requirements import requirements
from cardwright.difference.schemes import schemes
from cardwright.difference.skills import modes, skills

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_capability: Final = flag(
    Verdict("capability-withdrawn", "major", "callers that use this are refused now"),
    Verdict("capability-offered", "minor", "one more thing to use, which nobody must"),
)
_ADDED: Final = Verdict("interface-added", "minor", "one more way to reach the agent")
_REMOVED: Final = Verdict("interface-removed", "major", "callers that come this way reach nobody")
_REORDERED: Final = Verdict(
    "interfaces-reordered", "minor", "another way is preferred; all that were there still are"
)
_TENANT: Final = Verdict(
    "tenant-changed", "major", "callers send a tenant with every request, and another one"
)
_VERSION: Final = Verdict(
    "interface-version-changed", "major", "another protocol version is spoken here than callers speak"
)
# First the address in full, then less and less of it: what still matches has changed in the rest.
_ADDRESS: Final = ("url", "protocolBinding", "protocolVersion", "tenant")

_interface: Final = members(
    {
        "url": nothing,
        "protocolBinding": nothing,
        "protocolVersion": fixed(_VERSION, added=_VERSION, removed=_VERSION),
        "tenant": fixed(_TENANT, added=_TENANT, removed=_TENANT),
    }
)


def _interfaces(pair: Pair) -> Iterator[Change]:
    pair = pair.given()
    if not holds(list, pair.old, pair.new):
        yield from () if pair.alike else (pair.unreadable(),)
        return
    same, gone, come = matched(pair, by(*_ADDRESS), by(*_ADDRESS[:3]), by(*_ADDRESS[:2]))
    for met in same:
        yield from _interface(item(pair, *met))
    order = [new for _, new in sorted(same)]
    if order != sorted(order):
        yield told(pair, _REORDERED)
    for index in gone:
        yield told(item(pair, index, None), _REMOVED)
    for index in come:
        yield told(item(pair, None, index), _ADDED)


_CARD: Final = members(
    {
        "name": text,
        "description": text,
        "provider": members({"organization": text, "url": text}),
        "documentationUrl": text,
        "iconUrl": text,
        # The agent's own version is not a change but what is judged by the changes.
        "version": nothing,
        "signatures": nothing,
        "supportedInterfaces": _interfaces,
        "capabilities": members(
            {
                "streaming": _capability,
                "pushNotifications": _capability,
                "extendedAgentCard": _capability,
                "stateTransitionHistory": _capability,
                "extensions": extensions,
            }
        ),
        "securityRequirements": requirements,
        # What these mean, others have a say in: see below.
        "securitySchemes": nothing,
        "defaultInputModes": nothing,
        "defaultOutputModes": nothing,
        "skills": nothing,
    }
)


def card(pair: Pair) -> Iterator[Change]:
    """Compare two documents in the form of A2A 1.0."""
    if not holds(dict, pair.old, pair.new):
        yield from () if pair.alike else (pair.unreadable(),)
        return
    yield from _CARD(pair)
    for compare in (schemes, modes, skills):
        yield from compare(pair)
