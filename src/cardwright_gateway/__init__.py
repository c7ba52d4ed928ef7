"""A gateway for A2A agents and MCP servers: serves their cards and forwards calls."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cardwright.extras import missing_extra
from cardwright.lazy import lazy_exports

if TYPE_CHECKING:
    from cardwright.discovery import Part
    from cardwright_gateway.backends.backend import (
        Artifact,
        Backend,
        Cancellable,
        Ending,
        Turn,
        TurnReporter,
        TurnResult,
    )
    from cardwright_gateway.backends.beach import beach_agent
    from cardwright_gateway.catalog.rewriting import Rewriting, rewritten
    from cardwright_gateway.gateway import Gateway
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig
    from cardwright_gateway.webhooks import verify_webhook

__all__ = [
    "AgentConfig",
    "Artifact",
    "Backend",
    "Cancellable",
    "Ending",
    "Gateway",
    "GatewayConfig",
    "Part",
    "Rewriting",
    "Turn",
    "TurnReporter",
    "TurnResult",
    "beach_agent",
    "rewritten",
    "verify_webhook",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "AgentConfig": "cardwright_gateway.settings.agents",
        "Artifact": "cardwright_gateway.backends.backend",
        "Backend": "cardwright_gateway.backends.backend",
        "Cancellable": "cardwright_gateway.backends.backend",
        "Ending": "cardwright_gateway.backends.backend",
        "Gateway": "cardwright_gateway.gateway",
        "GatewayConfig": "cardwright_gateway.settings.config",
        "Part": "cardwright.discovery",
        "Rewriting": "cardwright_gateway.catalog.rewriting",
        "Turn": "cardwright_gateway.backends.backend",
        "TurnReporter": "cardwright_gateway.backends.backend",
        "TurnResult": "cardwright_gateway.backends.backend",
        "beach_agent": "cardwright_gateway.backends.beach",
        "rewritten": "cardwright_gateway.catalog.rewriting",
        "verify_webhook": "cardwright_gateway.webhooks",
    },
    on_missing=partial(missing_extra, extra="gateway"),
)
