"""The three ways that the kit meets the agent: alone on a2a-sdk's own server, and behind the gateway in two ways."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

ROOT: Final = Path(__file__).resolve().parents[2]
HOST: Final = "127.0.0.1"
ALONE: Final = "a2a-sdk"
# By the name of each setup: how the gateway keeps tasks; None where there is no gateway.
SETUPS: Final[Mapping[str, str | None]] = {ALONE: None, "gateway": "pass", "gateway, own tasks": "own"}
_STARTING_SECONDS: Final = 60


@contextlib.contextmanager
def set_up(name: str, version: str) -> Generator[str]:
    """Run the agent, and the gateway where the setup has one, until the block ends; yield where the kit finds it."""
    tasks = SETUPS[name]
    port = free_port()
    agent = (sys.executable, str(Path(__file__).with_name("agent.py")), version, str(port))
    with _process(agent, port) as origin:
        if tasks is None:
            yield origin
            return
        with (
            TemporaryDirectory(prefix="cardwright-tck-") as folder,
            _gateway(Path(folder), origin, version, tasks) as url,
        ):
            yield url


def config(origin: str, version: str, tasks: str) -> dict[str, Any]:
    """Return the configuration of the gateway: one agent, at the root, since the kit drops the path of a URL.

    Its card has the form of the kit's version alone: the kit for 1.0 refuses what a card says beside that.
    """
    loopback = ["127.0.0.0/8", "::1/128"]
    return {
        "agents": {"tck": {"url": origin, "tasks": tasks, "card_version": version}},
        "root": "tck",
        "webhooks": {"allow": loopback},
    }


@contextlib.contextmanager
def _gateway(folder: Path, origin: str, version: str, tasks: str) -> Generator[str]:
    file = folder / "gateway.json"
    file.write_text(json.dumps(config(origin, version, tasks)), encoding="utf-8")
    port = free_port()
    command = (sys.executable, "-m", "cardwright", "gateway", "--config", str(file), "--port", str(port))
    with _process(command, port) as url:
        yield url


@contextlib.contextmanager
def _process(command: tuple[str, ...], port: int) -> Generator[str]:
    """Run what listens on a port; it is ended by its own id."""
    environ = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("", "src", "generated")),
    }
    with subprocess.Popen(command, env=environ, cwd=ROOT) as running:
        try:
            end = time.monotonic() + _STARTING_SECONDS
            while not _listens(port):
                if running.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"{' '.join(command)} does not listen on port {port}")
                time.sleep(0.05)
            yield f"http://{HOST}:{port}"
        finally:
            running.terminate()
            try:
                running.wait(timeout=10)
            except subprocess.TimeoutExpired:
                running.kill()


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0
