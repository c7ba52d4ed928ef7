"""Agent cards of every dialect: read, recognise, judge, convert, compare, mend, sign.

The public names are those of `__all__`, imported when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.extras import missing_extra
from cardwright_runtime.lazy import lazy_exports

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
    from cardwright.version import __version__ as __version__

__all__ = [
    "BEACH_EXTENSION_URI",
    "AgentRegistry",
    "AuthTypeRegistry",
    "Card",
    "CardError",
    "ConversationStateRegistry",
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

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "__version__": "cardwright.version",
        "BEACH_EXTENSION_URI": "cardwright.conversion.extensions",
        "AgentRegistry": "cardwright.discovery.registry",
        "AuthTypeRegistry": "cardwright.registries",
        "Card": "cardwright.card",
        "CardError": "cardwright.errors",
        "ConversationStateRegistry": "cardwright.registries",
        "PartTypeRegistry": "cardwright.registries",
        "TransportRegistry": "cardwright.registries",
        "build_agent_card": "cardwright.builder",
        "call_agent": "cardwright.discovery.calling",
        "canonical_form": "cardwright.signing",
        "check": "cardwright.validate",
        "convert": "cardwright.conversion",
        "detect": "cardwright.dialect",
        "diff": "cardwright.difference",
        "fetch_card": "cardwright.discovery.fetching",
        "fix": "cardwright.repair",
        "select_interface": "cardwright.discovery.selection",
        "sign": "cardwright.signing",
        "verify": "cardwright.signing",
        "violations": "cardwright.validate",
        "well_known_agent_card": "cardwright.serve",
    },
    on_missing=missing_extra,
)
