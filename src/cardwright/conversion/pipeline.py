"""Conversion from one dialect to another in two steps: to the hub, and from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from cardwright.conversion import (
    a2a_hybrid,
    a2a_messages,
    a2a_v0_1,
    a2a_v1_0,
    beach_v1_0,
    mcp_family,
    mcp_server_card_v1649,
    mcp_servers,
    mcp_v2024_11_05,
    older,
)
from cardwright.conversion.notes import Notes, covers, existing_pointer, led_back, value_at
from cardwright_models.a2a_facts import DEFAULT_TRANSPORT

if TYPE_CHECKING:
    from collections.abc import Mapping


class Module(Protocol):
    """The functions of each dialect's module."""

    def to_hub(self, document: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the hub's form of a document."""
        ...

    def from_hub(self, hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the dialect's form of a hub."""
        ...


MODULES: Final[Mapping[str, Module]] = {
    "a2a-0.1": a2a_v0_1,
    "a2a-0.2": older.V0_2,
    "a2a-0.3": older.V0_3,
    "a2a-1.0": a2a_v1_0,
    "a2a-hybrid": a2a_hybrid,
    "beach-1.0": beach_v1_0,
    "mcp-2024-11-05": mcp_v2024_11_05,
    "mcp-server-card-1": mcp_servers.SERVER_CARD,
    "mcp-server-card-1649": mcp_server_card_v1649,
    "mcp-registry-2025-12-11": mcp_servers.REGISTRY,
    "mcp-registry-2025-07-09": mcp_servers.OLDEST_REGISTRY,
    "a2a-messages-0.1": a2a_messages.Messages("0.1"),
    "a2a-messages-0.3": a2a_messages.Messages("0.3"),
    "a2a-messages-1.0": a2a_messages.Messages("1.0"),
}
# Descriptions of MCP servers are converted to one another through a hub of their own: A2A has no place for their fields.
_FAMILY: Final[Mapping[str, Module]] = mcp_family.FAMILY
_FAMILY_WHY: Final = "the result has no place for it, or only for another form of it"
# A hybrid is read by clients of two versions: the target decides which half is converted.
_HALVES: Final = dict.fromkeys(("a2a-0.1", "a2a-0.2", "a2a-0.3"), a2a_hybrid.older_to_hub) | {
    "a2a-1.0": a2a_hybrid.newer_to_hub
}


def interface_at(url: str) -> dict[str, str]:
    """Return the A2A 1.0 interface of an endpoint."""
    return {"url": url, "protocolBinding": DEFAULT_TRANSPORT, "protocolVersion": a2a_v1_0.VERSION}


def to_hub_for(document: dict[str, Any], source: str, target: str, notes: Notes) -> dict[str, Any]:
    """Return the hub's form of a document on its way to a target."""
    half = _HALVES.get(target) if source == "a2a-hybrid" else None
    return (half or _modules(source, target)[source].to_hub)(document, notes)


def _modules(source: str, target: str) -> Mapping[str, Module]:
    """Return the modules of the hub that two dialects have in common."""
    return _FAMILY if source in _FAMILY and target in _FAMILY else MODULES


@dataclass(frozen=True, slots=True)
class Conversion:
    """A document in another dialect, with the notes of both steps.

    Attributes:
        document: The result.
        losses: The reason for each loss, by pointer of the source.
        whys: Reasons why a value may change on the way back, by pointer of the source.
        assumptions: (value, reason) of each assumption, by pointer of the result.
        repeats: The pointers of the values that another value of the source repeats, by its pointer.
    """

    document: dict[str, Any]
    losses: dict[str, str]
    whys: dict[str, str]
    assumptions: dict[str, tuple[Any, str]]
    repeats: dict[str, tuple[str, ...]]


def document_as(document: dict[str, Any], source: str, target: str) -> dict[str, Any]:
    """Return a document in another dialect, without notes."""
    hub = to_hub_for(document, source, target, Notes())
    return _modules(source, target)[target].from_hub(hub, Notes())


@dataclass(frozen=True, slots=True)
class Steps:
    """Both steps of a conversion.

    Attributes:
        original: The document to convert.
        document: The result.
        to_notes: The notes of the step to the hub.
        from_notes: The notes of the step from the hub.
    """

    original: dict[str, Any]
    document: dict[str, Any]
    to_notes: Notes
    from_notes: Notes


def in_steps(
    document: dict[str, Any], source: str, target: str, endpoint: str = "", found_at: str = ""
) -> Steps:
    """Return a document in another dialect, with the notes of each step.

    Args:
        document: The document.
        source: Its dialect.
        target: The other dialect.
        endpoint: The A2A endpoint of the agent, if the document names none.
        found_at: The URL or path that the document was read from, or "".
    """
    to_notes, from_notes = Notes(), Notes(found_at=found_at)
    hub = to_hub_for(document, source, target, to_notes)
    if endpoint and _modules(source, target) is MODULES and not hub.get("supportedInterfaces"):
        hub["supportedInterfaces"] = [interface_at(endpoint)]
        to_notes.assumptions.pop("/supportedInterfaces", None)
    modules = _modules(source, target)
    if modules is _FAMILY:
        # Every field of the source is compared with the result, not only what the steps noted.
        to_notes.doubt("", _FAMILY_WHY)
    result = modules[target].from_hub(hub, from_notes)
    return Steps(document, result, to_notes, from_notes)


def joined(steps: Steps) -> Conversion:
    """Return a conversion with pointers of its source and of its result, instead of the hub's."""
    to_notes, from_notes, result = steps.to_notes, steps.from_notes, steps.document
    losses = dict(to_notes.losses)
    for pointer, why in from_notes.losses.items():
        # A value that the first step assumed is not a loss of the source.
        if covers(to_notes.assumptions, pointer) is None:
            place = existing_pointer(steps.original, led_back(pointer, to_notes.moves))
            if place:
                losses.setdefault(place, why)
    whys = {
        led_back(pointer, to_notes.moves): why for pointer, why in from_notes.whys.items()
    } | to_notes.whys
    assumptions = dict(from_notes.assumptions)
    if to_notes.assumptions:
        onward = {source: place for place, source in reversed(from_notes.moves.items())}
        for pointer, assumption in to_notes.assumptions.items():
            stays = led_back(pointer, from_notes.moves) == pointer and value_at(result, pointer) is not None
            place = pointer if stays else led_back(pointer, onward)
            if covers(from_notes.losses, pointer) is None and value_at(result, place) is not None:
                assumptions.setdefault(place, assumption)
    return Conversion(result, losses, whys, assumptions, to_notes.repeats)


def converted(document: dict[str, Any], source: str, target: str) -> Conversion:
    """Return a document in another dialect, with the notes of both steps."""
    return joined(in_steps(document, source, target))
