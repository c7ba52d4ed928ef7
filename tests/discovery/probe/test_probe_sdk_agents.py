"""Probes of a2a-sdk's server, and of cards served by cardwright in front of an agent."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from a2a.helpers import new_text_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes.agent_card_routes import create_agent_card_routes
from a2a.server.routes.jsonrpc_routes import create_jsonrpc_routes
from a2a.server.routes.rest_routes import create_rest_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCard
from google.protobuf.json_format import ParseDict  # type: ignore[import-untyped] # it has no stubs
from starlette.applications import Starlette

from cardwright import Card, well_known_agent_card
from cardwright.discovery.probe import probe
from cardwright.guard import Guard, GuardedClient
from cardwright.serve import AgentCardMiddleware
from tests.discovery.probe.agents import card, faults, interface, older, outcomes, results_of
from tests.discovery.probe.applications import running

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.server.agent_execution import RequestContext
    from a2a.server.events import EventQueue

    from cardwright.discovery.probe import Report


class Miller(AgentExecutor):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        assert context.message is not None
        await event_queue.enqueue_event(new_text_message("At noon."))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        raise NotImplementedError


def sdk(document: dict[str, Any], *, compatible: bool) -> Starlette:
    """An A2A agent (a2a-sdk), as its documentation builds one."""
    message = ParseDict(document, AgentCard())
    handler = DefaultRequestHandler(
        agent_executor=Miller(), task_store=InMemoryTaskStore(), agent_card=message
    )
    return Starlette(
        routes=[
            *create_agent_card_routes(message, cache_control="max-age=60"),
            *create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=compatible),
            *create_rest_routes(handler, path_prefix="/rest", enable_v0_3_compat=compatible),
        ]
    )


def looked_at(make: Callable[[str], Any], **options: Any) -> Report:
    async def scene() -> Report:
        client = GuardedClient(Guard(allow=("127.0.0.0/8",)))
        async with running(make) as origin, client:
            return await probe(origin, client=client, **options)

    return asyncio.run(scene())


def speaking(*versions: str, **changes: Any) -> Callable[[str], dict[str, Any]]:
    """A card with both bindings in each version."""
    return lambda origin: card(
        origin,
        supportedInterfaces=[
            one
            for version in versions
            for one in (
                interface(f"{origin}/rpc", version=version),
                interface(f"{origin}/rest", "HTTP+JSON", version),
            )
        ],
        **changes,
    )


@pytest.mark.parametrize("streaming", [True, False], ids=["streaming", "buffered"])
def test_an_a2a_sdk_agent_matches_its_card(streaming: bool) -> None:  # noqa: FBT001 - a parameter of the test
    document = speaking("1.0", capabilities={"streaming": streaming})

    report = looked_at(lambda origin: sdk(document(origin), compatible=False), send=True)

    assert faults(report) == []
    assert outcomes(report, "probe/interface-version") == ["pass"] * 2
    assert outcomes(report, "probe/message") == ["pass"]
    assert outcomes(report, "probe/message-stream") == (["pass"] if streaming else [])


def test_a2a_sdk_supports_0_3_when_enabled() -> None:
    document = speaking("1.0", "0.3")

    report = looked_at(lambda origin: sdk(document(origin), compatible=True))

    # Its hybrid has fields of both versions that say the same twice.
    assert faults(report) == [("warning", "probe/card-valid")]
    assert outcomes(report, "probe/interface-version") == ["pass"] * 4
    # It opens a stream before it checks, and ends it without an event: that proves nothing.
    assert outcomes(report, "probe/streaming") == ["pass", "pass", "pass", "skip"]


def test_a2a_sdk_without_declared_0_3_support_is_an_error() -> None:
    document = speaking("1.0", "0.3")

    report = looked_at(lambda origin: sdk(document(origin), compatible=False))

    assert faults(report)[:2] == [("error", "probe/interface-version")] * 2
    assert "the interface supports 1.0" in results_of(report, "probe/interface-version")[2][1]


def test_cards_served_by_cardwright_have_no_fault() -> None:
    def application(origin: str) -> Any:
        document = {**card(origin), "supportedInterfaces": [interface(f"{origin}/rpc")]}
        cards = well_known_agent_card(Card.from_document(document), publish_sensitive="hosts")
        return AgentCardMiddleware(sdk(document, compatible=False), cards=cards)

    report = looked_at(application)

    assert faults(report) == []
    assert outcomes(report, "probe/card-same") == ["pass"]
    assert outcomes(report, "probe/head") == ["pass"]


def test_cards_served_in_several_versions_have_vary() -> None:
    def application(origin: str) -> Any:
        document = speaking("1.0", "0.3")(origin)
        cards = well_known_agent_card(Card.from_document(document), publish_sensitive="hosts")
        return AgentCardMiddleware(sdk(document, compatible=True), cards=cards)

    report = looked_at(application)

    assert faults(report) == []
    assert results_of(report, "probe/vary") == [
        ("pass", "the card depends on A2A-Version, and Vary names it")
    ]
    assert outcomes(report, "probe/card-version") == ["pass", "pass", "info"]


def test_an_older_a2a_sdk_agent_gets_its_own_method_names() -> None:
    def application(origin: str) -> Any:
        body = json.dumps(older(origin)).encode()
        inner = sdk(speaking("0.3")(origin), compatible=True)

        async def served(scope: Any, receive: Any, send: Any) -> None:
            if "/.well-known/" not in scope["path"]:
                await inner(scope, receive, send)
                return
            fields = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 200, "headers": fields})
            await send({"type": "http.response.body", "body": body})

        return served

    report = looked_at(application, send=True)

    assert report.of("error") == ()
    assert outcomes(report, "probe/interface-version") == ["pass"]
    assert outcomes(report, "probe/message") == ["pass"]
