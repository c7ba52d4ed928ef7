"""Anonymous connections that send large bodies as slowly as possible."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tests.cluster.hostile.watching import memory_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.cluster.replicas import Replica


async def added_by_dripping(at: Replica, agent: str, size: int, connections: int, seconds: float) -> int:
    """Return how many bytes of memory the connections add to a gateway.

    Args:
        at: The gateway.
        agent: The agent that they call.
        size: The length of each body, in bytes; all but its last hundred are sent at once.
        connections: How many.
        seconds: How long they go on.
    """
    before = memory_of(at.popen.pid)
    most = before
    async with _open(at, agent, size, connections) as opened:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await asyncio.sleep(1)
            most = max(most, memory_of(at.popen.pid))
            await asyncio.to_thread(_drip, opened)
    return most - before


@asynccontextmanager
async def _open(at: Replica, agent: str, size: int, connections: int) -> AsyncGenerator[list[socket.socket]]:
    """Open the connections, each with what it may send of its body at once."""
    opened: list[socket.socket] = []

    def connect() -> None:
        host, port = at.origin.removeprefix("http://").split(":")
        head = (
            f"POST /agents/{agent} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {size}\r\n\r\n"
        )
        for _ in range(connections):
            connection = socket.create_connection((host, int(port)))
            connection.settimeout(0)
            opened.append(connection)
            _send(connection, head.encode() + b" " * (size - 100))

    try:
        await asyncio.to_thread(connect)
        yield opened
    finally:
        for connection in opened:
            connection.close()


def _send(connection: socket.socket, data: bytes) -> None:
    with contextlib.suppress(OSError):
        connection.send(data)


def _drip(connections: list[socket.socket]) -> None:
    for connection in connections:
        _send(connection, b" ")
