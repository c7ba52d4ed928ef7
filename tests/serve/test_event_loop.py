"""The event loop of the workers: uvloop where it is installed, asyncio's elsewhere."""

from __future__ import annotations

import subprocess
import sys

import pytest
from granian.constants import Loops

from cardwright.serve.command_process import CommandProcess
from cardwright.serve.listening import STOP_SECONDS, free_port
from tests.serve.server_process import HOST

# The command gets SIGTERM, and so does the worker, after the start of the application and before Granian serves it. The
# worker's event loop does not run then.
PROGRAM = """
import os, signal, sys, time
if sys.argv[2] == "asyncio":
    sys.modules["uvloop"] = None
import granian.server.mp
from cardwright.serve.server import run

worker = granian.server.mp.ASGIWorker

def worker_after_a_signal(*arguments):
    os.kill(os.getppid(), signal.SIGTERM)
    time.sleep(0.5)
    return worker(*arguments)

async def application(scope, receive, send):
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    print("stopped", flush=True)
    await send({"type": "lifespan.shutdown.complete"})

def load():
    granian.server.mp.ASGIWorker = worker_after_a_signal
    return application

run(load, host="127.0.0.1", port=int(sys.argv[1]), workers=1)
"""


def loop_of_workers() -> Loops:
    process = CommandProcess(lambda: None, host="127.0.0.1", port=0, workers=1, log_requests=False)
    return process.loop


def test_workers_run_on_uvloop_where_it_is_installed() -> None:
    pytest.importorskip("uvloop", reason="uvloop is not installed")

    assert loop_of_workers() == Loops.uvloop


def test_workers_run_on_asyncio_without_uvloop(monkeypatch: pytest.MonkeyPatch) -> None:
    # None in the table of modules: it cannot be found.
    monkeypatch.setitem(sys.modules, "uvloop", None)

    assert loop_of_workers() == Loops.asyncio


@pytest.mark.process
@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_signal_before_the_first_request_stops_the_worker(loop: str) -> None:
    if loop == "uvloop":
        pytest.importorskip("uvloop", reason="uvloop is not installed")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(free_port(HOST, 0)), loop],
        capture_output=True,
        text=True,
        check=False,
        # A worker that misses the signal is killed later than this.
        timeout=STOP_SECONDS,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\n", "")
