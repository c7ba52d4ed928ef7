"""Envelopes, receivers and registries for tests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cardwright import Card, PartTypeRegistry
from cardwright.view.interfaces import BEACH_EXTENSION_URI
from cardwright_beach.building import build_envelope
from cardwright_beach.events import PartEvent
from tests.cards import least_card

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping

    from cardwright_beach.parts import Part
    from cardwright_beach.stream import AgentResponseEnvelope

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def envelope(parts: Any, **arguments: Any) -> AgentResponseEnvelope:
    """Return an envelope of session s, event e, for o, complete at noon by default."""
    given: dict[str, Any] = {
        "session_id": "s",
        "event_id": "e",
        "originator_id": "o",
        "conversation_state": "complete",
        "clock": lambda: NOON,
    }
    return build_envelope(parts=parts, **{**given, **arguments})


async def live(parts: Iterable[Part | Mapping[str, Any]]) -> AsyncIterator[Part | Mapping[str, Any]]:
    """Yield parts one by one, as a handler does."""
    for part in parts:
        yield part


def request(approval: str = "a1", **fields: Any) -> dict[str, Any]:
    """Return an approval-request in a handler's form."""
    data = {
        "approvalId": approval,
        "toolName": "book",
        "toolCallId": "c1",
        "args": {},
        "handler": "h",
        "turn": "e",
        "session": "s",
        **fields,
    }
    return {"partType": "approval-request", "data": data}


def response(approval: str = "a1", decision: str = "granted") -> dict[str, Any]:
    """Return an approval-response in a handler's form."""
    data = {"approvalId": approval, "decision": decision, "decidedAt": "2026-05-04T12:00:00Z"}
    return {"partType": "approval-response", "data": data}


async def parts_of(made: AgentResponseEnvelope) -> list[Part]:
    """Return the parts of an envelope."""
    return [event.part async for event in made if isinstance(event, PartEvent)]


def beach_card(consumes: Iterable[str] | None = None, **block: Any) -> Card:
    """Return the card of a Beach peer with an A2A transport; without `consumes` it has no such list."""
    listed = {} if consumes is None else {"consumes": list(consumes)}
    document = {
        "schemaVersion": "1.0",
        "id": "p",
        "name": "P",
        "description": "A peer.",
        "version": "1.0.0",
        "capabilities": [{"id": "c", "description": "Does one thing."}],
        "transports": [{"protocol": "a2a", "endpoint": "https://p.example.com/a2a"}],
        "envelope": {**listed, **block},
    }
    return Card.from_document(document)


def a2a_card(
    consumes: Iterable[str] | None = None, *, streaming: bool = True, beach: bool = False, **params: Any
) -> Card:
    """Return the card of an A2A peer; with `beach`, `consumes` or parameters it has the Beach extension."""
    capabilities: dict[str, Any] = {"streaming": streaming}
    if beach or consumes is not None or params:
        extension = {**({} if consumes is None else {"envelopeConsumes": list(consumes)}), **params}
        capabilities["extensions"] = [{"uri": BEACH_EXTENSION_URI, "params": extension}]
    return Card.from_document(least_card(capabilities=capabilities))


def registry(*, streaming: str = "flush", buffered: str = "settle", **more: Any) -> PartTypeRegistry:
    """Return the canonical core with one application type, `acme.board`."""
    made = PartTypeRegistry.canonical()
    made.register("acme.board", streaming=streaming, buffered=buffered, **more)
    return made
