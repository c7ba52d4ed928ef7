"""A gateway in this process, with agents that need no other process."""

from __future__ import annotations

import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright_gateway import Gateway
from tests.serve.client import Reply, call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

BASE = "https://gateway.example.com"
TOKEN = "a-token-of-20-letters"  # noqa: S105 - of these tests alone
ADMIN = {"Authorization": f"Bearer {TOKEN}"}
CARD: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "examples/gateway/greeter.card.json").read_bytes()
)
AGENTS: dict[str, Any] = {
    "greeter": {"card": CARD, "backend": {"python": f"{__name__}:answer"}},
    "kept": {"card": CARD},
}
MESSAGE = {"message": {"messageId": "m-1", "role": "ROLE_USER", "parts": [{"text": "two words"}]}}
JSON = {"Content-Type": "application/json", "A2A-Version": "1.0"}


def answer(message: str) -> str:
    """Return the number of words."""
    return f"{len(message.split())} words"


def rpc(method: str, params: Any = None, call_id: Any = 1) -> bytes:
    """Return a JSON-RPC request."""
    body = {"jsonrpc": "2.0", "id": call_id, "method": method}
    return json.dumps(body if params is None else {**body, "params": params}).encode()


class GatewayClient:
    """A gateway called in this process."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway

    async def __call__(
        self, method: str, url: str, headers: Any = (), body: bytes = b"", **more: Any
    ) -> Reply:
        """Send one request."""
        return await call(self.gateway, method, url, headers, body=body, **more)

    async def rpc(self, method: str, params: Any = None, **headers: str) -> Reply:
        """Send one call to the gateway itself."""
        return await self("POST", "/rpc", {**JSON, **headers}, rpc(method, params))


@asynccontextmanager
async def gateway(*, local: bool = False, **more: Any) -> AsyncGenerator[GatewayClient]:
    """Run a gateway until the block ends."""
    assert sys.modules[__name__].answer is answer
    config = {"base_url": BASE, "agents": AGENTS, **more}
    async with Gateway(config, local=local) as running:
        yield GatewayClient(running)
