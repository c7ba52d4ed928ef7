"""The server command as a process, over loopback."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cardwright.serve.listening import free_port

if TYPE_CHECKING:
    from collections.abc import Generator

HOST = "127.0.0.1"
CARD = Path(__file__).resolve().parents[2] / "examples" / "a2a-1.0.card.json"
STARTING_SECONDS = 60


@contextlib.contextmanager
def served(*options: str) -> Generator[int]:
    """Run `cardwright serve` until the block ends; yields its port."""
    with listening("serve", str(CARD), *options) as port:
        yield port


@contextlib.contextmanager
def listening(program: str, *options: str, stdout: IO[bytes] | int = subprocess.DEVNULL) -> Generator[int]:
    """Run `serve` or `gateway` until the block ends; yield its port."""
    port = free_port(HOST, 0)
    command = (sys.executable, "-m", "cardwright", program, *options, "--port", str(port))
    process = subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL)
    try:
        wait_until_listening(process, port)
        yield port
    finally:
        process.terminate()
        process.wait()


def wait_until_listening(process: subprocess.Popen[Any], port: int, name: str = "the server") -> None:
    """Wait until a process listens on a port of loopback."""
    end = time.monotonic() + STARTING_SECONDS
    while not _listens(port):
        assert process.poll() is None, f"{name} ended before it listened"
        assert time.monotonic() < end, f"{name} does not listen"
        time.sleep(0.05)


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port)).close()
    except OSError:
        return False
    return True
