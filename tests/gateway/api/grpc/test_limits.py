"""The limits of calls over gRPC: of their number, size, content and time."""

from __future__ import annotations

import asyncio
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from a2a.types import CancelTaskRequest, GetTaskRequest, SendMessageRequest, SubscribeToTaskRequest, TaskState
from google.protobuf.struct_pb2 import Value  # type: ignore[import-untyped] # it has no stubs

from cardwright_gateway.api.grpc import receiving
from cardwright_gateway.api.grpc.receiving import ReceivingPlaces, TooManyWaiting
from tests.cluster.hostile.grpc_streams import connection
from tests.gateway.gateways import CARD
from tests.gateway.grpc_gateways import HELD, VERSION, message, refused, serving, stub
from tests.gateway.waiting import wait_until
from tests.grpc_modules import aio, grpc

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


async def test_the_rate_limit_counts_calls_over_grpc() -> None:
    limits = {"requests": 1, "seconds": 60}
    async with serving(limits=limits) as (gateway, address), stub(address) as agent:
        sent = [VERSION, ("x-agent-api-key", gateway.keys.issue("kept", "acme", actor="test")[1])]
        await agent.SendMessage(message("hi", "kept"), metadata=sent)
        call = agent.SendMessage(message("hi", "kept"), metadata=sent)
        code, info = await refused(call)
        assert (code, info["reason"]) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
        assert int(dict(await call.trailing_metadata())["retry-after"]) > 0


async def test_a_message_that_is_too_large_is_refused() -> None:
    async with serving(max_body_bytes=64 * 1024) as (gateway, address), stub(address) as agent:
        code, info = await refused(agent.SendMessage(message("x" * 65_400, "greeter")))
        assert (code, info["reason"]) == (grpc.StatusCode.INVALID_ARGUMENT, "BODY_TOO_LARGE")
        with pytest.raises(aio.AioRpcError) as caught:
            await agent.SendMessage(message("x" * 100_000, "greeter"))
        assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (await agent.SendMessage(message("hi", "greeter"))).task.id
        assert gateway.application.bodies.taken == 0


async def test_large_anonymous_messages_and_too_many_values_are_refused() -> None:
    values = message("hi", "greeter")
    data = Value()
    data.list_value.extend([1.0] * 5_001)
    values.message.parts.add(data=data)

    async with serving() as (_, address), stub(address) as agent:
        code, info = await refused(agent.SendMessage(message("x" * 300_000, "greeter")))
        assert (code, info["reason"]) == (grpc.StatusCode.INVALID_ARGUMENT, "BODY_TOO_LARGE")
        assert "without credentials" in info["message"]
        code, info = await refused(agent.SendMessage(values))
        assert (code, info["reason"]) == (grpc.StatusCode.INVALID_ARGUMENT, "BODY_TOO_LARGE")
        assert "5,000 values" in info["message"]


async def test_a_wrong_key_does_not_raise_the_size_limit() -> None:
    async with serving() as (gateway, address), stub(address) as agent:
        large = message("x" * 300_000, "kept")
        wrong = [VERSION, ("authorization", "Bearer nonsense"), ("x-agent-api-key", "bak_nonsense")]
        code, info = await refused(agent.SendMessage(large, metadata=wrong))
        assert (code, info["reason"]) == (grpc.StatusCode.INVALID_ARGUMENT, "BODY_TOO_LARGE")
        right = [VERSION, ("x-agent-api-key", gateway.keys.issue("kept", "acme", actor="test")[1])]
        assert (await agent.SendMessage(large, metadata=right)).task.id


async def test_callers_that_leave_before_their_message_are_no_internal_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with serving() as (_, address):
        for _ in range(10):
            async with aio.insecure_channel(address) as channel:
                calls = [channel.stream_stream("/lf.a2a.v1.A2AService/SendMessage")() for _ in range(16)]
                await refused_status(channel.stream_stream("/lf.a2a.v1.A2AService/Nothing")().read())
                for call in calls:
                    await call.done_writing()
    assert caplog.text == ""


async def test_incomplete_requests_do_not_block_callers_with_a_key() -> None:
    async with (
        serving() as (gateway, address),
        aio.insecure_channel(address) as slow,
        stub(address) as agent,
    ):
        calls = [slow.stream_stream("/lf.a2a.v1.A2AService/SendMessage")() for _ in range(64)]
        waiting = [asyncio.ensure_future(call.read()) for call in calls]
        # They are stored when the last one, with another method, is answered.
        await refused_status(slow.stream_stream("/lf.a2a.v1.A2AService/Nothing")().read())
        sent = [VERSION, ("x-agent-api-key", gateway.keys.issue("kept", "acme", actor="test")[1])]
        reply = await agent.SendMessage(message("hi", "kept"), metadata=sent, timeout=4)
        assert reply.task.id
        assert not any(one.done() for one in waiting)
        for call in calls:
            call.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def test_silent_requests_of_many_addresses_delay_a_stranger_by_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(receiving, "_STRANGER_SECONDS", 60.0)
    monkeypatch.setattr(receiving, "_CONTENDED_SECONDS", 0.01)
    places = ReceivingPlaces(16)

    async def silent(address: str) -> None:
        async with places.place("", address):
            await asyncio.Event().wait()

    async def stranger() -> None:
        async with places.place("", "203.0.113.1"):
            pass

    slow = [asyncio.ensure_future(silent(f"198.51.100.{number % 18}")) for number in range(72)]
    more = [asyncio.ensure_future(silent("198.51.100.1")) for _ in range(64)]
    await asyncio.sleep(0)
    # The first address has four already.
    refused_ = [one.exception() for one in more if one.done()]
    assert {type(error) for error in refused_} == {TooManyWaiting}
    assert len(refused_) == 4
    slow += more[:-4]
    await asyncio.wait_for(stranger(), 30)
    for one in slow:
        one.cancel()
    assert {type(error) for error in await asyncio.gather(*slow, return_exceptions=True)} == {
        TimeoutError,
        asyncio.CancelledError,
    }


@pytest.mark.parametrize("kind", ["silent", "metadata"])
async def test_hostile_streams_cause_no_error_in_the_log(caplog: pytest.LogCaptureFixture, kind: str) -> None:
    async with serving() as (_, address), stub(address) as agent:
        _, writer = await asyncio.open_connection(*address.split(":"))
        writer.write(connection(Random(0), kind)[1])  # noqa: S311 - no cryptography
        # The calls of the first connection were accepted before that of the second.
        await refused_status(agent.GetTask(GetTaskRequest(id="x", tenant="bare")))
        writer.transport.abort()
        for _ in range(3):
            assert (await agent.SendMessage(message("hi", "greeter"))).task.id
        assert not caplog.records


async def large_pieces(__: str) -> AsyncIterator[str]:
    """Yield more than the buffer of a caller that does not read."""
    for _ in range(16):
        yield "x" * 200_000


async def test_a_caller_that_does_not_read_frees_its_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of the imported module: another test imports it again.
    used = import_module("cardwright_gateway.api.grpc.server").GrpcCall._write.__globals__
    monkeypatch.setitem(used, "_WRITE_SECONDS", 0.2)
    agents = {"large": {"card": CARD, "backend": {"python": f"{__name__}:large_pieces"}}}

    async with serving(agents) as (gateway, address), aio.insecure_channel(address) as channel:
        opened = channel.unary_stream(
            "/lf.a2a.v1.A2AService/SendStreamingMessage", SendMessageRequest.SerializeToString
        )
        call = opened(message("go", "large"), metadata=[VERSION])
        agent = gateway.agents["large"]
        async with asyncio.timeout(30):
            await call.initial_metadata()
            await wait_until(lambda: not agent.running_calls)
        call.cancel()


async def refused_status(call: Any) -> Any:
    with pytest.raises(aio.AioRpcError) as caught:
        await call
    return caught.value.code()


async def test_compressed_messages_are_not_accepted() -> None:
    async with serving() as (_, address), stub(address) as agent:
        with pytest.raises(aio.AioRpcError) as caught:
            await agent.SendMessage(message("hi " * 1_000, "greeter"), compression=grpc.Compression.Gzip)
        assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


async def test_a_cancelled_stream_frees_its_slot_and_its_task_continues() -> None:
    async with serving() as (gateway, address), stub(address) as agent:
        call = agent.SendStreamingMessage(message("please wait", "pieces"))
        events, task_id = aiter(call), ""
        while not HELD:
            event = await anext(events)
            task_id = event.task.id or event.status_update.task_id or event.artifact_update.task_id
        call.cancel()
        await wait_until(lambda: not gateway.agents["pieces"].running_calls)
        assert HELD
        following = aiter(agent.SubscribeToTask(SubscribeToTaskRequest(id=task_id, tenant="pieces")))
        assert (await anext(following)).task.id == task_id
        cancelled = await agent.CancelTask(CancelTaskRequest(id=task_id, tenant="pieces"))
        assert cancelled.status.state == TaskState.TASK_STATE_CANCELED
        last = [event async for event in following][-1]
        assert last.status_update.status.state == TaskState.TASK_STATE_CANCELED
        assert not HELD


async def test_a_call_ends_at_its_deadline() -> None:
    async with serving() as (gateway, address), stub(address) as agent:
        with pytest.raises(aio.AioRpcError) as caught:
            await agent.SendMessage(message("wait", "pieces"), timeout=0.5)
        assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
        assert (await agent.SendMessage(message("hi", "greeter"))).task.id
        assert gateway.agents["pieces"].running_calls <= 1
