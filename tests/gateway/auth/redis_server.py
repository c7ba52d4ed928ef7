"""A Redis server for one test, which the test may kill."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from cardwright.serve.listening import free_port

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

STARTING_SECONDS = 20


class OwnRedis:
    """A Redis server on loopback without persistence."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port("127.0.0.1", 0)
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            [
                "redis-server",
                "--port",
                str(self.port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
            ],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
        )
        end = time.monotonic() + STARTING_SECONDS
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError("redis-server did not come up")

    def kill(self) -> None:
        """Kill it at once, as a machine failure does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def own_redis(folder: Path) -> Generator[OwnRedis]:
    """Start a server for the block; skip if Redis is not installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    server = OwnRedis(folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
