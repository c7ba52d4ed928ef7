"""RateLimit header fields of every response to a counted request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.gateway.gateways import JSON, rpc
from tests.gateway.tasks.gateways import function, message, owned
from tests.serve.client import CARD_PATH, call

if TYPE_CHECKING:
    from tests.serve.client import Reply

POLICY = '"calls";q=5;w=60'


def left(reply: Reply) -> tuple[str | None, str | None]:
    """Return the policy, and how many requests are left."""
    state = reply.headers.get("ratelimit")
    return reply.headers.get("ratelimit-policy"), state and state.split(";")[1]


async def test_calls_streams_invocations_and_refusals_have_rate_limit_fields() -> None:
    agents = {"greeter": function("answer", invoke=True)}
    async with owned(agents, limits={"requests": 5}) as gateway:
        credentials = (await gateway.key("greeter")).credentials
        headers = {**JSON, **credentials}
        stream = {**headers, "Accept": "text/event-stream"}
        invocation = json.dumps({"message": "hi"}).encode()

        async def post(path: str, headers: dict[str, str], body: bytes) -> Reply:
            return await call(gateway.gateway, "POST", path, headers, body=body)

        replies = [
            await post("/greeter", headers, rpc("SendMessage", message("1"))),
            await post("/greeter", stream, rpc("SendStreamingMessage", message("2"))),
            await post("/greeter/v1/invoke", headers, invocation),
            await post("/greeter/v1/invoke", stream, invocation),
            await post("/greeter", headers, b"{"),
            await post("/greeter", headers, rpc("SendMessage", message("3"))),
        ]
        assert [left(reply) for reply in replies] == [
            (POLICY, f"r={number}") for number in (4, 3, 2, 1, 0, 0)
        ]
        assert (replies[-1].status, replies[-1].headers["retry-after"]) == (429, "60")
        assert replies[-1].json["error"]["data"][0]["reason"] == "RATE_LIMITED"
        # Neither is counted.
        card = await call(gateway.gateway, "GET", f"/greeter{CARD_PATH}")
        unknown = await post("/greeter", JSON, rpc("SendMessage", message("4")))
        assert left(card) == left(unknown) == (None, None)


async def test_a_large_body_counts_in_the_rate_limit_fields() -> None:
    agents = {"greeter": function("answer", invoke=True)}
    async with owned(agents, limits={"requests": 5}) as gateway:
        headers = {**JSON, **(await gateway.key("greeter")).credentials}
        body = json.dumps({"message": "x", "data": {"text": "x" * 1_100_000}}).encode()
        reply = await call(gateway.gateway, "POST", "/greeter/v1/invoke", headers, body=body)

        assert left(reply) == (POLICY, "r=3")
