"""Large upstream responses share a memory budget; agents of one owner cannot fill it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.gateway.faulty_agents import CARD, card, served
from tests.gateway.gateways import JSON as REQUEST
from tests.gateway.gateways import gateway, rpc
from tests.gateway.tasks.gateways import message
from tests.peers import Reply, peer

if TYPE_CHECKING:
    from tests.peers import RecordedRequest

SIZE = 400 * 1024
MORE: dict[str, Any] = {
    "max_bodies_bytes": 1024 * 1024,
    "webhooks": {"enabled": False},
    "limits": {"requests": 0},
    "owners": {"acme": {"name": "Acme Ltd"}, "other": {"name": "Other Ltd"}},
}
PLACES = ["pass", "stream", "invoke", "own"]
KINDS = {"stream": "text/event-stream"}


@pytest.mark.parametrize("place", PLACES)
async def test_large_responses_beyond_the_memory_of_an_owner_are_refused(place: str) -> None:
    """An answer of 400 KiB does not fit beside another one into half a MiB; another owner's does, and a later one."""

    def answer(request: RecordedRequest) -> Reply:
        origin = f"http://{request.headers['host']}"
        if request.path == CARD:
            return served(card(origin, capabilities={"streaming": place == "stream"}))
        result = {"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "a" * SIZE}]}}
        body = json.dumps({"jsonrpc": "2.0", "id": json.loads(request.body)["id"], "result": result}).encode()
        if place == "stream":
            body = b"data: " + body + b"\n\n"
        return Reply(200, body, {"Content-Type": KINDS.get(place, "application/json")})

    async with peer(answer) as there:
        agent = {
            "url": there.origin,
            "access": "open",
            "invoke": True,
            "tasks": "own" if place == "own" else "pass",
        }
        agents = {name: {**agent, "owner": owner} for name, owner in (("one", "acme"), ("two", "other"))}
        async with gateway(agents=agents, **MORE) as send:
            bodies = send.gateway.application.bodies

            async def ask_agent(agent_id: str) -> bytes:
                if place == "invoke":
                    return (await send("POST", f"/{agent_id}/v1/invoke", REQUEST, b'{"message": "x"}')).body
                method = "SendStreamingMessage" if place == "stream" else "SendMessage"
                return (await send("POST", f"/{agent_id}", REQUEST, rpc(method, message("x")))).body

            # As if another response for this owner were being received.
            held = bodies.answers.hold("acme")
            held.add(300 * 1024)
            assert b"too many large responses" in await ask_agent("one")
            assert len(await ask_agent("two")) > SIZE
            held.release()
            assert len(await ask_agent("one")) > SIZE
            assert bodies.answers.taken == 0
