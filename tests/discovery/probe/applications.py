"""Applications of others, run in this process on loopback for as long as a block lasts."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable


@asynccontextmanager
async def running(make: Callable[[str], Any]) -> AsyncGenerator[str]:
    """Run the application that is made for an origin; yields the origin."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(make(origin), log_config=None, access_log=False, ws="none", lifespan="off")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            while not server.started:
                assert not task.done(), "the server ended before it listened"
                await asyncio.sleep(0)
            yield origin
        finally:
            server.should_exit = True
            await task
