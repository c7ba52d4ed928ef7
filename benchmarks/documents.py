"""Cards for the benchmarks, extended to a given size."""

from __future__ import annotations

import random
from typing import Any

WORDS = (
    "Finds the sailing times between two harbours and says which boats take bicycles.",
    "Compares the fares of several carriers for the same crossing, on the same day.",
    "Warns of storms along a route and proposes the next safe departure.",
    "Books a cabin for a party of any size and sends the tickets by mail.",
)


def distinct(dialect: str, size: int, count: int, *, german: bool = False) -> list[dict[str, Any]]:
    """Return valid cards like `card` that differ in their texts: the words of each description in another order."""
    cards = [card(dialect, size, german=german) for _ in range(count)]
    for number, one in enumerate(cards):
        shuffle = random.Random(number)  # noqa: S311 - no secret
        for item in (one, *(one["skills"] if "skills" in one else one["capabilities"])):
            words = item["description"].split(" ")
            shuffle.shuffle(words)
            item["description"] = " ".join(words)
    return cards


def card(dialect: str, size: int, *, german: bool = False) -> dict[str, Any]:
    """Return a valid card of a dialect whose compact JSON has about `size` bytes; `german` adds umlauts."""
    document = {
        "a2a-1.0": _newest,
        "a2a-0.3": _older,
        "a2a-0.2": _oldest,
        "a2a-hybrid": _hybrid,
        "beach-1.0": _beach,
    }[dialect]()
    items, make = ("capabilities", _capability) if dialect == "beach-1.0" else ("skills", _skill)
    if german:
        document["description"] = (
            "Weiß, wann Fähren übersetzen, was sie kosten und wie das Wetter auf dem Weg ist."
        )
    length = len(str(document))
    while length < size:
        item = make(len(document[items]))
        document[items].append(item)
        length += len(str(item))
    return document


def _capability(number: int) -> dict[str, Any]:
    return {
        "id": f"ferry-desk-{number}",
        "description": WORDS[number % len(WORDS)],
        "examples": ["When does the next boat leave for the island?", "What does a car cost one way?"],
        "requiredScopes": ["timetable:read"],
    }


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


def _oldest() -> dict[str, Any]:
    document = _older()
    return {**document, "protocolVersion": "0.2.6"}


def _hybrid() -> dict[str, Any]:
    key = {"type": "apiKey", "in": "header", "name": "X-Harbour-Key"}
    newer = {"apiKeySecurityScheme": {"location": "header", "name": "X-Harbour-Key"}}
    url = "https://harbour.example.com/a2a"
    return {
        **_older(),
        "supportedInterfaces": [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
        "securitySchemes": {"key": {**key, **newer}},
        "securityRequirements": [{"schemes": {"key": {"list": []}}}],
    }


def _beach() -> dict[str, Any]:
    return {
        "schemaVersion": "1.0",
        "id": "ferry-desk",
        "name": "FerryDesk",
        "description": "Answers questions about ferries: times, fares, cabins and the weather on the way.",
        "version": "2.4.0",
        "provider": {"name": "Harbour Works", "url": "https://harbour.example.com"},
        "capabilities": [_capability(0)],
        "transports": [
            {
                "protocol": "a2a",
                "version": "1.0",
                "endpoint": "https://harbour.example.com/a2a",
                "auth": {"type": "api-key", "header": "X-Harbour-Key"},
            }
        ],
        "envelope": {"parts": ["domain-data", "response", "progress"], "consumes": ["domain-data"]},
        "extensions": {"beach": {"version": "1.0", "turnStates": ["awaiting", "complete"]}},
    }
