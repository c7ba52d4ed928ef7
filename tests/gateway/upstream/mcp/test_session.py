"""MCP sessions: start, supervision, restart and clean-up."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import pytest
from starlette.responses import Response

from cardwright.errors import CallFailed, PeerTimeout
from cardwright.guard.client import GuardedClient
from cardwright_gateway.errors import SessionNotReady
from cardwright_gateway.upstream.mcp import HttpServer, McpSession, StdioServer, read_inventory
from cardwright_gateway.upstream.mcp import session as mcp_session
from tests.gateway.upstream.mcp.servers.over_http import Forgetful
from tests.gateway.upstream.mcp.servers.sdk import Changing
from tests.gateway.upstream.mcp.sessions import (
    Changes,
    nothing,
    over_http,
    raw,
    runs,
    sdk,
    session,
    text,
    until,
)

PID: dict[str, Any] = {"name": "pid", "inputSchema": {"type": "object"}}
TOOLS: list[list[Any]] = [
    [PID, {**PID, "name": "die"}, {**PID, "name": "silent"}, {**PID, "name": "environment"}]
]
NO_SESSION = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}'


async def at_once(_: float) -> None:
    """Do not wait."""


async def test_a_session_starts_once_at_its_first_use() -> None:
    changes = Changes()
    async with session(raw(), on_change=changes) as made:
        assert (made.state, made.inventory) == ("idle", None)
        found = await asyncio.gather(*(made.started() for _ in range(10)))
        assert all(one is found[0] for one in found)
        assert (made.state, made.restarts, changes.count) == ("ready", 0, 1)
        assert await text(made, "echo", text="hi") == "hi"
    assert made.state == "closed"
    with pytest.raises(SessionNotReady, match="closed"):
        await made.started()


async def test_a_server_that_hangs_at_its_start_ends_with_the_session() -> None:
    async with session(raw(hang=True), start_seconds=0.05) as made:
        with pytest.raises(SessionNotReady, match="still starting") as caught:
            await made.started()
        assert caught.value.state == "starting"


async def test_a_failed_start_is_retried_at_the_next_use_after_the_delay() -> None:
    now = [0.0]
    async with session(raw(exit=True), clock=lambda: now[0], random=lambda: 0.0) as made:
        for waited in (0.5, 1.0, 2.0):
            with pytest.raises(SessionNotReady, match="ended before the session began") as caught:
                await made.started()
            assert caught.value.state == "crashed"
            tries = made.restarts
            now[0] += waited - 0.01
            with pytest.raises(SessionNotReady):
                await made.started()
            assert made.restarts == tries
            now[0] += 0.01
        assert made.restarts == 2


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        (StdioServer("/no/such/program"), "its command or working directory does not exist"),
        (StdioServer("/"), "permission to run its command was denied"),
        (raw(info=7), "its response is not valid MCP"),
        (HttpServer("http://127.0.0.1:9/mcp"), "its address; the operator can allow it"),
    ],
)
async def test_a_failed_session_start_has_a_reason_without_the_address(
    server: StdioServer | HttpServer, expected: str
) -> None:
    async with session(server) as made:
        with pytest.raises(SessionNotReady, match=expected) as caught:
            await made.started()
        assert "127.0.0.1" not in str(caught.value)
        assert "/no/such" not in str(caught.value)


async def test_a_killed_process_is_restarted_and_has_no_inventory_meanwhile() -> None:
    changes = Changes()
    async with session(raw(pages=TOOLS), on_change=changes, sleep=at_once) as made:
        first = int(await text(made, "pid"))
        os.kill(first, signal.SIGKILL)
        await changes.another()
        assert (made.state, made.inventory) == ("crashed", None)
        await until(made, changes, lambda made: made.state == "ready")
        assert made.restarts == 1
        second = int(await text(made, "pid"))
        assert second != first
        assert not runs(first)
    assert not runs(second)


async def test_a_session_whose_task_was_cancelled_restarts_at_its_next_use() -> None:
    now = [0.0]
    async with session(raw(), clock=lambda: now[0], random=lambda: 0.0) as made:
        await made.started()
        keeping = next(one for one in asyncio.all_tasks() if one.get_name() == "MCP session harbour")
        keeping.cancel()
        await asyncio.wait({keeping})
        with pytest.raises(SessionNotReady) as caught:
            await made.started()
        assert caught.value.state == "crashed"
        now[0] += 1.0
        await made.started()
        assert await text(made, "echo", text="hi") == "hi"


@pytest.mark.parametrize(
    "unknown",
    [
        Response(NO_SESSION, 404, media_type="application/json"),
        Response(f"data: {NO_SESSION}\n\n", 404, media_type="text/event-stream"),
        Response("<p>Not found", 404),
        Response(NO_SESSION, 400, media_type="application/json"),
        Response(
            NO_SESSION.replace("ID provided", "or initialize request"), 400, media_type="application/json"
        ),
        Response(
            NO_SESSION.replace("No valid session ID provided", "Session not found"),
            400,
            media_type="application/json",
        ),
    ],
)
async def test_a_request_in_an_ended_session_is_repeated_in_a_new_one(unknown: Response) -> None:
    server = Forgetful(unknown)
    async with over_http(server.application, sleep=at_once) as made:
        await made.started()
        server.session = "ended"
        # Two at once share the new session; a body is not compared any more if another call closes the old one.
        calls = 2 if unknown.status_code == 404 else 1
        assert {*await asyncio.gather(*(text(made, "echo") for _ in range(calls)))} == {"done"}
        assert server.methods.count("tools/call") == 2 * calls
        server.session = "ended"
        await made.refresh()
        assert (made.state, made.restarts) == ("ready", 2)


async def test_a_request_that_a_new_session_rejects_too_is_not_repeated_again() -> None:
    server = Forgetful(Response(status_code=404))
    async with over_http(server.application, sleep=at_once) as made:
        with pytest.raises(CallFailed, match="no such method"):
            await made.send("prompts/get", {"name": "a"})
        assert (made.state, made.restarts, server.methods.count("prompts/get")) == ("ready", 1, 2)


async def test_a_listening_stream_that_the_server_no_longer_has_ends_the_session() -> None:
    changes, server = Changes(), Forgetful(Response(status_code=404), streams=True)
    async with over_http(server.application, on_change=changes, sleep=at_once) as made, asyncio.timeout(30):
        await made.started()
        server.session = "ended"
        await until(made, changes, lambda made: made.state == "ready" and made.restarts == 1)


async def test_a_running_call_fails_with_a_reason_when_the_process_dies() -> None:
    async with session(raw(pages=TOOLS)) as made:
        with pytest.raises(SessionNotReady, match="the connection ended") as caught:
            await made.call("die", {}, progress=nothing)
        assert (caught.value.state, made.state) == ("crashed", "crashed")
        assert caught.value.retry_after >= 1


async def test_a_running_call_fails_with_a_reason_when_the_session_closes() -> None:
    async with session(raw(pages=TOOLS)) as made:
        await made.started()
        calling = asyncio.create_task(made.call("silent", {}, progress=nothing))
        await asyncio.sleep(0)
        await made.close()
        with pytest.raises(SessionNotReady, match="closed"):
            await calling


async def test_a_call_timeout_does_not_end_the_session() -> None:
    async with session(raw(pages=TOOLS), call_seconds=0.3) as made:
        await made.started()
        with pytest.raises(PeerTimeout):
            await made.call("silent", {}, progress=nothing)
        assert made.state == "ready"


async def test_a_server_process_gets_the_minimal_and_the_configured_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OUR_SECRET", "s")
    server = raw(pages=TOOLS)
    server = StdioServer(server.command, server.args, env={"KEY": "k"})
    assert "KEY" not in repr(server)
    async with session(server) as made:
        found = json.loads(await text(made, "environment"))
        assert found["KEY"] == "k"
        assert "OUR_SECRET" not in found


async def test_invalid_lines_on_stdout_are_skipped() -> None:
    async with session(raw(junk=True)) as made:
        assert await text(made, "echo", text="hi") == "hi"


async def test_twenty_concurrent_sessions_leave_no_process() -> None:
    async with GuardedClient() as client, AsyncExitStack() as stack:
        several = [
            McpSession("harbour", raw(pages=TOOLS), client=client, start_seconds=60.0) for _ in range(20)
        ]
        for made in several:
            stack.push_async_callback(made.close)
        pids = {int(pid) for pid in await asyncio.gather(*(text(made, "pid") for made in several))}
        assert len(pids) == 20
    assert not [pid for pid in pids if runs(pid)]
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize("era", ["stdio", "http"])
async def test_changed_tools_are_read_again_at_once(era: str) -> None:
    changes = Changes()
    way = (
        session(sdk(), on_change=changes, sleep=at_once)
        if era == "stdio"
        else over_http(Changing().streamable_http_app(), on_change=changes, sleep=at_once)
    )
    async with way as made:
        await made.started()
        for generation in (1, 2, 3):
            await text(made, "grow")
            await until(made, changes, partial(shows, generation))
            assert await text(made, f"echo-{generation}", text="a") == f"{generation}: a"


async def test_under_load_no_inventory_mixes_two_lists() -> None:
    mixed: list[set[int]] = []

    def look() -> None:
        if len(generations(made)) > 1:
            mixed.append(generations(made))
        seen()

    seen = Changes()
    async with session(sdk(), on_change=look, sleep=at_once) as made:
        await made.started()
        await asyncio.gather(*(text(made, "grow") for _ in range(20)))
        await until(made, seen, lambda made: 20 in generations(made))
    assert not mixed


@pytest.mark.parametrize(("copies", "pause"), [(1, 1.0), (320 * 1024, 11.0)])
async def test_frequent_change_notifications_are_rate_limited_by_list_size(
    monkeypatch: pytest.MonkeyPatch, copies: int, pause: float
) -> None:
    described = {"name": "echo", "description": "a", "inputSchema": {"type": "object"}}
    readings, slept, now, pauses = [0], [0], [0.0], list[float]()
    enough = asyncio.Event()

    async def counted(*args: Any, **more: Any) -> Any:
        readings[0] += 1
        return await read_inventory(*args, **more)

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        slept[0] += 1
        now[0] += seconds
        if slept[0] == 5:
            enough.set()
            await asyncio.Event().wait()

    monkeypatch.setattr(mcp_session, "read_inventory", counted)
    server = raw(restless=True, pages=[[described]], copies=copies)
    async with session(server, clock=lambda: now[0], sleep=sleep) as made:
        await made.started()
        await enough.wait()
        assert made.state == "ready"
        # Often during the start, once at its end, and once after each pause except the last.
        assert readings[0] <= 3 + 1 + 4
        assert pauses == [pytest.approx(pause, abs=0.1)] * 5


async def test_progress_is_reported_and_a_cancellation_reaches_the_server() -> None:
    reports: list[tuple[float, float | None, str | None]] = []

    async def progress(done: float, total: float | None, text: str | None) -> None:
        reports.append((done, total, text))

    server = Changing()
    async with over_http(server.streamable_http_app()) as made:
        await made.call("slow", {}, progress=progress)
        assert reports[0] == (0, 2, "step 0")
        calling = asyncio.create_task(made.call("wait", {}, progress=nothing))
        await server.waiting.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        await server.cancelled.wait()


def shows(generation: int, made: McpSession) -> bool:
    return generation in generations(made)


def generations(made: McpSession) -> set[int]:
    tools = made.inventory.tools if made.inventory else ()
    return {int(tool["name"].partition("-")[2]) for tool in tools if "-" in tool["name"]}
