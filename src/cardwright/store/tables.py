"""Tables of cards and peers, with their indexes."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    insert,
    text,
)

from cardwright.store.table_group import TableGroup

if TYPE_CHECKING:
    from sqlalchemy import Connection

METADATA: Final = MetaData()
_NUMBER: Final = BigInteger().with_variant(Integer, "sqlite")
# Prefix searches need code point order, whatever the locale of the database.
_BY_CODE_POINT: Final = String().with_variant(String(collation="C"), "postgresql")

PEERS: Final = Table(
    "peers",
    METADATA,
    Column("number", _NUMBER, Identity(), primary_key=True),
    Column("url", String, nullable=False, unique=True),
    # The order in which peers were added, which decides conflicts of ids.
    Column("place", BigInteger, nullable=False),
    Column("configured_id", String),
    Column("ttl_seconds", Double),
    Column("pin", String),
    Column("replace_valid", Boolean, nullable=False),
    Column("source", String, nullable=False),
    Column("removed", Boolean, nullable=False, default=False),
    Column("card_id", String),
    Column("agent_id", String),
    # 0 if the first card had the id, else the time when a card first had it.
    Column("id_since", Double, nullable=False, default=0.0),
    Column("name", String, nullable=False, default=""),
    Column("dialect", String, nullable=False, default=""),
    Column("valid", Boolean),
    Column("errors", Integer, nullable=False, default=0),
    Column("warnings", Integer, nullable=False, default=0),
    Column("version", BigInteger),
    Column("body_digest", String, nullable=False, default=""),
    Column("waiting", BigInteger),
    Column("checked_at", Double),
    Column("ok_at", Double),
    Column("fresh_until", Double, nullable=False, default=0.0),
    Column("next_at", Double, nullable=False, default=0.0),
    Column("failures", Integer, nullable=False, default=0),
    Column("error", String, nullable=False, default=""),
    Column("error_rule", String, nullable=False, default=""),
    Column("lease_owner", String),
    Column("lease_until", Double),
    Column("answer", String, nullable=False, default=""),
    *(
        # As SQLAlchemy writes the condition; otherwise SQLite does not use the index.
        Index(name, *columns, sqlite_where=text("removed = 0"), postgresql_where=text("NOT removed"))
        for name, columns in (
            ("peers_by_id", ("agent_id", "place")),
            ("peers_by_name", ("name",)),
            ("peers_due", ("next_at",)),
            ("peers_by_version", ("version",)),
        )
    ),
)

VERSIONS: Final = Table(
    "versions",
    METADATA,
    # From COUNTERS, never reused: the order of these numbers is the order of search results.
    Column("version", _NUMBER, primary_key=True, autoincrement=False),
    Column("peer", BigInteger, ForeignKey("peers.number", ondelete="CASCADE"), nullable=False),
    Column("seen_at", Double, nullable=False),
    Column("state", String, nullable=False),
    Column("dialect", String, nullable=False),
    Column("valid", Boolean, nullable=False),
    Column("errors", Integer, nullable=False),
    Column("warnings", Integer, nullable=False),
    Column("card_id", String),
    Column("body_digest", String, nullable=False),
    Column("answer", String, nullable=False),
    Column("change", String, nullable=False),
    # Last, so that reading the other columns does not read the body.
    Column("body", LargeBinary, nullable=False),
    Index("versions_by_peer", "peer", "version"),
)

# All words of all cards, for prefix searches.
VOCABULARY: Final = Table(
    "vocabulary", METADATA, Column("word", _BY_CODE_POINT, primary_key=True), sqlite_with_rowid=False
)

# Documents that cards refer to: schemas of skills' input and output.
DOCUMENTS: Final = Table(
    "documents",
    METADATA,
    Column("peer", String, primary_key=True),
    Column("url", String, primary_key=True),
    Column("fetched_at", Double, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

# The catalogues that a registry follows.
CATALOGS: Final = Table(
    "catalogs",
    METADATA,
    Column("url", String, primary_key=True),
    Column("checked_at", Double),
    Column("next_at", Double, nullable=False),
    Column("agents", Integer, nullable=False),
    Column("error", String, nullable=False),
)

# Counters, and the key that signs cursors.
COUNTERS: Final = Table(
    "counters",
    METADATA,
    Column("name", String, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

# Only which card has which word: texts, positions and sizes are not needed.
# The words come from `tokenizer`; FTS5's simplest tokenizer leaves them unchanged.
_WORD_INDEX: Final = {
    "sqlite": (
        "CREATE VIRTUAL TABLE card_words USING fts5(words, content='', detail=none, columnsize=0, tokenize='ascii')",
    ),
    "postgresql": (
        "CREATE TABLE card_words (version BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)",
        "CREATE INDEX card_words_by_word ON card_words USING gin (words)",
    ),
}


def _fill(connection: Connection) -> None:
    """Create the word index, and the counters with their first values."""
    for statement in _WORD_INDEX[connection.dialect.name]:
        connection.execute(text(statement))
    first = {"version": 0, "place": 0, "seal": secrets.randbits(63)}
    connection.execute(insert(COUNTERS), [{"name": name, "value": value} for name, value in first.items()])


# Revision 2 added `catalogs`.
CARD_TABLES: Final = TableGroup("cards", 2, METADATA, _fill, upgrades_from=1)
