"""What charts show: how long bots think, and by when a tournament's matches were over."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

OVER_IN_TOURNAMENTS = sa.text("purpose = 'tournament' AND done_at IS NOT NULL")


def upgrade() -> None:
    """Add the column and the index."""
    op.add_column("match_seats", sa.Column("think", sa.JSON(none_as_null=True), nullable=True))
    op.create_index(
        "ix_matches_progress",
        "matches",
        ["tournament_id", "done_at"],
        sqlite_where=OVER_IN_TOURNAMENTS,
        postgresql_where=OVER_IN_TOURNAMENTS,
    )


def downgrade() -> None:
    """Take both away."""
    op.drop_index("ix_matches_progress", "matches")
    op.drop_column("match_seats", "think")
