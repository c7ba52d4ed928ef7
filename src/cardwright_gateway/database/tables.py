"""The gateway's database tables, in the same database as the card tables."""

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
    text,
)

from cardwright.store.database import Database
from cardwright.store.table_group import TableGroup
from cardwright.store.tables import CARD_TABLES

if TYPE_CHECKING:
    import os


METADATA: Final = MetaData()
_NUMBER: Final = BigInteger().with_variant(Integer, "sqlite")

# One row: what all processes on this database share.
GATEWAY: Final = Table(
    "gateway",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    # By which the gateway recognises its own requests.
    Column("id", String, nullable=False),
    # The key of digests that must be the same in all processes and after a restart.
    Column("secret", LargeBinary, nullable=False),
    # When a process last checked that it can write.
    Column("checked_at", Double),
)

# Agents that were added to a running gateway, with their settings as JSON.
AGENTS: Final = Table(
    "agents",
    METADATA,
    Column("id", String, primary_key=True),
    Column("settings", String, nullable=False),
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
    # The secret before the last rotation, and until when it is valid.
    Column("previous_digest", String, index=True),
    Column("previous_until", Double),
    Column("paused_at", Double),
    Column("last_used_at", Double),
)

# Owners that the operator added; those of the configuration file are not stored.
OWNERS: Final = Table(
    "owners",
    METADATA,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("url", String),
    Column("created_at", Double, nullable=False),
    # A removed owner keeps its row: tasks, files and tokens belong to its id, which no other owner may get.
    Column("removed_at", Double),
)

# Tokens of owners, of both kinds: only their digests are stored.
OWNER_TOKENS: Final = Table(
    "owner_tokens",
    METADATA,
    Column("id", String, primary_key=True),
    Column("owner_id", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("prefix", String, nullable=False),
    Column("digest", String, nullable=False, unique=True),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double),
    Column("revoked_at", Double),
    Column("last_used_at", Double),
)

# What an owner has set for an agent apart from its settings, also for an agent of the configuration file.
AGENT_STATES: Final = Table(
    "agent_states",
    METADATA,
    Column("agent_id", String, primary_key=True),
    # Who set it: it does not count for another owner of the id.
    Column("owner_id", String, nullable=False),
    Column("paused_at", Double),
    # A JSON object of changed settings.
    Column("overrides", String),
    Column("changed_at", Double, nullable=False),
)

# The audit log; rows are never modified.
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

# Heartbeats of the processes that share this database.
REPLICAS: Final = Table(
    "replicas",
    METADATA,
    Column("id", String, primary_key=True),
    Column("started_at", Double, nullable=False),
    Column("seen_at", Double, nullable=False),
)

# Tasks in the format of a2a-sdk's stores, with ids of any length that callers may send.
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
    # Additional columns of the gateway: the agent, the state, and the process that runs the task.
    Column("agent_id", String, nullable=False),
    Column("state", String, nullable=False),
    Column("replica", String, nullable=False),
    # The owner of the agent, and the bytes that count for it; 0 for a task of an older version.
    Column("agent_owner", String, nullable=False, server_default=text("''")),
    Column("size", BigInteger, nullable=False, server_default=text("0")),
    # How many of these are for its rows in `a2a_task_events`.
    Column("event_bytes", BigInteger, nullable=False, server_default=text("0")),
    # What a conversion of the task costs: its JSON values, and its bytes without files.
    Column("value_count", BigInteger, nullable=False, server_default=text("0")),
    Column("text_bytes", BigInteger, nullable=False, server_default=text("0")),
    Index("ix_a2a_tasks_owner_last_updated", "owner", "last_updated"),
    Index("ix_a2a_tasks_state_last_updated", "state", "last_updated"),
)

# The total size of each owner's tasks and their events in the outbox: a sum over these would read all of them for each
# call. Several rows for each owner, so that tasks that are saved at the same time rarely wait for one row.
TASK_BYTES: Final = Table(
    "task_bytes",
    METADATA,
    Column("agent_owner", String, primary_key=True),
    # What callers without credentials caused is counted apart: they may use a part of the space only.
    Column("anonymous", Boolean, primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("bytes", BigInteger, nullable=False),
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

# The upstream task of each task of the gateway.
UPSTREAM_TASKS: Final = Table(
    "upstream_tasks",
    METADATA,
    Column("task_id", String, primary_key=True),
    Column("agent_id", String, nullable=False),
    Column("upstream_id", String, nullable=False),
    Column("upstream_context_id", String, nullable=False),
)

# What A2A's push configuration has no field for: the agent, and the encrypted secrets.
WEBHOOKS: Final = Table(
    "webhooks",
    METADATA,
    Column("task_id", String, primary_key=True),
    Column("config_id", String, primary_key=True),
    Column("agent_id", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("secrets", LargeBinary),
    # The owner of the agent, and the bytes of the configuration that count for it.
    Column("charged_to", String, nullable=False, server_default=text("''")),
    Column("size", BigInteger, nullable=False, server_default=text("0")),
)

# The state of each caller's receivers by origin and path, over all tasks.
ENDPOINTS: Final = Table(
    "webhook_endpoints",
    METADATA,
    Column("id", String, primary_key=True),
    Column("failing_since", Double),
    Column("slow_until", Double),
    Column("disabled_at", Double),
    Column("why", String, nullable=False),
)

# The outbox: events to deliver. The body is the same in all attempts.
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
    # Whether it waits because its receiver cannot be decrypted with the current key.
    Column("unreadable", Boolean, nullable=False),
    # The id of the redelivery that its owner requested.
    Column("redelivery", String),
    # Shared by all receivers of one origin and path; concurrency is limited per partition.
    Column("partition", String, nullable=False),
    # When the row is due; while a process has leased it, when the lease expires.
    Column("due_at", Double),
    Column("lease_owner", String),
    # Empty once it is delivered: it cannot be redelivered then.
    Column("body", LargeBinary, nullable=False),
    # The owner of the agent, and the bytes that count for it.
    Column("charged_to", String, nullable=False, server_default=text("''")),
    Column("size", BigInteger, nullable=False, server_default=text("0")),
    # With the partition, so that events of a busy receiver are skipped within the index.
    Index("ix_webhook_events_due_at", "due_at", "id", "partition"),
    Index("ix_webhook_events_lease_owner", "lease_owner", "due_at", "partition"),
    Index("ix_webhook_events_state_unreadable", "state", "unreadable"),
    Index("ix_webhook_events_task_id_config_id", "task_id", "config_id"),
)

# One row per attempt, written when it begins; an interrupted attempt has no end time.
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
    # The HTTP status; null without a response, and for an attempt of the previous revision.
    Column("status", Integer),
    # Why it was not delivered.
    Column("reason", String),
    Column("duration_ms", Double),
    Column("response_bytes", BigInteger),
    Index("ix_webhook_deliveries_task_id_config_id_started_at", "task_id", "config_id", "started_at"),
)

# Work queue shared by several processes: caller and worker may be connected to different ones.
QUEUED_TURNS: Final = Table(
    "queued_turns",
    METADATA,
    # The order of arrival; a requeued turn has its old place.
    Column("number", _NUMBER, primary_key=True),
    Column("agent_id", String, nullable=False, index=True),
    # The id of the worker's lease; null without one.
    Column("work_id", String, unique=True),
    Column("attempts", Integer, nullable=False),
    Column("reported", Integer, nullable=False),
    Column("reported_bytes", BigInteger, nullable=False),
    Column("reported_values", BigInteger, nullable=False, server_default=text("0")),
    Column("reported_text", BigInteger, nullable=False, server_default=text("0")),
    Column("task_id", String, nullable=False),
    Column("lease_until", Double, nullable=False),
    # Until when the process in which the caller waits counts as alive.
    Column("awaited_until", Double, nullable=False, index=True),
    # The turn, and its result.
    Column("body", LargeBinary, nullable=False),
    Column("ended", LargeBinary),
    # Otherwise SQLite reuses the numbers of deleted rows.
    sqlite_autoincrement=True,
)

# Updates by workers, until they are passed on to the caller.
QUEUED_WORDS: Final = Table(
    "queued_words",
    METADATA,
    Column("number", _NUMBER, primary_key=True),
    Column("turn", BigInteger, nullable=False, index=True),
    Column("body", LargeBinary, nullable=False),
    # As above: a process passes on updates with a greater number than the last one.
    sqlite_autoincrement=True,
)

# The workers of each agent, by process.
QUEUE_WORKERS: Final = Table(
    "queue_workers",
    METADATA,
    Column("agent_id", String, primary_key=True),
    Column("process", String, primary_key=True),
    Column("waiting", Integer, nullable=False),
    Column("seen_at", Double, nullable=False),
)


# The names of revision 6 and older.
_RENAMED: Final = {
    ("agents", "said"): "settings",
    ("queued_turns", "told"): "reported",
    ("queued_turns", "said"): "body",
    ("queued_words", "said"): "body",
}
GATEWAY_TABLES: Final = TableGroup("gateway", 7, METADATA, upgrades_from=4, renamed=_RENAMED)


def open_database(
    place: str | os.PathLike[str], *, wait_seconds: float = 5.0, durable: bool = False
) -> Database:
    """Open the database of a gateway, like `Database.open`.

    Raises:
        BadArgument: If the place is neither a path nor a URL of a supported database.
        MissingPackage: If PostgreSQL's driver is not installed.
        StoreError: If the database is unavailable.
    """
    return Database.open(
        place, wait_seconds=wait_seconds, durable=durable, groups=(CARD_TABLES, GATEWAY_TABLES)
    )
