"""The gateway beside what it stands before: cards, calls, a thousand agents, and dead ones."""

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
# A share of serve's own rate; milliseconds that a call may cost; a share of the direct rate; seconds; MiB.
CARD_BOUND, CALL_BOUND, RATE_BOUND, START_BOUND, MEMORY_BOUND = 0.60, 1.5, 0.50, 5.0, 200
BODY = (
    b'{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER",'
    b'"parts":[{"text":"hello"}]}}}'
)
HEADERS = {"Content-Type": "application/json", "A2A-Version": "1.0"}


@contextlib.contextmanager
def mute() -> Generator[int]:
    """Take connections, and never answer."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as server:
        held: list[socket.socket] = []

        def take() -> None:
            with contextlib.suppress(OSError):
                while True:
                    held.append(server.accept()[0])

        threading.Thread(target=take, daemon=True).start()
        yield server.getsockname()[1]
        for one in held:
            one.close()


def gateway() -> None:
    print("The gateway, a core each for it and the load (medians; ! past the bound)\n")
    print(machine())
    if lack := missing():
        print(f"skipped: {lack}\n")
        return
    with contextlib.ExitStack() as stack:
        agent_port, gateway_port, card_port = free_port(), free_port(), free_port()
        os.environ[AGENT_URL] = f"http://127.0.0.1:{agent_port}/"
        os.environ["MUTE"] = str(stack.enter_context(mute()))
        stack.enter_context(
            running(command("agent", agent_port, "uvicorn, httptools"), agent_port, "/", core=LOAD_CORE)
        )
        serve = stack.enter_context(
            running(command("published", card_port), card_port, CARD.removeprefix("/agents/card"))
        )
        ours = stack.enter_context(running(command("gateway", gateway_port), gateway_port, CARD))
        _cards(serve, ours)
        asyncio.run(_calls(agent_port, gateway_port))
        asyncio.run(_dead(gateway_port))
    _thousand()


def command(factory: str, port: int, server: str = "granian") -> tuple[str, ...]:
    place = ("--factory", "--port", str(port), f"benchmarks.gateway_apps:{factory}")
    module, *options = SERVERS[server]
    return (sys.executable, "-m", module, *options, *place)


def _cards(serve: Running, ours: Running) -> None:
    rates: dict[str, list[float]] = {"serve": [], "gateway": []}
    for _ in range(ROUNDS):
        rates["serve"].append(flood(serve).requests)
        rates["gateway"].append(flood(ours).requests)
    own, through = (statistics.median(rates[name]) for name in ("serve", "gateway"))
    share = through / own
    print("A cached card of 3 KB (requests in a second of processor time)")
    print(
        f"  serve {own:10,.0f}   gateway {through:10,.0f}   share {share:4.0%}   bound {CARD_BOUND:.0%}{_missed(share < CARD_BOUND)}\n"
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
        f"  one at a time, p50 ms   direct {direct:6.2f}   gateway {through:6.2f}   adds {through - direct:5.2f}   bound {CALL_BOUND}{_missed(through - direct > CALL_BOUND)}"
    )
    direct, through = (statistics.median(rates[name]) for name in urls)
    share = through / direct
    print(
        f"  32 at once, calls/s     direct {direct:6,.0f}   gateway {through:6,.0f}   share {share:5.0%}   bound {RATE_BOUND:.0%}{_missed(share < RATE_BOUND)}\n"
    )


async def _call(session: aiohttp.ClientSession, url: str) -> float:
    start = time.perf_counter()
    async with session.post(url, data=BODY) as answer:
        body = await answer.read()
        if answer.status != 200 or b"hello" not in body:
            raise RuntimeError(f"{answer.status} {body!r}")
    return time.perf_counter() - start


async def _rate(session: aiohttp.ClientSession, url: str, at_once: int) -> float:
    start = time.perf_counter()
    left = iter(range(CALLS))

    async def go_on() -> None:
        for _ in left:
            await _call(session, url)

    await asyncio.gather(*(go_on() for _ in range(at_once)))
    return CALLS / (time.perf_counter() - start)


async def _dead(gateway: int) -> None:
    """Call the good agent alone, and while twenty dead ones are asked for all the time."""
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
            asking = [
                asyncio.create_task(_ask(session, f"{base}/agents/{name}/.well-known/agent-card.json", stop))
                for name in names
            ]
            await asyncio.sleep(0.2)
            took["beside"] += [await _call(calling, f"{base}/agents/echo") for _ in range(100)]
            stop.set()
            await asyncio.gather(*asking)
    print("A call while 20 dead agents are asked for, 20 times a second each (ms)")
    for name, times in took.items():
        times.sort()
        print(
            f"  {name:8} p50 {times[len(times) // 2] * 1_000:6.2f}   p99 {times[len(times) * 99 // 100] * 1_000:6.2f}"
        )
    print()


async def _ask(session: aiohttp.ClientSession, url: str, stop: asyncio.Event) -> None:
    while not stop.is_set():
        async with session.get(url) as answer:
            if answer.status not in (502, 504):
                raise RuntimeError(str(answer.status))
        await asyncio.sleep(0.05)


def _thousand() -> None:
    """Start a gateway with a thousand agents, in a process of its own, and say what it took and holds."""
    port = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        running((sys.executable, "-m", "benchmarks.origins", str(port)), port, "/", core=LOAD_CORE),
    ):
        path = _written(Path(folder), port)
        told = subprocess.run(  # noqa: S603 - ourselves
            (sys.executable, "-m", "benchmarks.gateway", "thousand", str(path)),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
    start, held, after = map(float, told)
    print(f"{AGENTS:,} agents, half of A2A and half managed, each with a card of 3 KB")
    print(f"  started in {start:5.2f} s   bound {START_BOUND:g}{_missed(start > START_BOUND)}")
    print(
        f"  holds {held:10.0f} MiB with all of them looked at   bound {MEMORY_BOUND}{_missed(held > MEMORY_BOUND)}"
    )
    print(f"  holds {after:10.0f} MiB once every card was asked for\n")


def thousand() -> None:
    """Be the gateway with a thousand agents, from the first import on."""
    began = time.perf_counter()
    from cardwright_gateway import Gateway, GatewayConfig

    async def go() -> tuple[float, float]:
        async with Gateway(GatewayConfig.from_file(sys.argv[2])) as gateway:
            started = time.perf_counter() - began
            # All that are called are looked at by the gateway itself meanwhile.
            while any(agent.source.standing().state != "ok" for agent in gateway.agents.values()):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.05)
            held = _resident()
            for name in gateway.agents:
                await gateway.card(name)
            print(started, held, _resident())
            return started, held

    asyncio.run(go())


def _written(folder: Path, port: int) -> Path:
    """Write the configuration of a thousand agents, half of A2A and half managed, each with a file."""
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
    """Return how many MiB this process holds (proc(5), VmRSS)."""
    told = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmRSS")) / 1024


def _missed(missed: bool) -> str:  # noqa: FBT001 - as the other tables
    return " !" if missed else ""


if __name__ == "__main__":
    thousand() if sys.argv[1:2] == ["thousand"] else gateway()
