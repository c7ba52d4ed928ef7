"""Servers of SDKs, called by `call_agent` directly and through the gateway: which features work."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import httpx

from cardwright import call_agent, fetch_card
from cardwright.discovery.probe import probe
from cardwright.guard import Guard, GuardedClient
from tests.a2a_v0_1_agent import OlderAgent
from tests.gateway.processes import AGENTS, OLD_SDK, before
from tests.interop.agent import CARD, LOOPBACK, PYTHON
from tests.interop.peers.steps import ABSENT, YES, Steps, expect, no
from tests.interop.programs import Program, ProgramFailed
from tests.interop.table import NOT_INSTALLED, Table

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping
    from contextlib import AbstractAsyncContextManager

CALLS: Final = ("discover", "send", "stream", "multi-turn", "cancel")
BEHIND: Final = ("gateway, pass", "gateway, own")
COLUMNS: Final = ("server", "read as", *CALLS, "probe", *BEHIND)
_CANCELLED_SECONDS: Final = 5.0


class Server(NamedTuple):
    """A row of the table: the package and its release; `serving` yields its origin, or None if it is not installed."""

    package: str
    serving: Callable[[], AbstractAsyncContextManager[str | None]]
    release: Callable[[], str]
    note: str = ""
    absent: tuple[str, ...] = ()
    # The last text of the reply to `task`.
    water: str = "water"

    @property
    def label(self) -> str:
        """The name of the row."""
        return " ".join(filter(None, (self.package, self.release()))) + self.note


def _of(program: Program, package: str, **more: Any) -> Server:
    return Server(package, program.serving, lambda: program.release(package), **more)


@asynccontextmanager
async def _older_agent() -> AsyncGenerator[str | None]:
    async with OlderAgent(streaming=True).running() as running:
        yield running.origin


@asynccontextmanager
async def _gateway() -> AsyncGenerator[str | None]:
    agent = {"card": CARD, "backend": {"python": PYTHON}, "tasks": "own"}
    async with before({"tides": agent}, limits={"requests": 0}, webhooks={"allow": LOOPBACK}) as running:
        yield running.at("tides")


# fasta2a starts a new task for every message. Its 0.x cannot stream, and responds before it works, so there is no call
# to cancel; an agent of google-adk asks only through its tools, and its server cannot cancel (UnsupportedOperation).
SERVERS: Final = (
    Server(
        "cardwright", _gateway, lambda: Program("").release("cardwright"), ", a function behind the gateway"
    ),
    _of(Program(str(AGENTS / "all_features.py")), "a2a-sdk"),
    _of(Program(str(OLD_SDK / "agent.py"), "a2a-0.3"), "a2a-sdk"),
    _of(Program("js/agent-1.mjs", "node"), "@a2a-js/sdk"),
    _of(Program("js/agent-0.3.mjs", "node"), "@a2a-js/sdk"),
    _of(Program("server_adk.py", "google-adk"), "google-adk", absent=("multi-turn",)),
    _of(Program("server_fasta2a.py", "fasta2a"), "fasta2a", absent=("multi-turn",)),
    _of(Program("server_fasta2a.py", "fasta2a-0"), "fasta2a", absent=("stream", "multi-turn", "cancel")),
    Server("an A2A 0.1 agent", _older_agent, str, water="7"),
)


async def servers() -> Table:
    """Call every server directly and through the gateway."""
    rows: dict[str, Mapping[str, str]] = {}
    for server in SERVERS:
        try:
            async with server.serving() as url:
                rows[server.label] = await _row(server, url)
        except ProgramFailed as error:
            rows[server.label] = dict.fromkeys(COLUMNS[1:], no(error))
    return Table(COLUMNS, rows)


async def _row(server: Server, url: str | None) -> dict[str, str]:
    if url is None:
        return dict.fromkeys(COLUMNS[1:], NOT_INSTALLED)
    direct = await _calls(server, url)
    steps = Steps()
    await steps.run("probe", lambda: check_probe(url, send=True), 90)
    cells = {**direct, **steps.cells}
    for column, tasks in zip(BEHIND, ("pass", "own"), strict=True):
        cells[column] = await _behind(server, url, tasks, direct)
    return cells


async def _behind(server: Server, url: str, tasks: str, direct: Mapping[str, str]) -> str:
    """Make the same calls through the gateway."""
    agents = {"one": {"url": url, "tasks": tasks}}
    async with before(agents, limits={"requests": 0}, webhooks={"allow": LOOPBACK}) as running:
        through = await _calls(server, running.at("one"))
    failed = {one: cell for one, cell in through.items() if one in CALLS and cell not in (YES, ABSENT)}
    reasons = [f"{one}: {cell.removeprefix('no: ')}" for one, cell in failed.items()]
    as_directly = all(direct[one] != YES for one in failed)
    return f"no: {'as directly: ' if as_directly else ''}{'; '.join(reasons)}" if failed else YES


async def _calls(server: Server, url: str) -> dict[str, str]:
    """Make all calls with `call_agent`."""
    steps = Steps()
    calls = _Calls(server, url)
    for feature, step in zip(
        CALLS, (calls.discover, calls.send, calls.stream, calls.multi_turn, calls.cancel), strict=True
    ):
        if feature in server.absent:
            steps.absent(feature)
        else:
            await steps.run(feature, step)
    return {"read as": str(calls.found.dialect) if calls.found else ABSENT, **steps.cells}


@dataclass
class _Calls:
    """The calls of one server, one after another."""

    server: Server
    url: str
    found: Any = None

    async def call(self, text: str, **more: Any) -> Any:
        assert self.found, "no card"
        return await call_agent(self.found, text, allow=LOOPBACK, **more)

    async def discover(self) -> None:
        self.found = await fetch_card(self.url, allow=LOOPBACK)
        errors = sorted({one.rule for one in self.found.violations if one.severity == "error"})
        assert not errors, f"errors in the card: {', '.join(errors)}"

    async def send(self) -> None:
        reply = await self.call("good day", stream=False)
        assert reply.state not in ("submitted", "working"), "the reply is a task that is not finished"
        expect(reply.text, "you said good day")

    async def stream(self) -> None:
        reply = await self.call("task", stream=True)
        expect(reply.state, "completed")
        assert self.server.water in reply.text, f"the text is {reply.text!r}"

    async def multi_turn(self) -> None:
        question = await self.call("ask")
        expect(question.state, "input-required")
        reply = await self.call("Husum", task_id=question.task_id, context_id=question.context_id)
        expect(reply.state, "completed")
        assert "Husum" in reply.text, f"the text is {reply.text!r}"

    async def cancel(self) -> None:
        """Cancel a call; the agent cancels the task, and confirms it."""
        async with _Recording(Guard(allow=LOOPBACK)) as client:
            calling = asyncio.create_task(self.call("wait", client=client))
            await client.begun.wait()
            # The first event names the task.
            done, _ = await asyncio.wait([calling], timeout=2)
            assert not done, f"the call ended by itself: {calling.result().state}"
            calling.cancel()
            with suppress(asyncio.CancelledError):
                await calling
        assert client.cancelling is not None, "no request to cancel the task"
        expect(await _state_after(client.cancelling), "canceled")


class _Request(NamedTuple):
    url: str
    headers: dict[str, str]
    task_id: str
    method: str


class _Recording(GuardedClient):
    """Notes the request that cancels a task."""

    def __init__(self, guard: Guard) -> None:
        super().__init__(guard)
        self.begun = asyncio.Event()
        self.cancelling: _Request | None = None

    @asynccontextmanager
    async def stream(self, method: str, url: str, **more: Any) -> AsyncGenerator[Any]:
        body = json.loads(more["content"]) if more.get("content") else {}
        if "cancel" in body.get("method", "").lower():
            self.cancelling = _Request(url, dict(more["headers"]), body["params"]["id"], body["method"])
        self.begun.set()
        async with super().stream(method, url, **more) as streamed:
            yield streamed


async def _state_after(cancelling: _Request) -> str:
    """Return the state of a task, read in the form of the request that cancelled it."""
    method = "GetTask" if cancelling.method == "CancelTask" else "tasks/get"
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"id": cancelling.task_id}}
    version = {name: value for name, value in cancelling.headers.items() if name.lower() == "a2a-version"}
    end = asyncio.get_running_loop().time() + _CANCELLED_SECONDS
    async with httpx.AsyncClient() as http:
        while True:
            task = (await http.post(cancelling.url, json=body, headers=version)).json()
            state: str = task["result"]["status"]["state"] if "result" in task else str(task.get("error"))
            state = state.removeprefix("TASK_STATE_").lower()
            if state == "canceled" or asyncio.get_running_loop().time() > end:
                return state
            await asyncio.sleep(0.1)


async def check_probe(url: str, *, send: bool) -> None:
    async with GuardedClient(Guard(allow=LOOPBACK)) as client:
        report = await probe(url, client=client, send=send)
    errors = sorted({one.id for one in report.of("error")})
    assert not errors, ", ".join(errors)
    assert report.complete, "not complete"
