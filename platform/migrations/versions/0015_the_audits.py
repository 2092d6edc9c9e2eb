"""Audits: rated matches that are played again, where their decisions differ, and since when a host is trusted."""

import sqlalchemy as sa
from alembic import op

from gangland_web.store.altering import change_checks

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

PURPOSES = "purpose IN ('trial', 'challenge', 'tournament', 'ladder')"
NUMBERS = "number >= 1"
CHECKS = {
    "purpose": (PURPOSES, "purpose IN ('trial', 'challenge', 'tournament', 'ladder', 'audit')"),
    "number_from_one": (NUMBERS, "(number >= 1) = (purpose <> 'audit')"),
}
"""CHECKs of matches, before and after."""
HOST_TIMES = ("suspected_at", "trusted_from", "doubted_from")


def upgrade() -> None:
    """Bring the tables up to this revision."""
    change_checks(op.get_bind(), "matches", CHECKS)
    # A CHECK of its own would be one of the whole table, which SQLite cannot add; it stands with the column instead.
    op.execute(
        "ALTER TABLE matches ADD COLUMN audit_of INTEGER CONSTRAINT fk_matches_audit_of_matches REFERENCES matches (id)"
        " CONSTRAINT ck_matches_audit CHECK ((purpose = 'audit') = (audit_of IS NOT NULL))"
    )
    op.execute(
        "ALTER TABLE tournaments ADD COLUMN audit_percent INTEGER"
        " CONSTRAINT ck_tournaments_audit_percent CHECK (audit_percent IS NULL OR audit_percent BETWEEN 0 AND 100)"
    )
    for name in HOST_TIMES:
        op.add_column("worker_hosts", sa.Column(name, sa.Float(), nullable=True))
    _audits()
    _differences()


def _audits() -> None:
    op.create_table(
        "audits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("lapsed_for", sa.Text(), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("second_id", sa.Integer(), nullable=True),
        sa.Column("second_host_id", sa.Integer(), nullable=True),
        sa.Column("third_id", sa.Integer(), nullable=True),
        sa.Column("third_host_id", sa.Integer(), nullable=True),
        sa.Column("games_compared", sa.Integer(), nullable=False),
        sa.Column("games_left_out", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.CheckConstraint("state IN ('open', 'agreed', 'differed', 'lapsed')", name=op.f("ck_audits_state")),
        sa.CheckConstraint("(state = 'open') = (ended_at IS NULL)", name=op.f("ck_audits_ended_at")),
        sa.CheckConstraint("(state = 'lapsed') = (lapsed_for <> '')", name=op.f("ck_audits_lapsed_for")),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_audits_digest")),
        sa.CheckConstraint("games_compared >= 0 AND games_left_out >= 0", name=op.f("ck_audits_games")),
        *(_reference("audits", name, "matches") for name in ("match_id", "second_id", "third_id")),
        *(_reference("audits", name, "worker_hosts") for name in ("host_id", "second_host_id", "third_host_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audits")),
    )
    is_open = sa.text("state = 'open'")
    op.create_index(
        "uq_audits_one_open", "audits", ["match_id"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_index("ix_audits_state", "audits", ["state", "id"])
    op.create_index("ix_audits_match_id", "audits", ["match_id"])
    op.create_index("ix_audits_host_id", "audits", ["host_id"])


def _differences() -> None:
    op.create_table(
        "audit_differences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=True),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("blamed_id", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "verdict IN ('open', 'bot', 'recorded', 'again', 'unclear')", name=op.f("ck_audit_differences_verdict")
        ),
        sa.CheckConstraint(
            "block >= 0 AND rotation >= 0 AND round >= 0", name=op.f("ck_audit_differences_coordinates")
        ),
        sa.CheckConstraint(
            "(blamed_id IS NOT NULL) = (verdict IN ('recorded', 'again'))", name=op.f("ck_audit_differences_blamed")
        ),
        _reference("audit_differences", "audit_id", "audits"),
        _reference("audit_differences", "entry_id", "entries"),
        _reference("audit_differences", "blamed_id", "worker_hosts"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_differences")),
        sa.UniqueConstraint("audit_id", "rotation", name=op.f("uq_audit_differences_audit_id_rotation")),
    )
    op.create_index("ix_audit_differences_entry_id", "audit_differences", ["entry_id"])
    op.create_index("ix_audit_differences_blamed_id", "audit_differences", ["blamed_id"])


def _reference(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}_{to}"))


def downgrade() -> None:
    """Take it all away again, and the matches that were played as audits."""
    op.drop_table("audit_differences")
    op.drop_table("audits")
    for name in HOST_TIMES:
        op.execute(f"ALTER TABLE worker_hosts DROP COLUMN {name}")
    op.execute("ALTER TABLE tournaments DROP COLUMN audit_percent")
    op.execute("DELETE FROM games WHERE match_id IN (SELECT id FROM matches WHERE purpose = 'audit')")
    op.execute("DELETE FROM matches WHERE purpose = 'audit'")
    op.execute("ALTER TABLE matches DROP COLUMN audit_of")
    change_checks(op.get_bind(), "matches", {name: (new, old) for name, (old, new) in CHECKS.items()})
