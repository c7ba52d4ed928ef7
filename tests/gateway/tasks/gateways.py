"""Gateways whose agents have owners and managed tasks, and callers with keys."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from cardwright_gateway import Gateway
from tests.gateway.gateways import BASE, CARD, JSON, rpc
from tests.serve.client import Reply, call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from tests.gateway.processes import Process

OWNERS = {"acme": {"name": "Acme Ltd"}}
TERMINAL = "TASK_STATE_COMPLETED"


def message(text: str, **more: Any) -> dict[str, Any]:
    """Return the params of a message."""
    return {"message": {"messageId": f"m-{text}", "role": "ROLE_USER", "parts": [{"text": text}], **more}}


def function(name: str, **more: Any) -> dict[str, Any]:
    """Return an agent of the owner with a function of this module as its backend."""
    return {"card": CARD, "backend": {"python": f"{__name__}:{name}"}, "owner": "acme", **more}


def agent_at(peer: Process, **more: Any) -> dict[str, Any]:
    """Return an agent of the owner with another process as its upstream."""
    return {"url": peer.origin, "owner": "acme", "invoke": True, **more}


@dataclass(frozen=True)
class Owned:
    """A gateway, and callers of it."""

    gateway: Gateway

    async def key(self, agent_id: str) -> Caller:
        """Return a caller with a key of an agent."""
        _, secret = await asyncio.to_thread(
            lambda: self.gateway.keys.issue(agent_id, "acme", name="a test", actor="test")
        )
        return Caller(self.gateway, agent_id, {"X-Agent-API-Key": secret})

    def anonymous(self, agent_id: str) -> Caller:
        """Return a caller without credentials."""
        return Caller(self.gateway, agent_id, {})


@dataclass(frozen=True)
class Caller:
    """A caller of one agent."""

    gateway: Gateway
    agent_id: str
    credentials: dict[str, str]

    async def rpc(self, method: str, params: Any, **headers: str) -> dict[str, Any]:
        """Send one call; return the answer."""
        fields = {**JSON, **self.credentials, **headers}
        reply = await call(self.gateway, "POST", f"/{self.agent_id}", fields, body=rpc(method, params))
        value: dict[str, Any] = json.loads(reply.body)
        return value

    async def send(self, text: str, **more: Any) -> dict[str, Any]:
        """Send a message; return the task."""
        answer = await self.rpc("SendMessage", message(text, **more))
        assert "result" in answer, answer
        task: dict[str, Any] = answer["result"]["task"]
        return task

    async def stream(self, text: str, **more: Any) -> list[dict[str, Any]]:
        """Send a message; return the events."""
        return await self._events("SendStreamingMessage", message(text, **more))

    async def follow(self, task_id: str) -> list[dict[str, Any]]:
        """Subscribe to a task; return the events until its end."""
        return await self._events("SubscribeToTask", {"id": task_id})

    async def _events(self, method: str, params: Any) -> list[dict[str, Any]]:
        fields = {**JSON, **self.credentials, "Accept": "text/event-stream"}
        body = rpc(method, params)
        reply = await call(self.gateway, "POST", f"/{self.agent_id}", fields, body=body)
        lines = reply.body.decode().splitlines()
        return [json.loads(line[6:])["result"] for line in lines if line.startswith("data: ")]

    async def at(self, path: str, value: Any, **headers: str) -> Reply:
        """Post JSON below the agent, stating the version that the path belongs to."""
        version = {} if path.startswith("v1/") else {"A2A-Version": "1.0"}
        fields = {"Content-Type": "application/json", **version, **self.credentials, **headers}
        return await call(
            self.gateway, "POST", f"/{self.agent_id}/{path}", fields, body=json.dumps(value).encode()
        )


@asynccontextmanager
async def owned(agents: Mapping[str, Any], **more: Any) -> AsyncGenerator[Owned]:
    """Run a gateway until the block ends."""
    settings = {"base_url": BASE, "owners": OWNERS, "limits": {"requests": 0}, "webhooks": {"enabled": False}}
    async with Gateway({**settings, **more, "agents": dict(agents)}) as gateway:
        yield Owned(gateway)


async def upstream_task_id(gateway: Owned, task_id: str, agent_id: str = "tides") -> str:
    """Return the id of the upstream task of a managed task."""
    own = gateway.gateway.agent(agent_id).own
    assert own is not None
    async with asyncio.timeout(60):
        while (known := await own.known.find(task_id)) is None:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(0.01)
    return known[0]


async def start_upstream_task(gateway: Owned) -> tuple[Caller, str, str]:
    """Start a long task; return its caller, its id, and the id of the upstream task."""
    caller = await gateway.key("tides")
    immediately = {**message("wait"), "configuration": {"returnImmediately": True}}
    task_id = (await caller.rpc("SendMessage", immediately))["result"]["task"]["id"]
    return caller, task_id, await upstream_task_id(gateway, task_id)


async def state_upstream(peer: Process, method: str, upstream_id: str) -> str:
    """Request a task from the upstream agent itself; return its state."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"id": upstream_id}}
    async with httpx.AsyncClient() as http:
        response = await http.post(peer.origin, json=body, headers={"A2A-Version": "1.0"})
    state: str = response.json()["result"]["status"]["state"]
    return state


def answer(text: str) -> str:
    """Return the number of words."""
    return f"{len(text.split())} words"


async def forever(text: str) -> str:
    """Never answer."""
    await asyncio.Event().wait()
    return text


async def stubborn(text: str) -> str:
    """Never answer, and ignore the first cancellation."""
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        await asyncio.Event().wait()
    return text
