"""E-mail addresses, the codes that are mailed, and the mails that wait."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables up to this revision."""
    op.create_table(
        "email_addresses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("address_key", sa.String(length=254), nullable=False),
        sa.Column("asked_at", sa.Float(), nullable=False),
        sa.Column("confirmed_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_email_addresses_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_addresses")),
    )
    confirmed, waiting = sa.text("confirmed_at IS NOT NULL"), sa.text("confirmed_at IS NULL")
    for name, column, where in (
        ("uq_email_addresses_confirmed", "address_key", confirmed),
        ("uq_email_addresses_of", "user_id", confirmed),
        ("uq_email_addresses_asked", "user_id", waiting),
    ):
        op.create_index(name, "email_addresses", [column], unique=True, sqlite_where=where, postgresql_where=where)
    op.create_table(
        "email_codes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("address_key", sa.String(length=254), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.CheckConstraint("length(code_hash) = 64", name=op.f("ck_email_codes_code_hash_length")),
        sa.CheckConstraint("kind IN ('confirm', 'recover')", name=op.f("ck_email_codes_kind")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_email_codes_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_codes")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_email_codes_code_hash")),
    )
    op.create_index("ix_email_codes_user_id", "email_codes", ["user_id"])
    op.create_table(
        "mails",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("next_at", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('confirm', 'recover', 'password', 'address')", name=op.f("ck_mails_kind")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_mails_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mails")),
    )
    op.create_index("ix_mails_user_id", "mails", ["user_id"])
    op.create_index("ix_mails_next_at", "mails", ["next_at"])


def downgrade() -> None:
    """Take it all away again."""
    for table in ("mails", "email_codes", "email_addresses"):
        op.drop_table(table)
