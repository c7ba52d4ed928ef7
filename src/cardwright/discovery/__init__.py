"""Peers: found, fetched, kept fresh, chosen from, called, and held to what they declare.

The names of `__all__` are imported when first used: calling alone needs the SDKs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright.discovery.calling import Part, Reply, call_agent
    from cardwright.discovery.contracts import check_input, check_output, input_violations, output_violations
    from cardwright.discovery.events import Event
    from cardwright.discovery.fetching import FetchedCard, Provenance, fetch_card
    from cardwright.discovery.interfaces import Interface
    from cardwright.discovery.peer import Peer
    from cardwright.discovery.registry import AgentRegistry
    from cardwright.discovery.schemas import Schemas, fetch_schemas, wanted_schemas
    from cardwright.discovery.selection import Selection, select_interface

__all__ = [
    "AgentRegistry",
    "Event",
    "FetchedCard",
    "Interface",
    "Part",
    "Peer",
    "Provenance",
    "Reply",
    "Schemas",
    "Selection",
    "call_agent",
    "check_input",
    "check_output",
    "fetch_card",
    "fetch_schemas",
    "input_violations",
    "output_violations",
    "select_interface",
    "wanted_schemas",
]

_ROOMS: Final = {
    "AgentRegistry": "registry",
    "Event": "events",
    "FetchedCard": "fetching",
    "Interface": "interfaces",
    "Part": "calling",
    "Peer": "peer",
    "Provenance": "fetching",
    "Reply": "calling",
    "Schemas": "schemas",
    "Selection": "selection",
    "call_agent": "calling",
    "check_input": "contracts",
    "check_output": "contracts",
    "fetch_card": "fetching",
    "fetch_schemas": "schemas",
    "input_violations": "contracts",
    "output_violations": "contracts",
    "select_interface": "selection",
    "wanted_schemas": "schemas",
}


def __getattr__(name: str) -> Any:
    room = _ROOMS.get(name)
    if room is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(f"{__name__}.{room}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
