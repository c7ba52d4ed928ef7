"""Added owners, their tokens and paused agents, in SQLite and in PostgreSQL."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import inspect, text

from cardwright_gateway.auth.last_use import LastUse
from cardwright_gateway.auth.owner_tokens import OwnerTokens
from cardwright_gateway.database.agent_states import AgentStates
from cardwright_gateway.database.owners import OwnerDirectory
from cardwright_gateway.database.tables import METADATA, open_database
from cardwright_gateway.errors import OwnerConflict
from tests.databases import own_database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.store.database import Database


def test_owners_are_added_once_and_removed(database: Database) -> None:
    owners, others = OwnerDirectory({}, database), OwnerDirectory({}, database)
    owners.add("acme", "Acme", "https://acme.example", actor="test")
    with pytest.raises(OwnerConflict):
        others.add("acme", "Again", actor="test")
    others.refresh()
    assert (others["acme"].name, others["acme"].url) == ("Acme", "https://acme.example")
    others.remove("acme", actor="test")
    owners.refresh()
    assert "acme" not in owners


def test_the_last_use_of_tokens_is_written(database: Database) -> None:
    tokens = OwnerTokens(database)
    ids = [tokens.issue("acme", actor="test")[0].id for _ in range(2)]
    used = LastUse(database, lambda: 1_800_000_000.0)
    for token_id in ids:
        used.note(token_id)
    used.write()
    assert {token.last_used_at for token in tokens.list("acme")} == {1_800_000_000.0}


def test_a_pause_is_seen_by_other_processes_and_affects_one_owner(database: Database) -> None:
    here, there = AgentStates(database, lambda: 5.0), AgentStates(database)
    here.set_paused("travel", "acme", paused=True, actor="test")
    assert there.paused_at("travel", "acme") is None
    there.refresh()
    assert (there.paused_at("travel", "acme"), there.paused_at("travel", "other")) == (5.0, None)
    there.set_paused("travel", "acme", paused=False, actor="test")
    here.refresh()
    assert here.paused_at("travel", "acme") is None
    here.set_paused("travel", "acme", paused=True, actor="test")
    here.forget("travel")
    assert here.paused_at("travel", "acme") is None


@pytest.fixture
def old() -> Iterator[str]:
    """A database of PostgreSQL for one test."""
    with own_database() as url:
        yield url


@pytest.mark.postgresql
def test_a_database_of_the_previous_revision_is_upgraded_in_postgresql(old: str) -> None:
    with closing(open_database(old)) as database, database.writing() as connection:
        for statement in (
            "ALTER TABLE agent_keys DROP COLUMN previous_digest, DROP COLUMN last_used_at",
            "ALTER TABLE webhook_deliveries DROP COLUMN status, DROP COLUMN reason",
            "DROP TABLE owners, owner_tokens, agent_states",
            "UPDATE cardwright_tables SET revision = 4 WHERE name = 'gateway'",
        ):
            connection.execute(text(statement))
    with closing(open_database(old)) as database:
        made = inspect(database.engine)
        for table in METADATA.sorted_tables:
            assert {one["name"] for one in made.get_columns(table.name)} == {
                one.name for one in table.columns
            }
            assert {one["name"] for one in made.get_indexes(table.name)} >= {
                one.name for one in table.indexes
            }
