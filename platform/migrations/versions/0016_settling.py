"""Settling: its terms and how far it is.  Standings that were kept are fitted anew, in another way."""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

TERMS = {"settle_first": (1, 10), "settle_percent": (1, 20), "settle_blocks": (1, 1000)}


def upgrade() -> None:
    """Bring the tables up to this revision."""
    for name, (least, most) in TERMS.items():
        # The CHECK stands with the column: SQLite cannot add one to a table.
        op.execute(
            f"ALTER TABLE tournaments ADD COLUMN {name} INTEGER CONSTRAINT ck_tournaments_{name}"
            f" CHECK ({name} IS NULL OR {name} BETWEEN {least} AND {most})"
        )
    op.execute(
        "ALTER TABLE tournaments ADD COLUMN settle_round INTEGER CONSTRAINT ck_tournaments_settle_round"
        " CHECK (settle_round IS NULL OR settle_round >= 0)"
    )
    if op.get_bind().dialect.name == "sqlite":
        # On PostgreSQL every change of a tournament raises its revision; here the columns that pages show are named.
        differ = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in (*TERMS, "settle_round"))
        op.execute(
            f"CREATE TRIGGER settling_changed AFTER UPDATE OF {', '.join((*TERMS, 'settle_round'))} ON tournaments"  # noqa: S608
            f" FOR EACH ROW WHEN {differ} BEGIN UPDATE tournaments SET revision = revision + 1 WHERE id = NEW.id; END"
        )
    op.execute("DELETE FROM kept_standings")


def downgrade() -> None:
    """Take it all away again; matches that were played to settle places stay, as those of the schedule."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER settling_changed")
    for name in (*TERMS, "settle_round"):
        op.execute(f"ALTER TABLE tournaments DROP COLUMN {name}")
    op.execute("DELETE FROM kept_standings")
