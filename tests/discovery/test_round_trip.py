"""What `serve` publishes, `discover` and the registry read back: every dialect, with all of its interfaces."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from a2a.client import A2ACardResolver

from cardwright import Card, convert, diff, well_known_agent_card
from cardwright.canonical import DEFAULT_LIMITS
from cardwright.discovery import AgentRegistry, fetch_card
from cardwright.discovery.fuller_form import is_fuller
from cardwright.view.interfaces import interfaces
from tests.peers import Peer, RecordedRequest, Reply, peer
from tests.serve.cards import DIALECTS, example
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

LOOPBACK = ("127.0.0.0/8",)


def mcp_only() -> Card:
    document = dict(example("beach-1.0").document)
    document["transports"] = [
        {"protocol": "mcp", "endpoint": "https://orchard.example.com/mcp", "tool": "ask"}
    ]
    return Card.from_document(document)


CARDS = {**{name: example(name) for name in DIALECTS}, "beach with MCP alone": mcp_only()}


def serving(card: Card) -> Callable[[RecordedRequest], Awaitable[Reply]]:
    """Return a peer's answers: those of our application."""
    app = well_known_agent_card(card)

    async def answer(request: RecordedRequest) -> Reply:
        headers = [(name, value) for name, value in request.headers.items() if name != "content-length"]
        reply = await call(app, request.method, url=request.path, headers=headers)
        return Reply(reply.status, reply.body, reply.headers)

    return answer


def met(card: Card) -> set[tuple[str, str]]:
    return {(one.binding, one.url) for one in interfaces(card)}


def read(card: Card, reading: Callable[[Peer], Awaitable[Any]]) -> Any:
    async def scene() -> Any:
        async with peer(serving(card)) as one:
            return await reading(one)

    return asyncio.run(scene())


@pytest.mark.parametrize("name", CARDS)
def test_a_card_is_read_back_with_all_of_its_interfaces(name: str) -> None:
    card = CARDS[name]

    async def reading(one: Peer) -> Card:
        return (await fetch_card(one.origin, allow=LOOPBACK)).card

    back = read(card, reading)

    assert back.valid
    # A card with an interface of A2A is served in a form of A2A; nothing of it is lost.
    assert diff(card, convert(back, to=card.dialect)[0]) == ()
    assert met(back) >= met(card)


@pytest.mark.parametrize("name", CARDS)
def test_the_registry_stores_the_card_unchanged_and_then_revalidates(name: str) -> None:
    card = CARDS[name]

    async def reading(one: Peer) -> tuple[Card, int]:
        async with AgentRegistry([one.origin], allow=LOOPBACK) as registry:
            await registry.refresh()
            before = len(one.requests)
            await registry.refresh(force=True)
            (found,) = registry.all()
            assert found.card is not None
            return found.card, len(one.requests) - before

    back, again = read(card, reading)

    assert met(back) >= met(card)
    assert again == 1


def test_the_resolver_of_a2a_sdk_reads_a_beach_card() -> None:
    async def reading(one: Peer) -> Any:
        async with httpx.AsyncClient() as http:
            return await A2ACardResolver(http, one.origin).get_agent_card()

    resolved = read(CARDS["beach-1.0"], reading)

    assert resolved.name
    assert [one.url for one in resolved.supported_interfaces] == ["https://orchard.example.com/a2a"]


def form(name: str, version: str = "") -> bytes:
    headers = {"A2A-Version": version} if version else {}
    return asyncio.run(call(well_known_agent_card(CARDS[name]), headers=headers)).body


@pytest.mark.parametrize(
    ("fuller", "other"),
    [
        (json.dumps(CARDS["beach-1.0"].document).encode(), form("beach-1.0")),
        (form("mcp-2024-11-05"), form("mcp-2024-11-05", "1.0")),
        (form("a2a-hybrid"), form("a2a-hybrid", "0.3")),
        (form("a2a-1.0"), form("a2a-0.1")),
        (form("a2a-1.0"), b"{}"),
        (form("a2a-1.0"), b"[1"),
    ],
)
def test_the_fuller_of_two_forms_has_more_of_the_card(fuller: bytes, other: bytes) -> None:
    assert is_fuller(fuller, other, DEFAULT_LIMITS)
    assert not is_fuller(other, fuller, DEFAULT_LIMITS)
    assert not is_fuller(fuller, fuller, DEFAULT_LIMITS)
