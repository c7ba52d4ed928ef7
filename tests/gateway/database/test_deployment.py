"""The id and the secret that all processes of one gateway share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from cardwright_gateway.a2a_server.endpoint import caller_of
from cardwright_gateway.database.deployment import Deployment
from cardwright_gateway.database.tables import GATEWAY

if TYPE_CHECKING:
    import pytest

    from cardwright.store.database import Database


def test_all_processes_on_a_database_have_one_id_and_one_secret(database: Database) -> None:
    one, other = Deployment.of(database), Deployment.of(database)
    assert one == other
    assert (len(one.id), len(one.secret)) == (32, 32)
    assert Deployment() != one
    assert one.secret.hex() not in repr(one)


def test_the_later_of_two_starting_processes_uses_the_stored_secret(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Deployment.of(database)
    with database.reading() as connection:
        row = dict(connection.execute(select(GATEWAY)).mappings().one())
    with database.writing() as connection:
        connection.execute(delete(GATEWAY))
    writing = database.writing

    def slow() -> Any:
        with writing() as connection:
            connection.execute(GATEWAY.insert().values(row))
        monkeypatch.undo()
        return writing()

    monkeypatch.setattr(database, "writing", slow)
    assert Deployment.of(database) == first


def test_a_digest_differs_by_purpose_value_and_value_boundary() -> None:
    deployment = Deployment()
    assert len({
        deployment.digest("a", "b"), deployment.digest("b", "a"), deployment.digest("a", "b", ""),
        deployment.digest("ab"), deployment.digest("a", b"b", "c"), Deployment().digest("a", "b"),
    }) == 6  # fmt: skip


def test_credentials_are_the_same_caller_in_every_process(database: Database) -> None:
    scope = {"headers": [(b"authorization", b"Bearer x")]}
    callers = [caller_of(scope, Deployment.of(database)).display_name for _ in range(2)]
    assert callers[0] == callers[1] != caller_of(scope, Deployment()).display_name
