"""A client that sends requests and does not read the responses keeps no connection, and no open file."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from cardwright.serve import listening
from cardwright.serve.listening import end_slow_readers, free_port, raise_file_limit
from tests.serve.client import CARD_PATH
from tests.serve.server_process import CARD, HOST

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this option of a socket")

PATIENCE_SECONDS = 60
# The command, with a shorter time.
PROGRAM = """
import sys
from cardwright.serve import listening
listening.USER_TIMEOUT_MILLISECONDS = 1000
from cardwright.cli import main
main()
"""


def test_a_connection_inherits_the_timeout_of_the_listening_socket() -> None:
    with socket.create_server((HOST, 0)) as listener:
        end_slow_readers(listener)
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            time_limit = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert time_limit == listening.USER_TIMEOUT_MILLISECONDS == 30_000


def test_the_limit_of_open_files_is_raised_to_its_maximum(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {resource.RLIMIT_NOFILE: (1024, 4096)}
    monkeypatch.setattr(resource, "getrlimit", limits.__getitem__)
    monkeypatch.setattr(resource, "setrlimit", limits.__setitem__)
    raise_file_limit()
    assert limits == {resource.RLIMIT_NOFILE: (4096, 4096)}


@pytest.mark.process
@pytest.mark.parametrize("program", ["serve", "gateway"])
def test_both_commands_disconnect_a_client_that_does_not_read(program: str, tmp_path: Path) -> None:
    settings = tmp_path / "gateway.yml"
    settings.write_text("{agents: {}, store: ':memory:'}", encoding="utf-8")
    what = [str(CARD)] if program == "serve" else ["--config", str(settings)]
    port = free_port(HOST, 0)
    command = [sys.executable, "-c", PROGRAM, program, *what, "--port", str(port)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with _connected(running, port) as client:
            request = f"GET {CARD_PATH} HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode()
            client.settimeout(PATIENCE_SECONDS)
            # Sending goes on until the server reads no more, and ends with an error when it gives up.
            with pytest.raises(ConnectionError):
                _send_forever(client, request * 100)
        worker = _children(running.pid)[0]
        limits = Path(f"/proc/{worker}/limits").read_text(encoding="ascii")
        soft, hard = next(line for line in limits.splitlines() if "open files" in line).split()[3:5]
        assert soft == hard
    finally:
        running.terminate()
        running.wait(PATIENCE_SECONDS)


def _connected(running: subprocess.Popen[bytes], port: int) -> socket.socket:
    """Return a connection with a small window, as soon as the server listens."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        assert running.poll() is None
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with suppress(OSError):
            client.connect((HOST, port))
            return client
        client.close()
        time.sleep(0.05)
    raise AssertionError("the server does not listen")


def _send_forever(client: socket.socket, data: bytes) -> None:
    while True:
        client.sendall(data)


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
