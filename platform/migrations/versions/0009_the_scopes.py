"""What else a token may be for: to write, and to organise."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

SOME = "can_read OR can_upload OR can_write OR can_organise"
DAYS = "NOT can_organise OR expires_at <= created_at + 604800"
TAKEN_OVER = """
    INSERT INTO tokens (id, owner_id, name, secret_hash, can_read, can_upload, created_at, expires_at, last_used_at,
        revoked_at)
    SELECT id, owner_id, name, secret_hash, can_read, can_upload, created_at, expires_at, last_used_at, revoked_at
    FROM tokens_before
"""


def upgrade() -> None:
    """Bring the tables up to this revision."""
    if op.get_bind().dialect.name == "sqlite":  # it changes no condition of a table that is there
        _made_again(SOME, DAYS, ("can_write", "can_organise"))
        return
    for name in ("can_write", "can_organise"):
        op.execute(f"ALTER TABLE tokens ADD COLUMN {name} BOOLEAN NOT NULL DEFAULT false")
    op.execute("ALTER TABLE tokens DROP CONSTRAINT ck_tokens_some_scope")
    op.execute(f"ALTER TABLE tokens ADD CONSTRAINT ck_tokens_some_scope CHECK ({SOME})")
    op.execute(f"ALTER TABLE tokens ADD CONSTRAINT ck_tokens_organise_days CHECK ({DAYS})")


def _made_again(some: str, days: str, scopes: tuple[str, ...]) -> None:
    """Make the table anew with these scopes, and take over what is in it."""
    op.drop_index("ix_tokens_owner_id", "tokens")
    op.rename_table("tokens", "tokens_before")
    flags = [sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False) for name in scopes]
    checks = [sa.CheckConstraint(days, name=op.f("ck_tokens_organise_days"))] if days else []
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("can_read", sa.Boolean(), nullable=False),
        sa.Column("can_upload", sa.Boolean(), nullable=False),
        *flags,
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("last_used_at", sa.Float(), nullable=True),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 64", name=op.f("ck_tokens_name_length")),
        sa.CheckConstraint("length(secret_hash) = 64", name=op.f("ck_tokens_secret_hash_length")),
        sa.CheckConstraint(some, name=op.f("ck_tokens_some_scope")),
        *checks,
        sa.CheckConstraint(
            "expires_at BETWEEN created_at + 86400 AND created_at + 31536000", name=op.f("ck_tokens_days")
        ),
        sa.CheckConstraint("last_used_at IS NULL OR last_used_at < expires_at", name=op.f("ck_tokens_used_while_good")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_tokens_owner_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_tokens_secret_hash")),
    )
    op.execute(TAKEN_OVER)
    op.drop_table("tokens_before")
    op.create_index(op.f("ix_tokens_owner_id"), "tokens", ["owner_id"])


def downgrade() -> None:
    """Take it all away again; tokens for nothing else are gone with it."""
    op.execute("DELETE FROM tokens WHERE NOT (can_read OR can_upload)")
    if op.get_bind().dialect.name == "sqlite":
        _made_again("can_read OR can_upload", "", ())
        return
    op.execute("ALTER TABLE tokens DROP CONSTRAINT ck_tokens_organise_days")
    op.execute("ALTER TABLE tokens DROP CONSTRAINT ck_tokens_some_scope")
    for name in ("can_organise", "can_write"):
        op.execute(f"ALTER TABLE tokens DROP COLUMN {name}")
    op.execute("ALTER TABLE tokens ADD CONSTRAINT ck_tokens_some_scope CHECK (can_read OR can_upload)")
