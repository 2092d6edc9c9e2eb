"""Longer names with a key by which they look alike; moderations; join codes that can be read.

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

from gangland_web.base.text import look_key

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NAMED = {"users": ("name", "name_key"), "teams": ("name", "name_key"), "owner_names": ("name_key",)}
BEFORE, NOW = "length(name) BETWEEN 2 AND 32", "length(name) BETWEEN 1 AND 64"


LOOKING = ("users", "teams", "bots")


def upgrade() -> None:
    """Widen the columns and their CHECK, and write the keys."""
    _widen()
    bind = op.get_bind()
    for table in LOOKING:
        op.add_column(table, sa.Column("look_key", sa.Text(), nullable=False, server_default=""))
        named = sa.table(table, sa.column("id"), sa.column("name"), sa.column("look_key"))
        for number, name in bind.execute(sa.select(named.c.id, named.c.name)).all():
            bind.execute(named.update().where(named.c.id == number).values(look_key=look_key(name)))
        op.create_index(op.f(f"ix_{table}_look_key"), table, ["look_key"])

    op.add_column("tournaments", sa.Column("join_code", sa.String(length=100), nullable=True))
    op.add_column("users", sa.Column("suspended_for", sa.Text(), nullable=True))
    _moderations()


def _moderations() -> None:
    op.create_table(
        "moderations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("bot_id", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("ordered_by", sa.Integer(), nullable=False),
        sa.Column("ordered_at", sa.Float(), nullable=False),
        sa.Column("undone_by", sa.Integer(), nullable=True),
        sa.Column("undone_at", sa.Float(), nullable=True),
        sa.CheckConstraint("kind IN ('rename', 'hide', 'retire', 'suspend')", name=op.f("ck_moderations_kind")),
        sa.CheckConstraint("(user_id IS NULL) <> (bot_id IS NULL)", name=op.f("ck_moderations_of_one")),
        sa.CheckConstraint("(undone_at IS NULL) = (undone_by IS NULL)", name=op.f("ck_moderations_undone")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_moderations_bot_id_bots")),
        sa.ForeignKeyConstraint(["ordered_by"], ["users.id"], name=op.f("fk_moderations_ordered_by_users")),
        sa.ForeignKeyConstraint(["undone_by"], ["users.id"], name=op.f("fk_moderations_undone_by_users")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_moderations_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moderations")),
    )
    op.create_index(op.f("ix_moderations_bot_id"), "moderations", ["bot_id"])
    op.create_index(op.f("ix_moderations_user_id"), "moderations", ["user_id"])


def _widen() -> None:
    bind = op.get_bind()
    if bind.dialect.name == "sqlite":
        # A CHECK is changed in the table's own words (sqlite.org/lang_altertable.html, 7): nothing that is stored
        # changes, and the triggers stay, which a copy of the table would lose.
        version = bind.exec_driver_sql("PRAGMA schema_version").scalar_one()
        bind.exec_driver_sql("PRAGMA writable_schema = ON")
        for table, columns in NAMED.items():
            words = f"replace(sql, '{BEFORE}', '{NOW}')"
            for column in columns:
                words = f"replace({words}, '\t{column} VARCHAR(32)', '\t{column} VARCHAR(64)')"
            changed = f"UPDATE sqlite_master SET sql = {words} WHERE type = 'table' AND name = ?"  # noqa: S608 (words of ours)
            bind.exec_driver_sql(changed, (table,))
        bind.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
        bind.exec_driver_sql("PRAGMA writable_schema = OFF")
        return
    found = sa.text(
        "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = to_regclass(:t) AND NOT tgisinternal"
    )
    for table, columns in NAMED.items():
        triggers = bind.execute(found, {"t": table}).all()  # one that names a column keeps it as it is
        for name, _ in triggers:
            op.execute(f"DROP TRIGGER {name} ON {table}")
        for column in columns:
            op.alter_column(table, column, type_=sa.String(length=64))
        for _, made in triggers:
            op.execute(made)
        if "name" in columns:
            op.drop_constraint(f"ck_{table}_name_length", table)
            op.create_check_constraint(op.f(f"ck_{table}_name_length"), table, NOW)
