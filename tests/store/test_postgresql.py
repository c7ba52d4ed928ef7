"""The tests of SQLite on PostgreSQL, and concurrency of several machines."""

from __future__ import annotations

import asyncio
import inspect
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine, text

from cardwright.errors import StoreError
from cardwright.store import CardStore, PeerSettings, Query
from cardwright.store.database import Database
from cardwright_gateway.database.async_engine import async_engine
from tests.databases import place
from tests.store import test_claims, test_peers, test_recording, test_search, test_table_groups
from tests.store.cards import NOW, keep, seen, url
from tests.store.test_claims import two_processes_share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TABLES = "peers, versions, vocabulary, card_words"
# Every claim on a store that is made for SQLite without further ado.
CLAIMS = [
    claim
    for module in (test_peers, test_recording, test_claims, test_search, test_table_groups)
    for name, claim in vars(module).items()
    if name.startswith("test_") and {*inspect.signature(claim).parameters} in ({"store"}, {"database"})
]

__all__ = ["place"]
pytestmark = pytest.mark.postgresql


@pytest.fixture
def database(place: str) -> Iterator[Database]:
    """It, emptied."""
    with closing(Database.open(place, wait_seconds=0.5)) as opened:
        with opened.writing() as connection:
            connection.execute(text(f"TRUNCATE {TABLES}"))
        yield opened


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_postgresql_passes_the_tests_of_sqlite(
    claim: Callable[..., None], request: pytest.FixtureRequest
) -> None:
    claim(*(request.getfixturevalue(name) for name in inspect.signature(claim).parameters))


def test_two_processes_claim_every_peer_once(place: str, store: CardStore) -> None:
    two_processes_share(place)


def test_claimed_rows_are_skipped_without_waiting(database: Database, store: CardStore) -> None:
    store.add(PeerSettings(url(name)) for name in "ab")
    with database.writing() as connection:
        connection.execute(text("SELECT * FROM peers WHERE url = :url FOR UPDATE"), {"url": url("a")})
        claimed = store.claim(now=NOW, limit=9, owner="two", lease_seconds=60)
    assert [peer.url for peer in claimed] == [url("b")]


def test_a_locked_row_is_reported(database: Database, store: CardStore) -> None:
    keep(store, "a")
    with database.writing() as connection:
        connection.execute(text("SELECT * FROM peers FOR UPDATE"))
        with pytest.raises(StoreError, match="locked by another process") as caught:
            store.record([seen("a", outcome="changed")])
    assert caught.value.cause == "locked"


def test_a_lost_connection_is_reopened(database: Database, store: CardStore) -> None:
    keep(store, "a")
    with database.reading() as connection:
        own = connection.execute(text("SELECT pg_backend_pid()")).scalar()
    engine = create_engine(database.engine.url)
    with engine.connect() as other:
        other.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": own})
    engine.dispose()
    assert store.peer(url("a")) is not None


def test_a_row_refused_by_the_database_affects_no_other(database: Database, store: CardStore) -> None:
    keep(store, "a", "b", "c")
    with database.writing() as connection:
        connection.execute(
            text("ALTER TABLE versions ADD CONSTRAINT no_bad CHECK (position('Bad Card'::bytea in body) = 0)")
        )
    try:
        store.record(
            [
                seen("a", outcome="changed", name="Better"),
                seen("b", outcome="changed", name="Bad Card"),
                seen("c", outcome="changed", name="Best"),
            ]
        )
    finally:
        with database.writing() as connection:
            connection.execute(text("ALTER TABLE versions DROP CONSTRAINT no_bad"))
    found = [store.peer(url(name)) for name in "abc"]
    assert [(one.name, one.error_rule) for one in found if one is not None] == [
        ("Better", ""), ("B", "store/row"), ("Best", ""),
    ]  # fmt: skip
    assert [hit.name for hit in store.search(Query()).hits] == ["Best", "Better", "B"]


def test_a_frozen_process_blocks_others_only_briefly(place: str, database: Database) -> None:
    statement = text(
        "SELECT current_setting('idle_in_transaction_session_timeout'), current_setting('lock_timeout')"
    )
    with database.reading() as connection:
        assert tuple(connection.execute(statement).one()) == ("10s", "500ms")

    async def of_tasks() -> tuple[str, ...]:
        engine = async_engine(place)
        async with engine.connect() as connection:
            found = tuple((await connection.execute(statement)).one())
            raw: Any = (await connection.get_raw_connection()).driver_connection
            found += (raw.info.get_parameters()["connect_timeout"],)
        await engine.dispose()
        return found

    assert asyncio.run(of_tasks()) == ("10s", "5s", "5")
