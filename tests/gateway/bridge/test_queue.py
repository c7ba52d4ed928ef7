"""Agents that pull their work."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery import Part
from cardwright.errors import AgentBusy, AgentOffline, BadWork, PeerUnreachable, UnknownWork
from cardwright.gateway.backend import Outcome, Turn
from cardwright.gateway.bridge.queue import QueueBackend, queue_endpoint
from tests.gateway.bridge.making import bridged, sent
from tests.gateway.bridge.test_functions import Telling
from tests.serve.client import call

if TYPE_CHECKING:
    from cardwright.gateway.bridge.work import Work

TURN = Turn((Part("raw", b"\0\1"),), message_id="m-1", metadata={"a": 1})
TOKEN = "worker-1"  # noqa: S105 - of this test alone
BEARER = {"authorization": f"Bearer {TOKEN}"}


class Desk:
    """A queue with a clock that is set by hand."""

    def __init__(self, **more: Any) -> None:
        self.now = 0.0
        self.queue = QueueBackend("harbour", clock=lambda: self.now, **more)
        self.telling = Telling()

    def asked(self) -> asyncio.Task[Outcome]:
        return asyncio.create_task(self.queue.run(TURN, self.telling))

    async def taken(self) -> Work:
        work = await self.queue.take(5.0)
        assert work is not None
        return work


def test_work_is_taken_told_of_and_ended() -> None:
    async def run() -> None:
        desk = Desk()
        taking = asyncio.create_task(desk.taken())
        asked = desk.asked()
        work = await taking
        wire = work.to_wire()
        assert wire["turn"]["parts"] == [{"raw": "AAE="}]
        assert (wire["attempt"], wire["told"], wire["turn"]["messageId"]) == (1, 0, "m-1")
        await desk.queue.tell(work.id, {"text": "soon", "done": 1, "total": 2, "parts": [{"text": "a"}]})
        await desk.queue.finish(work.id, {"parts": [{"data": [1]}], "state": "rejected", "message": "no"})
        outcome = await asked
        assert outcome == Outcome((Part("data", [1]),), "rejected", "no")
        assert desk.telling.told == [("soon", 1, 2), ["a"]]
        with pytest.raises(UnknownWork):
            await desk.queue.finish(work.id, {})

    asyncio.run(run())


def test_a_worker_that_is_gone_loses_its_work_three_times_then_it_fails() -> None:
    async def run() -> None:
        desk = Desk(lease_seconds=10.0)
        asked = desk.asked()
        await asyncio.sleep(0)
        first = await desk.taken()
        desk.now = 9.0
        await desk.queue.tell(first.id, {})
        desk.now = 18.9
        assert await desk.queue.take(0) is None
        desk.now = 19.0
        second = await desk.taken()
        assert second.attempt == 2
        with pytest.raises(UnknownWork):
            await desk.queue.finish(first.id, {})
        desk.now = 29.0
        assert (await desk.taken()).attempt == 3
        desk.now = 39.0
        assert await desk.queue.take(0) is None
        with pytest.raises(PeerUnreachable):
            await asked

    asyncio.run(run())


def test_work_that_its_caller_cancels_is_nobodys() -> None:
    async def run() -> None:
        desk = Desk()
        waiting, taken = desk.asked(), desk.asked()
        await asyncio.sleep(0)
        work = await desk.taken()
        for asked in (waiting, taken):
            asked.cancel()
        await asyncio.gather(waiting, taken, return_exceptions=True)
        with pytest.raises(UnknownWork):
            await desk.queue.tell(work.id, {})
        assert await desk.queue.take(0) is None

    asyncio.run(run())


def test_an_agent_is_offline_until_a_worker_asks_and_busy_when_the_queue_is_full() -> None:
    async def run() -> None:
        desk = Desk(most_waiting=1)
        with pytest.raises(AgentOffline):
            await desk.queue.ready()
        await desk.queue.take(0)
        desk.now = 60.0
        await desk.queue.ready()
        asked = desk.asked()
        await asyncio.sleep(0)
        for refused in (desk.queue.ready(), desk.queue.run(TURN, desk.telling)):
            with pytest.raises(AgentBusy):
                await refused
        desk.now = 60.1
        with pytest.raises(AgentOffline):
            await desk.queue.ready()
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ([], [""]),
        ({"state": "done"}, ["/state"]),
        ({"state": 5, "message": 5}, ["/message", "/state"]),
        ({"more": 1}, ["/more"]),
        ({"parts": {}}, ["/parts"]),
        ({"parts": [5, {}, {"text": "a", "raw": "b"}]}, ["/parts/0", "/parts/1", "/parts/2"]),
        ({"parts": [{"text": 5}]}, ["/parts/0/text"]),
        ({"parts": [{"raw": "%%"}]}, ["/parts/0/raw"]),
        ({"parts": [{"url": "u", "kind": "file"}]}, ["/parts/0/kind"]),
        ({"message": "x" * 9_000}, ["/message"]),
    ],
)
def test_what_a_worker_says_is_judged_and_it_keeps_its_work(body: Any, pointers: list[str]) -> None:
    async def run() -> None:
        desk = Desk()
        asked = desk.asked()
        await asyncio.sleep(0)
        work = await desk.taken()
        with pytest.raises(BadWork) as refused:
            await desk.queue.finish(work.id, body)
        assert [one.pointer for one in refused.value.violations] == pointers
        await desk.queue.finish(work.id, {})
        assert (await asked).ending == "completed"

    asyncio.run(run())


async def worker(desk: Desk, method: str, url: str, body: Any = None, headers: Any = None) -> Any:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await queue_endpoint(desk.queue, hashlib.sha256(TOKEN.encode()).digest(), scope, receive, send)

    text = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    return await call(app, method, url, BEARER if headers is None else headers, body=text)


@pytest.mark.parametrize(
    ("method", "url", "body", "headers", "status", "reason"),
    [
        ("GET", "/queue", None, {}, 401, "UNAUTHENTICATED"),
        ("GET", "/queue", None, {"authorization": "Bearer wrong"}, 401, "UNAUTHENTICATED"),
        ("GET", "/queue", None, {"authorization": f"Basic {TOKEN}"}, 401, "UNAUTHENTICATED"),
        ("GET", "/queue?wait=31", None, None, 400, "BAD_QUERY"),
        ("GET", "/queue?wait=x", None, None, 400, "BAD_QUERY"),
        ("POST", "/queue", None, None, 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/queue/a", None, None, 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/elsewhere", None, None, 404, "NO_SUCH_PATH"),
        ("POST", "/queue/none", {}, None, 404, "UNKNOWN_WORK"),
        ("POST", "/queue/none/result", {}, None, 404, "UNKNOWN_WORK"),
        ("POST", "/queue/none", b"{", None, 400, "BAD_WORK"),
    ],
)
def test_the_endpoint_refuses_what_it_must(
    method: str, url: str, body: Any, headers: Any, status: int, reason: str
) -> None:
    reply = asyncio.run(worker(Desk(), method, url, body, headers))
    assert (reply.status, reply.reason) == (status, reason)
    assert ("www-authenticate" in reply.headers) == (status == 401)


def test_a_worker_answers_a_caller_of_a2a() -> None:
    async def run() -> None:
        desk = Desk()
        assert (await worker(desk, "GET", "/queue?wait=0")).status == 204
        taking = asyncio.create_task(worker(desk, "GET", "/queue?wait=25"))
        async with bridged(desk.queue) as bridge:
            asked = asyncio.create_task(sent(bridge, "hello"))
            work = (await taking).json
            assert work["turn"]["parts"] == [{"text": "hello"}]
            told = await worker(desk, "POST", f"/queue/{work['id']}", {"parts": [{"text": "a"}]})
            bad = await worker(desk, "POST", f"/queue/{work['id']}/result", {"state": "x"})
            done = await worker(desk, "POST", f"/queue/{work['id']}/result", {"parts": [{"text": "b"}]})
            assert (told.status, bad.status, done.status) == (204, 400, 204)
            task = await asked
        assert [part["text"] for part in task["artifacts"][0]["parts"]] == ["a", "b"]

    asyncio.run(run())
