"""A gateway with gRPC in this process, and bare stubs to call it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from a2a.helpers import new_text_message
from a2a.types import Role, SendMessageRequest
from a2a.utils.grpc_status import status_from_call
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped] # it has no stubs

from cardwright.serve.listening import free_port
from cardwright_gateway import Gateway
from tests.gateway.gateways import BASE, CARD
from tests.gateway.tasks.gateways import OWNERS
from tests.grpc_modules import aio, services

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

HOST = "127.0.0.1"
VERSION = ("a2a-version", "1.0")
HELD: set[str] = set()


async def answer(text: str) -> Any:
    """Say how many words there are; `slowly` in pieces, `forever` not at all."""
    return f"{len(text.split())} words"


async def pieces(text: str) -> AsyncIterator[str]:
    """Yield the words one by one, and then, for `wait`, nothing more."""
    for word in text.split():
        yield word
    if "wait" in text:
        HELD.add(text)
        try:
            await asyncio.Event().wait()
        finally:
            HELD.discard(text)


def function(name: str, **more: Any) -> dict[str, Any]:
    return {"card": CARD, "backend": {"python": f"{__name__}:{name}"}, **more}


AGENTS: dict[str, Any] = {
    "greeter": function("answer"),
    "pieces": function("pieces"),
    "kept": function("answer", owner="acme"),
    "bare": {"card": CARD},
}


@asynccontextmanager
async def serving(agents: dict[str, Any] = AGENTS, **more: Any) -> AsyncGenerator[tuple[Gateway, str]]:
    """Run a gateway with gRPC; yield it and the address."""
    port = free_port(HOST, 0)
    settings = {
        "base_url": BASE,
        "agents": agents,
        "owners": OWNERS,
        "limits": {"requests": 0},
        "webhooks": {"enabled": False},
        **more,
        "grpc": {"port": port, "address": f"{HOST}:{port}", **more.get("grpc", {})},
    }
    async with Gateway(settings) as gateway:
        yield gateway, f"{HOST}:{port}"


@asynccontextmanager
async def stub(address: str) -> AsyncGenerator[Any]:
    async with aio.insecure_channel(address) as channel:
        yield services.A2AServiceStub(channel)


def message(text: str, tenant: str = "") -> SendMessageRequest:
    return SendMessageRequest(message=new_text_message(text, role=Role.ROLE_USER), tenant=tenant)


async def refused(call: Any) -> tuple[Any, dict[str, Any]]:
    """Return the status code of a refused call, and its ErrorInfo with the message."""
    with pytest.raises(aio.AioRpcError) as caught:
        await call
    status = status_from_call(caught.value)
    assert status is not None
    details = MessageToDict(status)["details"]
    return caught.value.code(), {**details[0], "message": caught.value.details()}
