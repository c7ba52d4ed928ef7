"""Documents that cards refer to: the schemas of what their skills take and give."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "documents",
        sa.Column("peer", sa.String, primary_key=True),
        sa.Column("url", sa.String, primary_key=True),
        sa.Column("fetched_at", sa.Double, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
