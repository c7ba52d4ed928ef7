"""Cards to publish."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

from cardwright import Card

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DIALECTS = ("a2a-0.1", "a2a-0.2", "a2a-0.3", "a2a-1.0", "a2a-hybrid", "beach-1.0", "mcp-2024-11-05", "superx")

NEWER: dict[str, Any] = {
    "name": "Seed Bank",
    "description": "Knows which seeds are in store.",
    "version": "3.1.0",
    "supportedInterfaces": [
        {"url": "https://seeds.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ],
    "capabilities": {"streaming": True, "extendedAgentCard": True},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "X-API-Key"}}},
    "securityRequirements": [{"schemes": {"key": {"list": []}}}],
    "skills": [
        {"id": "stock", "name": "Stock", "description": "Counts seeds.", "tags": ["seeds"]},
        {"id": "order", "name": "Order", "description": "Orders seeds.", "tags": ["seeds"]},
        {"id": "audit", "name": "Audit", "description": "Shows who took what.", "tags": ["seeds"]},
    ],
}


def example(name: str) -> Card:
    return Card.from_bytes((EXAMPLES / f"{name}.card.json").read_bytes())


def newer(**changes: Any) -> Card:
    """A valid A2A 1.0 card, with some fields replaced."""
    return Card.from_document({**deepcopy(NEWER), **changes}).check()


def both(**changes: Any) -> Card:
    """A valid A2A 1.0 card whose agent supports 0.3 too."""
    interfaces = [
        *NEWER["supportedInterfaces"],
        {"url": "https://seeds.example.com/old", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"},
    ]
    return newer(supportedInterfaces=interfaces, **changes)
