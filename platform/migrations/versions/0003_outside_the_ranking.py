"""House bots outside the ranking of a tournament, entries closed before the freeze, why a bot was left out of it.

Tournaments that were announced before keep house bots in their ranking, as their rules said.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("house_ranked", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("tournaments", sa.Column("closed_at", sa.Float(), nullable=True))
    op.add_column("entrants", sa.Column("note", sa.Text(), server_default="", nullable=False))
    op.execute("UPDATE tournaments SET house_ranked = true WHERE kind = 'tournament' AND announced_at IS NOT NULL")
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER tournaments_changed_too AFTER UPDATE OF house_ranked, closed_at ON tournaments FOR EACH ROW"
            " WHEN OLD.house_ranked IS NOT NEW.house_ranked OR OLD.closed_at IS NOT NEW.closed_at"
            " BEGIN UPDATE tournaments SET revision = revision + 1 WHERE id = NEW.id; END"
        )
