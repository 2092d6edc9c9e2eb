"""What the house knows of itself."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables up to this revision."""
    op.create_table(
        "house_facts",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_house_facts")),
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("house_facts")
