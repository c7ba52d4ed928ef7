"""Files of callers: ownership, expiry and quotas, in SQLite and in PostgreSQL."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, func, select

from cardwright_gateway.database.files import SqlFiles
from cardwright_gateway.database.tables import FILES
from cardwright_gateway.file_errors import FilesFull, FileTooLarge

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from cardwright.store.database import Database


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def bytes_of(database: Database, owner: str) -> int:
    """How much is kept for an owner, expired or not."""
    with database.reading() as connection:
        query = select(func.coalesce(func.sum(FILES.c.size), 0)).where(FILES.c.owner_id == owner)
        return int(connection.execute(query).scalar_one())


def files(database: Database, clock: Clock | None = None, **more: int) -> SqlFiles:
    bounds = {"max_bytes": 1_000, "owner_bytes": 100_000, **more}
    return SqlFiles(database, retention_seconds=60.0, clock=clock or Clock(), **bounds)


def test_a_file_is_returned_unchanged(database: Database) -> None:
    store = files(database)
    body = bytes(range(256))
    put = store.put("ada", body, name="ä.bin", media_type="application/x-own")
    got = store.get("ada", put.id)

    assert re.fullmatch(r"file_[A-Za-z0-9_-]{22}", put.id)
    assert got is not None
    assert (got.body, got.name, got.media_type, got.size) == (body, "ä.bin", "application/x-own", 256)
    assert got.expires_at == put.expires_at == 1_060.0


def test_a_file_of_another_owner_is_not_found(database: Database) -> None:
    store = files(database)
    put = store.put("ada", b"x")

    assert store.get("bo", put.id) is None
    assert store.get("", put.id) is None
    assert store.get("ada", put.id + "x") is None


def test_the_size_of_an_owner_counts_unexpired_files_only(database: Database) -> None:
    clock = Clock()
    store = files(database, clock)
    ids = [store.put("ada", b"x" * size).id for size in (1, 2)]

    assert store.sizes("ada", [*ids, ids[0], "file_none"]) == {ids[0]: 1, ids[1]: 2}
    assert store.sizes("bo", ids) == {}
    clock.now += 61
    assert store.sizes("ada", ids) == {}


def test_a_file_is_deleted_when_it_expires(database: Database) -> None:
    clock = Clock()
    store = files(database, clock)
    put = store.put("ada", b"x")
    clock.now += 59
    later = store.put("ada", b"y")
    assert store.get("ada", put.id) is not None
    clock.now += 1

    assert store.get("ada", put.id) is None
    assert bytes_of(database, "ada") == 2
    assert store.delete_expired() == 1
    assert bytes_of(database, "ada") == 1
    assert store.delete_expired() == 0
    assert store.get("ada", later.id) is not None


def test_expired_files_do_not_count_against_the_quota(database: Database) -> None:
    clock = Clock()
    store = files(database, clock, owner_bytes=2_000)
    store.put("ada", b"x" * 1_000)
    with pytest.raises(FilesFull):
        store.put("ada", b"x" * 1_000)
    clock.now += 60

    store.put("ada", b"x" * 1_000)


def test_a_too_large_file_is_not_stored(database: Database) -> None:
    store = files(database)
    store.put("ada", b"x" * 1_000)
    with pytest.raises(FileTooLarge):
        store.put("ada", b"x" * 1_001)

    assert bytes_of(database, "ada") == 1_000


def test_concurrent_uploads_do_not_exceed_the_quota(database: Database) -> None:
    store = files(database, owner_bytes=5 * (1_000 + 512))
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

    assert bytes_of(database, "ada") == 5_000
    assert len(refused) == 5


def test_the_number_of_empty_files_is_limited_too(database: Database) -> None:
    store = files(database, owner_bytes=2_048)
    for _ in range(4):
        store.put("ada", b"")
    with pytest.raises(FilesFull):
        store.put("ada", b"")


def test_without_expired_files_nothing_is_written(database: Database) -> None:
    store = files(database)
    store.put("ada", b"x")
    began: list[bool] = []

    def look(connection: Connection) -> None:
        began.append(bool(connection.get_execution_options().get("write")))

    event.listen(database.engine, "begin", look)
    assert store.delete_expired() == 0
    assert began == [False]
