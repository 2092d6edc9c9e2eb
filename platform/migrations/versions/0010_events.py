"""Events: tournaments that belong together."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables up to this revision."""
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("organiser_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 60", name=op.f("ck_events_name_length")),
        sa.ForeignKeyConstraint(["organiser_id"], ["users.id"], name=op.f("fk_events_organiser_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    reference = "CONSTRAINT fk_tournaments_event_id_events REFERENCES events (id)"
    op.execute(f"ALTER TABLE tournaments ADD COLUMN event_id INTEGER {reference}")
    op.create_index("ix_tournaments_event_id", "tournaments", ["event_id"])


def downgrade() -> None:
    """Take it all away again; the tournaments stay."""
    op.drop_index("ix_tournaments_event_id", "tournaments")
    op.execute("ALTER TABLE tournaments DROP COLUMN event_id")
    op.drop_table("events")
