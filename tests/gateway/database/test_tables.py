"""Tables of a new database, and upgrades of an old one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import inspect

from cardwright.errors import StoreError
from cardwright.store.database import Database
from cardwright_gateway.auth.agent_keys import AgentKeys
from cardwright_gateway.database.tables import GATEWAY_TABLES, METADATA, open_database

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_database_has_every_table_with_its_columns_and_indexes(database: Database) -> None:
    made = inspect(database.engine)
    for table in METADATA.sorted_tables:
        assert {column["name"] for column in made.get_columns(table.name)} == {
            column.name for column in table.columns
        }
        assert {index.name for index in table.indexes} <= {
            index["name"] for index in made.get_indexes(table.name)
        }


def test_the_registry_of_a_command_and_a_gateway_share_one_database(tmp_path: Path) -> None:
    place = tmp_path / "cards.sqlite"
    Database.open(place, wait_seconds=1).close()
    open_database(place).close()
    Database.open(place, wait_seconds=1).close()


def test_a_database_with_a_foreign_table_is_refused_and_not_changed(tmp_path: Path) -> None:
    place = tmp_path / "other.sqlite"
    Database.open(place, wait_seconds=1).close()
    with closing(sqlite3.connect(place)) as connection:
        before = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        connection.execute("CREATE TABLE files (text)")
    with pytest.raises(
        StoreError, match="a table 'files' that this version of cardwright did not create"
    ) as caught:
        open_database(place)
    assert caught.value.cause == "foreign"
    with closing(sqlite3.connect(place)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert tables == [*before, ("files",)]


def test_a_database_of_the_previous_revision_keeps_its_rows(tmp_path: Path) -> None:
    place = tmp_path / "gateway.db"
    with closing(open_database(place)) as database:
        record, _ = AgentKeys(database).issue("travel", "acme", actor="test", name="kept")
    added = {
        "agent_keys": ("previous_digest", "previous_until", "paused_at", "last_used_at"),
        "webhook_deliveries": ("status", "reason"),
    }
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("DROP INDEX ix_agent_keys_previous_digest")
        for table, columns in added.items():
            for column in columns:
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        # The previous revision had a column that is not used any more.
        connection.execute("ALTER TABLE webhook_deliveries ADD COLUMN status_class INTEGER")
        for (table, old), new in GATEWAY_TABLES.renamed.items():
            connection.execute(f"ALTER TABLE {table} RENAME COLUMN {new} TO {old}")
        for table in ("owners", "owner_tokens", "agent_states"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("UPDATE cardwright_tables SET revision = 4 WHERE name = 'gateway'")
        connection.commit()

    with closing(open_database(place)) as database:
        made = inspect(database.engine)
        for defined in METADATA.sorted_tables:
            names = {column["name"] for column in made.get_columns(defined.name)}
            indexes = {index["name"] for index in made.get_indexes(defined.name)}
            assert names >= {column.name for column in defined.columns}
            assert names.isdisjoint(old for table, old in GATEWAY_TABLES.renamed if table == defined.name)
            assert indexes >= {index.name for index in defined.indexes}
        assert [key.id for key in AgentKeys(database).list("travel")] == [record.id]
        AgentKeys(database).change(record.id, holder="travel", actor="test", paused=True)
