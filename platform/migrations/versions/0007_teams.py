"""Teams that share bots and count as one owner, and a register of the names that people and teams share."""

import re
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

from gangland_web.store.altering import rewrite_table, table_sql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

OF_PEOPLE = "(is_house OR import_id IS NOT NULL) = (owner_id IS NULL)"
OF_TEAMS_TOO = "(is_house OR import_id IS NOT NULL) = (owner_id IS NULL AND team_id IS NULL)"
MORE = {
    "one_owner": "owner_id IS NULL OR team_id IS NULL",
    "owner_group": "(owner_group IS NULL) = (owner_id IS NULL AND team_id IS NULL)",
}
NAMED = ("users", "user_id"), ("teams", "team_id")


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def upgrade() -> None:
    """Bring the tables up to this revision."""
    _teams()
    _bots()
    op.execute("ALTER TABLE versions ADD COLUMN uploaded_by INTEGER " + _reference("versions", "uploaded_by", "users"))
    op.execute("UPDATE versions SET uploaded_by = (SELECT owner_id FROM bots WHERE bots.id = versions.bot_id)")
    op.add_column("entries", sa.Column("owner_group", sa.String(length=16), nullable=True))
    op.execute(
        "UPDATE entries SET owner_group = (SELECT bots.owner_group FROM bots JOIN versions "
        "ON versions.bot_id = bots.id WHERE versions.id = entries.version_id) "
        "WHERE tournament_id IN (SELECT id FROM tournaments WHERE kind = 'tournament')"
    )
    _names()


def _reference(table: str, column: str, to: str) -> str:
    return f"CONSTRAINT fk_{table}_{column}_{to} REFERENCES {to} (id)"


def _teams() -> None:
    op.create_table(
        "teams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("name_key", sa.String(length=32), nullable=False),
        sa.Column("captain_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("dissolved_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(name) BETWEEN 2 AND 32", name=op.f("ck_teams_name_length")),
        sa.ForeignKeyConstraint(["captain_id"], ["users.id"], op.f("fk_teams_captain_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("name_key", name=op.f("uq_teams_name_key")),
    )
    op.create_table(
        "memberships",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("joined_at", sa.Float(), nullable=False),
        sa.Column("left_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], op.f("fk_memberships_team_id_teams")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], op.f("fk_memberships_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memberships")),
    )
    now = sa.text("left_at IS NULL")
    op.create_index(
        "uq_memberships_one_team", "memberships", ["user_id"], unique=True, sqlite_where=now, postgresql_where=now
    )
    op.create_index("ix_memberships_team_id", "memberships", ["team_id"])
    op.create_index("ix_memberships_user_id", "memberships", ["user_id"])
    op.create_table(
        "invitations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(code_hash) = 64", name=op.f("ck_invitations_code_hash_length")),
        sa.CheckConstraint("places >= 1 AND taken BETWEEN 0 AND places", name=op.f("ck_invitations_places")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], op.f("fk_invitations_team_id_teams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_invitations_code_hash")),
    )
    op.create_index("ix_invitations_team_id", "invitations", ["team_id"])


def _bots() -> None:
    op.execute("ALTER TABLE bots ADD COLUMN team_id INTEGER " + _reference("bots", "team_id", "teams"))
    op.add_column("bots", sa.Column("owner_group", sa.String(length=16), nullable=True))
    op.execute("UPDATE bots SET owner_group = 'p' || owner_id WHERE owner_id IS NOT NULL")
    more = "".join(f", CONSTRAINT ck_bots_{name} CHECK ({what})" for name, what in MORE.items())
    if _is_sqlite():
        _rewrite_bots(OF_PEOPLE, OF_TEAMS_TOO, lambda sql: f"{sql.rstrip()[:-1]}{more})")
    else:
        op.execute("ALTER TABLE bots DROP CONSTRAINT ck_bots_house_has_no_owner")
        op.execute(f"ALTER TABLE bots ADD CONSTRAINT ck_bots_house_has_no_owner CHECK ({OF_TEAMS_TOO})")
        for name, what in MORE.items():
            op.execute(f"ALTER TABLE bots ADD CONSTRAINT ck_bots_{name} CHECK ({what})")
    op.create_index("ix_bots_team_id", "bots", ["team_id"])
    op.create_index("ix_bots_owner_group", "bots", ["owner_group"])
    _one_active("owner_group")


def _one_active(column: str) -> None:
    playing = sa.text(f"active_version_id IS NOT NULL AND {column} IS NOT NULL")
    op.drop_index("uq_bots_one_active", "bots")
    op.create_index(
        "uq_bots_one_active", "bots", [column, "game"], unique=True, sqlite_where=playing, postgresql_where=playing
    )


def _rewrite_bots(old: str, new: str, then: Callable[[str], str]) -> None:
    """Change a CHECK of a table that others refer to."""
    connection = op.get_bind()
    rewrite_table(connection, "bots", then(table_sql(connection, "bots").replace(old, new)))


def _names() -> None:
    op.create_table(
        "owner_names",
        sa.Column("name_key", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("(user_id IS NULL) <> (team_id IS NULL)", name=op.f("ck_owner_names_of_one")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], op.f("fk_owner_names_user_id_users"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], op.f("fk_owner_names_team_id_teams"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("name_key", name=op.f("pk_owner_names")),
        sa.UniqueConstraint("user_id", name=op.f("uq_owner_names_user_id")),
        sa.UniqueConstraint("team_id", name=op.f("uq_owner_names_team_id")),
    )
    op.execute("INSERT INTO owner_names (name_key, user_id) SELECT name_key, id FROM users")
    for table, column in NAMED:
        added = f"INSERT INTO owner_names (name_key, {column}) VALUES (NEW.name_key, NEW.id)"  # noqa: S608 (names of ours)
        changed = f"UPDATE owner_names SET name_key = NEW.name_key WHERE {column} = NEW.id"  # noqa: S608
        for what, event, act in (("added", "INSERT", added), ("changed", "UPDATE OF name_key", changed)):
            name = f"{table}_name_{what}"
            if _is_sqlite():
                op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {act}; END")
            else:
                body = f"$$ BEGIN {act}; RETURN NULL; END $$"
                op.execute(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS {body}")
                op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()")


def downgrade() -> None:
    """Take it all away again; a team's bots become its captain's."""
    for table, _ in NAMED:
        for what in ("added", "changed"):
            op.execute(f"DROP TRIGGER {table}_name_{what}" + ("" if _is_sqlite() else f" ON {table}"))
            if not _is_sqlite():
                op.execute(f"DROP FUNCTION {table}_name_{what}()")
    op.drop_table("owner_names")
    op.drop_column("entries", "owner_group")
    op.execute("ALTER TABLE versions DROP COLUMN uploaded_by")
    op.execute(
        "UPDATE bots SET owner_id = (SELECT captain_id FROM teams WHERE teams.id = bots.team_id), team_id = NULL, "
        "active_version_id = NULL WHERE team_id IS NOT NULL"
    )
    _one_active("owner_id")
    op.drop_index("ix_bots_owner_group", "bots")
    op.drop_index("ix_bots_team_id", "bots")
    if _is_sqlite():
        _rewrite_bots(OF_TEAMS_TOO, OF_PEOPLE, lambda sql: re.sub(r", CONSTRAINT ck_bots_one_owner.*", ")", sql))
    else:
        for name in MORE:
            op.execute(f"ALTER TABLE bots DROP CONSTRAINT ck_bots_{name}")
        op.execute("ALTER TABLE bots DROP CONSTRAINT ck_bots_house_has_no_owner")
        op.execute(f"ALTER TABLE bots ADD CONSTRAINT ck_bots_house_has_no_owner CHECK ({OF_PEOPLE})")
    op.drop_column("bots", "owner_group")
    op.execute("ALTER TABLE bots DROP COLUMN team_id")
    for table in ("invitations", "memberships", "teams"):
        op.drop_table(table)
