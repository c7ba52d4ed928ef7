"""Documentation pages as sessions: their commands and snippets run in order, in a folder of their own.

| in a page | what is done |
|---|---|
| a `console` block | each line after `$ ` is run; the lines below it are its output, standard error included |
| `…` in an output | any text; alone on a line, any lines |
| a block with `title="NAME"` | written to that file |
| a `python` block without a title | run on its own |
| `<!-- server -->` before a block | its command runs until the end of the page; its lines must appear |
| `<!-- copy: PATH as NAME -->` | copies a file of the repository |
| `<!-- not run: REASON -->` before a block | nothing |

Ports that a page names are replaced by free ones.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

ROOT: Final = Path(__file__).resolve().parents[2]
_BLOCK: Final = re.compile(
    r"(?:^<!-- (?P<note>server|not run: [^\n]+) -->\n+)?^```(?P<language>\w+)(?P<info>[^\n]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_COPY: Final = re.compile(r"^<!-- copy: (\S+) as (\S+) -->$", re.MULTILINE)
_TITLE: Final = re.compile(r'title="([^"]+)"')
_PORT: Final = re.compile(r"(?:127\.0\.0\.1:|localhost:|--port[ =]|PORT=|port: )(\d{4,5})\b")
_SERVER_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page.

    Attributes:
        language: The word after the fence.
        title: The file that it is written to, or None.
        note: `server`, `not run: …`, or None.
        text: Its lines.
        start: Where its text begins in the page.
    """

    language: str
    title: str | None
    note: str | None
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Step:
    """One command of a console block, with the output that the page shows."""

    command: str
    output: str


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A command or snippet that does not do what its page shows."""

    block: Block
    command: str
    shown: str
    actual: str

    def __str__(self) -> str:
        return f"$ {self.command}\n--- the page shows\n{self.shown}--- the command prints\n{self.actual}"


def blocks_of(page: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    blocks: list[Block] = []
    for match in _BLOCK.finditer(page):
        title = _TITLE.search(match["info"])
        blocks.append(
            Block(
                match["language"],
                title[1] if title else None,
                match["note"],
                match["text"],
                match.start("text"),
            )
        )
    return blocks


def steps_of(text: str) -> list[Step]:
    """Return the commands of a console block, each with the lines below it."""
    steps: list[Step] = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        length = 1
        while lines[length - 1].endswith("\\"):
            length += 1
        steps.append(Step("\n".join(lines[:length]), "".join(f"{line}\n" for line in lines[length:])))
    return steps


def agrees(shown: str, actual: str) -> bool:
    """Whether an output is what a page shows, in which `…` is any text and, alone on a line, any lines."""
    pattern = ""
    for line in shown.rstrip().splitlines():
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += r".*?".join(re.escape(part.rstrip()) for part in line.split("…")) + r"[ \t]*\n"
    return re.fullmatch(pattern, actual.rstrip() + "\n" if actual.strip() else "") is not None


@dataclass(slots=True)
class Session:
    """A page that is run in a folder; a context manager, which ends the servers that the page started."""

    page: str
    folder: Path
    ports: dict[str, str] = field(default_factory=dict)
    servers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __enter__(self) -> Self:
        self.ports = {port: str(_free_port()) for port in sorted(set(_PORT.findall(self.page)))}
        for source, name in _COPY.findall(self.page):
            shutil.copy(ROOT / source, self.folder / name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self.servers:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGTERM)
        for server in self.servers:
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()

    def mismatches(self) -> Iterator[Mismatch]:
        """Run the page and yield every command and snippet that does not do what the page shows."""
        for block in blocks_of(self.page):
            if block.note is not None and block.note.startswith("not run"):
                continue
            if block.title is not None:
                (self.folder / block.title).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / block.title).write_text(self._with_free_ports(block.text), encoding="utf-8")
            elif block.language == "python":
                done = self._run([sys.executable, "-W", "error", "-c", self._with_free_ports(block.text)])
                if done.returncode:
                    yield Mismatch(block, "python", "", done.stdout)
            elif block.language == "console":
                yield from self._console(block)

    def _console(self, block: Block) -> Iterator[Mismatch]:
        for step in steps_of(block.text):
            command = ["bash", "-c", self._with_free_ports(step.command)]
            shown = step.output
            if block.note == "server":
                shown = "…\n" + "".join(f"{line}\n…\n" for line in shown.splitlines())
                actual = self._serve(command, shown)
            else:
                actual = self._run(command).stdout
            actual = self._with_own_ports(actual)
            if not agrees(shown, actual):
                yield Mismatch(block, step.command, step.output, actual)

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=120,
        )

    def _serve(self, command: list[str], shown: str) -> str:
        """Start a server and return its output as soon as it has the lines that the page shows."""
        log = self.folder / f".server-{len(self.servers)}.log"
        with log.open("wb") as output:
            self.servers.append(
                subprocess.Popen(
                    command,
                    cwd=self.folder,
                    env=_environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )
        end = time.monotonic() + _SERVER_SECONDS
        while True:
            printed = log.read_text(encoding="utf-8")
            if agrees(shown, self._with_own_ports(printed)) and self._listening():
                return printed
            if time.monotonic() > end or self.servers[-1].poll() is not None:
                return printed
            time.sleep(0.1)

    def _listening(self) -> bool:
        """Whether one of the page's ports, at least, accepts connections for each server."""
        count = 0
        for port in self.ports.values():
            with socket.socket() as connection:
                connection.settimeout(1)
                count += connection.connect_ex(("127.0.0.1", int(port))) == 0
        return count >= len(self.servers)

    def _with_free_ports(self, text: str) -> str:
        for port, free in self.ports.items():
            text = re.sub(rf"(?<!\d){port}(?!\d)", free, text)
        return text

    def _with_own_ports(self, text: str) -> str:
        for port, free in self.ports.items():
            text = re.sub(rf"(?<!\d){free}(?!\d)", port, text)
        return text


def _environment() -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / name) for name in ("src", "generated"))
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": paths,
        "PYTHONUNBUFFERED": "1",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
    }


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
