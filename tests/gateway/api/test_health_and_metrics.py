"""Health page and metrics: correct counts, few labels and no secrets."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert

from cardwright.errors import StoreError
from cardwright_gateway.api.statistics import Statistics
from cardwright_gateway.database.tables import DELIVERIES, ENDPOINTS, EVENTS, REPLICAS, open_database
from tests.gateway.gateways import CARD, JSON, MESSAGE, gateway, rpc
from tests.gateway.tasks.gateways import Owned, function, owned
from tests.serve.client import call

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Table

    from cardwright.store.database import Database

READ = {"Accept": "application/json"}
HOUR = 3600.0
# An agent with an owner.
GREETER = {"greeter": function("answer")}


async def metrics(running: Owned) -> dict[str, float]:
    """Return every sample of /metrics."""
    text = (await call(running.gateway, "GET", "/metrics")).body.decode()
    found = re.findall(r"^(cardwright_gateway_[^ ]+) ([^ ]+)$", text, re.MULTILINE)
    return {name.removeprefix("cardwright_gateway_"): float(value) for name, value in found}


async def health(running: Any) -> dict[str, Any]:
    health_document: dict[str, Any] = (await call(running.gateway, "GET", "/health", READ)).json
    return health_document


def rows(running: Owned, table: Table, *values: dict[str, Any]) -> None:
    with running.gateway.registry.store.database.writing() as connection:
        connection.execute(insert(table), list(values))


def event(name: str, state: str) -> dict[str, Any]:
    return {
        "id": name, "task_id": "t", "config_id": "c", "agent_id": "greeter", "owner": "o", "endpoint": "e",
        "media_type": "application/json", "state": state, "attempts": 1, "created_at": 0.0, "body": b"canary",
        "unreadable": False,
        "partition": "ep",
    }  # fmt: skip


def delivery(name: str, outcome: str, ago: float) -> dict[str, Any]:
    return {
        "id": name, "event_id": "e", "task_id": "t", "config_id": "c", "agent_id": "greeter", "number": 1,
        "cause": "schedule", "started_at": time.time() - ago, "outcome": outcome,
    }  # fmt: skip


def endpoint(name: str, **more: float | None) -> dict[str, Any]:
    return {"id": name, "why": "", "failing_since": None, "slow_until": None, "disabled_at": None, **more}


async def test_refusals_are_counted_by_reason() -> None:
    async with owned(GREETER, limits={"requests": 1, "seconds": 60}) as running:
        caller = await running.key("greeter")
        await running.anonymous("greeter").rpc("SendMessage", MESSAGE)
        assert "result" in await caller.rpc("SendMessage", MESSAGE)
        for _ in range(2):
            assert "error" in await caller.rpc("SendMessage", MESSAGE)
        exposed = await metrics(running)
        assert exposed['refused_total{reason="unauthenticated"}'] == 1
        assert exposed['refused_total{reason="limited"}'] == 2
        assert 'refused_total{reason="busy"}' not in exposed
        assert (await health(running))["limits"]["refused"] == {
            "limited": 2, "busy": 0, "unauthenticated": 1,
        }  # fmt: skip


async def test_a_call_beyond_the_concurrency_is_counted_as_busy() -> None:
    async with owned({"slow": function("forever", concurrency=1)}) as running:
        caller = await running.key("slow")
        first = asyncio.create_task(caller.rpc("SendMessage", MESSAGE))
        agent = running.gateway.agents["slow"]
        while not agent.running_calls:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(0)
        assert "error" in await caller.rpc("SendMessage", MESSAGE)
        assert (await metrics(running))['refused_total{reason="busy"}'] == 1
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)


async def test_tasks_deliveries_and_replicas_are_counted_in_the_database() -> None:
    async with owned(GREETER, webhooks={"enabled": True}) as running:
        caller = await running.key("greeter")
        await caller.send("two words")
        rows(running, EVENTS, event("1", "waiting"), event("2", "dead"), event("3", "delivered"))
        rows(running, EVENTS, {**event("4", "waiting"), "unreadable": True})
        rows(running, ENDPOINTS, endpoint("1", failing_since=1.0), endpoint("2", disabled_at=1.0))
        rows(
            running,
            DELIVERIES,
            delivery("1", "delivered", 10),
            delivery("2", "failed", 20),
            delivery("3", "failed", 30),
            delivery("4", "refused", HOUR + 60),
        )
        now = time.time()
        rows(running, REPLICAS, {"id": "h-1-gone", "started_at": now - 99, "seen_at": -(now - 60)})
        exposed = await metrics(running)
        assert exposed['tasks{state="completed"}'] == 1
        assert {exposed[f'webhook_events{{state="{one}"}}'] for one in ("waiting", "unreadable", "dead")} == {
            1
        }
        assert {exposed[f'webhook_endpoints{{state="{one}"}}'] for one in ("failing", "disabled")} == {1}
        assert (exposed["replicas_alive"], exposed["limits_degraded"]) == (1, 0)
        value = await health(running)
        assert value["status"] == value["database"] == "ok"
        assert value["tasks"] == {"completed": 1}
        assert value["deliveries"] == {
            "waiting": 1, "unreadable": 1, "dead": 1, "receivers": {"failing": 1, "disabled": 1},
            "lastHour": {"delivered": 1, "failed": 2},
        }  # fmt: skip
        own, gone = value["replicas"]
        assert (own["alive"], own["here"], gone["alive"], gone["id"]) == (True, True, False, "gone")


async def test_attempts_are_counted_by_outcome() -> None:
    async with owned(GREETER, webhooks={"enabled": True}) as running:
        from cardwright_gateway.webhooks.rows import Result

        webhooks = running.gateway.webhooks
        assert webhooks is not None
        attempts: Any = webhooks._attempts  # pyright: ignore[reportPrivateUsage]
        for outcome in ("delivered", "failed", "failed"):
            attempts._on_attempt(Result(outcome))
        exposed = await metrics(running)
        assert exposed['webhook_attempts_total{outcome="delivered"}'] == 1
        assert exposed['webhook_attempts_total{outcome="failed"}'] == 2


async def test_no_metric_label_is_chosen_by_a_caller_or_agent() -> None:
    agents = {"named-here": {"card": CARD}}
    async with gateway(agents=agents) as running:
        for path in ("/agents/made-up", "/made-up/v1/invoke", "/x/y/z", "/named-here"):
            for method in ("GET", "POST", "BREW"):
                await running(method, path, JSON, rpc("made-up"))
        text = (await running("GET", "/metrics")).body.decode()
    assert "made-up" not in text
    assert "named-here" not in text
    assert set(re.findall(r'requests_total\{kind="([^"]*)"', text)) == {
        "jsonrpc",
        "invoke",
        "none",
        "page",
    }


async def test_health_counts_private_agents_without_naming_them() -> None:
    async with owned(
        {
            "known-to-all": function("answer"),
            "hidden-one": function("answer", visibility="private"),
            "not-in-lists": function("answer", visibility="unlisted"),
        }
    ) as running:
        for accept in ("application/json", "text/html"):
            reply = await call(running.gateway, "GET", "/health", {"Accept": accept})
            assert reply.status == 200
            assert reply.headers["content-type"] == f"{accept}; charset=utf-8"
            assert reply.headers["vary"] == "Accept"
            text = reply.body.decode()
            for name in ("known-to-all", "hidden-one", "not-in-lists", "acme", "Acme"):
                assert name not in text
        agents = (await health(running))["agents"]
        assert (agents["total"], agents["unlisted"], agents["states"]) == (3, 2, {"ok": 3})
        head = await call(running.gateway, "HEAD", "/health", {"Accept": "text/html"})
        assert (head.status, head.body) == (200, b"")


async def test_a_gateway_without_owners_has_no_task_metrics() -> None:
    async with gateway() as running:
        value = await health(running)
        assert {"tasks", "deliveries", "replicas"}.isdisjoint(value)
        page = (await running("GET", "/health", {"Accept": "text/html"})).body.decode()
        assert ">Replicas<" not in page
        assert ">Rate limits<" in page


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class CountedDatabase:
    """Counts queries of a database, which may be down."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.times = 0
        self.down = False
        self.gate = threading.Event()
        self.gate.set()

    def reading(self) -> Any:
        self.times += 1
        self.gate.wait(30)
        if self.down:
            raise StoreError("other", "it is down")
        return self.database.reading()


@pytest.fixture
def counted_database(tmp_path: Path) -> Any:
    database = open_database(str(tmp_path / "gateway.db"), wait_seconds=5.0)
    yield CountedDatabase(database)
    database.close()


async def test_concurrent_requests_cause_one_query_per_second(counted_database: CountedDatabase) -> None:
    clock = Clock()
    statistics = Statistics(counted_database, clock=clock)  # type: ignore[arg-type] # it reads as a database does
    await asyncio.gather(*(statistics.now() for _ in range(50)))
    assert counted_database.times == 1
    clock.now += 0.9
    await statistics.now()
    assert counted_database.times == 1
    clock.now += 0.2
    await statistics.now()
    await statistics.now(5.0)
    assert counted_database.times == 2
    await statistics.close()


async def test_slow_statistics_are_computed_less_often(counted_database: CountedDatabase) -> None:
    clock = Clock()

    def wall() -> float:
        # Counting takes three seconds.
        clock.now += 3.0
        return 0.0

    statistics = Statistics(counted_database, clock=clock, wall=wall)  # type: ignore[arg-type] # it reads as a database does
    await statistics.now()
    clock.now += 59.0
    await statistics.now()
    assert counted_database.times == 1
    clock.now += 2.0
    await statistics.now()
    assert counted_database.times == 2


async def test_a_database_outage_is_reported_and_its_recovery_noticed(
    counted_database: CountedDatabase,
) -> None:
    clock = Clock()
    statistics = Statistics(counted_database, clock=clock)  # type: ignore[arg-type] # it reads as a database does
    counted_database.down = True
    assert await statistics.now() is None
    assert await statistics.now() is None
    assert counted_database.times == 1
    counted_database.down = False
    clock.now += 2.0
    assert await statistics.now() is not None


async def test_a_hanging_database_is_queried_once_and_blocks_no_request(
    counted_database: CountedDatabase,
) -> None:
    statistics = Statistics(counted_database, timeout_seconds=0.01)  # type: ignore[arg-type] # it reads as a database does
    counted_database.gate.clear()
    assert [await statistics.now() for _ in range(3)] == [None] * 3
    assert counted_database.times == 1
    counted_database.gate.set()
    await statistics.close()
    assert await statistics.now() is not None


async def test_the_health_page_reports_a_database_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    async with owned(GREETER) as running:

        async def nothing(_: float = 1.0) -> None:
            return None

        monkeypatch.setattr(running.gateway.statistics, "now", nothing)
        value = await health(running)
        assert (value["status"], value["database"]) == ("degraded", "unavailable")
        assert "tasks" not in value
        page = await call(running.gateway, "GET", "/health", {"Accept": "text/html"})
        assert b"Database unavailable" in page.body
        assert (await call(running.gateway, "GET", "/metrics")).status == 200


def test_cached_cards_and_health_checks_are_logged_at_debug_level(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with gateway() as running:
            for path in ("/greeter/.well-known/agent-card.json",) * 2 + ("/healthz", "/readyz", "/metrics"):
                await running("GET", path)

    caplog.set_level(logging.DEBUG, "cardwright_gateway.auth.access")
    asyncio.run(run())
    logged = [
        (one.levelname, one.__dict__["kind"], one.__dict__.get("agent"))
        for one in caplog.records
        if one.name.endswith("access")
    ]
    assert logged == [
        ("INFO", "card", "greeter"),
        ("DEBUG", "card", None),
        ("DEBUG", "healthz", None),
        ("DEBUG", "readyz", None),
        ("DEBUG", "metrics", None),
    ]
