"""Groups of tables: created together, with a revision that keeps other versions of the package from writing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Integer, MetaData, String, Table, insert, inspect, select, text
from sqlalchemy.exc import OperationalError, ProgrammingError

from cardwright.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sqlalchemy import Connection

# The revision of each group in a database.
_REVISIONS: Final = Table(
    "cardwright_tables",
    MetaData(),
    Column("name", String, primary_key=True),
    Column("revision", Integer, nullable=False),
)
# Any constant: it lets only one process create the tables ("card" in ASCII).
_LOCK: Final = 0x63617264


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Tables that are created together.

    No version of the package has been released, so there are no migrations: a change of the tables increments
    `revision`, and the first one after a release adds the migration from the previous revision.

    Attributes:
        name: The name of the group, unique in a database.
        revision: The revision of these tables.
        metadata: The tables with their indexes.
        fill: Adds what SQLAlchemy cannot describe, and the first rows.
    """

    name: str
    revision: int
    metadata: MetaData
    fill: Callable[[Connection], None] | None = None

    def create(self, connection: Connection) -> None:
        """Create the tables.

        Raises:
            StoreError: If a table with one of these names exists.
        """
        existing = set(inspect(connection).get_table_names()).intersection(self.metadata.tables)
        if existing:
            raise StoreError(
                "foreign",
                f"the database has a table {min(existing)!r} that this version of cardwright did not create;"
                " use another database",
            )
        self.metadata.create_all(connection, checkfirst=False)
        if self.fill is not None:
            self.fill(connection)
        connection.execute(insert(_REVISIONS), {"name": self.name, "revision": self.revision})


def refuse_foreign_tables(names: Collection[str], place: str) -> None:
    """Refuse a database with tables of another program: a settings file may name any file.

    Args:
        names: The names of its tables.
        place: The name of the database, for the message.

    Raises:
        StoreError: If there are tables, and none that this package has created.
    """
    if names and _REVISIONS.name not in names:
        raise StoreError(
            "foreign",
            f"the database {place} has tables of another program, such as {min(names)!r}, and nothing was written to it;"
            " use a database of its own for cardwright",
        )


def missing_groups(connection: Connection, groups: Sequence[TableGroup]) -> list[TableGroup]:
    """Return the groups that a database does not have yet.

    Raises:
        StoreError: If the database has a group in another revision, or only tables of another program.
    """
    revisions = _revisions(connection)
    for group in groups:
        revision = revisions.get(group.name, group.revision)
        if revision != group.revision:
            age, remedy = (
                ("a newer", "upgrade cardwright, or") if revision > group.revision else ("an older", "")
            )
            raise StoreError(
                "newer" if revision > group.revision else "older",
                f"the database has the {group.name} tables of {age} cardwright (revision {revision}; this version"
                f" needs {group.revision}): {remedy} use another database".replace("  ", " "),
            )
    return [group for group in groups if group.name not in revisions]


def create_groups(connection: Connection, groups: Sequence[TableGroup]) -> None:
    """Create the missing groups in the caller's transaction.

    Raises:
        StoreError: If the database has other tables with these names, or another revision of a group.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    _REVISIONS.create(connection, checkfirst=True)
    for group in missing_groups(connection, groups):
        group.create(connection)


def _revisions(connection: Connection) -> dict[str, int]:
    # In PostgreSQL a failed statement aborts the transaction, so check for the table first.
    if connection.dialect.name == "postgresql" and not inspect(connection).has_table(_REVISIONS.name):
        # SQLite's tables were looked at when it was connected.
        refuse_foreign_tables(inspect(connection).get_table_names(), str(connection.engine.url.database))
        return {}
    try:
        rows = connection.execute(select(_REVISIONS.c.name, _REVISIONS.c.revision))
    except (OperationalError, ProgrammingError) as error:
        if "no such table" in str(error.orig):
            return {}
        raise
    return {name: revision for name, revision in rows}  # noqa: C416 - typed as a mapping of rows otherwise
