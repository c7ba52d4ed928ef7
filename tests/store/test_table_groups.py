from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import inspect

from cardwright.errors import StoreError
from cardwright.store import CardStore
from cardwright.store.tables import METADATA
from cardwright_gateway.database.tables import open_database
from tests.store.cards import keep, url

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cardwright.store.database import Database


def test_a_new_database_has_every_table_with_its_columns_and_indexes(database: Database) -> None:
    made = inspect(database.engine)
    for table in METADATA.sorted_tables:
        assert {column["name"] for column in made.get_columns(table.name)} == set(table.columns.keys())
        assert {index.name for index in table.indexes} <= {
            index["name"] for index in made.get_indexes(table.name)
        }


def test_a_database_is_opened_again_with_all_that_was_in_it(tmp_path: Path) -> None:
    # A percent sign means something to readers of settings.
    place = tmp_path / "a %d folder" / "peers.sqlite"
    place.parent.mkdir()
    with CardStore.open(f"sqlite:///{place}") as store:
        keep(store, "a")
    with CardStore.open(place) as store:
        assert store.by_name("A")[0].url == url("a")


@pytest.mark.parametrize(("revision", "cause"), [(9999, "newer"), (0, "older")])
def test_a_database_of_another_version_is_refused_and_left_alone(
    tmp_path: Path, revision: int, cause: str
) -> None:
    place = tmp_path / "peers.sqlite"
    CardStore.open(place).close()
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("UPDATE cardwright_tables SET revision = ?", (revision,))
        connection.commit()
    with pytest.raises(StoreError, match=f"{cause}.*use another database") as caught:
        CardStore.open(place)
    assert caught.value.cause == cause


@pytest.mark.parametrize("opened", [CardStore.open, open_database], ids=["registry", "gateway"])
def test_a_file_of_another_program_is_refused_and_not_a_byte_is_written(
    tmp_path: Path, opened: Callable[[Path], object]
) -> None:
    place = tmp_path / "notes.sqlite"
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    before = place.read_bytes()

    with pytest.raises(
        StoreError, match=r"notes\.sqlite has tables of another program, such as 'notes'"
    ) as caught:
        opened(place)

    assert caught.value.cause == "foreign"
    assert place.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["notes.sqlite"]


def test_a_new_database_can_be_read_by_its_owner_only(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        with CardStore.open(tmp_path / "agents.db") as store:
            keep(store, "a")
            modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    finally:
        os.umask(old)

    assert modes["agents.db"] == 0o600
    assert set(modes.values()) == {0o600}


def test_another_table_group_can_be_added_to_a_database(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"
    CardStore.open(place).close()
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    with CardStore.open(place) as store:
        keep(store, "a")


@pytest.mark.process
def test_processes_that_open_a_new_database_at_once_create_it_once(tmp_path: Path) -> None:
    script = (
        "import sys; from cardwright.store import CardStore, PeerSettings; print('ready', flush=True);"
        "sys.stdin.readline(); store = CardStore.open(sys.argv[1], wait_seconds=60);"
        "store.add([PeerSettings(sys.argv[2])]); store.close()"
    )
    place = str(tmp_path / "peers.sqlite")
    command = [sys.executable, "-c", script, place]
    openers = [
        subprocess.Popen([*command, url(name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in "abc"
    ]
    for opener in openers:
        assert opener.stdout is not None
        assert opener.stdout.readline() == "ready\n"
    for opener in openers:
        opener.communicate("go\n", timeout=120)
    assert [opener.returncode for opener in openers] == [0, 0, 0]
    with CardStore.open(place) as store:
        assert [peer.url for peer in store.peers()] == [url(name) for name in "abc"]
