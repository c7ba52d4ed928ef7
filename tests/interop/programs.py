"""Programs of `peers/`: their environments, and how to run them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardwright.serve.listening import free_port
from tests.interop.peers.steps import short
from tests.serve.server_process import HOST

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

ROOT: Final = Path(__file__).resolve().parents[2]
PEERS: Final = Path(__file__).parent / "peers"
ENVIRONMENTS: Final = ROOT / ".venv-interop"
# A run makes at most 14 calls, each with its own time limit.
_SECONDS: Final = 90.0
_START_SECONDS: Final = 30.0


class ProgramFailed(Exception):
    """A program ended without a report; the message is the last line of its errors."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that runs an SDK.

    Attributes:
        file: Its file below `peers`.
        environment: The name of its environment below `.venv-interop`; "" for this one; `node` for a JavaScript file.
    """

    file: str
    environment: str = ""

    def command(self) -> tuple[str, ...] | None:
        """Return the command, or None if the environment is not installed."""
        path = PEERS / self.file
        if self.environment == "node":
            node = shutil.which("node")
            installed = node is not None and (path.parent / "node_modules").is_dir()
            return (str(node), str(path)) if installed else None
        python = (
            ENVIRONMENTS / self.environment / "bin" / "python" if self.environment else Path(sys.executable)
        )
        return (str(python), str(path)) if python.exists() else None

    def release(self, package: str) -> str:
        """Return the release of a package in its environment, or the name of the environment if it is not installed."""
        if self.environment == "node":
            folder = PEERS / "js" / "node_modules" / ("a2a-js-sdk-0.3" if "0.3" in self.file else package)
            file = folder / "package.json"
            return str(json.loads(file.read_bytes())["version"]) if file.exists() else f"({self.file})"
        if not self.environment:
            return version(package)
        command = self.command()
        if command is None:
            return f"({self.environment})"
        code = f"from importlib.metadata import version; print(version({package!r}))"
        return subprocess.run(
            (command[0], "-c", code), capture_output=True, text=True, check=True
        ).stdout.strip()

    async def report(self, given: Mapping[str, Any]) -> dict[str, Any] | None:
        """Run it; return its report, or None if its environment is not installed.

        Raises:
            ProgramFailed: If it fails or takes too long.
        """
        command = self.command()
        if command is None:
            return None
        running = await asyncio.create_subprocess_exec(
            *command,
            env=environ(own=not self.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            out, errors = await asyncio.wait_for(running.communicate(json.dumps(given).encode()), _SECONDS)
        except TimeoutError:
            raise ProgramFailed(f"no report within {_SECONDS:g} s") from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                running.kill()
        if running.returncode != 0 or not out:
            lines = errors.decode(errors="replace").strip().splitlines() or ["no output"]
            raise ProgramFailed(short(lines[-1]))
        report: dict[str, Any] = json.loads(out)
        return report

    @contextlib.asynccontextmanager
    async def serving(self, *arguments: str) -> AsyncGenerator[str | None]:
        """Run a server on loopback until the block ends; yield its origin, or None if it is not installed.

        Raises:
            ProgramFailed: If it does not listen.
        """
        command = self.command()
        if command is None:
            yield None
            return
        port = free_port(HOST, 0)
        running = await asyncio.create_subprocess_exec(
            *command,
            str(port),
            *arguments,
            env=environ(own=not self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            await _listening(running, port, self.file)
            yield f"http://{HOST}:{port}"
        finally:
            with contextlib.suppress(ProcessLookupError):
                running.kill()
            await running.wait()


async def _listening(running: asyncio.subprocess.Process, port: int, file: str) -> None:
    """Wait until a program listens.

    Raises:
        ProgramFailed: If it ends, or takes too long.
    """
    end = time.monotonic() + _START_SECONDS
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(HOST, port)
            writer.close()
            return
        if running.returncode is not None or time.monotonic() > end:
            raise ProgramFailed(f"{file} does not listen")
        await asyncio.sleep(0.05)


def environ(*, own: bool) -> dict[str, str]:
    """Return the environment variables: only a program in this environment finds this checkout."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if own:
        kept["PYTHONPATH"] = os.pathsep.join(str(ROOT / name) for name in ("", "src", "generated"))
    return kept
