"""Inverted index of the words of cards, for SQLite and PostgreSQL, queried with groups of words.

Cards are identified by the number of their version, and their words come from `facets.indexed_words`. A query
returns the newest versions first and stops as soon as it has enough, so a word of every card costs no more than a
rare one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from sqlalchemy import text

from cardwright.store.bulk import execute_many

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition: one word of each group, and none of the conditions in `without`."""

    groups: Groups
    without: tuple[Groups, ...] = ()


@dataclass(frozen=True, slots=True)
class _Syntax:
    """The condition syntax of a database. Words have no ASCII but letters and digits: nothing needs escaping."""

    quote: str
    any_of: str
    all_of: str
    without: str

    def render(self, condition: Condition) -> str:
        """Return the condition as text."""
        rendered = self._all_of(condition.groups)
        for groups in condition.without:
            rendered = f"({rendered}){self.without}({self._all_of(groups)})"
        return rendered

    def _all_of(self, groups: Groups) -> str:
        return self.all_of.join(f"({self._one_of(group)})" for group in groups)

    def _one_of(self, group: tuple[str, ...]) -> str:
        return self.any_of.join(f"{self.quote}{word}{self.quote}" for word in group)


_FTS5: Final = _Syntax('"', " OR ", " AND ", " NOT ")
_TSQUERY: Final = _Syntax("'", " | ", " & ", " & !")


class Index(Protocol):
    """Interface of both indexes."""

    def add(self, connection: Connection, cards: Sequence[tuple[int, Collection[str]]]) -> None:
        """Add versions with their words."""
        ...

    def drop(self, connection: Connection, cards: Sequence[tuple[int, Collection[str]]]) -> None:
        """Remove versions, given their words."""
        ...

    def find(self, connection: Connection, condition: Condition, *, before: int, limit: int) -> list[int]:
        """Return the newest versions below a number that match, newest first."""
        ...


class SqliteIndex:
    """Index in a contentless FTS5 table. Words are always quoted, and contain no quotes: they are never syntax."""

    _ADD: Final = text("INSERT INTO card_words (rowid, words) VALUES (:version, :words)")
    _DROP: Final = text(
        "INSERT INTO card_words (card_words, rowid, words) VALUES ('delete', :version, :words)"
    )
    _FIND: Final = text(
        "SELECT rowid FROM card_words WHERE card_words MATCH :wanted AND rowid < :before"
        " ORDER BY rowid DESC LIMIT :limit"
    )

    def add(self, connection: Connection, cards: Sequence[tuple[int, Collection[str]]]) -> None:
        """Add versions with their words."""
        rows = [{"version": version, "words": " ".join(words)} for version, words in cards]
        execute_many(connection, self._ADD, rows)

    def drop(self, connection: Connection, cards: Sequence[tuple[int, Collection[str]]]) -> None:
        """Remove versions; a missing word does no harm, since version numbers are never reused."""
        rows = [{"version": version, "words": " ".join(words)} for version, words in cards]
        execute_many(connection, self._DROP, rows)

    def find(self, connection: Connection, condition: Condition, *, before: int, limit: int) -> list[int]:
        """Return the newest versions below a number that match, newest first."""
        parameters = {"wanted": _FTS5.render(condition), "before": before, "limit": limit}
        return list(connection.execute(self._FIND, parameters).scalars())


class PostgresqlIndex:
    """Index in a tsvector column with a GIN index. Words are always quoted."""

    _ADD: Final = text(
        "INSERT INTO card_words (version, words) VALUES (:version, array_to_tsvector(CAST(:words AS text[])))"
    )
    _DROP: Final = text("DELETE FROM card_words WHERE version = :version")
    # Common words are among the newest versions; rare words are found with the GIN index. The planner
    # underestimates the cost of reading `words` and would read all rows: `+ 0` keeps it from using the order.
    _NEWEST: Final = text(
        "SELECT version FROM (SELECT version, words FROM card_words WHERE version < :before"
        " ORDER BY version DESC LIMIT 4000) AS newest WHERE words @@ CAST(:wanted AS tsquery)"
        " ORDER BY version DESC LIMIT :limit"
    )
    _ALL: Final = text(
        "SELECT version FROM card_words WHERE words @@ CAST(:wanted AS tsquery) AND version + 0 < :before"
        " ORDER BY version + 0 DESC LIMIT :limit"
    )

    def add(self, connection: Connection, cards: Sequence[tuple[int, Collection[str]]]) -> None:
        """Add versions with their words."""
        rows = [{"version": version, "words": list(words)} for version, words in cards]
        execute_many(connection, self._ADD, rows)

    def drop(self, connection: Connection, cards: Sequence[tuple[int, Collection[str]]]) -> None:
        """Remove versions."""
        execute_many(connection, self._DROP, [{"version": version} for version, _ in cards])

    def find(self, connection: Connection, condition: Condition, *, before: int, limit: int) -> list[int]:
        """Return the newest versions below a number that match, newest first."""
        parameters = {"wanted": _TSQUERY.render(condition), "before": before, "limit": limit}
        versions = list(connection.execute(self._NEWEST, parameters).scalars())
        return (
            versions if len(versions) == limit else list(connection.execute(self._ALL, parameters).scalars())
        )


INDEXES: Final[dict[str, Index]] = {"sqlite": SqliteIndex(), "postgresql": PostgresqlIndex()}
