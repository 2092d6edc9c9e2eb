"""Worker hosts, each with a credential of its own, and which of them played a match."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables up to this revision."""
    op.create_table(
        "worker_hosts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("password_sha256", sa.String(length=64), nullable=False),
        sa.Column("slot_limit", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.Column("stopped_at", sa.Float(), nullable=True),
        sa.Column("stopped_for", sa.Text(), nullable=True),
        sa.Column("seen_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 32", name=op.f("ck_worker_hosts_name_length")),
        sa.CheckConstraint("length(password_sha256) = 64", name=op.f("ck_worker_hosts_password_sha256")),
        sa.CheckConstraint("slot_limit BETWEEN 1 AND 1000", name=op.f("ck_worker_hosts_slot_limit")),
        sa.CheckConstraint("(stopped_at IS NULL) = (stopped_for IS NULL)", name=op.f("ck_worker_hosts_stopped")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker_hosts")),
        sa.UniqueConstraint("name", name=op.f("uq_worker_hosts_name")),
    )
    reference = "CONSTRAINT fk_matches_host_id_worker_hosts REFERENCES worker_hosts (id)"
    op.execute(f"ALTER TABLE matches ADD COLUMN host_id INTEGER {reference}")
    op.create_index("ix_matches_host", "matches", ["host_id", "done_at"])


def downgrade() -> None:
    """Take it all away again; which host played what is forgotten."""
    op.drop_index("ix_matches_host", "matches")
    op.execute("ALTER TABLE matches DROP COLUMN host_id")
    op.drop_table("worker_hosts")
