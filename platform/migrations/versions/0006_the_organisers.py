"""Roles instead of one admin, what organisers order, and a log that the database lets nobody edit."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

ROLES = "'author', 'organiser', 'admin'"
REFUSED = "the audit log is only ever added to"


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def upgrade() -> None:
    """Bring the tables up to this revision."""
    role = f"role VARCHAR(16) NOT NULL DEFAULT 'author' CONSTRAINT ck_users_role CHECK (role IN ({ROLES}))"
    op.execute(f"ALTER TABLE users ADD COLUMN {role}")
    op.execute("UPDATE users SET role = 'admin' WHERE is_admin")
    op.execute("ALTER TABLE users DROP COLUMN is_admin")
    op.execute("ALTER TABLE users DROP COLUMN session_epoch")
    op.execute("ALTER TABLE users ADD COLUMN made_by INTEGER CONSTRAINT fk_users_made_by_users REFERENCES users (id)")
    op.execute("ALTER TABLE users ADD COLUMN deleted_at FLOAT")
    _people()
    reference = "CONSTRAINT fk_tournaments_rehearsal_of_tournaments REFERENCES tournaments (id)"
    op.execute(f"ALTER TABLE tournaments ADD COLUMN rehearsal_of INTEGER {reference}")
    op.execute("ALTER TABLE entries ADD COLUMN disqualified_at FLOAT")
    op.execute("ALTER TABLE entries ADD COLUMN disqualified_for TEXT NOT NULL DEFAULT ''")
    op.create_table(
        "directives",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("entry_id", sa.Integer(), nullable=True),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("ordered_by", sa.Integer(), nullable=False),
        sa.Column("ordered_at", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("done_at", sa.Float(), nullable=True),
        sa.Column("before", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('move', 'deadline', 'rerun', 'void', 'disqualify')", name=op.f("ck_directives_kind")
        ),
        sa.CheckConstraint("state IN ('waiting', 'done', 'refused')", name=op.f("ck_directives_state")),
        sa.CheckConstraint("(state = 'waiting') = (done_at IS NULL)", name=op.f("ck_directives_done_at")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_directives_tournament_id_tournaments")
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], op.f("fk_directives_match_id_matches")),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], op.f("fk_directives_entry_id_entries")),
        sa.ForeignKeyConstraint(["ordered_by"], ["users.id"], op.f("fk_directives_ordered_by_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_directives")),
    )
    waiting = sa.text("state = 'waiting'")
    op.create_index("ix_directives_waiting", "directives", ["id"], sqlite_where=waiting, postgresql_where=waiting)
    op.create_index("ix_directives_tournament", "directives", ["tournament_id", "id"])
    op.create_table(
        "audit_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("act", sa.String(length=64), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=True),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("directive_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["actor_id"], ["users.id"], op.f("fk_audit_log_actor_id_users")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_audit_log_tournament_id_tournaments")
        ),
        sa.ForeignKeyConstraint(["directive_id"], ["directives.id"], op.f("fk_audit_log_directive_id_directives")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    op.create_index("ix_audit_log_tournament", "audit_log", ["tournament_id", "id"])
    op.create_index("ix_audit_log_actor", "audit_log", ["actor_id", "id"])
    for statement in _sqlite() if _is_sqlite() else _postgresql():
        op.execute(statement)


def _people() -> None:
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("begun_at", sa.Float(), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.Column("proven_at", sa.Float(), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("agent", sa.String(length=160), nullable=False),
        sa.CheckConstraint("length(key_hash) = 64", name=op.f("ck_sign_ins_key_hash_length")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], op.f("fk_sign_ins_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_ins")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_sign_ins_key_hash")),
    )
    op.create_index("ix_sign_ins_user_id", "sign_ins", ["user_id"])
    op.create_table(
        "password_codes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("made_by", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("used_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(code_hash) = 64", name=op.f("ck_password_codes_code_hash_length")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], op.f("fk_password_codes_user_id_users")),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], op.f("fk_password_codes_made_by_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_password_codes")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_password_codes_code_hash")),
    )
    op.create_index("ix_password_codes_user_id", "password_codes", ["user_id"])


def _sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER audit_log_no_{act.lower()} BEFORE {act} ON audit_log "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
        for act in ("UPDATE", "DELETE")
    ]


def _postgresql() -> list[str]:
    stays = f"$$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$"
    before = "BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT"
    return [
        f"CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS {stays}",
        f"CREATE TRIGGER audit_log_stays {before} EXECUTE FUNCTION audit_log_stays()",
    ]


def downgrade() -> None:
    """Take it all away again, the log and what was ordered too."""
    if _is_sqlite():
        for act in ("update", "delete"):
            op.execute(f"DROP TRIGGER audit_log_no_{act}")
    op.drop_table("audit_log")
    if not _is_sqlite():
        op.execute("DROP FUNCTION audit_log_stays()")
    op.drop_table("directives")
    op.drop_table("password_codes")
    op.drop_table("sign_ins")
    op.execute("ALTER TABLE users DROP COLUMN deleted_at")
    op.execute("ALTER TABLE users DROP COLUMN made_by")
    op.execute("ALTER TABLE users ADD COLUMN session_epoch INTEGER NOT NULL DEFAULT 0")
    op.execute("ALTER TABLE tournaments DROP COLUMN rehearsal_of")
    op.execute("ALTER TABLE entries DROP COLUMN disqualified_for")
    op.execute("ALTER TABLE entries DROP COLUMN disqualified_at")
    op.execute("ALTER TABLE users ADD COLUMN is_admin BOOLEAN NOT NULL DEFAULT FALSE")
    op.execute("UPDATE users SET is_admin = TRUE WHERE role = 'admin'")
    op.execute("ALTER TABLE users DROP COLUMN role")
