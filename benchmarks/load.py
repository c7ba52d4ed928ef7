"""Load generators: maximum rate of one core, a steady rate, and slow clients."""

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
# One core for the server, one for the load generator.
SERVER_CORE, LOAD_CORE = "0", "1"
CONNECTIONS = 64
SECONDS = 2
STARTING_SECONDS = 10
_UNITS = {"us": 0.001, "ms": 1.0, "s": 1_000.0}


@dataclass(frozen=True, slots=True)
class Running:
    """Running server.

    Attributes:
        port: Its port on 127.0.0.1.
        path: The requested path.
        pid: The id of its main process.
    """

    port: int
    path: str
    pid: int

    def request(self, *headers: str) -> bytes:
        """Return the bytes of a GET request for the path."""
        return "\r\n".join((f"GET {self.path} HTTP/1.1", "Host: localhost", *headers, "", "")).encode()

    def cpu_seconds(self) -> float:
        """Return the CPU time of its processes."""
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
    """Result of a load test.

    Attributes:
        requests: Requests per second of CPU time of the server, which depends less on other load than wall-clock time;
            at a steady rate, requests per second of wall-clock time.
        p99: 99th percentile of the response time in milliseconds.
    """

    requests: float
    p99: float


def missing() -> str | None:
    """Return which requirement is missing, or None."""
    if not shutil.which("wrk"):
        return "wrk is missing: install the Debian package wrk"
    if not shutil.which("taskset") or (os.cpu_count() or 1) < 2:
        return "taskset and two cores are required: one for the server, one for wrk"
    return None


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _on(core: str) -> tuple[str, ...]:
    return ("taskset", "-c", core)


def gateway_command(config: Path, port: int) -> tuple[str, ...]:
    """Return the command that an operator starts a gateway with."""
    return (sys.executable, "-m", "cardwright", "gateway", "--config", str(config), "--port", str(port))


@contextlib.contextmanager
def running(command: Sequence[str], port: int, path: str, *, core: str = SERVER_CORE) -> Generator[Running]:
    """Run a server on one core until the block ends."""
    process = subprocess.Popen(  # noqa: S603 - fixed commands
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


def get(server: Running, *headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, header fields and body of one response."""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(server.request("Connection: close", *headers))
        head, _, body = b"".join(iter(lambda: connection.recv(65_536), b"")).partition(b"\r\n\r\n")
    status, *fields = head.decode("latin-1").split("\r\n")
    headers_by_name = dict(field.split(": ", 1) for field in fields)
    return int(status.split()[1]), {name.lower(): value for name, value in headers_by_name.items()}, body


def flood(server: Running, *headers: str, seconds: int = SECONDS) -> Load:
    """Send requests at the maximum rate that one core can handle."""
    before = server.cpu_seconds()
    output = subprocess.run(  # noqa: S603 - fixed commands
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
    count = re.search(r"(\d+) requests in", output)
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    if not count or not p99 or "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(output)
    return Load(int(count[1]) / used, float(p99[1]) * _UNITS[p99[2]])


def steady(server: Running, *headers: str, rate: int = 500, seconds: int = 5) -> Load:
    """Send requests at a steady rate; response times count from the scheduled time, not from the send time."""
    return asyncio.run(_steady(server, server.request(*headers), rate, seconds))


async def _steady(server: Running, request: bytes, rate: int, seconds: int) -> Load:
    schedule: asyncio.Queue[float | None] = asyncio.Queue()
    times: list[float] = []

    async def worker() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        while (moment := await schedule.get()) is not None:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
            if length and not head.startswith(b"HTTP/1.1 304"):
                await reader.readexactly(int(length[1]))
            times.append(time.perf_counter() - moment)
        writer.close()

    tasks = [asyncio.create_task(worker()) for _ in range(CONNECTIONS)]
    start = time.perf_counter()
    for number in range(rate * seconds):
        moment = start + number / rate
        await asyncio.sleep(max(0, moment - time.perf_counter()))
        schedule.put_nowait(moment)
    for _ in tasks:
        schedule.put_nowait(None)
    await asyncio.gather(*tasks)
    times.sort()
    return Load(len(times) / seconds, times[len(times) * 99 // 100] * 1_000)


@contextlib.contextmanager
def dribbling(server: Running, connections: int) -> Generator[None]:
    """Run slow clients in a process of their own; each sends one byte of a header field per second."""
    process = subprocess.Popen(  # noqa: S603 - this module
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
    """Send one byte of a header field per second on each connection; reconnect closed connections."""
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
