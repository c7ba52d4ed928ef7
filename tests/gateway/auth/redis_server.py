"""A Redis server for one test, which the test may kill."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from cardwright.serve.listening import free_port
from tests.serve.server_process import HOST, wait_until_listening

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


class OwnRedis:
    """A Redis server on loopback without persistence."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port(HOST, 0)
        self.url = f"redis://{HOST}:{self.port}/0"

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = f"redis-server --port {self.port} --bind {HOST} --appendonly no --save"
        self._process = subprocess.Popen([*command.split(), ""], cwd=self._folder, stdout=subprocess.DEVNULL)
        wait_until_listening(self._process, self.port, "redis-server")

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
