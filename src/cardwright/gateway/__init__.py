"""One endpoint for agents of A2A and MCP: their cards, and the calls to them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import MissingPackage

if TYPE_CHECKING:
    from cardwright.gateway.backend import Backend, Outcome, Tell, Turn
    from cardwright.gateway.config import GatewayConfig
    from cardwright.gateway.entries import AgentConfig
    from cardwright.gateway.gateway import Gateway
    from cardwright.gateway.rewriting import Rewriting, rewritten
    from cardwright.gateway.webhooks import verify_webhook

__all__ = [
    "AgentConfig",
    "Backend",
    "Gateway",
    "GatewayConfig",
    "Outcome",
    "Rewriting",
    "Tell",
    "Turn",
    "rewritten",
    "verify_webhook",
]

# What the gateway stands on, beside what the package needs itself.
_NEEDED: Final = ("a2a", "httpx2", "mcp", "mcp_types", "prometheus_client")
_ROOMS: Final = {
    "AgentConfig": "entries",
    "Backend": "backend",
    "Gateway": "gateway",
    "GatewayConfig": "config",
    "Outcome": "backend",
    "Rewriting": "rewriting",
    "Tell": "backend",
    "Turn": "backend",
    "rewritten": "rewriting",
    "verify_webhook": "webhooks",
}


def __getattr__(name: str) -> Any:
    room = _ROOMS.get(name)
    if room is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    try:
        value = getattr(import_module(f"{__name__}.{room}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise MissingPackage(f"{error.name} is not installed: pip install cardwright[gateway]") from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
