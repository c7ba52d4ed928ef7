"""Granian and uvicorn with the same application: constant bytes with an ETag."""

from __future__ import annotations

import contextlib
import statistics
import sys

from benchmarks.apps import PATH
from benchmarks.load import Load, Running, dribbling, flood, free_port, get, missing, running, steady
from cardwright.serve.listening import CONNECTIONS, HEADER_BYTES, HEADER_MILLISECONDS

ROUNDS = 5
SLOW_CLIENTS = 1_000
# As `cardwright serve` runs it.
SAFE = (
    *("--http1-header-read-timeout", str(HEADER_MILLISECONDS)),
    *("--http1-buffer-size", str(HEADER_BYTES)),
    *("--backpressure", str(CONNECTIONS)),
)
SERVERS = {
    "granian": (*("granian", "--interface", "asgi", "--no-ws", "--loop", "asyncio", "--no-log"), *SAFE),
    "uvicorn, httptools": ("uvicorn", "--http", "httptools", "--loop", "asyncio", "--no-access-log"),
    "uvicorn, h11": ("uvicorn", "--http", "h11", "--loop", "asyncio", "--no-access-log"),
}


def command(server: str, application: str, port: int) -> tuple[str, ...]:
    """Return the command that serves an application of benchmarks.apps."""
    module, *options = SERVERS[server]
    options_for_app = ("--factory", "--port", str(port), f"benchmarks.apps:{application}")
    return (sys.executable, "-m", module, *options, *options_for_app)


def serving_with(server: str, application: str) -> tuple[tuple[str, ...], int, str]:
    """Return the arguments of `running`."""
    port = free_port()
    return command(server, application, port), port, PATH


def unchanged(server: Running) -> str:
    """Return the If-None-Match field for a 304 response."""
    return f"If-None-Match: {get(server)[1]['etag']}"


def floods(contestants: dict[str, Running]) -> dict[str, tuple[Load, Load]]:
    """Return the median loads for 200 and 304 responses; the servers take turns."""
    fields = {name: unchanged(server) for name, server in contestants.items()}
    loads: dict[tuple[str, bool], list[Load]] = {}
    for _ in range(ROUNDS):
        for name, server in contestants.items():
            for full in (True, False):
                load = flood(server) if full else flood(server, fields[name])
                loads.setdefault((name, full), []).append(load)
    return {name: (_median(loads[name, True]), _median(loads[name, False])) for name in contestants}


def _median(loads: list[Load]) -> Load:
    return Load(
        statistics.median(load.requests for load in loads), statistics.median(load.p99 for load in loads)
    )


def servers() -> None:
    print(
        "Servers with a constant body of 3 KB; one core for the server, one for the load (medians; requests per\n"
        "second of CPU time of the server, p99 in ms; slow:"
        f" 500 requests/s while {SLOW_CLIENTS:,} clients dribble a header)\n"
    )
    if reason := missing():
        print(f"skipped: {reason}\n")
        return
    print(f"{'server':20} {'200/s':>9} {'p99':>7} {'304/s':>9} {'p99':>7} {'calm p99':>9} {'slow p99':>9}")
    with contextlib.ExitStack() as stack:
        contestants = {name: stack.enter_context(running(*serving_with(name, "bare"))) for name in SERVERS}
        loads = floods(contestants)
        for name, server in contestants.items():
            full, none = loads[name]
            calm = steady(server)
            with dribbling(server, SLOW_CLIENTS):
                slow = steady(server)
            print(
                f"{name:20} {full.requests:9,.0f} {full.p99:7.2f} {none.requests:9,.0f} {none.p99:7.2f}"
                f" {calm.p99:9.2f} {slow.p99:9.2f}"
            )
    print()
