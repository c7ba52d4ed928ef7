"""Files of callers: each owner's alone, for a time, within bounds; in SQLite and in PostgreSQL."""

from __future__ import annotations

import re
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete, event, func, select

from cardwright.store.database import Database
from cardwright.store.tables import FILES
from cardwright_gateway.database.files import SqlFiles
from cardwright_gateway.file_errors import FilesFull, FileTooLarge
from tests.store.test_postgresql import place as place  # noqa: PLC0414 - a fixture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    where = tmp_path / "files.db" if request.param == "sqlite" else request.getfixturevalue("place")
    with closing(Database.open(where, wait_seconds=10)) as database:
        with database.writing() as connection:
            connection.execute(delete(FILES))
        yield database


def bytes_of(database: Database, owner: str) -> int:
    """How much is kept for an owner, expired or not."""
    with database.reading() as connection:
        asked = select(func.coalesce(func.sum(FILES.c.size), 0)).where(FILES.c.owner_id == owner)
        return int(connection.execute(asked).scalar_one())


def files(database: Database, clock: Clock | None = None, **more: int) -> SqlFiles:
    bounds = {"max_bytes": 1_000, "owner_bytes": 100_000, **more}
    return SqlFiles(database, retention_seconds=60.0, clock=clock or Clock(), **bounds)


def test_a_file_comes_back_as_it_was_put(opened: Database) -> None:
    store = files(opened)
    body = bytes(range(256))
    put = store.put("ada", body, name="ä.bin", media_type="application/x-own")
    got = store.get("ada", put.id)

    assert re.fullmatch(r"file_[A-Za-z0-9_-]{22}", put.id)
    assert got is not None
    assert (got.body, got.name, got.media_type, got.size) == (body, "ä.bin", "application/x-own", 256)
    assert got.expires_at == put.expires_at == 1_060.0


def test_a_file_is_nobody_elses(opened: Database) -> None:
    store = files(opened)
    put = store.put("ada", b"x")

    assert store.get("bo", put.id) is None
    assert store.get("", put.id) is None
    assert store.get("ada", put.id + "x") is None


def test_a_file_is_gone_when_its_time_is_over(opened: Database) -> None:
    clock = Clock()
    store = files(opened, clock)
    put = store.put("ada", b"x")
    clock.now += 59
    later = store.put("ada", b"y")
    assert store.get("ada", put.id) is not None
    clock.now += 1

    assert store.get("ada", put.id) is None
    assert bytes_of(opened, "ada") == 2
    assert store.delete_expired() == 1
    assert bytes_of(opened, "ada") == 1
    assert store.delete_expired() == 0
    assert store.get("ada", later.id) is not None


def test_what_is_over_takes_no_room(opened: Database) -> None:
    clock = Clock()
    store = files(opened, clock, owner_bytes=2_000)
    store.put("ada", b"x" * 1_000)
    with pytest.raises(FilesFull):
        store.put("ada", b"x" * 1_000)
    clock.now += 60

    store.put("ada", b"x" * 1_000)


def test_a_file_that_is_too_large_is_not_kept(opened: Database) -> None:
    store = files(opened)
    store.put("ada", b"x" * 1_000)
    with pytest.raises(FileTooLarge):
        store.put("ada", b"x" * 1_001)

    assert bytes_of(opened, "ada") == 1_000


def test_many_at_once_do_not_get_past_the_bound(opened: Database) -> None:
    store = files(opened, owner_bytes=5 * (1_000 + 512))
    refused: list[int] = []
    begin = threading.Barrier(10)

    def put() -> None:
        begin.wait()
        try:
            store.put("ada", b"x" * 1_000)
        except FilesFull:
            refused.append(1)

    threads = [threading.Thread(target=put) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert bytes_of(opened, "ada") == 5_000
    assert len(refused) == 5


def test_many_empty_files_are_bounded_too(opened: Database) -> None:
    store = files(opened, owner_bytes=2_048)
    for _ in range(4):
        store.put("ada", b"")
    with pytest.raises(FilesFull):
        store.put("ada", b"")


def test_where_nothing_has_expired_nothing_is_written(opened: Database) -> None:
    store = files(opened)
    store.put("ada", b"x")
    began: list[bool] = []

    def look(connection: Connection) -> None:
        began.append(bool(connection.get_execution_options().get("write")))

    event.listen(opened.engine, "begin", look)
    assert store.delete_expired() == 0
    assert began == [False]
