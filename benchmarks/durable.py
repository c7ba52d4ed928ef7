"""`message/send` with key, rate limit and durable tasks, compared with the server of a2a-sdk and its SQL task store.

`python -m benchmarks.durable` sends the same requests in turns to both, on SQLite and, if CARDWRIGHT_POSTGRESQL is
set, on PostgreSQL. Every commit is on disk before the response is sent.
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
    """Return a request with a new message id."""
    message = f'{{"messageId":"{uuid.uuid4()}","role":"ROLE_USER","parts":[{{"text":"hello"}}]}}'
    return f'{{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{{"message":{message}}}}}'.encode()


@contextlib.contextmanager
def databases() -> Generator[dict[str, tuple[str, str]]]:
    """Yield two empty databases of each available kind."""
    with tempfile.TemporaryDirectory() as folder:
        databases_by_kind = {"SQLite": (f"{folder}/sdk.db", f"{folder}/gateway.db")}
        server = os.environ.get("CARDWRIGHT_POSTGRESQL")
        if server is None:
            yield databases_by_kind
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
        yield {**databases_by_kind, "PostgreSQL": (f"{base}/{names[0]}", f"{base}/{names[1]}")}
        with engine.connect() as connection:
            for name in names:
                connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()


async def measured(ports: dict[str, int], key: str) -> dict[str, list[float]]:
    """Return the response times in milliseconds; requests are sent in turns."""
    times: dict[str, list[float]] = {name: [] for name in ports}
    headers = {"Content-Type": "application/json", "A2A-Version": "1.0", "X-Agent-API-Key": key}
    async with aiohttp.ClientSession(headers=headers) as session:
        for turn in range(CALLS + 20):
            for name, port in ports.items():
                request = body()
                began = time.perf_counter()
                async with session.post(f"http://127.0.0.1:{port}/echo", data=request) as response:
                    value: Any = await response.json()
                took = (time.perf_counter() - began) * 1000
                state = value["result"]["task"]["status"]["state"]
                if state != "TASK_STATE_COMPLETED":
                    raise RuntimeError(f"{name} returned {value}")
                if turn >= 20:
                    times[name].append(took)
    return times


def durable() -> None:
    """Print the table."""
    print("message/send with key, rate limit and durable tasks (p50, p95 in ms; ! over the limit)\n")
    print(machine())
    with databases() as databases_by_kind:
        for kind, (sdk_database, gateway_database) in databases_by_kind.items():
            _table(kind, sdk_database, gateway_database)


def _table(kind: str, sdk_database: str, gateway_database: str) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        key_file = Path(folder) / "key"
        os.environ[KEY_FILE] = str(key_file)
        ports: dict[str, int] = {}
        for name, database, path in (
            ("sdk", sdk_database, "/nothing"),
            ("gateway", gateway_database, "/echo/.well-known/agent-card.json"),
        ):
            os.environ[DATABASE] = database
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
    print(f"{kind:12} {'ratio':8} {ratio:8.2f} (limit {BOUND}){' !' if ratio > BOUND else ''}\n")


if __name__ == "__main__":
    durable()
