"""The tables, as statements are built from them; the migrations make them, and a test holds the two together."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Double, Integer, LargeBinary, MetaData, String, Table

# The newest migration. A database that is there needs no alembic to be opened.
HEAD: Final = "0003"

METADATA: Final = MetaData()

VERSION: Final = Table("cardwright_migration", METADATA, Column("version_num", String(32), primary_key=True))

PEERS: Final = Table(
    "peers",
    METADATA,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("url", String, nullable=False, unique=True),
    # The order of being added, which settles who has an id.
    Column("place", BigInteger, nullable=False),
    Column("configured_id", String),
    Column("ttl_seconds", Double),
    Column("pin", String),
    Column("replace_valid", Boolean, nullable=False),
    Column("source", String, nullable=False),
    Column("removed", Boolean, nullable=False, default=False),
    Column("card_id", String),
    Column("agent_id", String),
    # 0 where its first card said the id, else when it came to say it.
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
)

VERSIONS: Final = Table(
    "versions",
    METADATA,
    # Taken from COUNTERS, never twice: the order of these numbers is the order of search results.
    Column("version", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("peer", BigInteger, nullable=False),
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
    # Last, so that whoever reads the rest reads no body.
    Column("body", LargeBinary, nullable=False),
)

# Agents that were added to a gateway while it ran, as they were said.
AGENTS: Final = Table(
    "agents",
    METADATA,
    Column("id", String, primary_key=True),
    Column("said", String, nullable=False),
    Column("changed_at", Double, nullable=False),
)

# Every word that a card ever had, to find those that begin alike.
VOCABULARY: Final = Table("vocabulary", METADATA, Column("word", String, primary_key=True))

# What cards refer to: schemas of what skills take and give.
DOCUMENTS: Final = Table(
    "documents",
    METADATA,
    Column("peer", String, primary_key=True),
    Column("url", String, primary_key=True),
    Column("fetched_at", Double, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

# Numbers given out, and the key that cursors are sealed with.
COUNTERS: Final = Table(
    "counters",
    METADATA,
    Column("name", String, primary_key=True),
    Column("value", BigInteger, nullable=False),
)
