"""Forms that are stored while their sender confirms an identity at the OpenID provider."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sign_ins", sa.Column("held", sa.JSON(), nullable=True))
