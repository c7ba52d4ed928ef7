"""Which cards have which words: an inverted index in either database, asked in groups of words.

Cards stand in it by the number of their version. What it holds is made by `facets.indexed_words`;
it knows neither texts nor kinds. It streams the newest first and stops as soon as it has enough,
so a word that every card has costs no more than a rare one.
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
class Wanted:
    """What to look for: of each group of words one, and not likewise what `without` names."""

    groups: Groups
    without: tuple[Groups, ...] = ()


@dataclass(frozen=True, slots=True)
class _Syntax:
    """How a database writes a condition. Words hold no ASCII but letters and digits: there is nothing to escape."""

    quote: str
    either: str
    both: str
    but_not: str

    def condition(self, wanted: Wanted) -> str:
        """Return what is wanted in this syntax."""
        told = self._all_of(wanted.groups)
        for groups in wanted.without:
            told = f"({told}){self.but_not}({self._all_of(groups)})"
        return told

    def _all_of(self, groups: Groups) -> str:
        return self.both.join(f"({self._one_of(group)})" for group in groups)

    def _one_of(self, group: tuple[str, ...]) -> str:
        return self.either.join(f"{self.quote}{word}{self.quote}" for word in group)


_FTS5: Final = _Syntax('"', " OR ", " AND ", " NOT ")
_TSQUERY: Final = _Syntax("'", " | ", " & ", " & !")


class Index(Protocol):
    """What both databases can do."""

    def add(self, connection: Connection, cards: Sequence[tuple[int, Collection[str]]]) -> None:
        """Add versions with their words."""
        ...

    def drop(self, connection: Connection, cards: Sequence[tuple[int, Collection[str]]]) -> None:
        """Take versions out, given the words that they were added with."""
        ...

    def find(self, connection: Connection, wanted: Wanted, *, before: int, limit: int) -> list[int]:
        """Return the newest versions below a number that have what is wanted, newest first."""
        ...


class SqliteIndex:
    """FTS5, contentless. A word always stands in quotes, which it cannot hold: it is never syntax."""

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
        """Take versions out; a word that was not there does no harm, since no version comes twice."""
        rows = [{"version": version, "words": " ".join(words)} for version, words in cards]
        execute_many(connection, self._DROP, rows)

    def find(self, connection: Connection, wanted: Wanted, *, before: int, limit: int) -> list[int]:
        """Return the newest versions below a number that have what is wanted, newest first."""
        asked = {"wanted": _FTS5.condition(wanted), "before": before, "limit": limit}
        return list(connection.execute(self._FIND, asked).scalars())


class PostgresqlIndex:
    """A tsvector of words that are made here, under a GIN index. A word always stands in quotes."""

    _ADD: Final = text(
        "INSERT INTO card_words (version, words) VALUES (:version, array_to_tsvector(CAST(:words AS text[])))"
    )
    _DROP: Final = text("DELETE FROM card_words WHERE version = :version")
    # Common words are among the newest; what is rare there comes from the index of words. The planner does not
    # know how dear it is to look into a row, and would look into all of them: `+ 0` hides the order from it.
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
        """Take versions out."""
        execute_many(connection, self._DROP, [{"version": version} for version, _ in cards])

    def find(self, connection: Connection, wanted: Wanted, *, before: int, limit: int) -> list[int]:
        """Return the newest versions below a number that have what is wanted, newest first."""
        asked = {"wanted": _TSQUERY.condition(wanted), "before": before, "limit": limit}
        found = list(connection.execute(self._NEWEST, asked).scalars())
        return found if len(found) == limit else list(connection.execute(self._ALL, asked).scalars())


INDEXES: Final[dict[str, Index]] = {"sqlite": SqliteIndex(), "postgresql": PostgresqlIndex()}
