"""Calls to tools of MCP servers for cards without A2A; every failure is a CardError."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest

from cardwright.card import Card
from cardwright.discovery.calling import Reply, call_agent
from cardwright.errors import (
    AccessDenied,
    BadArgument,
    BadResponse,
    CallFailed,
    ConnectionDenied,
    MissingPackage,
    NoInterface,
    PeerError,
    PeerTimeout,
    PeerUnreachable,
    UnknownSkill,
)
from tests.discovery.calling.sdk_agents import mcp_application, serving
from tests.gateway.upstream.mcp.servers.over_http import response_to
from tests.peers import RecordedRequest, peer
from tests.peers import Reply as Answer

ALLOW = ("127.0.0.0/8",)
TEXT = {"type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"]}
JSON = {"Content-Type": "application/json"}


def beach(origin: str, tool: str | None = "ask_harbour", **more: Any) -> Card:
    transport = {"protocol": "mcp", "endpoint": f"{origin}/mcp", "transport": "http", "tool": tool, **more}
    return Card.from_document({"schemaVersion": "1.0", "capabilities": [], "transports": [transport]})


def synthesised(origin: str, *skills: dict[str, Any]) -> Card:
    document = {
        "name": "A",
        "protocol": "mcp",
        "url": f"{origin}/mcp",
        "capabilities": {},
        "skills": list(skills),
    }
    return Card.from_document(document)


async def reply_to(card: Card, message: Any, **more: Any) -> Reply:
    return await call_agent(
        card, message, allow=ALLOW, timeout_seconds=more.pop("timeout_seconds", 20), **more
    )


async def test_a_text_message_is_the_single_text_argument_of_the_tool() -> None:
    async with serving(mcp_application(), lifespan="on") as origin:
        reply = await reply_to(beach(origin), "when?")
        assert reply.text == "you asked when?"
        assert (reply.state, reply.task_id, reply.selection.interface.tool) == (
            "completed",
            None,
            "ask_harbour",
        )
        # The card's own schema spares asking the server for it.
        skill = {"id": "ask_harbour", "inputSchema": TEXT}
        assert (
            await reply_to(synthesised(origin, skill), ["when", "and where?"])
        ).text == "you asked when\nand where?"


async def test_a_dict_message_is_the_arguments_of_the_tool() -> None:
    async with serving(mcp_application(), lifespan="on") as origin:
        reply = await reply_to(beach(origin, None), {"number": 7, "night": True}, tool="berth")
        assert reply.data == ({"number": 7, "night": True},)
        assert reply.raw["structuredContent"] == {"number": 7, "night": True}


async def test_a_tool_that_fails_is_a_reply_that_says_so() -> None:
    async with serving(mcp_application(), lifespan="on") as origin:
        assert (await reply_to(beach(origin, "broken"), {})).state == "failed"


def test_a_card_with_several_tools_requires_a_tool_name() -> None:
    card = synthesised("http://127.0.0.1:1", {"id": "a"}, {"id": "b"})
    with pytest.raises(BadArgument, match="required: name the MCP tool to call; the card has 'a', 'b'"):
        asyncio.run(reply_to(card, "hello"))
    with pytest.raises(UnknownSkill, match='it has "a", "b"'):
        asyncio.run(reply_to(card, "hello", tool="c"))
    with pytest.raises(BadArgument, match="leave this argument out"):
        asyncio.run(reply_to(beach("http://127.0.0.1:1"), "hello", tool="c"))


async def test_a_text_that_could_be_any_argument_is_refused() -> None:
    properties = {"a": {"type": "string"}, "b": {"type": ["string", "null"]}}

    async with serving(mcp_application(), lifespan="on") as origin:
        skill = {"id": "two", "inputSchema": {"properties": properties, "required": ["a", "b"]}}
        with pytest.raises(BadArgument, match='needs a dict of arguments; its text arguments are "a", "b"'):
            await reply_to(synthesised(origin, skill), "hello")
        with pytest.raises(BadArgument, match='the server has no tool "none"; it has "ask_harbour", "berth"'):
            await reply_to(beach(origin, "none"), "hello")
        with pytest.raises(
            BadArgument, match='required: name the MCP tool to call; the server has "ask_harbour"'
        ):
            await reply_to(beach(origin, None), "hello")
        with pytest.raises(BadArgument, match="takes one dict of arguments, or a text"):
            await reply_to(beach(origin), b"bytes")


def scripted(rpc_request: RecordedRequest) -> Answer:
    """Answer for a server whose calls fail, and whose list has a cursor that repeats."""
    request = json.loads(rpc_request.body or b"{}")
    if "id" not in request:
        return Answer(202 if rpc_request.method == "POST" else 405)
    body = response_to(request)
    if request["method"] == "tools/list":
        body["result"]["nextCursor"] = "1"
    if request["method"] == "tools/call":
        body = {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32602, "message": "secret words"}}
    return Answer(200, json.dumps(body).encode(), JSON)


async def test_a_cursor_that_repeats_ends_the_list_of_tools() -> None:
    async with peer(scripted) as one:
        with pytest.raises(BadArgument, match=r'it has "echo"$'):
            await reply_to(beach(one.origin, "none"), "hello")
        # The only tool needs no name.
        with pytest.raises(BadArgument, match='the MCP tool "echo" needs a dict of arguments'):
            await reply_to(beach(one.origin, None), "hello")


async def test_a_server_error_is_reported_by_its_code() -> None:
    async with peer(scripted) as one:
        with pytest.raises(CallFailed) as caught:
            await reply_to(beach(one.origin), {"question": "when?"})
        assert (caught.value.code, caught.value.remote_text) == (-32602, "secret words")
        assert str(caught.value).endswith(': "secret words"')
        assert "secret" not in caught.value.reason


def failing(answer: Answer, **more: Any) -> BaseException:
    async def scene() -> BaseException:
        async with peer(lambda _: answer) as one:
            with pytest.raises(PeerError) as caught:
                await reply_to(beach(one.origin), {"question": "when?"}, **more)
            return caught.value

    return asyncio.run(scene())


@pytest.mark.parametrize("status", [401, 403])
def test_an_authentication_error_is_reported(status: int) -> None:
    error = failing(Answer(status, b"secret", {"WWW-Authenticate": "Bearer"}))
    assert isinstance(error, AccessDenied)
    assert (error.status, error.schemes) == (status, ("bearer",))


@pytest.mark.parametrize("status", [404, 500, 503])
def test_an_http_error_is_reported(status: int) -> None:
    error = failing(Answer(status, b"secret words", {"Retry-After": "3"}))
    assert isinstance(error, BadResponse)
    assert (error.status, error.retry_after) == (status, 3.0)
    assert "secret" not in str(error)


async def test_a_redirect_to_another_origin_is_not_followed() -> None:
    async with peer(lambda _: Answer()) as other:
        answer = Answer(307, b"", {"Location": f"{other.origin}/mcp"})
        async with peer(lambda _: answer) as one:
            with pytest.raises(BadResponse) as caught:
                await reply_to(beach(one.origin), {"question": "when?"})
            assert caught.value.kind == "redirects"
        assert other.requests == []


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body=b"<html>secret</html>", headers={"Content-Type": "text/html"}),
        Answer(body=b"secret", headers=JSON),
        Answer(body=b"[" * 10_000, headers=JSON),
        Answer(202),
        Answer(body=b"data: secret\n\n", headers={"Content-Type": "text/event-stream"}),
    ],
    ids=["html", "json", "deep", "accepted", "events"],
)
def test_an_invalid_response_is_reported(answer: Answer) -> None:
    error = failing(answer)
    assert isinstance(error, BadResponse), repr(error)
    assert error.kind == "not-a-reply"
    assert "secret" not in str(error)


async def test_a_server_that_does_not_answer_is_a_timeout() -> None:
    never = asyncio.Event()

    async def answer(_: RecordedRequest) -> Answer:
        await never.wait()
        return Answer()

    async with peer(answer) as one:
        with pytest.raises(PeerTimeout):
            await reply_to(beach(one.origin), {"question": "when?"}, timeout_seconds=0.5)


async def test_a_refused_connection_is_unreachable() -> None:
    async with peer(lambda _: Answer()) as one:
        origin = one.origin
    with pytest.raises(PeerUnreachable):
        await reply_to(beach(origin), {"question": "when?"})


async def test_loopback_is_denied_by_default() -> None:
    async with peer(lambda _: Answer()) as one:
        with pytest.raises(ConnectionDenied):
            await call_agent(beach(one.origin), {"question": "when?"})
        assert one.requests == []


def test_a_command_is_never_started() -> None:
    card = beach("http://127.0.0.1:1", endpoint="stdio://rm")
    with pytest.raises(NoInterface, match="only local configuration may"):
        asyncio.run(reply_to(card, "hello"))


async def test_credentials_go_to_their_origin_only() -> None:
    async with peer(lambda _: Answer(500)) as one, peer(lambda _: Answer(500)) as other:
        for target in (one, other):
            with pytest.raises(BadResponse):
                await reply_to(beach(target.origin), {}, credentials={one.origin: {"X-Key": "s"}})
        assert all(request.headers["x-key"] == "s" for request in one.requests)
        assert all("x-key" not in request.headers for request in other.requests)


def test_without_mcp_its_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "cardwright.discovery.calling.mcp", raising=False)
    with pytest.raises(MissingPackage, match=r'pip install "cardwright\[mcp\]"'):
        asyncio.run(reply_to(beach("http://127.0.0.1:1"), "hello"))
