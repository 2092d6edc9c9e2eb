"""What of a match is not kept any more."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables up to this revision."""
    allowed = "CONSTRAINT ck_matches_trimmed CHECK (trimmed BETWEEN 0 AND 2)"
    op.execute(f"ALTER TABLE matches ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0 {allowed}")
    done = sa.text("state = 'done'")
    op.create_index("ix_matches_trimmed", "matches", ["trimmed", "done_at"], sqlite_where=done, postgresql_where=done)


def downgrade() -> None:
    """Take it away again; what was dropped does not come back."""
    op.drop_index("ix_matches_trimmed", "matches")
    op.execute("ALTER TABLE matches DROP COLUMN trimmed")
