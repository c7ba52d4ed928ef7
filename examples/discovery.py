"""Discover two local agents, refresh and search them, check their contracts: `python examples/discovery.py`."""

from __future__ import annotations

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cardwright import AgentRegistry, select_interface
from cardwright.errors import ContractBroken

HERE = Path(__file__).parent
CARDS: dict[str, dict[str, Any]] = {
    "/parcels": json.loads((HERE / "a2a-1.0.card.json").read_bytes()),
    "/travel": json.loads((HERE / "beach-1.0.card.json").read_bytes()),
}


class Agents(BaseHTTPRequestHandler):
    """HTTP handler that serves the card of the agent in the path."""

    def do_GET(self) -> None:
        """Send a card, or 404."""
        agent = self.path.removesuffix("/.well-known/agent-card.json")
        body = json.dumps(CARDS[agent]).encode() if agent in CARDS else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name in the base class
        """Log nothing."""


async def main() -> None:
    """Discover both agents, change one card, and show the events of the registry."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Agents)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_port}"
    peers = [{"url": f"{origin}{path}"} for path in CARDS]
    # Connections to loopback addresses must be allowed.
    async with AgentRegistry(
        peers, allow=["127.0.0.0/8"], on_event=lambda event: print(" ", event.kind, event.url)
    ) as registry:
        print("first refresh:", dict((await registry.refresh()).outcomes))
        for peer in registry.all():
            assert peer.card is not None
            print(f"{peer.name}: {peer.card.dialect}, id {peer.id}, {len(peer.violations)} violations")
            print("  ", select_interface(peer.card).explanation)

        CARDS["/parcels"] = {**CARDS["/parcels"], "description": "Finds parcels, and lost ones too."}
        print("after a change:", dict((await registry.refresh(force=True)).outcomes))
        print("search results:", [hit.name for hit in registry.search("lost").hits])

        travel = registry.by_url(f"{origin}/travel")
        assert travel is not None
        assert travel.card is not None
        skill = travel.card.document["capabilities"][0]["id"]
        try:
            checked = travel.check_input(skill, {})
            print(f"{skill}: {'input matches the declared schema' if checked else 'declares no schema'}")
        except ContractBroken as broken:
            print(broken)
    server.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
