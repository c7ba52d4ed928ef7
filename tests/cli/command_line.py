"""Types of the fixtures of the command line, and a way to run it as a process."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class CommandResult(Protocol):
    """The exit code and the output of a run."""

    exit_code: int

    @property
    def stdout(self) -> str: ...
    @property
    def stderr(self) -> str: ...


class Run(Protocol):
    def __call__(self, *arguments: object, stdin: bytes | None = None) -> CommandResult: ...


class Checked(Protocol):
    def __call__(self, *arguments: object, stdin: bytes | None = None) -> Any: ...


def process(
    *arguments: object,
    stdin: Any = subprocess.DEVNULL,
    stdout: Any = subprocess.PIPE,
    stderr: Any = subprocess.PIPE,
    **environment: str,
) -> subprocess.Popen[bytes]:
    """Start the command line as a process of its own."""
    command = [sys.executable, "-W", "error", "-m", "cardwright", *map(str, arguments)]
    plain = {
        name: value
        for name, value in os.environ.items()
        if name not in ("FORCE_COLOR", "NO_COLOR", "COLUMNS")
    }
    return subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, env={**plain, **environment})


def waited(look: Callable[[], Any], seconds: float = 90) -> Any:
    """Return the first true result of a function; OSError counts as none yet."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if found := look():
                return found
        except OSError:
            pass
        time.sleep(0.02)
    raise AssertionError("it did not come to pass")
