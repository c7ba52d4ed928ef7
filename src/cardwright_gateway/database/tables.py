"""The tables of the gateway, beside those of the cards in the same database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

from cardwright.store.database import Database
from cardwright.store.table_group import TableGroup
from cardwright.store.tables import CARD_TABLES

if TYPE_CHECKING:
    import os

METADATA: Final = MetaData()
_NUMBER: Final = BigInteger().with_variant(Integer, "sqlite")

# Agents that were added to a gateway while it ran, as they were said.
AGENTS: Final = Table(
    "agents",
    METADATA,
    Column("id", String, primary_key=True),
    Column("said", String, nullable=False),
    Column("changed_at", Double, nullable=False),
)

# Keys of agents: only their digests are stored.
KEYS: Final = Table(
    "agent_keys",
    METADATA,
    Column("id", String, primary_key=True),
    Column("agent_id", String, nullable=False, index=True),
    Column("owner_id", String, nullable=False),
    Column("name", String, nullable=False),
    # The first characters of the key, to tell it from others; too few to guess the rest.
    Column("prefix", String, nullable=False),
    Column("digest", String, nullable=False, unique=True),
    Column("quota_requests", Integer),
    Column("quota_seconds", Integer),
    Column("created_at", Double, nullable=False),
    Column("rotated_at", Double),
    Column("expires_at", Double),
    Column("revoked_at", Double),
)

# Who changed what; never changed itself.
AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("number", _NUMBER, primary_key=True),
    Column("at", Double, nullable=False),
    Column("actor", String, nullable=False),
    Column("action", String, nullable=False),
    Column("agent_id", String, nullable=False, index=True),
    Column("subject", String, nullable=False),
    Column("detail", String, nullable=False),
)

# Files that invocations refer to.
FILES: Final = Table(
    "files",
    METADATA,
    Column("id", String, primary_key=True),
    Column("owner_id", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("media_type", String, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("created_at", Double, nullable=False, index=True),
    Column("body", LargeBinary, nullable=False),
)

# The processes that share this database: who has not been seen for a while is gone.
REPLICAS: Final = Table(
    "replicas",
    METADATA,
    Column("id", String, primary_key=True),
    Column("started_at", Double, nullable=False),
    Column("seen_at", Double, nullable=False),
)

# Tasks as a2a-sdk's stores have them, with ids as long as callers may make them.
TASKS: Final = Table(
    "a2a_tasks",
    METADATA,
    Column("id", String, primary_key=True),
    Column("context_id", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("owner", String),
    Column("last_updated", DateTime),
    Column("status", JSON, nullable=False),
    Column("artifacts", JSON),
    Column("history", JSON),
    Column("protocol_version", String),
    Column("metadata", JSON),
    # Ours: whose agent's it is, how it is, and which process runs it.
    Column("agent_id", String, nullable=False),
    Column("state", String, nullable=False),
    Column("replica", String, nullable=False),
    Index("ix_a2a_tasks_owner_last_updated", "owner", "last_updated"),
    Index("ix_a2a_tasks_state_last_updated", "state", "last_updated"),
)

TASK_VERSIONS: Final = Table(
    "a2a_task_versions",
    METADATA,
    Column("task_id", String, primary_key=True),
    Column("owner", String),
    Column("version", BigInteger, nullable=False),
)

TASK_EVENTS: Final = Table(
    "a2a_task_events",
    METADATA,
    Column("seq", _NUMBER, primary_key=True),
    Column("task_id", String, nullable=False, index=True),
    Column("owner", String),
    Column("task_version", BigInteger, nullable=False),
    Column("event_data", LargeBinary, nullable=False),
)

PUSH_CONFIGS: Final = Table(
    "a2a_push_configs",
    METADATA,
    Column("task_id", String, primary_key=True),
    Column("config_id", String, primary_key=True),
    Column("config_data", LargeBinary, nullable=False),
    Column("owner", String, index=True),
    Column("protocol_version", String),
)

# Which task of the agent behind a task of the gateway is answered by.
UPSTREAM_TASKS: Final = Table(
    "upstream_tasks",
    METADATA,
    Column("task_id", String, primary_key=True),
    Column("agent_id", String, nullable=False),
    Column("upstream_id", String, nullable=False),
    Column("upstream_context_id", String, nullable=False),
)

# What a receiver was promised beside its configuration in A2A's own form: secrets, encrypted.
WEBHOOKS: Final = Table(
    "webhooks",
    METADATA,
    Column("task_id", String, primary_key=True),
    Column("config_id", String, primary_key=True),
    Column("agent_id", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("secrets", LargeBinary),
)

# Receivers of one caller by origin and path, over all of its tasks: how they do.
ENDPOINTS: Final = Table(
    "webhook_endpoints",
    METADATA,
    Column("id", String, primary_key=True),
    Column("failing_since", Double),
    Column("slow_until", Double),
    Column("disabled_at", Double),
    Column("why", String, nullable=False),
)

# What is to be delivered; the bytes stay the same for all attempts.
EVENTS: Final = Table(
    "webhook_events",
    METADATA,
    Column("id", String, primary_key=True),
    Column("task_id", String, nullable=False),
    Column("config_id", String, nullable=False),
    Column("agent_id", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("endpoint", String, nullable=False, index=True),
    Column("media_type", String, nullable=False),
    # waiting, delivered, dead or dropped.
    Column("state", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("next_at", Double),
    Column("ended_at", Double, index=True),
    # Whether it waits for the key that its receiver was encrypted with.
    Column("unreadable", Boolean, nullable=False),
    # The id of the redelivery that its owner asked for.
    Column("redelivery", String),
    # What the receivers of one origin and path share, whosever they are: so many are under way at once.
    Column("partition", String, nullable=False),
    # When the row is to be looked at next; while a process has it, when its lease ends.
    Column("due_at", Double),
    Column("lease_owner", String),
    Column("body", LargeBinary, nullable=False),
    # Events of a receiver that is busy are passed over in the index alone.
    Index("ix_webhook_events_due_at", "due_at", "id", "partition"),
    Index("ix_webhook_events_lease_owner", "lease_owner", "due_at", "partition"),
    Index("ix_webhook_events_state_unreadable", "state", "unreadable"),
    Index("ix_webhook_events_task_id_config_id", "task_id", "config_id"),
)

# One row an attempt, written when it begins: one that was cut off says so by having no end.
DELIVERIES: Final = Table(
    "webhook_deliveries",
    METADATA,
    Column("id", String, primary_key=True),
    Column("event_id", String, nullable=False, index=True),
    Column("task_id", String, nullable=False),
    Column("config_id", String, nullable=False),
    Column("agent_id", String, nullable=False),
    Column("number", Integer, nullable=False),
    # schedule or redelivery.
    Column("cause", String, nullable=False),
    Column("started_at", Double, nullable=False),
    Column("ended_at", Double),
    # delivered, failed, refused or unknown.
    Column("outcome", String, nullable=False),
    # 2 to 5, of 2xx to 5xx; null where no answer came.
    Column("status_class", Integer),
    Column("duration_ms", Double),
    Column("response_bytes", BigInteger),
    Index("ix_webhook_deliveries_task_id_config_id_started_at", "task_id", "config_id", "started_at"),
)

# Turns of agents that pull their work, where several processes share them: who asks and who works may be at two.
QUEUED_TURNS: Final = Table(
    "queued_turns",
    METADATA,
    # The order of coming; a turn that a worker lost has its old place.
    Column("number", _NUMBER, primary_key=True),
    Column("agent_id", String, nullable=False, index=True),
    # What the worker that has it names it by; null where none has.
    Column("work_id", String, unique=True),
    Column("attempts", Integer, nullable=False),
    Column("told", Integer, nullable=False),
    Column("lease_until", Double, nullable=False),
    # Until when the process in which the caller waits is taken to be there.
    Column("awaited_until", Double, nullable=False, index=True),
    # What the caller says; and how it ended, once it has.
    Column("said", LargeBinary, key="body", nullable=False),
    Column("ended", LargeBinary),
    # A number is given once: SQLite gives that of a row which is gone to the next one otherwise.
    sqlite_autoincrement=True,
)

# What workers told of them on the way, until it was passed on.
QUEUED_WORDS: Final = Table(
    "queued_words",
    METADATA,
    Column("number", _NUMBER, primary_key=True),
    Column("turn", BigInteger, nullable=False, index=True),
    Column("said", LargeBinary, key="body", nullable=False),
    # As above: a process passes on what has a greater number than what it passed on last.
    sqlite_autoincrement=True,
)

# Which processes have workers of an agent.
QUEUE_WORKERS: Final = Table(
    "queue_workers",
    METADATA,
    Column("agent_id", String, primary_key=True),
    Column("process", String, primary_key=True),
    Column("waiting", Integer, nullable=False),
    Column("seen_at", Double, nullable=False),
)

GATEWAY_TABLES: Final = TableGroup("gateway", 1, METADATA)


def open_database(
    place: str | os.PathLike[str], *, wait_seconds: float = 5.0, survives_power_cut: bool = False
) -> Database:
    """Open the database of a gateway, as `Database.open` does.

    Raises:
        BadArgument: If the place is no path and no URL of a known database.
        MissingPackage: If PostgreSQL's driver is not installed.
        StoreError: If the database cannot be used.
    """
    return Database.open(
        place,
        wait_seconds=wait_seconds,
        survives_power_cut=survives_power_cut,
        groups=(CARD_TABLES, GATEWAY_TABLES),
    )
