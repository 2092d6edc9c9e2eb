"""What was sent before somebody was asked to show elsewhere who they are, kept until they come back."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sign_ins", sa.Column("held", sa.JSON(), nullable=True))
