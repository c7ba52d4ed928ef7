"""Comparator of whole cards: the table of fields, and comparisons that involve several fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.difference.comparators import by, fields, fixed, flag, nothing, text
from cardwright.difference.extensions import extensions
from cardwright.difference.pair import Pair, holds, item, matched
from cardwright.difference.requirements import requirements
from cardwright.difference.schemes import schemes
from cardwright.difference.skills import modes, skills
from cardwright.view.interfaces import major_minor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_capability: Final = flag("capability-withdrawn", "capability-offered")
# Interfaces match by all of these, then by fewer; interfaces that match by fewer differ in the others.
_ADDRESS: Final = ("url", "protocolBinding", "protocolVersion", "tenant")


def _protocol_version(pair: Pair) -> Iterator[Change]:
    """Compare the protocol version of an interface; clients ignore its patch number (A2A 1.0 §3.6)."""
    if major_minor(pair.old) is None or major_minor(pair.old) != major_minor(pair.new):
        yield from fixed("interface-version-changed")(pair)


_interface: Final = fields(
    {
        "url": nothing,
        "protocolBinding": nothing,
        "protocolVersion": _protocol_version,
        "tenant": fixed("tenant-changed"),
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
        yield pair.change("interfaces-reordered")
    for index in removed:
        yield item(pair, index, None).change("interface-removed")
    for index in added:
        yield item(pair, None, index).change("interface-added")


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
                "stateTransitionHistory": flag("capability-withdrawn/history", "capability-offered"),
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
