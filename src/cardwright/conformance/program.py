"""One process of the program under test: a JSON value a line in, one a line out."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

PROTOCOL: Final = 1
# The longest line of an answer, in bytes (project decision).
_MAX_LINE: Final = 16 * 2**20
# What is kept of what a program prints on standard error, in bytes.
_MAX_ERRORS: Final = 4096
# How long a program may take until it has started, in seconds: large SDKs import for long.
START_SECONDS: Final = 60.0


class ProgramFailed(Exception):
    """The program ended, was too slow, or wrote something else than one JSON object a line."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a program states about its implementation.

    Attributes:
        name: The implementation.
        version: Its version.
        language: The language that it is written in; "" if it does not say.
        operations: What it implements; the cases of other operations are not sent.
    """

    name: str
    version: str
    language: str
    operations: tuple[str, ...]


class Program:
    """A running program; `ask` sends a line and waits for the answer."""

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        """Name the command and its arguments, and how long an answer may take, in seconds."""
        self._command = tuple(command)
        self._seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._errors = b""
        self._draining: asyncio.Task[None] | None = None

    async def start(self) -> Description:
        """Start the program and ask it what it is.

        Raises:
            ProgramFailed: If it cannot be started, or does not answer as the protocol says.
        """
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_MAX_LINE,
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramFailed(f"{self._command[0]}: cannot be started: {error.strerror}") from None
        self._draining = asyncio.create_task(self._drain(self._process.stderr))
        answer = await self._exchange({"operation": "start", "protocol": PROTOCOL}, START_SECONDS)
        names = answer.get("operations")
        if answer.get("protocol") != PROTOCOL or not isinstance(names, list):
            raise ProgramFailed(
                f'its answer to start must have "protocol": {PROTOCOL} and a list of operations; it is {_short(answer)}'
            )
        return Description(
            str(answer.get("name") or self._command[0]),
            str(answer.get("version", "")),
            str(answer.get("language", "")),
            tuple(map(str, names)),
        )

    async def ask(self, identifier: str, operation: str, given: Any) -> dict[str, Any]:
        """Return the answer to a case.

        Raises:
            ProgramFailed: As `start` does; the program is then no longer of use.
        """
        answer = await self._exchange(
            {"id": identifier, "operation": operation, "input": given}, self._seconds
        )
        if answer.get("id") != identifier:
            raise ProgramFailed(f"answered {_short(answer.get('id'))} to {identifier}")
        return answer

    async def stop(self) -> None:
        """End the program: its input first, then by force; what it started ends with it."""
        process = self._process
        if process is None:
            return
        self._process = None
        if process.stdin is not None:
            process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 2)
        with suppress(ProcessLookupError, PermissionError):
            # Windows has no groups of processes.
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            elif process.returncode is None:
                process.kill()
        await process.wait()
        if self._draining is not None:
            self._draining.cancel()
            with suppress(asyncio.CancelledError):
                await self._draining
        # The transport is closed a moment after the process has ended.
        await asyncio.sleep(0)

    async def _exchange(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise ProgramFailed("it is not running")
        try:
            async with asyncio.timeout(seconds):
                process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
        except TimeoutError:
            raise ProgramFailed(f"no answer in {seconds:g} s") from None
        except (ConnectionError, ValueError):
            # A closed pipe, or a line that is too long.
            line = b""
        if not line.endswith(b"\n"):
            raise ProgramFailed(await self._ended(process))
        try:
            answer = json.loads(line)  # noqa: TID251 - a program may answer what `decode` refuses
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ProgramFailed(
                f"wrote a line that is not a JSON object: {_short(line.decode(errors='replace'))}"
            )
        return answer

    async def _ended(self, process: asyncio.subprocess.Process) -> str:
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 1)
        if process.returncode is None:
            return "closed its output, or wrote too long a line"
        lines = self._errors.decode(errors="replace").strip().splitlines()
        last_line = f": {_short(lines[-1])}" if lines else ""
        return f"ended with status {process.returncode}{last_line}"

    async def _drain(self, errors: asyncio.StreamReader | None) -> None:
        while errors is not None and (chunk := await errors.read(_MAX_ERRORS)):
            self._errors = (self._errors + chunk)[-_MAX_ERRORS:]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"
