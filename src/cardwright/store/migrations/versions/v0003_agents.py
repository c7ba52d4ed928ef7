"""Agents that were added to a gateway while it ran."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "agents",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("said", sa.String, nullable=False),
        sa.Column("changed_at", sa.Double, nullable=False),
    )
