"""The least card of A2A 1.0 that is valid, and what a test changes in it."""

from __future__ import annotations

from typing import Any


def least_card(url: str = "https://tides.example.com/a2a", /, **fields: Any) -> dict[str, Any]:
    """Return a card with one JSON-RPC interface, and with other fields."""
    return {
        "name": "Tides",
        "description": "Tells the tides.",
        "version": "1.0.0",
        "supportedInterfaces": [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "tides", "name": "Tides", "description": "Tells the tides.", "tags": ["sea"]}],
        **fields,
    }
