"""Queue backend: agents whose workers poll for work."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery import Part
from cardwright.errors import PeerUnreachable
from cardwright_gateway.api.queue import answer_worker
from cardwright_gateway.backends import work
from cardwright_gateway.backends.backend import Turn, TurnResult
from cardwright_gateway.backends.queue import QueueBackend
from cardwright_gateway.backends.queue_rows import QueueRows
from cardwright_gateway.errors import AgentBusy, AgentOffline, BadWork, TasksFull, UnknownWork
from tests.gateway.a2a_server.endpoints import a2a_endpoint, sent
from tests.gateway.asgi_endpoints import application
from tests.gateway.backends.test_function import RecordingReporter
from tests.gateway.waiting import wait_until
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.store.database import Database
    from cardwright_gateway.backends.work import Work

TURN = Turn((Part("raw", b"\0\1"),), message_id="m-1", metadata={"a": 1})
TOKEN = "worker-1"  # noqa: S105 - of this test alone
BEARER = {"authorization": f"Bearer {TOKEN}"}


class QueueClock:
    """A queue with a clock that is set by hand."""

    def __init__(self, make: Callable[..., Any], **more: Any) -> None:
        self.now = 0.0
        self.queue = make(lambda: self.now, **more)
        self.reporter = RecordingReporter()

    def run(self) -> asyncio.Task[TurnResult]:
        return asyncio.create_task(self.queue.run(TURN, self.reporter))

    async def taken(self) -> Work:
        work: Work | None = await self.queue.take(5.0)
        assert work is not None
        return work

    async def full(self) -> None:
        """Return when the queue is full."""
        with contextlib.suppress(AgentBusy):
            while True:
                await asyncio.sleep(0)
                await self.queue.ready()


@pytest.fixture
def new_queue(database: Database) -> Callable[..., QueueClock]:
    """A factory of queues."""

    def make(clock: Any, **more: Any) -> QueueBackend:
        return QueueBackend("harbour", QueueRows(database, "harbour", clock), **more)

    return partial(QueueClock, make)


async def test_work_is_taken_reported_and_finished(new_queue: Callable[..., QueueClock]) -> None:
    table = new_queue()
    taking = asyncio.create_task(table.taken())
    pending = table.run()
    work = await taking
    wire = work.to_wire()
    assert wire["turn"]["parts"] == [{"raw": "AAE="}]
    assert (wire["attempt"], wire["reported"], wire["turn"]["messageId"]) == (1, 0, "m-1")
    await table.queue.report(work.id, {"text": "soon", "done": 1, "total": 2, "parts": [{"text": "a"}]})
    await table.queue.finish(work.id, {"parts": [{"data": [1]}], "state": "rejected", "message": "no"})
    outcome = await pending
    assert outcome == TurnResult((Part("data", [1]),), "rejected", "no")
    assert table.reporter.reports == [("soon", 1, 2), ["a"]]
    with pytest.raises(UnknownWork):
        await table.queue.finish(work.id, {})


async def test_work_fails_after_three_expired_leases(new_queue: Callable[..., QueueClock]) -> None:
    table = new_queue(lease_seconds=10.0)
    pending = table.run()
    first = await table.taken()
    table.now = 9.0
    await table.queue.report(first.id, {})
    table.now = 18.9
    assert await table.queue.take(0) is None
    table.now = 19.0
    second = await table.taken()
    assert second.attempt == 2
    with pytest.raises(UnknownWork):
        await table.queue.finish(first.id, {})
    table.now = 29.0
    assert (await table.taken()).attempt == 3
    table.now = 39.0
    assert await table.queue.take(0) is None
    with pytest.raises(PeerUnreachable):
        await pending


async def test_cancelled_work_is_given_to_no_worker(new_queue: Callable[..., QueueClock]) -> None:
    table = new_queue()
    waiting, taken = table.run(), table.run()
    work = await table.taken()
    for pending in (waiting, taken):
        pending.cancel()
    await asyncio.gather(waiting, taken, return_exceptions=True)
    with pytest.raises(UnknownWork):
        await table.queue.report(work.id, {})
    assert await table.queue.take(0) is None


async def test_an_agent_is_offline_without_workers_and_busy_with_a_full_queue(
    new_queue: Callable[..., QueueClock],
) -> None:
    table = new_queue(max_waiting=1)
    with pytest.raises(AgentOffline):
        await table.queue.ready()
    await table.queue.take(0)
    table.now = 60.0
    await table.queue.ready()
    pending = table.run()
    await table.full()
    for refused in (table.queue.ready(), table.queue.run(TURN, table.reporter)):
        with pytest.raises(AgentBusy):
            await refused
    table.now = 60.1
    with pytest.raises(AgentOffline):
        await table.queue.ready()
    await new_queue(waits=True).queue.ready()
    pending.cancel()
    await asyncio.gather(pending, return_exceptions=True)


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
        ({"metadata": []}, ["/metadata"]),
    ],
)
async def test_an_invalid_worker_report_is_refused_and_the_lease_is_kept(
    new_queue: Callable[..., QueueClock], body: Any, pointers: list[str]
) -> None:
    table = new_queue()
    pending = table.run()
    work = await table.taken()
    with pytest.raises(BadWork) as refused:
        await table.queue.finish(work.id, body)
    assert [one.pointer for one in refused.value.violations] == pointers
    await table.queue.finish(work.id, {})
    assert (await pending).ending == "completed"


async def test_reports_on_an_unstored_turn_have_a_maximum_size(
    new_queue: Callable[..., QueueClock], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the caller's process forwards them, they would fill the memory or the database."""
    monkeypatch.setattr(work, "MAX_REPORTED_BYTES", 10_000)

    table = new_queue()
    pending = table.run()
    taken = await table.taken()
    for _ in range(3):
        await table.queue.report(taken.id, {"parts": [{"text": "x" * 3_000}]})
    with pytest.raises(TasksFull, match="maximum size of 10,000 bytes"):
        await table.queue.report(taken.id, {"parts": [{"text": "x" * 3_000}]})
    with pytest.raises(UnknownWork):
        await table.queue.finish(taken.id, {})
    assert (await pending).ending == "failed"


def workers(table: QueueClock) -> Any:
    """Return the endpoint of the workers of a queue."""
    digest = hashlib.sha256(TOKEN.encode()).digest()
    return application(lambda exchange: answer_worker(table.queue, digest, exchange))


async def worker(table: QueueClock, method: str, url: str, body: Any = None, headers: Any = None) -> Any:
    app = workers(table)
    sent_body = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    return await call(app, method, url, BEARER if headers is None else headers, body=sent_body)


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
        ("POST", "/queue/none", b"{", None, 404, "UNKNOWN_WORK"),
    ],
)
def test_the_queue_endpoint_refuses_invalid_requests(
    new_queue: Callable[..., QueueClock],
    method: str,
    url: str,
    body: Any,
    headers: Any,
    status: int,
    reason: str,
) -> None:
    reply = asyncio.run(worker(new_queue(), method, url, body, headers))
    assert (reply.status, reply.reason) == (status, reason)
    assert ("www-authenticate" in reply.headers) == (status == 401)


async def test_a_worker_answers_an_a2a_caller(new_queue: Callable[..., QueueClock]) -> None:
    table = new_queue()
    assert (await worker(table, "GET", "/queue?wait=0")).status == 204
    taking = asyncio.create_task(worker(table, "GET", "/queue?wait=25"))
    async with a2a_endpoint(table.queue) as endpoint:
        pending = asyncio.create_task(sent(endpoint, "hello", contextId="trip-1"))
        work = (await taking).json
        assert work["turn"]["contextId"] not in ("", "trip-1")
        assert work["turn"]["parts"] == [{"text": "hello"}]
        response = await worker(table, "POST", f"/queue/{work['id']}", {"parts": [{"text": "a"}]})
        bad = await worker(table, "POST", f"/queue/{work['id']}/result", {"state": "x"})
        broken = await worker(table, "POST", f"/queue/{work['id']}", b"{")
        result = {"parts": [{"text": "b"}], "metadata": {"thought": "first a"}}
        done = await worker(table, "POST", f"/queue/{work['id']}/result", result)
        assert (broken.status, broken.reason) == (400, "BAD_WORK")
        assert (response.status, bad.status, done.status) == (204, 400, 204)
        task = await pending
    assert task["contextId"] == "trip-1"
    assert [part["text"] for part in task["artifacts"][0]["parts"]] == ["a", "b"]
    assert task["artifacts"][0]["metadata"] == {"thought": "first a"}


async def test_two_callers_with_one_context_id_are_two_conversations_to_a_worker(
    new_queue: Callable[..., QueueClock],
) -> None:
    table = new_queue()
    seen: list[tuple[str, str]] = []
    for owner, context_id in (
        ("key:1", "SHARED"),
        ("key:2", "SHARED"),
        ("key:1", "SHARED"),
        ("key:1", ""),
    ):
        turn = replace(TURN, owner=owner, context_id=context_id)
        pending = asyncio.create_task(table.queue.run(turn, table.reporter))
        work = await table.taken()
        seen.append((work.turn.owner, work.turn.context_id))
        await table.queue.finish(work.id, {"parts": []})
        await pending

    (_, ada), (_, bo), (_, ada_again), (_, none) = seen
    assert ada == ada_again != bo
    assert none == ""
    assert "SHARED" not in {ada, bo}
    assert {owner for owner, _ in seen} == {""}


async def test_a_streaming_worker_receives_work_as_it_arrives(new_queue: Callable[..., QueueClock]) -> None:
    table = new_queue()
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    left = asyncio.Event()
    sent = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        if sent:
            return sent.pop()
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(sent_event: Any) -> None:
        if sent_event["type"] == "http.response.body":
            await heard.put(sent_event["body"])
        else:
            assert (b"content-type", b"text/event-stream") in sent_event["headers"]

    headers = [(b"authorization", f"Bearer {TOKEN}".encode()), (b"accept", b"text/event-stream")]
    scope: Any = {
        "type": "http",
        "method": "GET",
        "path": "/queue",
        "query_string": b"",
        "headers": headers,
    }
    streaming = asyncio.create_task(workers(table)(scope, receive, send))
    for _ in range(2):
        pending = table.run()
        event = await heard.get()
        while event.startswith(b":"):
            event = await heard.get()
        name, data, *_ = event.decode().split("\n")
        work = json.loads(data.removeprefix("data: "))
        assert (name, work["turn"]["messageId"]) == ("event: work", "m-1")
        await table.queue.finish(work["id"], {"parts": [{"text": "done"}]})
        assert (await pending).parts == (Part("text", "done"),)
    left.set()
    await streaming
    await table.queue.close()


async def test_with_waiting_work_callers_are_not_refused_without_workers(
    new_queue: Callable[..., QueueClock],
) -> None:
    table = new_queue(waits=True)
    await table.queue.ready()
    pending = table.run()
    work = await table.taken()
    await table.queue.finish(work.id, {"parts": [{"text": "late"}]})
    assert (await pending).parts == (Part("text", "late"),)
    await table.queue.close()


async def test_a_process_notices_its_own_turns_and_results_without_a_round(
    new_queue: Callable[..., QueueClock], database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty, queued = threading.Event(), threading.Event()
    claim = QueueRows.claim

    def claim_slowly(rows: QueueRows, lease_seconds: float) -> Work | None:
        work = claim(rows, lease_seconds)
        if work is None:
            empty.set()
            queued.wait(10)
        return work

    monkeypatch.setattr(QueueRows, "claim", claim_slowly)
    table = new_queue(round_seconds=3_600.0)
    taking = asyncio.create_task(table.queue.take(3_600.0))
    await wait_until(empty.is_set)
    pending, rows = table.run(), QueueRows(database, "harbour", lambda: table.now)
    await wait_until(lambda: rows.available(1) == 1)
    queued.set()
    await wait_until(taking.done)
    await table.queue.finish(taking.result().id, {"message": "done"})
    await wait_until(pending.done)
    assert (await pending).message == "done"
    await table.queue.close()
