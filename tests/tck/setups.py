"""The setups of the kit: agents on the servers of a2a-sdk 1.3 and 0.3, each alone, and behind the gateway in two ways."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from tests.gateway.processes import OLD_PYTHON, OLD_SDK

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

ROOT: Final = Path(__file__).resolve().parents[2]
HOST: Final = "127.0.0.1"
ALONE: Final = "a2a-sdk"
NOWHERE: Final = Path(os.devnull)


@dataclass(frozen=True, slots=True)
class Setup:
    """One way in which the kit meets the agent.

    Attributes:
        tasks: How the gateway keeps tasks; None where there is no gateway.
        works_on: Whether the agent leaves tasks `working`; else it asks a question.
        older: Whether the agent is of a2a-sdk 0.3, whose environment `make peers` creates; else of 1.3.
    """

    tasks: str | None
    works_on: bool = False
    older: bool = False

    @property
    def grpc(self) -> bool:
        """Whether it has gRPC: the gateway passes no call over it on, and the older agent has none."""
        return self.tasks != "pass" and not self.older


SETUPS: Final[Mapping[str, Setup]] = {
    ALONE: Setup(None),
    "gateway": Setup("pass"),
    "gateway, own tasks": Setup("own"),
    "a2a-sdk, tasks left working": Setup(None, works_on=True),
    "gateway, own tasks left working": Setup("own", works_on=True),
    "a2a-sdk 0.3": Setup(None, older=True),
    "gateway, a2a-sdk 0.3": Setup("pass", older=True),
    "gateway, own tasks, a2a-sdk 0.3": Setup("own", older=True),
}


def setups_of(version: str) -> list[str]:
    """Return the names of the setups of a version: the kit for 1.0 says itself how each task goes on."""
    return [name for name, setup in SETUPS.items() if version == "0.3" or not (setup.works_on or setup.older)]


def alone_of(name: str) -> str:
    """Return the name of the setup without the gateway, with the same agent."""
    alone = replace(SETUPS[name], tasks=None)
    return next(one for one, setup in SETUPS.items() if setup == alone)


_LOOPBACK: Final = ("127.0.0.0/8", "::1/128")
_STARTING_SECONDS: Final = 60


@contextlib.contextmanager
def set_up(name: str, version: str, record: Path) -> Generator[str]:
    """Run the agent, and the gateway where the setup has one, until the block ends; yield where the kit finds it.

    What the agent is sent over JSON-RPC, and what it answers, is written to `record`.
    """
    tasks = SETUPS[name].tasks
    running = older_agent() if SETUPS[name].older else agent(version, record, works_on=SETUPS[name].works_on)
    with running as origin:
        if tasks is None:
            yield origin
            return
        # At the root, since the kit drops the path of a URL; its card has only the kit's version, since
        # the kit for 1.0 refuses a card with other versions.
        config: dict[str, Any] = {
            "agents": {"tck": {"url": origin, "tasks": tasks, "card_version": version}},
            "root": "tck",
        }
        if SETUPS[name].grpc:
            port = free_port()
            config["grpc"] = grpc = dict[str, Any](port=port)
            if version == "0.3":
                # The kit for 0.3 expects a URL.
                grpc["address"] = f"http://{HOST}:{port}"
        with TemporaryDirectory(prefix="cardwright-tck-") as folder, gateway(Path(folder), config) as url:
            yield url


@contextlib.contextmanager
def agent(version: str, record: Path = NOWHERE, *, works_on: bool = False) -> Generator[str]:
    """Run the agent of a version on a2a-sdk's own server until the block ends; yield its URL."""
    port = free_port()
    command = (
        sys.executable, str(Path(__file__).with_name("agent.py")), version, str(port), str(free_port()),
        str(record), *(("--works-on",) if works_on else ()),
    )  # fmt: skip
    with process(command, port) as url:
        yield url


def older_agent() -> contextlib.AbstractContextManager[str]:
    """Run the agent on the server of a2a-sdk 0.3, with JSON-RPC and REST, as `agent` does."""
    port = free_port()
    return process((str(OLD_PYTHON), str(OLD_SDK / "tck.py"), str(port)), port)


@contextlib.contextmanager
def gateway(folder: Path, config: Mapping[str, Any]) -> Generator[str]:
    """Run the gateway, with webhooks to loopback, until the block ends; yield its URL."""
    file = folder / "gateway.json"
    file.write_text(json.dumps({**config, "webhooks": {"allow": _LOOPBACK}}), encoding="utf-8")
    port = free_port()
    command = (sys.executable, "-m", "cardwright", "gateway", "--config", str(file), "--port", str(port))
    with process(command, port) as url:
        yield url


@contextlib.contextmanager
def process(command: tuple[str, ...], port: int) -> Generator[str]:
    """Run what listens on a port; it is ended by its own id."""
    environ = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("", "src", "generated")),
    }
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=environ, cwd=ROOT, stdout=quiet, stderr=quiet) as running:
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
