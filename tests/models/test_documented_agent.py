"""The agents in the page about the typed models, called by the clients of the SDKs."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.helpers import get_message_text, new_text_message
from a2a.types import GetTaskRequest, Role, SendMessageRequest
from a2a.utils.errors import TaskNotFoundError

from cardwright import Card
from tests.docs.page_sessions import ROOT, blocks_of
from tests.gateway.processes import OLD_SDK, old_python
from tests.oracles.signers import JS
from tests.oracles.signers import peer as js_peer
from tests.serve.server_process import HOST

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

PAGE = ROOT / "docs" / "pages" / "how-to" / "typed-models.md"
PROGRAMS = ("agent", "both")


@asynccontextmanager
async def agent(program: str, folder: Path, patch: pytest.MonkeyPatch) -> AsyncGenerator[str]:
    """Serve a program of the page; yield its origin."""
    listening = socket.create_server((HOST, 0))
    port = listening.getsockname()[1]
    for block in blocks_of(PAGE.read_text("utf-8")):
        if block.title is not None:
            (folder / block.title).write_text(block.text.replace("8050", str(port)), "utf-8")
    patch.syspath_prepend(folder)
    for name in PROGRAMS:
        patch.delitem(sys.modules, name, raising=False)
    config = uvicorn.Config(import_module(program).app, log_level="critical", ws="none")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0)
        yield f"http://{HOST}:{port}"
    finally:
        server.should_exit = True
        await running
        listening.close()
        for name in PROGRAMS:
            sys.modules.pop(name, None)


async def printed(*command: str, cwd: Path = ROOT, stdin: bytes = b"") -> Any:
    program = await asyncio.create_subprocess_exec(
        *command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, errors = await program.communicate(stdin)
    assert program.returncode == 0, errors.decode()
    return json.loads(out)


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
async def test_the_client_of_a2a_sdk_1_calls_the_documented_agents(
    program: str, streaming: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with agent(program, tmp_path, monkeypatch) as origin, httpx.AsyncClient() as http:
        served = (await http.get(f"{origin}/.well-known/agent-card.json")).json()
        card = await A2ACardResolver(http, origin).get_agent_card()
        client = ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(card)
        request = SendMessageRequest(message=new_text_message("good day", role=Role.ROLE_USER))
        [response] = [one async for one in client.send_message(request)]
        with pytest.raises(TaskNotFoundError):
            await client.get_task(GetTaskRequest(id="none"))

    assert Card.from_document(served).valid
    assert get_message_text(response.message) == "You said: good day"


@pytest.mark.parametrize("streaming", ["yes", "no"])
@pytest.mark.process
async def test_the_client_of_a2a_sdk_0_3_calls_the_documented_agent(
    streaming: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = str(old_python())

    async with agent("both", tmp_path, monkeypatch) as origin:
        seen = await printed(python, str(OLD_SDK / "client.py"), origin, "JSONRPC", streaming, "message")

    assert seen == {"messages": ["You said: good day"], "refused": seen["refused"]}
    assert "Task not found" in seen["refused"]


@pytest.mark.parametrize("version", ["1.0", "0.3"])
@pytest.mark.process
async def test_the_javascript_client_calls_the_documented_agent(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    js_peer()

    async with agent("both", tmp_path, monkeypatch) as origin:
        settings = json.dumps({"base": origin, "version": version}).encode()
        seen = await printed("node", "message.mjs", cwd=JS, stdin=settings)

    assert seen == {"messages": ["You said: good day"] * 2, "refused": seen["refused"]}
    assert "not found" in seen["refused"].lower()
