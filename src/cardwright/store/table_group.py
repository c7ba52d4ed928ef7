"""Groups of tables: created together, with a revision that keeps other versions of the package from writing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Integer, MetaData, String, Table, insert, inspect, select, text, update
from sqlalchemy.exc import OperationalError, ProgrammingError
from sqlalchemy.schema import CreateColumn

from cardwright.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

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

    A change of the tables increments `revision`. If it only adds tables, indexes, or columns that are nullable or have
    a server default, a database of the previous revision gets them when it is opened; any other change sets
    `upgrades_from` to the new revision. A renamed column is in `renamed` while older revisions can be upgraded.

    Attributes:
        name: The name of the group, unique in a database.
        revision: The revision of these tables.
        metadata: The tables with their indexes.
        fill: Adds what SQLAlchemy cannot describe, and the first rows.
        upgrades_from: The oldest revision that lacks only what can be added; None for `revision`.
        renamed: New names of columns by table and name in an older revision.
    """

    name: str
    revision: int
    metadata: MetaData
    fill: Callable[[Connection], None] | None = None
    upgrades_from: int | None = None
    renamed: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def can_use(self, revision: int) -> bool:
        """Return whether a database with this revision of the group can be used, perhaps after an upgrade."""
        oldest = self.revision if self.upgrades_from is None else self.upgrades_from
        return oldest <= revision <= self.revision

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

    def upgrade(self, connection: Connection) -> None:
        """Rename columns, and add the tables, columns and indexes that an older revision lacks."""
        existing = inspect(connection)
        for (name, old), new in self.renamed.items():
            if existing.has_table(name) and old in {column["name"] for column in existing.get_columns(name)}:
                connection.execute(text(f"ALTER TABLE {name} RENAME COLUMN {old} TO {new}"))
        existing = inspect(connection)
        names = set(existing.get_table_names())
        for table in self.metadata.sorted_tables:
            if table.name not in names:
                table.create(connection)
                continue
            columns = {column["name"] for column in existing.get_columns(table.name)}
            indexes = {index["name"] for index in existing.get_indexes(table.name)}
            for column in table.columns:
                if column.name not in columns:
                    added = CreateColumn(column).compile(dialect=connection.dialect)
                    connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {added}"))
            for index in table.indexes:
                if index.name not in indexes:
                    index.create(connection)
        stored = update(_REVISIONS).where(_REVISIONS.c.name == self.name)
        connection.execute(stored.values(revision=self.revision))


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
    """Return the groups that a database does not have yet in their revision.

    Raises:
        StoreError: If the database has a group in another revision, or only tables of another program.
    """
    revisions = _revisions(connection)
    for group in groups:
        revision = revisions.get(group.name, group.revision)
        if not group.can_use(revision):
            age, remedy = (
                ("a newer", "upgrade cardwright, or") if revision > group.revision else ("an older", "")
            )
            raise StoreError(
                "newer" if revision > group.revision else "older",
                f"the database has the {group.name} tables of {age} cardwright (revision {revision}; this version"
                f" needs {group.revision}): {remedy} use another database".replace("  ", " "),
            )
    return [group for group in groups if revisions.get(group.name) != group.revision]


def create_groups(connection: Connection, groups: Sequence[TableGroup]) -> None:
    """Create the missing groups, and upgrade older ones, in the caller's transaction.

    Raises:
        StoreError: If the database has other tables with these names, or another revision of a group.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    _REVISIONS.create(connection, checkfirst=True)
    existing = _revisions(connection)
    for group in missing_groups(connection, groups):
        if group.name in existing:
            group.upgrade(connection)
        else:
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
