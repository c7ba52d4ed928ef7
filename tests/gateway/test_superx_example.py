"""`examples/superx/agents.yml` runs as the document of SuperX says: cards by HTTP and RPC, and the errors."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.cli.test_run import call_gateway, running
from tests.gateway.gateways import rpc
from tests.gateway.processes import process
from tests.serve.client import CARD_PATH

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.process
def test_the_example_has_the_cards_and_errors_of_the_document(tmp_path: Path) -> None:
    """SuperX seed: Request Flow, URL Transformation, Example (Exa), Error Handling and Usage Examples."""
    shutil.copytree(EXAMPLES / "superx", tmp_path, dirs_exist_ok=True)
    file = tmp_path / "agents.yml"
    with process(EXAMPLES / "gateway/tides.py") as tides:
        settings = file.read_text().replace("http://127.0.0.1:8001", tides.origin)
        file.write_text(settings.replace("command: python", f"command: {sys.executable}"))
        with running(tmp_path, file, "--start-servers") as (_, port, _):

            def get(agent: str, query: str = "") -> Any:
                status, body = call_gateway(port, "GET", f"/agents/{agent}{CARD_PATH}{query}")
                return json.loads(body) if status == 200 else status

            public = f"http://127.0.0.1:{port}/agents/my_agent"
            found = json.loads(call_gateway(port, "POST", "/rpc", rpc("agents/get", {"id": "my_agent"}))[1])
            synthesized = get("exa_search", "?form=mcp")

            assert get("my_agent")["supportedInterfaces"][0]["url"] == public
            assert found["result"]["card"] == get("my_agent")
            assert {name: synthesized[name] for name in ("name", "protocol", "description", "version")} == {
                "name": "exa_search",
                "protocol": "mcp",
                "description": "Exa MCP Server",
                "version": "1.0.0",
            }
            assert [skill["id"] for skill in synthesized["skills"]] == ["search", "get_contents"]
            assert synthesized["skills"][0]["inputSchema"]["required"] == ["query"]
            assert get("other") == 404
