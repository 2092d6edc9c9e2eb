"""Ladders are rated in the order in which their matches were first sent, and take turns by CPU time."""

import sqlalchemy as sa
from alembic import op

from gangland_web.store.altering import replace_in_table

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

ORDERED = (
    "CASE WHEN rating_order IS NULL THEN purpose NOT IN ('tournament', 'ladder') OR state IN ('scheduled', 'void')"
    " ELSE rating_order >= 1 AND purpose IN ('tournament', 'ladder') END"
)
ORDERED_HERE = f"CONSTRAINT ck_matches_rating_order CHECK ({ORDERED})"


def upgrade() -> None:
    """Bring the tables up to this revision."""
    op.execute("ALTER TABLE matches ADD COLUMN rating_order INTEGER")
    op.add_column("matches", sa.Column("cpu_s", sa.Float(), nullable=True))
    op.add_column("entries", sa.Column("round_order", sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "ladder_turns",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("spent_s", sa.Float(), nullable=False),
        sa.Column("match_cpu_s", sa.Float(), nullable=True),
        sa.CheckConstraint("sent >= 0", name=op.f("ck_ladder_turns_sent")),
        sa.CheckConstraint("spent_s >= 0", name=op.f("ck_ladder_turns_spent_s")),
        sa.CheckConstraint("match_cpu_s IS NULL OR match_cpu_s > 0", name=op.f("ck_ladder_turns_match_cpu_s")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_ladder_turns_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_ladder_turns")),
    )
    _give_orders()
    op.drop_index("ix_matches_fold", table_name="matches")
    op.create_index("ix_matches_fold", "matches", ["tournament_id", "state", "rating_order", "id"])
    op.create_index("uq_matches_rating_order", "matches", ["tournament_id", "rating_order"], unique=True)
    _need_orders()


def _give_orders() -> None:
    """Give every match its place: what is rated stays in the order of its numbers, and so does what was sent since.

    What a ladder has not sent yet gets its place when it is sent.
    """
    op.execute("UPDATE matches SET rating_order = number WHERE purpose = 'tournament'")
    op.execute(
        "UPDATE matches SET rating_order = number WHERE purpose = 'ladder'"
        " AND number < (SELECT cursor FROM tournaments WHERE tournaments.id = matches.tournament_id)"
    )
    op.execute(
        "UPDATE matches SET rating_order = placed.place FROM ("
        "SELECT matches.id AS match_id, tournaments.cursor - 1 + ROW_NUMBER() OVER"
        " (PARTITION BY matches.tournament_id ORDER BY matches.number) AS place"
        " FROM matches JOIN tournaments ON tournaments.id = matches.tournament_id"
        " WHERE matches.purpose = 'ladder' AND matches.number >= tournaments.cursor"
        " AND matches.state IN ('leased', 'done')"
        ") AS placed WHERE matches.id = placed.match_id"
    )
    op.execute(
        "INSERT INTO ladder_turns (tournament_id, sent, spent_s)"
        " SELECT tournaments.id, COALESCE(MAX(matches.rating_order), tournaments.cursor - 1), 0 FROM tournaments"
        " LEFT JOIN matches ON matches.tournament_id = tournaments.id WHERE tournaments.kind = 'ladder'"
        " GROUP BY tournaments.id, tournaments.cursor"
    )


def _need_orders() -> None:
    """Add the CHECK now that it holds; SQLite can add none to a table, so it stands with the column."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        op.execute(f"ALTER TABLE matches ADD {ORDERED_HERE}")
        return
    replace_in_table(connection, "matches", {"rating_order INTEGER": f"rating_order INTEGER {ORDERED_HERE}"})


def downgrade() -> None:
    """Take it all away again."""
    op.drop_index("uq_matches_rating_order", table_name="matches")
    op.drop_index("ix_matches_fold", table_name="matches")
    op.create_index("ix_matches_fold", "matches", ["tournament_id", "state", "number"])
    op.drop_table("ladder_turns")
    op.execute("ALTER TABLE entries DROP COLUMN round_order")
    op.execute("ALTER TABLE matches DROP COLUMN cpu_s")
    if op.get_bind().dialect.name == "sqlite":
        here = {f"rating_order INTEGER {ORDERED_HERE}": "rating_order INTEGER"}
        replace_in_table(op.get_bind(), "matches", here)
    op.execute("ALTER TABLE matches DROP COLUMN rating_order")
