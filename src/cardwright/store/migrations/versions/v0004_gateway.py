"""What the gateway keeps: keys, an audit, files, tasks, and webhooks with their deliveries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    _of_owners()
    _of_tasks()
    _of_webhooks()
    _of_queues()


def _of_owners() -> None:
    """What owners have: keys, an audit, files."""
    op.create_table(
        "agent_keys",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("owner_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("prefix", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False, unique=True),
        sa.Column("quota_requests", sa.Integer),
        sa.Column("quota_seconds", sa.Integer),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("rotated_at", sa.Double),
        sa.Column("expires_at", sa.Double),
        sa.Column("revoked_at", sa.Double),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("actor", sa.String, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
        sa.Column("detail", sa.String, nullable=False),
    )
    op.create_table(
        "files",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("media_type", sa.String, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("ix_agent_keys_agent_id", "agent_keys", ["agent_id"])
    op.create_index("ix_audit_agent_id", "audit", ["agent_id"])
    op.create_index("ix_files_owner_id", "files", ["owner_id"])
    op.create_index("ix_files_created_at", "files", ["created_at"])


def _of_tasks() -> None:
    """Processes, and the tasks that they run."""
    op.create_table(
        "replicas",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("started_at", sa.Double, nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
    )
    op.create_table(
        "a2a_tasks",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("context_id", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("owner", sa.String),
        sa.Column("last_updated", sa.DateTime),
        sa.Column("status", sa.JSON, nullable=False),
        sa.Column("artifacts", sa.JSON),
        sa.Column("history", sa.JSON),
        sa.Column("protocol_version", sa.String),
        sa.Column("metadata", sa.JSON),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("replica", sa.String, nullable=False),
    )
    op.create_table(
        "a2a_task_versions",
        sa.Column("task_id", sa.String, primary_key=True),
        sa.Column("owner", sa.String),
        sa.Column("version", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "a2a_task_events",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("task_id", sa.String, nullable=False),
        sa.Column("owner", sa.String),
        sa.Column("task_version", sa.BigInteger, nullable=False),
        sa.Column("event_data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "a2a_push_configs",
        sa.Column("task_id", sa.String, primary_key=True),
        sa.Column("config_id", sa.String, primary_key=True),
        sa.Column("config_data", sa.LargeBinary, nullable=False),
        sa.Column("owner", sa.String),
        sa.Column("protocol_version", sa.String),
    )
    op.create_table(
        "upstream_tasks",
        sa.Column("task_id", sa.String, primary_key=True),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("upstream_id", sa.String, nullable=False),
        sa.Column("upstream_context_id", sa.String, nullable=False),
    )
    op.create_index("ix_a2a_tasks_owner_last_updated", "a2a_tasks", ["owner", "last_updated"])
    op.create_index("ix_a2a_tasks_state_last_updated", "a2a_tasks", ["state", "last_updated"])
    op.create_index("ix_a2a_task_events_task_id", "a2a_task_events", ["task_id"])
    op.create_index("ix_a2a_push_configs_owner", "a2a_push_configs", ["owner"])


def _of_webhooks() -> None:
    """Receivers, what they are to be told, and each attempt."""
    op.create_table(
        "webhooks",
        sa.Column("task_id", sa.String, primary_key=True),
        sa.Column("config_id", sa.String, primary_key=True),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("secrets", sa.LargeBinary),
    )
    op.create_table(
        "webhook_endpoints",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("failing_since", sa.Double),
        sa.Column("slow_until", sa.Double),
        sa.Column("disabled_at", sa.Double),
        sa.Column("why", sa.String, nullable=False),
    )
    op.create_table(
        "webhook_events",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("task_id", sa.String, nullable=False),
        sa.Column("config_id", sa.String, nullable=False),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("endpoint", sa.String, nullable=False),
        sa.Column("media_type", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("next_at", sa.Double),
        sa.Column("ended_at", sa.Double),
        sa.Column("unreadable", sa.Boolean, nullable=False),
        sa.Column("redelivery", sa.String),
        sa.Column("partition", sa.String, nullable=False),
        sa.Column("due_at", sa.Double),
        sa.Column("lease_owner", sa.String),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("event_id", sa.String, nullable=False),
        sa.Column("task_id", sa.String, nullable=False),
        sa.Column("config_id", sa.String, nullable=False),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("cause", sa.String, nullable=False),
        sa.Column("started_at", sa.Double, nullable=False),
        sa.Column("ended_at", sa.Double),
        sa.Column("outcome", sa.String, nullable=False),
        sa.Column("status_class", sa.Integer),
        sa.Column("duration_ms", sa.Double),
        sa.Column("response_bytes", sa.BigInteger),
    )
    op.create_index("ix_webhook_events_endpoint", "webhook_events", ["endpoint"])
    op.create_index("ix_webhook_events_ended_at", "webhook_events", ["ended_at"])
    op.create_index("ix_webhook_events_due_at", "webhook_events", ["due_at", "id", "partition"])
    op.create_index("ix_webhook_events_lease_owner", "webhook_events", ["lease_owner", "due_at", "partition"])
    op.create_index("ix_webhook_events_state_unreadable", "webhook_events", ["state", "unreadable"])
    op.create_index("ix_webhook_events_task_id_config_id", "webhook_events", ["task_id", "config_id"])
    op.create_index("ix_webhook_deliveries_event_id", "webhook_deliveries", ["event_id"])
    op.create_index(
        "ix_webhook_deliveries_task_id_config_id_started_at",
        "webhook_deliveries",
        ["task_id", "config_id", "started_at"],
    )


def _of_queues() -> None:
    """What workers pull, and what they say."""
    op.create_table(
        "queued_turns",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("agent_id", sa.String, nullable=False),
        sa.Column("work_id", sa.String, unique=True),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Column("lease_until", sa.Double, nullable=False),
        sa.Column("awaited_until", sa.Double, nullable=False),
        sa.Column("said", sa.LargeBinary, nullable=False),
        sa.Column("ended", sa.LargeBinary),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "queued_words",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("turn", sa.BigInteger, nullable=False),
        sa.Column("said", sa.LargeBinary, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "queue_workers",
        sa.Column("agent_id", sa.String, primary_key=True),
        sa.Column("process", sa.String, primary_key=True),
        sa.Column("waiting", sa.Integer, nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
    )
    op.create_index("ix_queued_turns_agent_id", "queued_turns", ["agent_id"])
    op.create_index("ix_queued_turns_awaited_until", "queued_turns", ["awaited_until"])
    op.create_index("ix_queued_words_turn", "queued_words", ["turn"])
