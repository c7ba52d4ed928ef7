"""Load on a server: as many requests as one core can answer, a steady rate, and clients that dribble."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

ROOT = Path(__file__).resolve().parents[1]
# The server has one core, whoever loads it the other.
SERVER_CORE, LOAD_CORE = "0", "1"
CONNECTIONS = 64
SECONDS = 2
STARTING_SECONDS = 10
_UNITS = {"us": 0.001, "ms": 1.0, "s": 1_000.0}


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers.

    Attributes:
        port: Where, on 127.0.0.1.
        path: What is asked for.
        pid: Of its first process.
    """

    port: int
    path: str
    pid: int

    def request(self, *headers: str) -> bytes:
        """Return a GET of the path as it goes over the wire."""
        return "\r\n".join((f"GET {self.path} HTTP/1.1", "Host: localhost", *headers, "", "")).encode()

    def cpu_seconds(self) -> float:
        """Return what its processes have used of the processor."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        return sum(_cpu_ticks(pid) for pid in (self.pid, *map(int, children.split()))) / os.sysconf(
            "SC_CLK_TCK"
        )


def _cpu_ticks(pid: int) -> int:
    # proc(5): after the name in brackets, utime and stime are the 12th and 13th.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@dataclass(frozen=True, slots=True)
class Load:
    """What a server did under load.

    Attributes:
        requests: Requests in a second of its own processor time, or a second of the clock at a steady rate:
            what else the machine does changes the clock, and this hardly.
        p99: Milliseconds in which 99 of 100 were answered.
    """

    requests: float
    p99: float


def missing() -> str | None:
    """Say what is needed and not there."""
    if not shutil.which("wrk"):
        return "wrk is missing: install Debian's wrk"
    if not shutil.which("taskset") or (os.cpu_count() or 1) < 2:
        return "taskset and two cores are needed: one for the server, one for wrk"
    return None


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _on(core: str) -> tuple[str, ...]:
    return ("taskset", "-c", core)


@contextlib.contextmanager
def running(command: Sequence[str], port: int, path: str, *, core: str = SERVER_CORE) -> Generator[Running]:
    """Run a server on a core until the block ends."""
    process = subprocess.Popen(  # noqa: S603 - commands of ours
        (*_on(core), *command),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _await_port(process, port)
        yield Running(port, path, process.pid)
    finally:
        process.terminate()
        process.wait()


def _await_port(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start: {process.args!r}")


def answer(server: Running, *headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, header fields and body of one answer."""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(server.request("Connection: close", *headers))
        head, _, body = b"".join(iter(lambda: connection.recv(65_536), b"")).partition(b"\r\n\r\n")
    status, *fields = head.decode("latin-1").split("\r\n")
    named = dict(field.split(": ", 1) for field in fields)
    return int(status.split()[1]), {name.lower(): value for name, value in named.items()}, body


def flood(server: Running, *headers: str, seconds: int = SECONDS) -> Load:
    """Ask as often as one core answers."""
    before = server.cpu_seconds()
    told = subprocess.run(  # noqa: S603 - commands of ours
        (
            *(*_on(LOAD_CORE), "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency"),
            *(part for header in headers for part in ("-H", header)),
            f"http://127.0.0.1:{server.port}{server.path}",
        ),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    used = server.cpu_seconds() - before
    count = re.search(r"(\d+) requests in", told)
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", told)
    if not count or not p99 or "Non-2xx" in told or "Socket errors" in told:
        raise RuntimeError(told)
    return Load(int(count[1]) / used, float(p99[1]) * _UNITS[p99[2]])


def steady(server: Running, *headers: str, rate: int = 500, seconds: int = 5) -> Load:
    """Ask so often a second; an answer counts from when its request was due, not from when it was sent."""
    return asyncio.run(_steady(server, server.request(*headers), rate, seconds))


async def _steady(server: Running, request: bytes, rate: int, seconds: int) -> Load:
    due: asyncio.Queue[float | None] = asyncio.Queue()
    late: list[float] = []

    async def ask() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        while (moment := await due.get()) is not None:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
            if length and not head.startswith(b"HTTP/1.1 304"):
                await reader.readexactly(int(length[1]))
            late.append(time.perf_counter() - moment)
        writer.close()

    tasks = [asyncio.create_task(ask()) for _ in range(CONNECTIONS)]
    start = time.perf_counter()
    for number in range(rate * seconds):
        moment = start + number / rate
        await asyncio.sleep(max(0, moment - time.perf_counter()))
        due.put_nowait(moment)
    for _ in tasks:
        due.put_nowait(None)
    await asyncio.gather(*tasks)
    late.sort()
    return Load(len(late) / seconds, late[len(late) * 99 // 100] * 1_000)


@contextlib.contextmanager
def dribbling(server: Running, connections: int) -> Generator[None]:
    """Have so many clients send one byte of a header field each second, from a process of their own."""
    process = subprocess.Popen(  # noqa: S603 - ourselves
        (
            *_on(LOAD_CORE),
            sys.executable,
            "-m",
            "benchmarks.load",
            str(server.port),
            str(connections),
        ),
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    try:
        if process.stdout is None or process.stdout.readline() != b"dribbling\n":
            raise RuntimeError("the slow clients did not connect")
        yield
    finally:
        process.terminate()
        process.wait()


def dribble(port: int, connections: int) -> None:
    """Send one byte of a header field each second on each connection; connect again where one is closed."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    def connect() -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        connection.setblocking(False)  # noqa: FBT003 - its only argument
        return connection

    clients = [connect() for _ in range(connections)]
    print("dribbling", flush=True)
    while True:
        time.sleep(1)
        for number, client in enumerate(clients):
            try:
                client.send(b"a")
            except OSError:
                client.close()
                clients[number] = connect()


if __name__ == "__main__":
    dribble(*map(int, sys.argv[1:]))
