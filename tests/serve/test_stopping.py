"""SIGTERM at any moment of a start ends the command and every process that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.serve.server_process import CARD

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.process

# From the import of the first modules to the time when the server listens, also on a slow machine.
DELAYS = (0.3, 0.8, 1.4, 2.0, 3.0)
# Less than the time after which a worker is killed.
PATIENCE_SECONDS = 10


def left_of(leader: int, folder: Path) -> list[int]:
    """Return the processes that have not ended: those of a group, and servers, which have the folder as argument."""
    left: list[int] = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, _, group = (place / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:3]
            is_server = str(folder).encode() in (place / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if (int(group) == leader or is_server) and state != "Z":
            left.append(int(place.name))
    return left


@pytest.fixture
def what(tmp_path: Path) -> dict[str, list[str]]:
    """The commands; the gateway has a server to start, and a folder for its database to remove."""
    settings = tmp_path / "gateway.yml"
    server = f'command: "{sys.executable}", args: ["-c", "import time; time.sleep(1000)", "{tmp_path}"]'
    agents = f"{{slow: {{protocol: mcp, {server}}}}}"
    settings.write_text(f'{{agents: {agents}, store: ":memory:"}}', encoding="utf-8")
    return {
        "gateway": ["gateway", "--config", str(settings), "--start-servers"],
        "serve": ["serve", "--workers", "2", str(CARD)],
    }


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["to the command", "to its group"])
@pytest.mark.parametrize("program", ["gateway", "serve"])
def test_a_signal_at_any_moment_of_the_start_leaves_no_process(
    what: dict[str, list[str]], program: str, send: Callable[[int, int], None], tmp_path: Path
) -> None:
    for delay in DELAYS:
        log = tmp_path / f"log-{delay}"
        with log.open("wb") as output:
            command = subprocess.Popen(
                [sys.executable, "-m", "cardwright", *what[program], "--port", "0"],
                stdout=output, stderr=output, start_new_session=True,
                env={**os.environ, "TMPDIR": str(tmp_path)},
            )  # fmt: skip
        try:
            time.sleep(delay)
            send(command.pid, signal.SIGTERM)
            try:
                status = command.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                pytest.fail(
                    f"SIGTERM after {delay} s did not end it: {left_of(command.pid, tmp_path)} {log.read_text()}"
                )
            assert status in (0, -signal.SIGTERM), (delay, log.read_text())
            end = time.monotonic() + PATIENCE_SECONDS
            while left := left_of(command.pid, tmp_path):
                assert time.monotonic() < end, (delay, left, log.read_text())
                time.sleep(0.05)
            text = log.read_text()
            assert "Traceback" not in text, (delay, text)
            assert "Unexpected exit" not in text, (delay, text)
            # The gateway's database is in a temporary folder.
            assert not [place for place in tmp_path.iterdir() if place.is_dir()], delay
        finally:
            for pid in left_of(command.pid, tmp_path):
                os.kill(pid, signal.SIGKILL)
            command.wait()
