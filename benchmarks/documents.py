"""The documents that are measured: cards of our own, grown to a size."""

from __future__ import annotations

from typing import Any

WORDS = (
    "Finds the sailing times between two harbours and says which boats take bicycles.",
    "Compares the fares of several carriers for the same crossing, on the same day.",
    "Warns of storms along a route and proposes the next safe departure.",
    "Books a cabin for a party of any size and sends the tickets by mail.",
)


def card(dialect: str, size: int) -> dict[str, Any]:
    """Return a valid card of a dialect whose compact JSON has about `size` bytes."""
    document = {"a2a-1.0": _newest, "a2a-0.3": _older}[dialect]()
    length = 900
    while length < size:
        skill = _skill(len(document["skills"]))
        document["skills"].append(skill)
        length += len(str(skill))
    return document


def _skill(number: int) -> dict[str, Any]:
    return {
        "id": f"ferry-desk-{number}",
        "name": f"Ferry desk {number}",
        "description": WORDS[number % len(WORDS)],
        "tags": ["travel", "sea", "timetable"],
        "examples": ["When does the next boat leave for the island?", "What does a car cost one way?"],
        "inputModes": ["text/plain", "application/json"],
        "outputModes": ["application/json"],
    }


def _common() -> dict[str, Any]:
    return {
        "name": "Ferry Desk",
        "description": "Answers questions about ferries: times, fares, cabins and the weather on the way.",
        "version": "2.4.0",
        "provider": {"organization": "Harbour Works", "url": "https://harbour.example.com"},
        "documentationUrl": "https://harbour.example.com/docs",
        "iconUrl": "https://harbour.example.com/icon.png",
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": [_skill(0)],
    }


def _newest() -> dict[str, Any]:
    return {
        **_common(),
        "supportedInterfaces": [
            {
                "url": "https://harbour.example.com/a2a",
                "protocolBinding": "JSONRPC",
                "protocolVersion": "1.0",
            },
            {
                "url": "https://harbour.example.com/rest",
                "protocolBinding": "HTTP+JSON",
                "protocolVersion": "1.0",
            },
        ],
        "capabilities": {"streaming": True, "pushNotifications": False},
        "securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "X-Harbour-Key"}}},
        "securityRequirements": [{"schemes": {"key": {"list": []}}}],
    }


def _older() -> dict[str, Any]:
    return {
        **_common(),
        "protocolVersion": "0.3.0",
        "url": "https://harbour.example.com/a2a",
        "preferredTransport": "JSONRPC",
        "capabilities": {"streaming": True, "pushNotifications": False},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Harbour-Key"}},
        "security": [{"key": []}],
    }
