"""Listening gateways, and upstream agents and servers as separate processes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from cardwright.serve.listening import free_port
from cardwright_gateway import Gateway
from tests.serve.server_process import HOST, wait_until_listening

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Mapping

ROOT = Path(__file__).resolve().parents[2]
AGENTS = Path(__file__).parent / "agents"
OLD_SDK = Path(__file__).parent / "a2a_sdk_0_3"
# Where `make peers` puts a2a-sdk 0.3, which has the module name of 1.3.
OLD_PYTHON = ROOT / ".venv-a2a-0.3" / "bin" / "python"


@dataclass(frozen=True)
class Process:
    """A listening process beside the test."""

    origin: str
    port: int
    popen: subprocess.Popen[bytes]

    def kill(self) -> None:
        """Kill it at once, as a machine failure does."""
        self.popen.kill()
        self.popen.wait()


@dataclass(frozen=True)
class Running:
    """A gateway that listens."""

    origin: str
    gateway: Gateway

    def at(self, agent_id: str) -> str:
        """The public URL of an agent."""
        return f"{self.origin}/agents/{agent_id}"


@contextlib.contextmanager
def process(program: Path, *arguments: str, python: Path | str = sys.executable) -> Generator[Process]:
    """Run a program that listens on a given port until the block ends."""
    port = free_port(HOST, 0)
    # The other environment does not contain this checkout.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = (str(python), str(program), str(port), *arguments)
    popen = subprocess.Popen(
        command, env=environ, cwd=program.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_listening(popen, port, program.name)
        yield Process(f"http://{HOST}:{port}", port, popen)
    finally:
        popen.kill()
        popen.wait()


def old_python() -> Path:
    """Return the Python that has a2a-sdk 0.3, or skip what needs it."""
    if not OLD_PYTHON.exists():
        pytest.skip("a2a-sdk 0.3 is not installed: run `make peers`")
    return OLD_PYTHON


@asynccontextmanager
async def before(agents: Mapping[str, Any], **more: Any) -> AsyncGenerator[Running]:
    """Run a gateway in front of agents on loopback; `more` is the rest of its configuration."""
    listening = socket.create_server((HOST, 0))
    origin = f"http://{HOST}:{listening.getsockname()[1]}"
    gateway = Gateway({"base_url": origin, "agents": dict(agents), **more})
    server = uvicorn.Server(
        uvicorn.Config(gateway, lifespan="on", log_level="critical", ws="none", timeout_graceful_shutdown=1)
    )
    running = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0)
        yield Running(origin, gateway)
    finally:
        server.should_exit = True
        await running
        listening.close()


@asynccontextmanager
async def in_process(agents: Mapping[str, Any], **more: Any) -> AsyncGenerator[Gateway]:
    """Run a gateway as an ASGI application, without a port."""
    base = {"base_url": "https://agents.example.com", **more}
    async with Gateway({**base, "agents": dict(agents)}) as gateway:
        yield gateway
