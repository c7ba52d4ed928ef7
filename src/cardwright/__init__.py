"""Agent cards of every dialect: read, recognise, judge, convert, compare, mend, sign.

The public names are those of `__all__`, imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright.builder import build_agent_card
    from cardwright.card import Card
    from cardwright.conversion import convert
    from cardwright.conversion.extensions import BEACH_EXTENSION_URI
    from cardwright.dialect import detect
    from cardwright.difference import diff
    from cardwright.discovery.calling import call_agent
    from cardwright.discovery.fetching import fetch_card
    from cardwright.discovery.registry import AgentRegistry
    from cardwright.discovery.selection import select_interface
    from cardwright.errors import CardError
    from cardwright.gateway import Gateway
    from cardwright.registries import (
        AuthTypeRegistry,
        ConversationStateRegistry,
        PartTypeRegistry,
        TransportRegistry,
    )
    from cardwright.repair import fix
    from cardwright.serve import well_known_agent_card
    from cardwright.signing import canonical_form, sign, verify
    from cardwright.validate import check, violations

__all__ = [
    "BEACH_EXTENSION_URI",
    "AgentRegistry",
    "AuthTypeRegistry",
    "Card",
    "CardError",
    "ConversationStateRegistry",
    "Gateway",
    "PartTypeRegistry",
    "TransportRegistry",
    "build_agent_card",
    "call_agent",
    "canonical_form",
    "check",
    "convert",
    "detect",
    "diff",
    "fetch_card",
    "fix",
    "select_interface",
    "sign",
    "verify",
    "violations",
    "well_known_agent_card",
]

_ROOMS: Final = {
    "BEACH_EXTENSION_URI": "conversion.extensions",
    "AgentRegistry": "discovery.registry",
    "AuthTypeRegistry": "registries",
    "Card": "card",
    "CardError": "errors",
    "ConversationStateRegistry": "registries",
    "Gateway": "gateway",
    "PartTypeRegistry": "registries",
    "TransportRegistry": "registries",
    "build_agent_card": "builder",
    "call_agent": "discovery.calling",
    "canonical_form": "signing",
    "check": "validate",
    "convert": "conversion",
    "detect": "dialect",
    "diff": "difference",
    "fetch_card": "discovery.fetching",
    "fix": "repair",
    "select_interface": "discovery.selection",
    "sign": "signing",
    "verify": "signing",
    "violations": "validate",
    "well_known_agent_card": "serve",
}


def __getattr__(name: str) -> Any:
    room = _ROOMS.get(name)
    if room is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(f"cardwright.{room}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
