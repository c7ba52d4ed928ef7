"""The gateway compared with direct access: cards, calls, a thousand agents, unreachable agents."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import orjson

from benchmarks.documents import card
from benchmarks.gateway_apps import AGENT_URL
from benchmarks.load import LOAD_CORE, ROOT, Running, flood, free_port, missing, running
from benchmarks.measure import machine
from benchmarks.servers import SERVERS
from benchmarks.visits import origins

if TYPE_CHECKING:
    from collections.abc import Generator

CARD = "/agents/card/.well-known/agent-card.json"
ROUNDS = 5
CALLS = 400
AGENTS = 1_000
# Minimum share of the rate of `serve`; maximum added milliseconds per call; minimum share of the direct rate;
# maximum seconds to start; maximum MiB.
CARD_BOUND, CALL_BOUND, RATE_BOUND, START_BOUND, MEMORY_BOUND = 0.60, 1.5, 0.50, 5.0, 200
BODY = (
    b'{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER",'
    b'"parts":[{"text":"hello"}]}}}'
)
HEADERS = {"Content-Type": "application/json", "A2A-Version": "1.0"}


@contextlib.contextmanager
def silent() -> Generator[int]:
    """Run a server that accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as server:
        connections: list[socket.socket] = []

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connections.append(server.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]
        for connection in connections:
            connection.close()


def gateway() -> None:
    print("The gateway; one core for it and one for the load (medians; ! over the limit)\n")
    print(machine())
    if reason := missing():
        print(f"skipped: {reason}\n")
        return
    with contextlib.ExitStack() as stack:
        agent_port, gateway_port, card_port = free_port(), free_port(), free_port()
        os.environ[AGENT_URL] = f"http://127.0.0.1:{agent_port}/"
        os.environ["MUTE"] = str(stack.enter_context(silent()))
        stack.enter_context(
            running(command("agent", agent_port, "uvicorn, httptools"), agent_port, "/", core=LOAD_CORE)
        )
        serve = stack.enter_context(
            running(command("published", card_port), card_port, CARD.removeprefix("/agents/card"))
        )
        gateway_server = stack.enter_context(running(command("gateway", gateway_port), gateway_port, CARD))
        _cards(serve, gateway_server)
        asyncio.run(_calls(agent_port, gateway_port))
        asyncio.run(_dead(gateway_port))
    _thousand()


def command(factory: str, port: int, server: str = "granian") -> tuple[str, ...]:
    application = ("--factory", "--port", str(port), f"benchmarks.gateway_apps:{factory}")
    module, *options = SERVERS[server]
    return (sys.executable, "-m", module, *options, *application)


def _cards(serve: Running, gateway_server: Running) -> None:
    rates: dict[str, list[float]] = {"serve": [], "gateway": []}
    for _ in range(ROUNDS):
        rates["serve"].append(flood(serve).requests)
        rates["gateway"].append(flood(gateway_server).requests)
    own, through = (statistics.median(rates[name]) for name in ("serve", "gateway"))
    share = through / own
    print("A cached card of 3 KB (requests per second of CPU time)")
    print(
        f"  serve {own:10,.0f}   gateway {through:10,.0f}   share {share:4.0%}   limit {CARD_BOUND:.0%}{_missed(share < CARD_BOUND)}\n"
    )


async def _calls(agent: int, gateway: int) -> None:
    urls = {"direct": f"http://127.0.0.1:{agent}/", "gateway": f"http://127.0.0.1:{gateway}/agents/echo"}
    async with aiohttp.ClientSession(headers=HEADERS) as session:
        for url in urls.values():
            await _call(session, url)
        took: dict[str, list[float]] = {name: [] for name in urls}
        rates: dict[str, list[float]] = {name: [] for name in urls}
        for _ in range(ROUNDS):
            for name, url in urls.items():
                took[name] += [await _call(session, url) for _ in range(CALLS // ROUNDS)]
            for name, url in urls.items():
                rates[name].append(await _rate(session, url, 32))
    direct, through = (statistics.median(took[name]) * 1_000 for name in urls)
    print("A call, to the agent and through the gateway")
    print(
        f"  one at a time, p50 ms   direct {direct:6.2f}   gateway {through:6.2f}   adds {through - direct:5.2f}   limit {CALL_BOUND}{_missed(through - direct > CALL_BOUND)}"
    )
    direct, through = (statistics.median(rates[name]) for name in urls)
    share = through / direct
    print(
        f"  32 at once, calls/s     direct {direct:6,.0f}   gateway {through:6,.0f}   share {share:5.0%}   limit {RATE_BOUND:.0%}{_missed(share < RATE_BOUND)}\n"
    )


async def _call(session: aiohttp.ClientSession, url: str) -> float:
    start = time.perf_counter()
    async with session.post(url, data=BODY) as response:
        body = await response.read()
        if response.status != 200 or b"hello" not in body:
            raise RuntimeError(f"{response.status} {body!r}")
    return time.perf_counter() - start


async def _rate(session: aiohttp.ClientSession, url: str, at_once: int) -> float:
    start = time.perf_counter()
    remaining = iter(range(CALLS))

    async def worker() -> None:
        for _ in remaining:
            await _call(session, url)

    await asyncio.gather(*(worker() for _ in range(at_once)))
    return CALLS / (time.perf_counter() - start)


async def _dead(gateway: int) -> None:
    """Call the working agent alone, and while the cards of twenty unreachable agents are requested."""
    base = f"http://127.0.0.1:{gateway}"
    names = [f"{kind}-{number}" for kind in ("gone", "mute") for number in range(10)]
    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
        aiohttp.ClientSession(headers=HEADERS) as calling,
    ):
        took: dict[str, list[float]] = {"alone": [], "beside": []}
        for _ in range(ROUNDS):
            took["alone"] += [await _call(calling, f"{base}/agents/echo") for _ in range(100)]
            stop = asyncio.Event()
            requests = [
                asyncio.create_task(
                    _request(session, f"{base}/agents/{name}/.well-known/agent-card.json", stop)
                )
                for name in names
            ]
            await asyncio.sleep(0.2)
            took["beside"] += [await _call(calling, f"{base}/agents/echo") for _ in range(100)]
            stop.set()
            await asyncio.gather(*requests)
    print("A call while the cards of 20 unreachable agents are requested, 20 times a second each (ms)")
    for name, times in took.items():
        times.sort()
        print(
            f"  {name:8} p50 {times[len(times) // 2] * 1_000:6.2f}   p99 {times[len(times) * 99 // 100] * 1_000:6.2f}"
        )
    print()


async def _request(session: aiohttp.ClientSession, url: str, stop: asyncio.Event) -> None:
    while not stop.is_set():
        async with session.get(url) as response:
            if response.status not in (502, 504):
                raise RuntimeError(str(response.status))
        await asyncio.sleep(0.05)


def _thousand() -> None:
    """Start a gateway with a thousand agents in a process of its own; print its start time and memory."""
    port = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        running((sys.executable, "-m", "benchmarks.origins", str(port)), port, "/", core=LOAD_CORE),
    ):
        path = _written(Path(folder), port)
        output = subprocess.run(  # noqa: S603 - this module
            (sys.executable, "-m", "benchmarks.gateway", "thousand", str(path)),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
    start, before, after = map(float, output)
    print(f"{AGENTS:,} agents, half A2A and half managed, each with a card of 3 KB")
    print(f"  started in {start:5.2f} s   limit {START_BOUND:g}{_missed(start > START_BOUND)}")
    print(
        f"  uses {before:10.0f} MiB after all agents were checked   limit {MEMORY_BOUND}{_missed(before > MEMORY_BOUND)}"
    )
    print(f"  uses {after:10.0f} MiB after every card was requested\n")


def thousand() -> None:
    """Run the gateway with a thousand agents and print its figures, imports included."""
    began = time.perf_counter()
    from cardwright_gateway import Gateway, GatewayConfig

    async def go() -> tuple[float, float]:
        async with Gateway(GatewayConfig.from_file(sys.argv[2])) as gateway:
            started = time.perf_counter() - began
            # The gateway checks the called agents by itself meanwhile.
            while any(agent.source.status().state != "ok" for agent in gateway.agents.values()):  # noqa: ASYNC110 - there is no event to wait for
                await asyncio.sleep(0.05)
            before = _resident()
            for name in gateway.agents:
                await gateway.card(name)
            print(started, before, _resident())
            return started, before

    asyncio.run(go())


def _written(folder: Path, port: int) -> Path:
    """Write the settings of a thousand agents, half A2A and half managed, each with a card file."""
    agents: dict[str, Any] = {}
    for number, origin in enumerate(origins(port, AGENTS // 2)):
        file = folder / f"{number}.json"
        file.write_bytes(orjson.dumps({**card("a2a-hybrid", 3_000), "name": f"Agent {number}"}))
        agents[f"called-{number}"] = {"url": origin}
        agents[f"managed-{number}"] = {"card": str(file)}
    path = folder / "gateway.json"
    path.write_bytes(orjson.dumps({"agents": agents, "base_url": "https://gateway.example.com"}))
    return path


def _resident() -> float:
    """Return the resident memory of this process in MiB (proc(5), VmRSS)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def _missed(missed: bool) -> str:  # noqa: FBT001 - its only argument
    return " !" if missed else ""


if __name__ == "__main__":
    thousand() if sys.argv[1:2] == ["thousand"] else gateway()
