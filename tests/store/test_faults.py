from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from cardwright.errors import BadArgument, CardError, MissingPackage, StoreError
from cardwright.store import CardStore, PeerSettings, Query
from cardwright.store.database import Database
from cardwright.store.faults import cause_of
from tests.store.cards import NOW, keep, seen, url

if TYPE_CHECKING:
    from collections.abc import Callable

# Writes batches without end, and says after each how many peers are stored for good.
WRITER = """
import sys
from cardwright.store import CardStore, PeerSettings
from tests.store.cards import seen, url
with CardStore.open(sys.argv[1]) as store:
    for batch in range(10_000):
        names = [f"peer-{batch}-{number}" for number in range(20)]
        store.add(PeerSettings(url(name)) for name in names)
        store.record([seen(name, name=name) for name in names])
        print(batch, flush=True)
"""


def kept(place: Path) -> CardStore:
    return kept_in(Database.open(place, wait_seconds=0.05))


def kept_in(database: Database) -> CardStore:
    store = CardStore(database, clock=lambda: NOW)
    keep(store, "a", "b")
    return store


def with_each_connection(database: Database, pragma: str) -> None:
    """Say something to each connection that is made from now on."""
    database.engine.dispose()

    def say(connection: Any, _: Any) -> None:
        connection.execute(f"PRAGMA {pragma}")

    event.listen(database.engine, "connect", say)


@pytest.mark.parametrize("batches", [1, 2, 4])
@pytest.mark.process
def test_a_kill_during_a_write_loses_nothing_stored_before(tmp_path: Path, batches: int) -> None:
    place = tmp_path / "peers.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        recorded = [int(writer.stdout.readline()) for _ in range(batches)]
        writer.send_signal(signal.SIGKILL)
    with closing(sqlite3.connect(place)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with CardStore.open(place, clock=lambda: NOW) as store:
        for batch in recorded:
            for number in range(20):
                [found] = store.by_name(f"peer-{batch}-{number}")
                assert found.version is not None
                assert store.body(found.version)
        # What is in the index is what is in the tables.
        assert len(paged(store)) == store.count().cards
        assert None not in keep(store, "after")


def paged(store: CardStore) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = store.search(Query("peer"), limit=200, cursor=cursor)
        found += [hit.name for hit in page.hits]
        cursor = page.cursor
        if cursor is None:
            return found


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"
    database = Database.open(place, wait_seconds=1)
    with kept_in(database) as store:
        # As on a full disk: the file grows no further.
        with_each_connection(database, "max_page_count = 1")
        names = [f"many-{number}" for number in range(200)]
        with pytest.raises(StoreError, match="is full, and this was not stored: free disk space") as caught:
            store.add(PeerSettings(url(name) + "/" + "x" * 900) for name in names)
        assert caught.value.cause == "full"
        with pytest.raises(StoreError, match="is full") as caught:
            store.record([seen("a", outcome="changed", description="x" * 60_000)])
        assert caught.value.cause == "full"
        found = store.peer(url("a"))
        assert found is not None
        assert found.version == 1
        assert len(store.search(Query()).hits) == 2
    with closing(sqlite3.connect(place)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_locked_database_is_reported_and_can_still_be_read(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"
    with kept(place) as store, closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for write in (
            lambda: store.add([PeerSettings(url("c"))]),
            lambda: store.record([seen("a", outcome="changed")]),
            lambda: store.claim(now=NOW, limit=1, owner="me", lease_seconds=1),
        ):
            with pytest.raises(StoreError, match="locked by another process: wait") as caught:
                write()
            assert caught.value.cause == "locked"
        assert store.peer(url("a")) is not None
        other.execute("ROLLBACK")
        store.add([PeerSettings(url("c"))])


def damaged(place: Path) -> None:
    with CardStore.open(place) as store:
        list(store.peers())


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"
    with kept(place) as store:
        keep(store, *(f"many-{number}" for number in range(100)))
    body = bytearray(place.read_bytes())
    body[8192:] = bytes(b ^ 0x5A for b in body[8192:])
    place.write_bytes(body)
    with pytest.raises(StoreError, match="is damaged or not a database") as caught:
        damaged(place)
    assert caught.value.cause == "corrupt"


def test_a_file_that_is_no_database_is_reported_and_left_unchanged(tmp_path: Path) -> None:
    place = tmp_path / "notes.txt"
    place.write_text("nothing of a database " * 100)
    with pytest.raises(StoreError, match=r"notes\.txt is damaged or not a database") as caught:
        CardStore.open(place)
    assert caught.value.cause == "corrupt"
    assert place.read_text() == "nothing of a database " * 100


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"nowhere does not exist: create it") as caught:
        CardStore.open(tmp_path / "nowhere" / "peers.sqlite")
    assert caught.value.cause == "unreachable"


def test_a_folder_as_the_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        CardStore.open(tmp_path)
    assert caught.value.cause == "unreachable"


def test_a_read_only_database_is_reported(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"
    database = Database.open(place, wait_seconds=1)
    with kept_in(database) as store:
        with_each_connection(database, "query_only = ON")
        with pytest.raises(StoreError, match="is not writable: give this user write permission") as caught:
            store.add([PeerSettings(url("c"))])
        assert caught.value.cause == "read-only"
        assert store.peer(url("a")) is not None


def test_a_read_only_folder_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o500)
    # Root may write everywhere except to an immutable folder.
    place = Path("/proc") if os.access(folder, os.W_OK) else folder
    with pytest.raises(StoreError) as caught:
        CardStore.open(place / "peers.sqlite")
    assert caught.value.cause in ("read-only", "unreachable")


@pytest.mark.parametrize(
    "given", ["", "mysql://host/x", "://", "postgresql+asyncpg://host/x", "no\x00path"], ids=range(5)
)
def test_an_unsupported_database_is_refused(given: str) -> None:
    with pytest.raises(BadArgument):
        CardStore.open(given)


def test_unreachable_postgresql_is_reported_without_the_password() -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with pytest.raises(StoreError) as caught:
        CardStore.open("postgresql://someone:secret-word@127.0.0.1:1/cards", wait_seconds=1)
    assert caught.value.cause == "unreachable"
    assert "cards at 127.0.0.1:1 is unreachable" in str(caught.value)
    assert "secret-word" not in str(caught.value)


def test_a_missing_driver_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingPackage, match=r'pip install "cardwright\[postgresql\]"'):
        CardStore.open("postgresql://127.0.0.1/cards")


def test_a_row_refused_by_the_database_affects_no_other(database: Database, store: CardStore) -> None:
    keep(store, "a", "b", "c")
    with database.writing() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER no_bad BEFORE INSERT ON versions WHEN CAST(NEW.body AS TEXT) LIKE '%Bad Card%'"
            " BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    recorded = store.record(
        [
            seen("a", outcome="changed", name="Better"),
            seen("b", outcome="changed", name="Bad Card"),
            seen("c", outcome="changed", name="Best"),
        ]
    )
    states = [store.peer(url(name)) for name in "abc"]
    assert [(one.name, one.error_rule) for one in states if one is not None] == [
        ("Better", ""), ("B", "store/row"), ("Best", ""),
    ]  # fmt: skip
    assert recorded[1] == 2
    assert [hit.name for hit in store.search(Query()).hits] == ["Best", "Better", "B"]


def test_every_call_on_a_broken_store_raises_only_card_errors(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"
    store = kept(place)
    store.record([seen("a", outcome="quarantined", name="Doubtful")])
    with closing(sqlite3.connect(place)) as connection:
        for table in ("versions", "peers", "card_words", "counters"):
            connection.execute(f"DROP TABLE {table}")
        connection.commit()
    calls: list[Callable[[], object]] = [
        lambda: store.add([PeerSettings(url("c"))]), lambda: store.remove([url("a")]),
        lambda: store.remove([url("a")], purge=True),
        lambda: store.claim(now=NOW, limit=1, owner="me", lease_seconds=1), lambda: store.record([seen("a")]),
        lambda: store.approve(url("a")), lambda: store.refuse(url("a")), lambda: store.peer(url("a")),
        lambda: store.by_id("a"), lambda: store.by_name("a"), lambda: list(store.peers()), store.conflicts,
        lambda: store.body(1), lambda: store.versions(url("a")), store.next_due, store.count,
        lambda: store.search(Query("a")),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(CardError):
            call()
    store.close()


class _Stated(Exception):
    def __init__(self, sqlstate: str | None) -> None:
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("state", "cause"),
    [
        ("53100", "full"), ("55P03", "locked"), ("40P01", "locked"), ("25006", "read-only"), ("08006", "unreachable"),
        ("57P01", "unreachable"), ("3D000", "unreachable"), ("XX001", "corrupt"), ("22021", "other"), (None, "other"),
    ],
)  # fmt: skip
def test_an_sqlstate_of_postgresql_names_the_cause(state: str | None, cause: str) -> None:
    assert cause_of(_Stated(state)) == cause
