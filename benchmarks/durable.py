"""A keyed, limited, durable `message/send` beside a2a-sdk's own server with its SQL task store.

`python -m benchmarks.durable`: both in the same loop of requests, one after the other, on SQLite and, where
CARDWRIGHT_POSTGRESQL names one, on PostgreSQL; every commit is on disk before it is answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import statistics
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp

from benchmarks.durable_apps import DATABASE, KEY_FILE
from benchmarks.load import free_port, running
from benchmarks.measure import machine
from benchmarks.servers import SERVERS

if TYPE_CHECKING:
    from collections.abc import Generator

CALLS = 300
BOUND = 1.5


def body() -> bytes:
    """Return a message, another one each time."""
    message = f'{{"messageId":"{uuid.uuid4()}","role":"ROLE_USER","parts":[{{"text":"hello"}}]}}'
    return f'{{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{{"message":{message}}}}}'.encode()


@contextlib.contextmanager
def databases() -> Generator[dict[str, tuple[str, str]]]:
    """Give two fresh databases of each kind that there is."""
    with tempfile.TemporaryDirectory() as folder:
        found = {"SQLite": (f"{folder}/sdk.db", f"{folder}/gateway.db")}
        server = os.environ.get("CARDWRIGHT_POSTGRESQL")
        if server is None:
            yield found
            return
        from sqlalchemy import create_engine, text

        names = [f"cardwright_bench_{uuid.uuid4().hex}" for _ in range(2)]
        engine = create_engine(
            server.replace("postgresql://", "postgresql+psycopg://", 1), isolation_level="AUTOCOMMIT"
        )
        with engine.connect() as connection:
            for name in names:
                connection.execute(text(f"CREATE DATABASE {name}"))
            fsync = connection.execute(text("SHOW fsync")).scalar()
            print(f"PostgreSQL: fsync {fsync}")
        base = server.rpartition("/")[0]
        yield {**found, "PostgreSQL": (f"{base}/{names[0]}", f"{base}/{names[1]}")}
        with engine.connect() as connection:
            for name in names:
                connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()


async def measured(ports: dict[str, int], key: str) -> dict[str, list[float]]:
    """Return how many milliseconds each answer took, asked in turns."""
    times: dict[str, list[float]] = {name: [] for name in ports}
    headers = {"Content-Type": "application/json", "A2A-Version": "1.0", "X-Agent-API-Key": key}
    async with aiohttp.ClientSession(headers=headers) as session:
        for turn in range(CALLS + 20):
            for name, port in ports.items():
                sent = body()
                began = time.perf_counter()
                async with session.post(f"http://127.0.0.1:{port}/echo", data=sent) as answer:
                    value: Any = await answer.json()
                took = (time.perf_counter() - began) * 1000
                state = value["result"]["task"]["status"]["state"]
                if state != "TASK_STATE_COMPLETED":
                    raise RuntimeError(f"{name} answers {value}")
                if turn >= 20:
                    times[name].append(took)
    return times


def durable() -> None:
    """Print the table."""
    print("A keyed, limited, durable message/send (p50, p95 in ms; ! past the bound)\n")
    print(machine())
    with databases() as found:
        for kind, (sdk_place, gateway_place) in found.items():
            _table(kind, sdk_place, gateway_place)


def _table(kind: str, sdk_place: str, gateway_place: str) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        key_file = Path(folder) / "key"
        os.environ[KEY_FILE] = str(key_file)
        ports: dict[str, int] = {}
        for name, place, path in (
            ("sdk", sdk_place, "/nothing"),
            ("gateway", gateway_place, "/echo/.well-known/agent-card.json"),
        ):
            os.environ[DATABASE] = place
            ports[name] = free_port()
            module, *options = SERVERS["uvicorn, httptools"]
            application = ("--factory", "--port", str(ports[name]), f"benchmarks.durable_apps:{name}")
            command = (sys.executable, "-m", module, *options, *application)
            stack.enter_context(running(command, ports[name], path))
        times = asyncio.run(measured(ports, key_file.read_text(encoding="ascii")))
    ratio = statistics.median(times["gateway"]) / statistics.median(times["sdk"])
    for name, took in times.items():
        p95 = statistics.quantiles(took, n=20)[-1]
        print(f"{kind:12} {name:8} {statistics.median(took):8.2f} {p95:8.2f}")
    print(f"{kind:12} {'ratio':8} {ratio:8.2f} (bound {BOUND}){' !' if ratio > BOUND else ''}\n")


if __name__ == "__main__":
    durable()
