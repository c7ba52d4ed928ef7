"""Groups of tables: made together in a new database, and numbered so that no other version writes to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Integer, MetaData, String, Table, insert, inspect, select, text
from sqlalchemy.exc import OperationalError, ProgrammingError

from cardwright.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

# Which revision of each group a database holds.
_REVISIONS: Final = Table(
    "cardwright_tables",
    MetaData(),
    Column("name", String, primary_key=True),
    Column("revision", Integer, nullable=False),
)
# Any number, so that of several processes one makes the tables: "card" in ASCII.
_LOCK: Final = 0x63617264


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Tables that belong together.

    No version of the package has been released with other tables than these, so there is nothing to migrate from:
    the first change after a release raises `revision` and brings the step from the one before.

    Attributes:
        name: The name of the group, unique in a database.
        revision: The number of this form of the tables.
        metadata: The tables with their indexes.
        fill: Adds what SQLAlchemy does not describe, and the first rows.
    """

    name: str
    revision: int
    metadata: MetaData
    fill: Callable[[Connection], None] | None = None

    def create(self, connection: Connection) -> None:
        """Make the tables.

        Raises:
            StoreError: If a table of that name is there already.
        """
        there = set(inspect(connection).get_table_names()).intersection(self.metadata.tables)
        if there:
            raise StoreError(
                "foreign",
                f"the database has a table {min(there)!r} that this version of cardwright did not make:"
                " name another database",
            )
        self.metadata.create_all(connection, checkfirst=False)
        if self.fill is not None:
            self.fill(connection)
        connection.execute(insert(_REVISIONS), {"name": self.name, "revision": self.revision})


def missing_groups(connection: Connection, groups: Sequence[TableGroup]) -> list[TableGroup]:
    """Return the groups that a database does not have yet.

    Raises:
        StoreError: If it has one in another revision.
    """
    revisions = _revisions(connection)
    for group in groups:
        found = revisions.get(group.name, group.revision)
        if found != group.revision:
            age, remedy = (
                ("a newer", "upgrade cardwright, or") if found > group.revision else ("an older", "")
            )
            raise StoreError(
                "newer" if found > group.revision else "older",
                f"the database has the {group.name} tables of {age} cardwright (revision {found}; this version"
                f" has {group.revision}): {remedy} name another database".replace("  ", " "),
            )
    return [group for group in groups if group.name not in revisions]


def create_groups(connection: Connection, groups: Sequence[TableGroup]) -> None:
    """Make what is missing; the caller's transaction takes all of it or nothing.

    Raises:
        StoreError: If the database has other tables of these names, or another revision of them.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    _REVISIONS.create(connection, checkfirst=True)
    for group in missing_groups(connection, groups):
        group.create(connection)


def _revisions(connection: Connection) -> dict[str, int]:
    # In PostgreSQL a statement that fails ends the transaction, so there the table is looked for first.
    if connection.dialect.name == "postgresql" and not inspect(connection).has_table(_REVISIONS.name):
        return {}
    try:
        rows = connection.execute(select(_REVISIONS.c.name, _REVISIONS.c.revision))
    except (OperationalError, ProgrammingError) as error:
        if "no such table" in str(error.orig):
            return {}
        raise
    return {name: revision for name, revision in rows}  # noqa: C416 - typed as a mapping of rows otherwise
