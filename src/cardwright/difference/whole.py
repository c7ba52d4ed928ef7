"""Comparator of whole cards: the table of fields, and comparisons that involve several fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.difference.comparators import ChangeKind, by, change_of, fields, fixed, flag, nothing, text
from cardwright.difference.extensions import extensions
from cardwright.difference.pair import Pair, holds, item, matched
from cardwright.difference.requirements import requirements
from cardwright.difference.schemes import schemes
from cardwright.difference.skills import modes, skills

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_capability: Final = flag(
    ChangeKind("capability-withdrawn", "major", "callers that use this capability are refused"),
    ChangeKind("capability-offered", "minor", "a new capability, which callers do not have to use"),
)
_ADDED: Final = ChangeKind("interface-added", "minor", "a new interface of the agent")
_REMOVED: Final = ChangeKind(
    "interface-removed", "major", "callers that use this interface cannot reach the agent"
)
_REORDERED: Final = ChangeKind(
    "interfaces-reordered", "minor", "another interface is preferred; all previous ones still exist"
)
_TENANT: Final = ChangeKind("tenant-changed", "major", "callers send the previous tenant with every request")
_VERSION: Final = ChangeKind(
    "interface-version-changed", "major", "the interface uses another protocol version than before"
)
# Interfaces match by all of these, then by fewer; interfaces that match by fewer differ in the others.
_ADDRESS: Final = ("url", "protocolBinding", "protocolVersion", "tenant")

_interface: Final = fields(
    {
        "url": nothing,
        "protocolBinding": nothing,
        "protocolVersion": fixed(_VERSION, added=_VERSION, removed=_VERSION),
        "tenant": fixed(_TENANT, added=_TENANT, removed=_TENANT),
    }
)


def _interfaces(pair: Pair) -> Iterator[Change]:
    pair = pair.without_empty()
    if not holds(list, pair.old, pair.new):
        yield from () if pair.equal else (pair.unreadable(),)
        return
    matches, removed, added = matched(pair, by(*_ADDRESS), by(*_ADDRESS[:3]), by(*_ADDRESS[:2]))
    for indices in matches:
        yield from _interface(item(pair, *indices))
    order = [new for _, new in sorted(matches)]
    if order != sorted(order):
        yield change_of(pair, _REORDERED)
    for index in removed:
        yield change_of(item(pair, index, None), _REMOVED)
    for index in added:
        yield change_of(item(pair, None, index), _ADDED)


_CARD: Final = fields(
    {
        "name": text,
        "description": text,
        "provider": fields({"organization": text, "url": text}),
        "documentationUrl": text,
        "iconUrl": text,
        # The agent's version is not a change; it is compared with the changes.
        "version": nothing,
        "signatures": nothing,
        "supportedInterfaces": _interfaces,
        "capabilities": fields(
            {
                "streaming": _capability,
                "pushNotifications": _capability,
                "extendedAgentCard": _capability,
                "stateTransitionHistory": _capability,
                "extensions": extensions,
            }
        ),
        "securityRequirements": requirements,
        # Compared in `card`, together with other fields.
        "securitySchemes": nothing,
        "defaultInputModes": nothing,
        "defaultOutputModes": nothing,
        "skills": nothing,
    }
)


def card(pair: Pair) -> Iterator[Change]:
    """Compare two documents in the form of A2A 1.0."""
    if not holds(dict, pair.old, pair.new):
        yield from () if pair.equal else (pair.unreadable(),)
        return
    yield from _CARD(pair)
    for compare in (schemes, modes, skills):
        yield from compare(pair)
