"""What authors note of a version when they send it in."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; versions from before have no note."""
    op.add_column("versions", sa.Column("note", sa.String(200), nullable=False, server_default=""))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("versions", "note")
