"""Peers: found, fetched, kept fresh, chosen from, called, and held to what they declare.

The names of `__all__` are imported when first used: calling alone needs the SDKs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.extras import missing_extra
from cardwright_runtime.lazy import lazy_exports

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

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "AgentRegistry": "cardwright.discovery.registry",
        "Event": "cardwright.discovery.events",
        "FetchedCard": "cardwright.discovery.fetching",
        "Interface": "cardwright.discovery.interfaces",
        "Part": "cardwright.discovery.calling",
        "Peer": "cardwright.discovery.peer",
        "Provenance": "cardwright.discovery.fetching",
        "Reply": "cardwright.discovery.calling",
        "Schemas": "cardwright.discovery.schemas",
        "Selection": "cardwright.discovery.selection",
        "call_agent": "cardwright.discovery.calling",
        "check_input": "cardwright.discovery.contracts",
        "check_output": "cardwright.discovery.contracts",
        "fetch_card": "cardwright.discovery.fetching",
        "fetch_schemas": "cardwright.discovery.schemas",
        "input_violations": "cardwright.discovery.contracts",
        "output_violations": "cardwright.discovery.contracts",
        "select_interface": "cardwright.discovery.selection",
        "wanted_schemas": "cardwright.discovery.schemas",
    },
    on_missing=missing_extra,
)
