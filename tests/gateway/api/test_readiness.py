"""A gateway is ready while its database can be read and written."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event, text

from cardwright.errors import StoreError
from cardwright_gateway.api import readiness
from cardwright_gateway.api.readiness import Readiness
from cardwright_gateway.database.deployment import write_check
from tests.gateway.gateways import gateway

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine


def fill(engine: Engine) -> None:
    """Leave no page of the database for the next write, on all connections."""
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE filler (bytes)"))
        connection.execute(
            text(
                "CREATE TRIGGER more AFTER UPDATE ON gateway"
                " BEGIN INSERT INTO filler VALUES (zeroblob(100000)); END"
            )
        )

    @event.listens_for(engine, "checkout")
    def bounded(connection: Any, *_: Any) -> None:
        connection.execute("PRAGMA max_page_count = 1")


async def test_a_gateway_with_a_full_disk_is_alive_and_not_ready(tmp_path: Path) -> None:
    async with gateway(store=str(tmp_path / "gateway.db")) as send:
        engine = send.gateway.registry.store.database.engine
        await asyncio.to_thread(fill, engine)
        ready, alive = [await send("GET", path) for path in ("/readyz", "/healthz")]
        assert (ready.status, alive.status) == (503, 200)
        assert ready.json == {
            "status": "not ready",
            "reason": "the disk of the database is full; free some space",
        }


async def test_requests_write_once_a_second_together(monkeypatch: pytest.MonkeyPatch) -> None:
    async with gateway() as send:
        now, written = 100.0, list[float]()

        def write(_: object) -> None:
            written.append(now)
            if 101.0 <= now < 102.0:
                raise StoreError("read-only", "no")

        monkeypatch.setattr(readiness, "write_check", write)
        checked = Readiness(send.gateway.directory, send.gateway.registry.store, clock=lambda: now)

        async def statuses() -> set[int]:
            exchange: Any = None
            return {one.status for one in await asyncio.gather(*(checked.answer(exchange) for _ in range(9)))}

        assert await statuses() == {200}
        now = 100.9
        assert await statuses() == {200}
        now = 101.0
        assert await statuses() == {503}
        now = 101.5
        assert await statuses() == {503}
        now = 102.5
        assert await statuses() == {200}
        assert written == [100.0, 101.0, 102.5]


@pytest.mark.parametrize(
    ("cause", "reason"),
    [("read-only", "is read-only"), ("locked", "locks the database"), ("other", "is unavailable")],
)
async def test_the_readiness_reason_names_a_fix(
    monkeypatch: pytest.MonkeyPatch, cause: str, reason: str
) -> None:
    def write(_: object) -> None:
        raise StoreError(cause, "at /srv/secret/gateway.db")

    monkeypatch.setattr(readiness, "write_check", write)
    async with gateway() as send:
        reply = await send("GET", "/readyz")
        assert reply.status == 503
        assert reason in reply.json["reason"]
        assert b"secret" not in reply.body


@pytest.mark.parametrize("free", [0, 1 << 40])
async def test_a_gateway_with_little_room_or_without_its_file_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int
) -> None:
    """The small row of the check can be written in either case."""
    async with gateway(store=str(tmp_path / "gateway.db")) as send:
        monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free, total=1 << 40))
        if free:
            # What runs now and then creates an empty file again.
            (tmp_path / "gateway.db").unlink()
            (tmp_path / "gateway.db").touch()
        reply = await send("GET", "/readyz")
        assert reply.status == 503
        assert reply.json["reason"].startswith(
            "the file of the" if free else "the disk of the database is full"
        )


async def test_a_check_changes_the_database(tmp_path: Path) -> None:
    async with gateway(store=str(tmp_path / "gateway.db")) as send:
        database = send.gateway.registry.store.database
        seen = list[float]()
        for _ in range(2):
            write_check(database)
            with database.reading() as connection:
                seen.append(connection.execute(text("SELECT checked_at FROM gateway")).scalar_one())
        assert seen[0] < seen[1]
