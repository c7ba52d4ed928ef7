"""Replicas of a gateway as processes of the real command, with a shared database."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp

from cardwright.serve.listening import free_port
from cardwright_gateway.auth.agent_keys import AgentKeys, Quota
from cardwright_gateway.database.tables import open_database
from tests.gateway.auth.callers import public_of
from tests.gateway.gateways import CARD
from tests.gateway.tasks.gateways import message
from tests.tokens import AUDIENCE, ISSUER, PRIVATE, token

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

ROOT = Path(__file__).resolve().parents[2]
ADMIN = "a-token-of-20-letters"
STARTING_SECONDS = 90
FAILED, CANCELED = "TASK_STATE_FAILED", "TASK_STATE_CANCELED"
COMPLETED, WORKING = "TASK_STATE_COMPLETED", "TASK_STATE_WORKING"


@dataclass
class Replica:
    """One process of the gateway, with the children that it has."""

    origin: str
    popen: subprocess.Popen[bytes]
    log: Path

    def send(self, what: signal.Signals) -> None:
        """Send a signal to all of it: it is a group of its own."""
        os.killpg(self.popen.pid, what)

    def kill(self) -> None:
        """Kill it at once, as a failing host does."""
        # The id of an ended process may belong to another process by now.
        if self.popen.poll() is None:
            self.send(signal.SIGKILL)
            self.popen.wait()

    def kill_worker(self) -> None:
        """End the process that answers at once; the one that looks after it starts another."""
        children = Path(f"/proc/{self.popen.pid}/task/{self.popen.pid}/children").read_text(encoding="ascii")
        for child in children.split():
            os.kill(int(child), signal.SIGKILL)

    def ended(self) -> None:
        """Ask it to end, and wait until it has."""
        self.popen.terminate()
        self.popen.wait(30)


@dataclass
class Caller:
    """A caller of an agent, at any replica."""

    session: aiohttp.ClientSession
    agent_id: str
    key: str
    key_id: str

    async def rpc(self, at: Replica, method: str, params: Any, **more: Any) -> dict[str, Any]:
        """Send one call; return the answer."""
        async with self._posted(at, method, params, **more) as answer:
            value: dict[str, Any] = await answer.json(content_type=None)
            return {**value, "status": answer.status}

    async def send(self, at: Replica, text: str, **more: Any) -> dict[str, Any]:
        """Send a message, and return its task when its turn has ended."""
        answer = await self.rpc(at, "SendMessage", message(text, **more))
        assert "result" in answer, answer
        task: dict[str, Any] = answer["result"]["task"]
        return task

    async def begun(self, at: Replica, text: str) -> dict[str, Any]:
        """Send a message; return its running task."""
        params = {**message(text), "configuration": {"returnImmediately": True}}
        answer = await self.rpc(at, "SendMessage", params)
        assert "result" in answer, answer
        task: dict[str, Any] = answer["result"]["task"]
        return task

    async def task(self, at: Replica, task_id: str) -> dict[str, Any]:
        """Return a task."""
        answer = await self.rpc(at, "GetTask", {"id": task_id})
        assert "result" in answer, answer
        task: dict[str, Any] = answer["result"]
        return task

    async def state(self, at: Replica, task_id: str) -> str:
        """Return the state of a task."""
        return str((await self.task(at, task_id))["status"]["state"])

    async def until(self, at: Replica, task_id: str, state: str, seconds: float = 30.0) -> None:
        """Wait until a task has a state."""

        async def so() -> bool:
            return await self.state(at, task_id) == state

        await becomes(so, seconds)

    async def events(self, at: Replica, method: str, params: Any) -> AsyncGenerator[dict[str, Any]]:
        """Send a call that streams; yield the events as they come."""
        async with self._posted(at, method, params, Accept="text/event-stream") as answer:
            async for line in answer.content:
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])["result"]

    def _posted(self, at: Replica, method: str, params: Any, **more: str) -> Any:
        headers = {"A2A-Version": "1.0", "X-Agent-API-Key": self.key, **more}
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.session.post(f"{at.origin}/agents/{self.agent_id}", json=body, headers=headers)


@dataclass
class Cluster:
    """Replicas with one configuration."""

    folder: Path
    store: str
    config: dict[str, Any]
    session: aiohttp.ClientSession
    replicas: list[Replica] = field(default_factory=list[Replica])

    async def start(self) -> Replica:
        """Start one more, and wait until it answers."""
        replica = self.begin()
        await ready(self.session, replica)
        return replica

    def begin(self, port: int = 0) -> Replica:
        """Start one more."""
        file = self.folder / "gateway.json"
        if not file.exists():
            file.write_text(json.dumps(self.config), encoding="utf-8")
            shutil.copy(Path(__file__).parent / "functions.py", self.folder / "functions.py")
            (self.folder / "jwks.json").write_bytes(public_of(PRIVATE))
        taken = {replica.origin for replica in self.replicas}
        chosen = free_port("127.0.0.1", port)
        # A starting replica does not listen yet, so its port looks free.
        while not port and f"http://127.0.0.1:{chosen}" in taken:
            chosen = free_port("127.0.0.1", 0)
        port = chosen
        log = self.folder / f"log-{len(self.replicas)}"
        replica = Replica(f"http://127.0.0.1:{port}", launched(file, port, log), log)
        self.replicas.append(replica)
        return replica

    def caller(self, agent_id: str, quota: Quota | None = None) -> Caller:
        """Return a caller with a key of an agent."""
        database = open_database(self.store, wait_seconds=10.0)
        try:
            record, secret = AgentKeys(database).issue(agent_id, "acme", actor="test", quota=quota)
        finally:
            database.close()
        return Caller(self.session, agent_id, secret, record.id)

    async def admin(self, at: Replica, method: str, params: Any) -> dict[str, Any]:
        """Change something over the network."""
        headers = {"A2A-Version": "1.0", "Authorization": f"Bearer {ADMIN}"}
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        async with self.session.post(f"{at.origin}/rpc", json=body, headers=headers) as answer:
            value: dict[str, Any] = await answer.json()
            assert "result" in value, value
            return value

    def owner(self) -> dict[str, str]:
        """The credentials of the owner."""
        return {"Authorization": f"Bearer {token(sub='acme', exp=int(time.time()) + 3600)}"}


def launched(file: Path, port: int, log: Path, *more: str) -> subprocess.Popen[bytes]:
    """Run the real command."""
    command = (
        sys.executable, "-m", "cardwright", "gateway", "--config", str(file), "--port", str(port), *more,
    )  # fmt: skip
    with log.open("wb") as kept:
        return subprocess.Popen(
            command, cwd=ROOT, env=command_environ(), stdout=kept, stderr=kept, start_new_session=True
        )


def command_environ() -> dict[str, str]:
    """Return what a process of this checkout needs to find it."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


async def ready(session: aiohttp.ClientSession, replica: Replica, seconds: float = STARTING_SECONDS) -> None:
    """Wait until a replica responds."""

    async def so() -> bool:
        assert replica.popen.poll() is None, replica.log.read_text()
        try:
            async with session.get(f"{replica.origin}/readyz") as answer:
                return answer.status == 200
        except aiohttp.ClientError:
            return False

    await becomes(so, seconds)


async def becomes(condition: Callable[[], Awaitable[object]], seconds: float = 30.0) -> float:
    """Poll until a condition holds; return how long it took."""
    began = time.monotonic()
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110 - another process has no event for it
            await asyncio.sleep(0.05)
    return time.monotonic() - began


def function(name: str, **more: Any) -> dict[str, Any]:
    """Return an agent of the owner that a function answers for."""
    return {"card": CARD, "backend": {"python": f"functions:{name}"}, "owner": "acme", **more}


@asynccontextmanager
async def cluster(
    folder: Path, store: str, agents: Mapping[str, Any], **more: Any
) -> AsyncGenerator[Cluster]:
    """Yield a cluster; all its replicas end with the block."""
    config: dict[str, Any] = {
        "store": store,
        "base_url": "http://gateway.example.com",
        "admin_token": ADMIN,
        "owners": {"acme": {"name": "Acme Ltd", "subject": "acme"}},
        "jwt": [{"issuer": ISSUER, "audience": AUDIENCE, "jwks": "jwks.json", "algorithms": ["ES256"]}],
        "limits": {"requests": 0},
        "tasks": {"lost_seconds": 4},
        "webhooks": {"enabled": False},
        "allow": ["127.0.0.0/8"],
        "agents": dict(agents),
        **more,
    }
    connector = aiohttp.TCPConnector(force_close=True, limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(60)) as session:
        made = Cluster(folder, store, config, session)
        try:
            yield made
        finally:
            for replica in made.replicas:
                replica.kill()
