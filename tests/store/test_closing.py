from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from cardwright.errors import StoreError
from cardwright.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sqlalchemy import Connection


@pytest.mark.parametrize("place", [":memory:", "store.db"])
def test_close_waits_for_a_reading_thread(place: str, tmp_path: Path) -> None:
    database = Database.open(place if place == ":memory:" else tmp_path / place, wait_seconds=1)
    begun, go_on = threading.Event(), threading.Event()

    def read() -> int:
        with database.reading() as connection:
            begun.set()
            assert go_on.wait(30)
            return int(connection.execute(text("SELECT 7")).scalar_one())

    with ThreadPoolExecutor(2) as pool:
        reader = pool.submit(read)
        assert begun.wait(30)
        closer = pool.submit(database.close)
        # A close that does not wait for the reader would have ended long before.
        threading.Event().wait(0.2)
        assert not closer.done()
        go_on.set()
        assert reader.result(30) == 7
        closer.result(30)


@pytest.mark.parametrize("way", [Database.reading, Database.writing], ids=["reading", "writing"])
@pytest.mark.parametrize("place", [":memory:", "store.db"])
def test_a_closed_database_raises(
    place: str, way: Callable[[Database], AbstractContextManager[Connection]], tmp_path: Path
) -> None:
    database = Database.open(place if place == ":memory:" else tmp_path / place, wait_seconds=1)
    database.close()
    database.close()
    with pytest.raises(StoreError, match="is closed") as caught, way(database):
        pass
    assert caught.value.cause == "unreachable"
