"""The first tables: peers, versions of their cards, and the index of words."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "peers",
        sa.Column("number", number, sa.Identity(), primary_key=True),
        sa.Column("url", sa.String, nullable=False, unique=True),
        sa.Column("place", sa.BigInteger, nullable=False),
        sa.Column("configured_id", sa.String),
        sa.Column("ttl_seconds", sa.Double),
        sa.Column("pin", sa.String),
        sa.Column("replace_valid", sa.Boolean, nullable=False),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
        sa.Column("card_id", sa.String),
        sa.Column("agent_id", sa.String),
        sa.Column("id_since", sa.Double, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("dialect", sa.String, nullable=False),
        sa.Column("valid", sa.Boolean),
        sa.Column("errors", sa.Integer, nullable=False),
        sa.Column("warnings", sa.Integer, nullable=False),
        sa.Column("version", sa.BigInteger),
        sa.Column("body_digest", sa.String, nullable=False),
        sa.Column("waiting", sa.BigInteger),
        sa.Column("checked_at", sa.Double),
        sa.Column("ok_at", sa.Double),
        sa.Column("fresh_until", sa.Double, nullable=False),
        sa.Column("next_at", sa.Double, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("error", sa.String, nullable=False),
        sa.Column("error_rule", sa.String, nullable=False),
        sa.Column("lease_owner", sa.String),
        sa.Column("lease_until", sa.Double),
        sa.Column("answer", sa.String, nullable=False),
    )
    # As SQLAlchemy writes the condition, or SQLite would not see that the index will do.
    sqlite, postgresql = sa.text("removed = 0"), sa.text("NOT removed")
    for name, columns in (
        ("peers_by_id", ["agent_id", "place"]),
        ("peers_by_name", ["name"]),
        ("peers_due", ["next_at"]),
        ("peers_by_version", ["version"]),
    ):
        op.create_index(name, "peers", columns, sqlite_where=sqlite, postgresql_where=postgresql)
    op.create_table(
        "versions",
        sa.Column("version", number, primary_key=True, autoincrement=False),
        sa.Column("peer", sa.BigInteger, sa.ForeignKey("peers.number", ondelete="CASCADE"), nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("dialect", sa.String, nullable=False),
        sa.Column("valid", sa.Boolean, nullable=False),
        sa.Column("errors", sa.Integer, nullable=False),
        sa.Column("warnings", sa.Integer, nullable=False),
        sa.Column("card_id", sa.String),
        sa.Column("body_digest", sa.String, nullable=False),
        sa.Column("answer", sa.String, nullable=False),
        sa.Column("change", sa.String, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("versions_by_peer", "versions", ["peer", "version"])
    # Words that begin alike are found by the order of their code points, whatever the language of the database.
    codepoints = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.create_table("vocabulary", sa.Column("word", codepoints, primary_key=True), sqlite_with_rowid=False)
    counters = op.create_table(
        "counters",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(
        counters,
        [
            {"name": "version", "value": 0},
            {"name": "place", "value": 0},
            {"name": "seal", "value": secrets.randbits(63)},
        ],
    )
    for statement in _INDEX[op.get_bind().dialect.name]:
        op.execute(statement)


# Only which card has which word: no text, no places and no sizes, which nothing here asks for.
# The words are made elsewhere; the simplest tokenizer leaves them as they are.
_INDEX = {
    "sqlite": (
        "CREATE VIRTUAL TABLE card_words USING fts5(words, content='', detail=none, columnsize=0, tokenize='ascii')",
    ),
    "postgresql": (
        "CREATE TABLE card_words (version BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)",
        "CREATE INDEX card_words_by_word ON card_words USING gin (words)",
    ),
}
