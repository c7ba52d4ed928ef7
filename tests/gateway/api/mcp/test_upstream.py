"""Upstream MCP servers at the gateway's MCP endpoint: content reaches clients of either era unchanged."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import mcp_types as types
import pytest
from mcp import MCPError

from cardwright_gateway.api.mcp.upstream import PAGE
from cardwright_gateway.backends.mcp import McpBackend
from cardwright_gateway.catalog.mcp_card import a2a_card
from cardwright_gateway.catalog.sources import UpstreamCard
from cardwright_gateway.upstream.mcp import HttpServer, McpSession
from tests.discovery.calling.sdk_agents import serving
from tests.gateway.api.invoke.calling import InvokeClient
from tests.gateway.api.mcp.client import MODES, client, texts
from tests.gateway.upstream.mcp.servers.example import Example
from tests.gateway.upstream.mcp.sessions import connected_to, raw

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from mcp import Client


URL = "https://gateway.example/agents/harbour"


class Older:
    """The example server as one of a version with sessions: it does not know the requests of 2026-07-28."""

    def __init__(self) -> None:
        self.application = Example().streamable_http_app()
        self.sessions = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers", ()))
        if headers.get(b"mcp-protocol-version") == b"2026-07-28":
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        self.sessions += b"mcp-session-id" in headers
        await self.application(scope, receive, send)


@asynccontextmanager
async def gateway_client(upstream: str, mode: str) -> AsyncGenerator[tuple[Client, McpSession]]:
    """Yield a client of the gateway, in front of the example server of an era."""
    application: Any = Older() if upstream == "legacy" else Example().streamable_http_app()
    started = application.application if isinstance(application, Older) else application
    async with (
        started.router.lifespan_context(started),
        serving(application) as origin,
        connected_to(HttpServer(f"{origin}/mcp", configured=origin)) as made,
    ):
        inventory = await made.started()
        if isinstance(application, Older):
            assert application.sessions > 0
        assert (inventory.protocol_version == "2026-07-28") == (upstream != "legacy")
        async with client(mcp_client_of(made, inventory), mode) as connected:
            yield connected, made


def mcp_client_of(made: McpSession, inventory: Any) -> InvokeClient:
    backend = McpBackend(made)
    result = InvokeClient(backend, a2a_card("harbour", inventory, URL))
    result.made = _with(result, inventory)
    return result


def _with(result: InvokeClient, inventory: Any) -> Any:
    return replace(result.made, source=UpstreamCard(result.card, "1", inventory=inventory))


ERAS = [(upstream, mode) for upstream in MODES for mode in MODES]


@pytest.mark.parametrize(("upstream", "mode"), ERAS)
async def test_content_keeps_its_order_and_kinds(upstream: str, mode: str) -> None:
    async with gateway_client(upstream, mode) as (connected, _):
        mixed = await connected.call_tool("test_multiple_content_types", {})
        sound = await connected.call_tool("test_audio_content", {})

    assert [block.type for block in mixed.content] == ["text", "image", "resource", "resource_link"]
    held: Any = mixed.content[2]
    assert (held.resource.uri, held.resource.mime_type) == (
        "test://mixed-content-resource",
        "application/json",
    )
    assert [block.type for block in sound.content] == ["audio"]


@pytest.mark.parametrize(("upstream", "mode"), ERAS)
async def test_the_result_of_a_failed_tool_is_forwarded_with_its_text(upstream: str, mode: str) -> None:
    async with gateway_client(upstream, mode) as (connected, _):
        result = await connected.call_tool("test_error_handling", {})

    assert result.is_error
    assert "This tool intentionally returns an error" in texts(result)[0]


@pytest.mark.parametrize(("upstream", "mode"), ERAS)
async def test_resources_prompts_and_completions_are_forwarded(upstream: str, mode: str) -> None:
    async with gateway_client(upstream, mode) as (connected, _):
        declared: Any = connected.server_capabilities.model_dump(exclude_none=True)
        if mode != "legacy":
            declared = (await connected.session.send_discover(mode))["capabilities"]
        uris = [one.uri for one in (await connected.list_resources()).resources]
        templates = [
            one.uri_template for one in (await connected.list_resource_templates()).resource_templates
        ]
        text = await connected.read_resource("test://template/7/data")
        binary = await connected.read_resource("test://static-binary")
        prompts = [one.name for one in (await connected.list_prompts()).prompts]
        prompt = await connected.get_prompt("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"})
        reference = types.PromptReference(name="test_prompt_with_arguments")
        completed = await connected.complete(reference, {"name": "arg1", "value": "har"})

    assert declared.keys() == {"tools", "resources", "prompts", "completions"}
    assert uris == ["test://static-text", "test://static-binary", "test://watched-resource"]
    assert templates == ["test://template/{id}/data"]
    first: Any = text.contents[0]
    assert (first.uri, first.text) == ("test://template/7/data", '{"id": "7"}')
    assert isinstance(binary.contents[0], types.BlobResourceContents)
    assert "test_prompt_with_image" in prompts
    content: Any = prompt.messages[0].content
    assert content.text == "Prompt with arguments: arg1='a', arg2='b'"
    assert completed.completion.values == ["har-ville"]


@pytest.mark.parametrize(("upstream", "mode"), ERAS)
async def test_errors_of_the_server_keep_their_code_and_text(upstream: str, mode: str) -> None:
    async with gateway_client(upstream, mode) as (connected, made):
        with pytest.raises(MCPError) as through:
            await connected.read_resource("test://nowhere")
        with pytest.raises(MCPError) as call:
            await connected.call_tool("test_missing_capability", {})
        state = made.state

    assert "test://nowhere" in through.value.message
    assert (call.value.code, call.value.message) == (
        types.MISSING_REQUIRED_CLIENT_CAPABILITY,
        "sampling is required",
    )
    assert call.value.data == {"requiredCapabilities": {"sampling": {}}}
    assert state == "ready"


async def test_a_request_for_input_reaches_a_client_that_can_answer_it() -> None:
    async with gateway_client("2026-07-28", "2026-07-28") as (connected, _):
        name = "test_input_required_result_request_state"
        first: Any = await connected.session.call_tool(name, {}, allow_input_required=True)
        given: Any = {"confirm": types.ElicitResult(action="accept", content={"name": "Ada"})}
        second: Any = await connected.session.call_tool(
            name, {}, input_responses=given, request_state=first.request_state, allow_input_required=True
        )
        prompt: Any = await connected.session.get_prompt(
            "test_input_required_result_prompt", allow_input_required=True
        )

    assert isinstance(first, types.InputRequiredResult)
    assert first.input_requests is not None
    assert list(first.input_requests) == ["confirm"]
    assert "state-ok" in texts(second)[0]
    assert isinstance(prompt, types.InputRequiredResult)


async def test_a_request_for_input_is_an_error_for_a_client_with_a_session() -> None:
    async with gateway_client("2026-07-28", "legacy") as (connected, _):
        result = await connected.call_tool("test_input_required_result_elicitation", {})

    assert result.is_error
    assert texts(result) == ["the agent sent an invalid response"]


@pytest.mark.process
async def test_a_server_with_tools_alone_declares_nothing_else() -> None:
    tools = [{"name": "pid", "inputSchema": {"type": "object"}}]

    async with connected_to(raw(pages=[tools])) as made:
        inventory = await made.started()
        async with client(mcp_client_of(made, inventory), "legacy") as connected:
            declared = connected.server_capabilities
            with pytest.raises(MCPError) as caught:
                await connected.list_resources()

    assert (declared.resources, declared.prompts, declared.completions) == (None, None, None)
    assert caught.value.code == types.METHOD_NOT_FOUND


async def test_a_caller_of_a_redacted_card_gets_no_resources() -> None:
    async with gateway_client("2026-07-28", "legacy") as (connected, made):
        assert connected.server_capabilities.resources is not None
        hidden = mcp_client_of(made, await made.started())
        hidden.agent.config = hidden.agent.config.model_copy(update={"visibility": "private"})
        async with client(hidden, "legacy") as stranger:
            assert stranger.server_capabilities.resources is None


async def test_long_lists_have_pages_and_an_unknown_cursor_is_refused() -> None:
    async with gateway_client("2026-07-28", "legacy") as (_, made):
        resources: Any = [{"uri": f"test://{number}", "name": "n"} for number in range(PAGE + 2)]
        # Not a resource: it is left out, and the others are listed.
        resources[0] = {"uri": "test://0", "name": "n", "size": "large"}
        inventory = replace(await made.started(), resources=tuple(resources))
        async with client(mcp_client_of(made, inventory), "legacy") as connected:
            first = await connected.list_resources()
            second = await connected.list_resources(cursor=first.next_cursor)
            refused = []
            for cursor in ("7", "-1", "x", str(PAGE * 9)):
                with pytest.raises(MCPError) as caught:
                    await connected.list_resources(cursor=cursor)
                refused.append(caught.value.code)

    assert [len(first.resources), len(second.resources)] == [PAGE - 1, 2]
    assert (first.resources[0].uri, second.next_cursor) == ("test://1", None)
    assert refused == [types.INVALID_PARAMS] * 4


@pytest.mark.parametrize("mode", MODES)
async def test_every_progress_notification_of_a_tool_is_forwarded(mode: str) -> None:
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        del total, message
        heard.append(progress)

    async with gateway_client("2026-07-28", mode) as (connected, _):
        await connected.call_tool("test_tool_with_progress", {}, progress_callback=hear)
    assert heard == [0, 50, 100]
