"""A server that cannot start says why, once, and ends; one that has started starts a crashed worker again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from cardwright.serve.listening import free_port
from tests.serve.server_process import HOST

pytestmark = pytest.mark.process

PATIENCE_SECONDS = 60
# An application of one argument; what `started` and the end of `run` print goes to standard output.
PROGRAM = """
import os, sys, time
from cardwright.errors import CardError
from cardwright.serve.listening import StartFailed
from cardwright.serve.server import run

class Application:
    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": str(os.getpid()).encode()})
            return
        while (await receive())["type"] == "lifespan.startup":
            if sys.argv[2] == "raises":
                raise CardError("the database is on fire")
            if sys.argv[2] == "says":
                await send({"type": "lifespan.startup.failed", "message": "the database is on fire"})
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})

def load():
    if sys.argv[2] == "load":
        raise CardError("the database is on fire")
    if sys.argv[2] == "killed":
        os.kill(os.getpid(), 9)
    if sys.argv[2] == "suppresses":
        try:
            os.kill(os.getppid(), 15)
            time.sleep(10)
        except BaseException:
            pass
    return Application()

try:
    run(load, host="127.0.0.1", port=int(sys.argv[1]), workers=int(sys.argv[3]), started=lambda: print("started", flush=True))
except StartFailed as error:
    print("failed:", error)
"""


def command(behaviour: str, port: int, workers: int = 1) -> list[str]:
    return [sys.executable, "-c", PROGRAM, str(port), behaviour, str(workers)]


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("behaviour", ["load", "raises", "says", "killed"])
def test_a_failed_start_is_reported_once(behaviour: str, workers: int) -> None:
    done = subprocess.run(
        command(behaviour, free_port(HOST, 0), workers),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    messages = {"killed": "a worker ended while it was starting: see the error messages above"}
    lines = done.stdout.splitlines()
    assert lines[-1] == f"failed: {messages.get(behaviour, 'the database is on fire')}"
    assert "started" not in lines
    assert done.stdout.count("on fire") + done.stderr.count("on fire") == (behaviour != "killed")


def test_an_application_cannot_suppress_the_end_of_its_worker() -> None:
    done = subprocess.run(
        command("suppresses", free_port(HOST, 0)), capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_worker_that_crashes_later_is_started_again() -> None:
    port = free_port(HOST, 0)
    running = subprocess.Popen(command("", port), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert running.stdout is not None
        assert running.stdout.readline() == b"started\n"
        first = _worker(port)
        os.kill(first, signal.SIGKILL)
        end = time.monotonic() + PATIENCE_SECONDS
        while _worker(port) in (0, first):
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        running.terminate()
        running.communicate(timeout=PATIENCE_SECONDS)
    assert running.returncode == 0


def test_a_worker_ends_with_its_parent() -> None:
    port = free_port(HOST, 0)
    running = subprocess.Popen(command("", port), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert running.stdout is not None
    assert running.stdout.readline() == b"started\n"
    worker = _worker(port)
    running.kill()
    running.communicate()
    end = time.monotonic() + PATIENCE_SECONDS
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < end
        time.sleep(0.1)


def _worker(port: int) -> int:
    """Return the process that responds, or 0."""
    with suppress(OSError), urlopen(f"http://{HOST}:{port}/", timeout=5) as response:
        return int(response.read())
    return 0
